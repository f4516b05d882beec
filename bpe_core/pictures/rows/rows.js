// One text under several tokenizers, a row for each tokenizer. Tokens that the first row does not have are marked.

import { fromHex } from "../shared/bytes.js";
import { chipOf, inksOf, lostChip } from "../shared/chips.js";
import { appendDirected, decoded, isMixed } from "../shared/direction.js";
import { element, find, setAttributes, write } from "../shared/elements.js";
import { PICTURE } from "../shared/from_python.js";
import { pictureChip, rowsOf } from "../shared/layout.js";
import { grouped } from "../shared/numbers.js";
import { csvOf, download, downloadPicture, pictureOf } from "../shared/pictures.js";
import { show } from "../shared/show.js";
import { TypedText } from "../shared/source.js";
import { hueOf, parts } from "../shared/token_text.js";

/** @import { Component, RowsData, TextRow } from "../shared/types.js" */

/**
 * A token of a row. `breaks`: whether a line ends with the token. `key`: a text that changes if the token looks
 * different. `lost`: the small text under text that the vocabulary cannot write; "" for a token.
 * @typedef {{ bytes: Uint8Array, id: number, differs: boolean, colour: number, breaks: boolean, key: string, lost: string, glyph: string }} Token
 */
/** @typedef {{ key: string, tokens: Token[] }} LineOfTokens `key`: a text that changes if a token looks different */

/**
 * Return the tokens of each line.
 *
 * @param {Token[]} tokens
 * @returns {LineOfTokens[]}
 */
function linesOf(tokens) {
  /** @type {Token[][]} */
  const lines = [];
  tokens.forEach((token, i) => {
    if (!i || tokens[i - 1].breaks) lines.push([]);
    lines[lines.length - 1].push(token);
  });
  return lines.map((line) => ({ key: line.map(({ key }) => key).join(), tokens: line }));
}

/**
 * Return how many of the first and how many of the last have the same keys. Most key presses change one line, and leave
 * its tokens before and after the cursor as they are.
 *
 * @param {{ key: string }[]} old
 * @param {{ key: string }[]} fresh
 */
function sameEnds(old, fresh) {
  const most = Math.min(old.length, fresh.length);
  let [before, after] = [0, 0];
  while (before < most && old[before].key === fresh[before].key) before++;
  while (after < most - before && old[old.length - 1 - after].key === fresh[fresh.length - 1 - after].key) after++;
  return { before, after };
}

/** A line on the page. The browser lays out each line by itself. */
class Line {
  key = "";
  box = element("div");
  /** @type {{ key: string, chip: HTMLElement }[]} */
  #drawn = [];

  /**
   * Draw the tokens that changed.
   *
   * @param {LineOfTokens} line
   * @param {(token: Token) => HTMLElement} draw
   * @param {boolean} isDirected whether some of the row runs from right to left
   */
  show({ key, tokens }, draw, isDirected) {
    const drawn = this.#drawn; // none in a row that runs from right to left, whose lines are new
    const { before, after } = sameEnds(drawn, tokens);
    const changed = tokens.slice(before, tokens.length - after).map((token) => ({
      key: token.key,
      bytes: token.bytes,
      chip: draw(token),
    }));
    const gone = drawn.splice(before, drawn.length - before - after, ...changed);
    for (const { chip } of gone) chip.remove();
    const next = drawn[before + changed.length]?.chip ?? null;
    for (const { chip, bytes } of changed) {
      if (isDirected) appendDirected(this.box, chip, bytes);
      else this.box.insertBefore(chip, next);
    }
    this.key = key;
  }
}

/** A row on the page. */
class RowBox {
  /** @type {Line[]} */
  #lines = [];
  #isDirected = false; // whether a text that runs from right to left is drawn

  constructor() {
    this.box = element("section", "row");
    const head = this.box.appendChild(element("div", "head"));
    this.name = head.appendChild(element("h2"));
    this.count = head.appendChild(element("b"));
    this.words = head.appendChild(element("span"));
    this.tokens = this.box.appendChild(element("div", "tokens"));
    this.more = element("span", "more");
    setAttributes(this.tokens, { tabindex: 0, role: "region" });
  }

