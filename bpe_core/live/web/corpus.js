// The words on the screen, of one side or of two in aligned rows. Only lines in sight are drawn; a line is drawn anew
// where its tokens change.

import { counted, element, grouped } from "./chips.js";
import { chip } from "./word_chips.js";

const MOST_TOKENS = 300; // of a long word
const FEW_LINES = 3; // so many lines may have words as long as that
const MOST_AMONG_MANY = 80;
const FEW_WORDS = 40; // that many keep their lines

export class Corpus {
  /** `choose(side, row, token pair)` is told what was clicked: the word, and the token with its neighbour. */
  constructor(box, choose) {
    Object.assign(this, { box, choose, lines: [], visible: new Set(), active: 0 });
    this.observer = new IntersectionObserver((entries) => this.seen(entries), { root: box, rootMargin: "120px" });
    box.addEventListener("click", (event) => this.click(event));
    box.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.reserve()).observe(box);
  }

  /** Other records or another window: `rows` are row numbers, or [left row, right row] of two sides. */
  set(records, rows) {
    Object.assign(this, { records, rows, small: rows.length <= FEW_WORDS });
    this.box.style.setProperty("--sides", records.length);
    while (this.lines.length > rows.length) {
      const line = this.lines.pop();
      this.observer.unobserve(line);
      this.visible.delete(line);
      line.remove();
    }
    while (this.lines.length < rows.length) this.lines.push(this.newLine(this.lines.length));
    for (const line of this.lines) {
      line.drawn = "";
      while (line.children.length > 2 * records.length) line.lastChild.remove();
      while (line.children.length < 2 * records.length) line.append(element("span", "count"), element("span", "word"));
    }
    this.reserve();
  }

  newLine(number) {
    const line = this.box.appendChild(element("div", "line"));
    line.number = number;
    line.id = `line${number}`;
    if (number < 14) this.visible.add(line);
    this.observer.observe(line);
    return line;
  }

  seen(entries) {
    for (const { target, isIntersecting } of entries) {
      isIntersecting ? this.visible.add(target) : this.visible.delete(target);
    }
    this.draw(this.shown, true);
  }

  /** Keep as many rows of text for a word as it takes before any merge, so that nothing below it moves. */
  reserve() {
    if (!this.records || !this.box.clientWidth) return;
    const width = (this.box.clientWidth / this.records.length - 70) * 0.94;
    if (width === this.reserved && this.reservedRows === this.rows) return;
    Object.assign(this, { reserved: width, reservedRows: this.rows });
    this.rows.forEach((row, i) => {
      const lines = [row].flat().map((one, side) => this.linesOf(side, one, width));
      this.lines[i].style.minHeight = `${1.62 * Math.max(1, ...lines)}em`;
    });
  }

  linesOf(side, row, width) {
    const word = row === null ? null : this.records[side].models.get(row);
    if (!word) return 1;
    let wide = 0;
    for (let i = 0; i < Math.min(word.size, this.most()); i++) {
      wide += 10.5 + 8 * this.records[side].length(word.base[i]);
    }
    return Math.ceil(wide / width);
  }

  most() {
    return this.lines.length > FEW_LINES ? MOST_AMONG_MANY : MOST_TOKENS;
  }

  /**
   * Show the words at a step. `shown`: steps of the sides; `first`: rows that come before the window's, of one side;
   * `changedFirst`: so do all that the step changed; `pair`: [side, left, right] to mark; `move`: let tokens melt.
   */
  draw(shown, same = false) {
    if (!shown || !this.records) return;
    this.shown = shown;
    if (!same) {
      this.order = shown.changedFirst
        ? this.withFirst([...shown.first, ...this.changedRows(this.rows)])
        : this.ordered(shown.first);
    }
    for (const line of this.visible) this.drawLine(line, same ? false : shown.move);
    if (this.visible.size < this.lines.length) this.later();
  }

  /** The lines out of sight, a few at a time, once nothing else happens. */
  later() {
    clearTimeout(this.resting);
    const some = (from) => {
      for (const line of this.lines.slice(from, from + 20)) this.drawLine(line, false);
      if (from + 20 < this.lines.length) this.resting = setTimeout(some, 30, from + 20);
    };
    this.resting = setTimeout(some, 250, 0);
  }

  /** Words that come first stand before the window's; where the window has all of them, everything keeps its line. */
  ordered(first) {
    if (!first?.length || (this.small && first.every((row) => this.rows.includes(row)))) return this.rows;
    return this.withFirst(first);
  }

  withFirst(first) {
    const ahead = new Set(first.filter((row) => this.records[0].models.has(row)));
    return [...ahead, ...this.rows.filter((row) => !ahead.has(row))].slice(0, this.rows.length);
  }

  drawLine(line, move) {
    const rows = [this.order[line.number]].flat();
    const { steps, pair } = this.shown;
    const cuts = rows.map((row, side) => {
      const word = row === null ? null : this.records[side].models.get(row);
      return word && { word, cut: this.records[side].cut(word, steps[side]) };
    });
    const drawn = cuts.map((one, side) => one && this.signature(one, side)).join("|") + (pair ?? "") + this.most();
    if (drawn === line.drawn) return;
    line.drawn = drawn;
    cuts.forEach((one, side) => this.drawWord(line.children[2 * side], line.children[2 * side + 1], one, side, move));
    line.setAttribute("role", "option"); // before it is drawn there is nothing to choose
    line.setAttribute("aria-label", Array.from(line.children, (part) => part.textContent).join(" "));
  }

  signature({ word, cut }, side) {
    return `${word.row}.${this.isChanged(word, side)}.${cut.starts.subarray(0, cut.count).join()}`;
  }

  /** Those of some rows of one side that the step changed. */
  changedRows(rows) {
    return rows.filter((row) => this.isChanged(this.records[0].models.get(row), 0));
  }

  isChanged(word, side) {
    const step = this.shown.steps[side];
    return step > 0 && word.mergedAt.includes(step);
  }

  drawWord(count, box, one, side, move) {
    if (!one) {
      count.textContent = "";
      box.className = "word none";
      box.replaceChildren();
      return;
    }
    const { word, cut } = one;
    const changed = this.isChanged(word, side);
    const step = this.shown.steps[side];
    count.textContent = `${grouped(word.count)} ×`;
    count.className = changed ? "count changed" : "count";
    count.title = changed ? "changed by this step" : "";
    box.className = "word";
    box.row = word.row;
    box.side = side;
    const found = this.found(cut, side);
    const chips = [];
    for (let i = 0; i < Math.min(cut.count, this.most()); i++) {
      const colour = cut.colours[i];
      const fresh = step && cut.made[i] === step;
      const mark = fresh ? (move ? "new melt" : "new") : found.has(i) ? "soft" : "";
      const token = chip(
        this.records[side],
        this.records[side].bytes(cut.ids[i]).subarray(0, 200),
        colour >> 1,
        colour & 1,
        mark,
      );
      token.number = i;
      chips.push(token);
    }
    if (cut.count > chips.length || word.more) chips.push(this.rest(cut, chips.length, word));
    box.cut = cut;
    box.replaceChildren(...chips);
  }

  rest(cut, shown, word) {
    const left = cut.count - shown;
    const symbols = word.more + (left ? word.size - cut.starts[shown] : 0); // of them not all have travelled
    const more = word.more ? `${counted(symbols, "symbol")} more` : `${counted(left, "token")} more`;
    return element("span", "rest", `… ${more}`);
  }

  /** The numbers of the tokens in a chosen pair. */
  found(cut, side) {
    const found = new Set();
    const pair = this.shown.pair;
    if (!pair || pair[0] !== side) return found;
    for (let i = 0; i + 1 < cut.count; i++) {
      if (cut.ids[i] === pair[1] && cut.ids[i + 1] === pair[2]) found.add(i).add(i + 1);
    }
    return found;
  }

  click(event) {
    const box = event.target.closest(".word");
    if (!box?.cut) return;
    const at = event.target.closest(".token")?.number ?? 0;
    const { ids, count } = box.cut;
    const left = Math.min(at, count - 2);
    this.choose(box.side, box.row, left >= 0 ? [ids[left], ids[left + 1]] : null);
  }

  key(event) {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by) {
      this.active = Math.max(0, Math.min(this.active + by, this.lines.length - 1));
      this.lines.forEach((line, i) => line.classList.toggle("active", i === this.active));
      this.lines[this.active]?.scrollIntoView({ block: "nearest" });
      this.box.setAttribute("aria-activedescendant", `line${this.active}`);
    } else if (event.key === "Enter") this.lines[this.active]?.querySelector(".token")?.click();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
