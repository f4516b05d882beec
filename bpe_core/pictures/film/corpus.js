// The words on the screen, of one side or of two sides in aligned rows. Lines in sight are drawn at once, the other
// lines later. A line is drawn again only if its tokens change.

import { chipOf } from "../shared/chips.js";
import { appendDirected, decoded, isMixed, kindOf } from "../shared/direction.js";
import { around, element, setChildren } from "../shared/elements.js";
import { counted, grouped } from "../shared/numbers.js";

/** @import { Cut } from "../shared/cut.js" */
/** @import { Record, Word } from "./record.js" */
/** @import { Pair, SidePair, Timer } from "../shared/types.js" */

/**
 * A row. `sides`: for each side, the indexes of its words. `count`: how often the row occurs; left out if the row
 * occurs as often as its word.
 * @typedef {{ sides: number[][], count?: number }} Row
 */

/**
 * The content of the corpus.
 *
 * @typedef {object} Content
 * @property {number[]} steps of the sides
 * @property {number[]} first the rows that come before the rows of the window
 * @property {number} side the side of those rows
 * @property {boolean} changedFirst whether other words of the window come next if the step changed them
 * @property {SidePair | null} pair the pair to mark
 * @property {boolean} move whether new tokens melt together
 */

/** @typedef {{ word: Word, cut: Cut }} CutWord a word and its tokens */
/** @typedef {{ box: HTMLElement, number: number, drawn: string, sides: LineSide[] }} Line `drawn`: what is drawn */
/** @typedef {{ count: HTMLElement, cell: HTMLElement }} LineSide `cell`: the element with the words */

const MOST_TOKENS = 300; // of a long word
const FEW_LINES = 3; // lines; only a window with no more lines draws `MOST_TOKENS` of a word
const MOST_AMONG_MANY = 80; // tokens of a word in a window with more lines
const FEW_WORDS = 40; // in a window with no more words, each word stays in its line
const SEEN_AT_ONCE = 14; // lines that count as visible until the browser says which lines are visible

/**
 * Return the window after moving the rows of some words of a side to the front. The number of rows stays the same.
 *
 * In a film of one side, even a word that is not in the window can come first. In a film of two sides it cannot, since
 * its row on the other side is not known.
 *
 * @param {Row[]} window
 * @param {number[]} first
 * @param {number} side
 * @returns {Row[]}
 */
export function withFirst(window, first, side) {
  /** @type {Map<number, Row[]>} */
  const known = new Map();
  for (const row of window) {
    for (const word of row.sides[side]) known.set(word, [...known.get(word) ?? [], row]);
  }
  const isAlone = window.every((row) => row.sides.length === 1);
  const words = [...new Set(first)];
  const ahead = new Set(words.flatMap((word) => known.get(word) ?? (isAlone ? [{ sides: [[word]] }] : [])));
  return [...ahead, ...window.filter((row) => !ahead.has(row))].slice(0, window.length);
}

export class Corpus {
  /** @type {Record[]} */
  #records = [];
  /** @type {Row[]} */
  #rows = []; // the window
  /** @type {Map<number, number[]>} */
  #walls = new Map(); // where walls stood until step 0: the row of a word → symbols
  /** @type {Row[]} */
  #order = []; // the rows in the order of the lines
  /** @type {Line[]} */
  #lines = [];
  /** @type {Set<Line>} */
  #visible = new Set();
  /** @type {Content | null} */
  #shown = null;
  #active = 0; // the line that the keys are at
  #width = 0; // pixels
  /** @type {{ width: number, rows: Row[] } | null} */
  #reserved = null;
  /** @type {Timer | undefined} */
  #resting;