  /**
   * Show a row.
   *
   * @param {TextRow} row
   * @param {Token[]} tokens
   * @param {(token: Token) => HTMLElement} draw
   */
  show({ name, figures, more }, tokens, draw) {
    write(this.name, name);
    write(this.count, grouped(figures.tokens));
    write(this.words, figures.words);
    setAttributes(this.tokens, { "aria-label": `tokens of ${name}` });
    this.more.remove();
    this.#showLines(linesOf(tokens), draw, tokens.some(({ bytes }) => isMixed(decoded(bytes))));
    if (!more) return;
    write(this.more, ` … and ${grouped(more)} more`);
    const isOpen = tokens.length > 0 && !tokens[tokens.length - 1].breaks;
    (isOpen ? this.#lines[this.#lines.length - 1].box : this.tokens).append(this.more);
  }

  /**
   * @param {LineOfTokens[]} lines
   * @param {(token: Token) => HTMLElement} draw
   * @param {boolean} isDirected
   */
  #showLines(lines, draw, isDirected) {
    if (isDirected || this.#isDirected) { for (const { box } of this.#lines.splice(0)) box.remove(); }
    this.#isDirected = isDirected;
    const drawn = this.#lines;
    const { before, after } = sameEnds(drawn, lines);
    const changed = lines.slice(before, lines.length - after);
    const old = drawn.slice(before, drawn.length - after);
    for (const { box } of old.slice(changed.length)) box.remove();
    const now = changed.map((_, i) => old[i] ?? new Line());
    drawn.splice(before, old.length, ...now);
    const next = drawn[before + now.length]?.box ?? null;
    for (const { box } of now.slice(old.length)) this.tokens.insertBefore(box, next);
    now.forEach((line, i) => line.show(changed[i], draw, isDirected));
  }
}

class Rows {
  /** @type {RowBox[]} */
  #boxes = [];

  /** @param {Component<RowsData>} component */
  constructor({ parentElement: root, data }) {
    this.root = root;
    this.data = data;
    const take = (/** @type {Partial<RowsData>} */ found, /** @type {string} */ text) =>
      this.#show({ ...this.data, ...found, given: text });
    // of a text that is refused, or if the server is lost, the page itself tells more when the typing rests
    this.typed = new TypedText(root, { name: "rows", data: () => this.data, take, refused() {}, lost() {} });
    this.page = find(root, "#rows", HTMLElement);
    this.finding = find(root, "#finding", HTMLElement);
    /** @param {string} id @param {() => unknown} act */
    const on = (id, act) => find(root, `#${id}`, HTMLButtonElement).addEventListener("click", act);
    on("csv", () => download("side-by-side.csv", "text/csv", csvOf(this.data.columns, this.data.table)));
    on("svg", () => downloadPicture("side-by-side", "svg", this.#picture()));
    on("png", () => downloadPicture("side-by-side", "png", this.#picture()));
  }

  /** @param {Component<RowsData>} component */
  receive({ data }) {
    if (!this.typed.isAhead(data)) return this.#show(data);
    const { given, rows, finding, table } = this.data;
    this.data = { ...data, given, rows, finding, table };
    this.typed.ask(true);
  }

  /** @param {RowsData} data */
  #show(data) {
    this.data = data;
    write(this.finding, data.finding);
    this.finding.hidden = !data.finding;
    for (const { box } of this.#boxes.splice(data.rows.length)) box.remove();
    while (this.#boxes.length < data.rows.length) this.#boxes.push(new RowBox());
    this.page.append(...this.#boxes.filter(({ box }) => !box.isConnected).map(({ box }) => box));
    data.rows.forEach((row, i) => this.#boxes[i].show(row, this.#tokens(row), (token) => this.#draw(token)));
  }

  /** Return the tokens of a row with their colours. @param {TextRow} row @returns {Token[]} */
  #tokens({ tokens, lost_name, glyph }) {
    const { hues } = this.data;
    let before = -1;
    return tokens.map(([token, id, differs, isLost]) => {
      const bytes = fromHex(token);
      const hue = hueOf(bytes, 0, bytes.length, hues);
      const colour = before === 2 * hue ? 2 * hue + 1 : 2 * hue;
      before = colour;
      const lost = isLost ? lost_name : "";
      const key = `${token} ${id} ${differs} ${colour} ${glyph} ${lost}`;
      return { bytes, id, differs, colour, breaks: bytes.includes(10), key, lost, glyph };
    });
  }

  /** @param {Token} token */
  #draw({ bytes, id, differs, colour, lost, glyph }) {
    const written = parts(bytes, glyph, this.data.marks);
    const chip = lost ? lostChip(written) : chipOf(written, colour, differs ? "differs" : "");
    if (lost) chip.append(element("sub", "", lost));
    const number = id < 0 ? "unknown" : `id ${id}`;
    chip.title = `${lost ? `lost: ${number}` : number}${differs ? ", another split than the first" : ""}`;
    return chip;
  }

  #picture() {
    const { rows, marks } = this.data;
    const pictured = rows.flatMap((row) => {
      const heading = [`${row.name}: ${grouped(row.figures.tokens)}, ${row.figures.words}`];
      const partsOf = (/** @type {Uint8Array} */ bytes) => parts(bytes, row.glyph, marks);
      const chips = this.#tokens(row).map(({ bytes, colour, lost }) => {
        const chip = pictureChip(bytes, colour, partsOf, PICTURE);
        return lost ? { ...chip, lost: true, below: lost } : chip;
      });
      return [heading, ...rowsOf(chips, row.tokens.length + row.more, partsOf, PICTURE)];
    });
    const paper = getComputedStyle(this.root.host).getPropertyValue("--st-background-color");
    return pictureOf("One text side by side", pictured, inksOf(this.page), paper);
  }
}

/** Show an answer of the source. @param {Component<RowsData>} component */
export default function (component) {
  show(component, () => new Rows(component));
}
