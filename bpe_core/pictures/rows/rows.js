// One text under several tokenizers, a row for each tokenizer. Tokens that the first row does not have are marked.

import { fromHex } from "../shared/bytes.js";
import { chipOf, inksOf, lostChip } from "../shared/chips.js";
import { appendDirected, decoded, isMixed } from "../shared/direction.js";
import { element, find, setAttributes } from "../shared/elements.js";
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
/** @typedef {{ key: string, elements: HTMLElement[] }} DrawnToken */

/** A row on the page. */
class RowBox {
  /** @type {DrawnToken[]} */
  #drawn = [];
  #directed = false; // whether a text that runs from right to left is drawn

  constructor() {
    this.box = element("section", "row");
    const head = this.box.appendChild(element("div", "head"));
    this.name = head.appendChild(element("h2"));
    this.count = head.appendChild(element("b"));
    this.words = head.appendChild(element("span"));
    this.tokens = this.box.appendChild(element("div", "tokens"));
    this.more = this.tokens.appendChild(element("span", "more"));
    setAttributes(this.tokens, { tabindex: 0, role: "region" });
  }

  /**
   * Show a row.
   *
   * @param {TextRow} row
   * @param {Token[]} tokens
   * @param {(token: Token) => HTMLElement[]} draw
   */
  show({ name, figures, more }, tokens, draw) {
    this.name.textContent = name;
    this.count.textContent = grouped(figures.tokens);
    this.words.textContent = figures.words;
    this.tokens.setAttribute("aria-label", `tokens of ${name}`);
    this.more.textContent = more ? ` … and ${grouped(more)} more` : "";
    this.#showTokens(tokens, draw);
  }

  /**
   * Draw the tokens that changed. Most key presses leave the tokens before and after the cursor as they are.
   *
   * @param {Token[]} tokens
   * @param {(token: Token) => HTMLElement[]} draw
   */
  #showTokens(tokens, draw) {
    const isDirected = tokens.some(({ bytes }) => isMixed(decoded(bytes)));
    if (isDirected || this.#directed) {
      this.tokens.replaceChildren(this.more);
      this.#drawn = [];
    }
    this.#directed = isDirected;
    if (isDirected) return this.#showDirected(tokens, draw);
    const drawn = this.#drawn;
    const most = Math.min(drawn.length, tokens.length);
    /** @param {number} i @param {number} j */
    const isSame = (i, j) => drawn[i].key === tokens[j].key;
    let before = 0;
    while (before < most && isSame(before, before)) before++;
    let after = 0;
    while (after < most - before && isSame(drawn.length - 1 - after, tokens.length - 1 - after)) after++;
    const changed = tokens.slice(before, tokens.length - after).map((token) => ({
      key: token.key,
      elements: draw(token),
    }));
    const gone = drawn.splice(before, drawn.length - before - after, ...changed);
    for (const old of gone.flatMap(({ elements }) => elements)) old.remove();
    const next = drawn[before + changed.length]?.elements[0] ?? this.more;
    next.before(...changed.flatMap(({ elements }) => elements));
  }

  /** @param {Token[]} tokens @param {(token: Token) => HTMLElement[]} draw */
  #showDirected(tokens, draw) {
    for (const token of tokens) {
      const [chip, ...lineEnd] = draw(token);
      appendDirected(this.tokens, chip, token.bytes);
      this.tokens.append(...lineEnd);
    }
    this.tokens.append(this.more);
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
    /** @param {string} id @param {() => unknown} act */
    const on = (id, act) => find(root, `#${id}`, HTMLButtonElement).addEventListener("click", act);
    on("csv", () => download("side-by-side.csv", "text/csv", csvOf(this.data.columns, this.data.table)));
    on("svg", () => downloadPicture("side-by-side", "svg", this.#picture()));
    on("png", () => downloadPicture("side-by-side", "png", this.#picture()));
  }

  /** @param {Component<RowsData>} component */
  receive({ data }) {
    if (!this.typed.isAhead(data)) return this.#show(data);
    this.data = { ...data, given: this.data.given, rows: this.data.rows, table: this.data.table };
    this.typed.ask(true);
  }

  /** @param {RowsData} data */
  #show(data) {
    this.data = data;
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
  #draw({ bytes, id, differs, colour, breaks, lost, glyph }) {
    const written = parts(bytes, glyph, this.data.marks);
    const chip = lost ? lostChip(written) : chipOf(written, colour, differs ? "differs" : "");
    if (lost) chip.append(element("sub", "", lost));
    const number = id < 0 ? "unknown" : `id ${id}`;
    chip.title = `${lost ? `lost: ${number}` : number}${differs ? ", another split than the first" : ""}`;
    return breaks ? [chip, element("br")] : [chip];
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