  /**
   * @param {HTMLElement} box
   * @param {(side: number, row: number, pair: Pair | null) => void} choose called with the clicked word, and with the
   *   pair of the clicked token and its neighbour
   */
  constructor(box, choose) {
    this.box = box;
    this.choose = choose;
    this.observer = new IntersectionObserver((entries) => this.#seen(entries), { root: box, rootMargin: "120px" });
    box.addEventListener("click", (event) => this.#click(event));
    box.addEventListener("keydown", (event) => this.#key(event));
    new ResizeObserver(() => {
      this.#width = box.clientWidth; // asked anywhere else, the browser would have to lay out the page once more
      this.#reserve();
    }).observe(box);
  }

  /**
   * Show other records or another window.
   *
   * @param {Record[]} records
   * @param {Row[]} rows
   * @param {Map<number, number[]>} walls the symbols before which a wall stood until step 0, by the row of a word
   */
  set(records, rows, walls) {
    this.#records = records;
    this.#walls = walls;
    this.#rows = rows;
    this.box.style.setProperty("--sides", String(records.length));
    for (const line of this.#lines.splice(rows.length)) {
      this.observer.unobserve(line.box);
      this.#visible.delete(line);
      line.box.remove();
    }
    while (this.#lines.length < rows.length) this.#lines.push(this.#newLine(this.#lines.length));
    for (const line of this.#lines) {
      line.drawn = "";
      if (line.sides.length === records.length) continue;
      line.sides = records.map(() => ({ count: element("span", "count"), cell: element("span", "cell") }));
      line.box.replaceChildren(...line.sides.flatMap(({ count, cell }) => [count, cell]));
    }
    this.#reserve();
  }

  /** @param {number} number @returns {Line} */
  #newLine(number) {
    const box = this.box.appendChild(element("div", "line"));
    box.id = `line${number}`;
    const line = { box, number, drawn: "", sides: [] };
    if (number < SEEN_AT_ONCE) this.#visible.add(line);
    this.observer.observe(box);
    return line;
  }

  /** @param {IntersectionObserverEntry[]} entries */
  #seen(entries) {
    for (const { target, isIntersecting } of entries) {
      const line = this.#lines.find(({ box }) => box === target);
      if (line && isIntersecting) this.#visible.add(line);
      else if (line) this.#visible.delete(line);
    }
    this.#drawLines(false);
  }

  /** Reserve for each word as many rows of text as it takes before any merge, so that nothing below the word moves. */
  #reserve() {
    if (!this.#records.length || !this.#width) return;
    const width = (this.#width / this.#records.length - 70) * 0.94;
    if (width === this.#reserved?.width && this.#reserved.rows === this.#rows) return;
    this.#reserved = { width, rows: this.#rows };
    this.#rows.forEach(({ sides }, i) => {
      const lines = sides.map((words, side) => this.#linesOf(side, words, width));
      this.#lines[i].box.style.minHeight = `${1.62 * Math.max(1, ...lines)}em`;
    });
  }

  /** @param {number} side @param {number[]} words @param {number} width */
  #linesOf(side, words, width) {
    let wide = 12 * (words.length - 1); // the borders and the gaps of several words
    for (const word of this.#words(side, words)) {
      const symbols = word.base.subarray(0, this.#most());
      for (const symbol of symbols) wide += 10.5 + 8 * this.#records[side].length(symbol);
    }
    return Math.ceil(wide / width);
  }

  /** Return the words that have arrived. @param {number} side @param {number[]} words */
  #words(side, words) {
    return words.flatMap((row) => this.#records[side].words.get(row) ?? []);
  }

  /** Return how many tokens of a word are drawn. */
  #most() {
    return this.#lines.length > FEW_LINES ? MOST_AMONG_MANY : MOST_TOKENS;
  }

  /** Show the words at a step. @param {Content} shown */
  draw(shown) {
    this.#shown = shown;
    this.#order = this.#ordered(shown);
    this.#drawLines(shown.move);
  }

  /** @param {boolean} move */
  #drawLines(move) {
    for (const line of this.#visible) this.#drawLine(line, move);
    if (this.#visible.size < this.#lines.length) this.#drawLater();
  }

  /** Draw the lines out of sight, a few at a time, once nothing else happens. */
  #drawLater() {
    clearTimeout(this.#resting);
    /** @param {number} from */
    const some = (from) => {
      for (const line of this.#lines.slice(from, from + 20)) this.#drawLine(line, false);
      if (from + 20 < this.#lines.length) this.#resting = setTimeout(some, 30, from + 20);
    };
    this.#resting = setTimeout(some, 250, 0);
  }

  /**
   * Return the rows in the order of the lines. The words of `first` come first. Only a small window that has all words
   * of `first` keeps its order, unless changed words are to come first.
   *
   * @param {Content} shown
   */
  #ordered({ first, side, changedFirst }) {
    const window = this.#rows;
    const isHere = first.every((one) => window.some(({ sides }) => sides[side].includes(one)));
    if (!changedFirst && window.length <= FEW_WORDS && isHere) return window;
    const known = first.filter((row) => this.#records[side].words.has(row));
    return withFirst(window, changedFirst ? [...known, ...this.#changedRows(window)] : known, side);
  }

  /** @param {Line} line @param {boolean} move */
  #drawLine(line, move) {
    const [shown, row] = [this.#shown, this.#order[line.number]];
    if (!shown || !row) return;
    const sides = row.sides.map((words, side) => {
      const record = this.#records[side];
      return this.#words(side, words).map((word) => ({ word, cut: record.cut(word, shown.steps[side]) }));
    });
    const written = sides.map((words, side) => words.map((one) => this.#signature(one, side)).join(";"));
    const drawn = `${written.join("|")} ${row.count} ${shown.pair} ${this.#most()}`;
    if (drawn === line.drawn) return;
    line.drawn = drawn;
    sides.forEach((words, side) => this.#drawSide(line.sides[side], words, row.count, side, move));
    line.box.setAttribute("role", "option"); // before it is drawn there is nothing to choose
    const parts = Array.from(line.box.querySelectorAll(".count, .word"), (part) => part.textContent);
    line.box.setAttribute("aria-label", parts.join(" "));
  }

  /** Return a text that changes with the drawing of a word. @param {CutWord} one @param {number} side */
  #signature({ word, cut }, side) {
    return `${word.row}.${this.#isChanged(word, side)}.${cut.starts.subarray(0, cut.count).join()}`;
  }

  /** Return the rows of the first side's words that the step changed. @param {Row[]} rows */
  #changedRows(rows) {
    const words = rows.flatMap(({ sides }) => this.#words(0, sides[0]));
    return words.filter((word) => this.#isChanged(word, 0)).map(({ row }) => row);
  }

  /** How many of the first side's words on the screen the step changed. */
  get changed() {
    return this.#changedRows(this.#order).length;
  }

  /** @param {Word} word @param {number} side */
  #isChanged(word, side) {
    const step = this.#shown?.steps[side] ?? 0;
    return step > 0 && word.mergedAt.includes(step);
  }

  /**
   * @param {LineSide} parts
   * @param {CutWord[]} words
   * @param {number | undefined} times how often the row occurs; undefined if it occurs as often as its word
   * @param {number} side
   * @param {boolean} move
   */
  #drawSide({ count, cell }, words, times, side, move) {
    const changed = words.some(({ word }) => this.#isChanged(word, side));
    count.textContent = words.length ? `${grouped(times ?? words[0].word.count)} ×` : "";
    count.className = changed ? "count changed" : "count";
    count.title = changed ? "changed by this step" : "";
    const boxes = words.map((one) => this.#wordOf(one, side, move));
    if (move) cell.replaceChildren(...boxes); // new elements, so that they move
    else setChildren(cell, ...boxes);
  }

  /** @param {CutWord} one @param {number} side @param {boolean} move */
  #wordOf(one, side, move) {
    const { word, cut } = one;
    const box = element("span", "word");
    box.dataset.row = String(word.row);
    box.dataset.side = String(side);
    const chips = this.#chips(one, side, move);
    const text = decoded(word.bytes);
    if (isMixed(text)) {
      box.dir = kindOf(text) === "rtl" ? "rtl" : "ltr"; // of the whole word, so the same at every step
      chips.forEach((chip, i) => appendDirected(box, chip, this.#records[side].bytes(cut.ids[i])));
    } else box.append(...chips);
    if (cut.count > chips.length || word.more) box.append(this.#rest(one, chips.length));
    return box;
  }

  /** @param {CutWord} one @param {number} side @param {boolean} move */
  #chips({ word, cut }, side, move) {
    const record = this.#records[side];
    const step = this.#shown?.steps[side] ?? 0;
    const chosen = this.#chosen(cut, side);
    const walls = new Set(step ? [] : this.#walls.get(word.row)); // at step 0 every symbol is a token
    const fallen = move ? " fallen falling" : " fallen";
    return Array.from({ length: Math.min(cut.count, this.#most()) }, (_, i) => {
      const isNew = step > 0 && cut.made[i] === step;
      const kind = isNew ? (move ? "new melt" : "new") : chosen.has(i) ? "soft" : "";
      const kinds = walls.has(i) ? kind + fallen : kind;
      return chipOf(record.parts(record.bytes(cut.ids[i]).subarray(0, 200)), cut.colours[i], kinds);
    });
  }

  /** @param {CutWord} one @param {number} shown how many tokens are drawn */
  #rest({ word, cut }, shown) {
    const left = cut.count - shown;
    const symbols = word.more + (left ? word.size - cut.starts[shown] : 0); // not all symbols were sent
    const more = word.more ? `${counted(symbols, "symbol")} more` : `${counted(left, "token")} more`;
    return element("span", "rest", `… ${more}`);
  }

  /** Return the numbers of the tokens in the chosen pair. @param {Cut} cut @param {number} side */
  #chosen(cut, side) {
    /** @type {Set<number>} */
    const found = new Set();
    const pair = this.#shown?.pair;
    if (!pair || pair[0] !== side) return found;
    for (let i = 0; i + 1 < cut.count; i++) {
      if (cut.ids[i] === pair[1] && cut.ids[i + 1] === pair[2]) found.add(i).add(i + 1);
    }
    return found;
  }

  /** @param {Event} event */
  #click(event) {
    const box = around(event, ".word");
    if (!box?.dataset.row || !this.#shown) return;
    const [side, row] = [Number(box.dataset.side), Number(box.dataset.row)];
    const [word] = this.#words(side, [row]);
    if (!word) return;
    const { ids, count } = this.#records[side].cut(word, this.#shown.steps[side]);
    const token = around(event, ".token");
    const left = Math.min(token ? [...box.children].indexOf(token) : 0, count - 2);
    this.choose(side, row, left >= 0 ? [ids[left], ids[left + 1]] : null);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by) {
      this.#active = Math.max(0, Math.min(this.#active + by, this.#lines.length - 1));
      this.#lines.forEach(({ box }, i) => box.classList.toggle("active", i === this.#active));
      this.#lines[this.#active]?.box.scrollIntoView({ block: "nearest" });
      this.box.setAttribute("aria-activedescendant", `line${this.#active}`);
    } else if (event.key === "Enter") {
      /** @type {HTMLElement | null | undefined} */
      const token = this.#lines[this.#active]?.box.querySelector(".token");
      token?.click();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
