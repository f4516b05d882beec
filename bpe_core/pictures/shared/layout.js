// The layout of a picture of tokens, by the rules and sizes of bpe_core/pictures/shared/layout.py. A test compares the
// two modules. Nothing here touches the page.

import { decoded, isMixed, kindOf, turned } from "./direction.js";
import { counted } from "./numbers.js";
import { groups } from "./token_text.js";

/** @import { Part } from "./token_text.js" */

/** @typedef {readonly [family: string, size: number, ...estimates: unknown[]]} Font only Python uses the estimates */

/**
 * The sizes of a picture, in pixels. `Sizes` in layout.py explains each size. `most_…`: the limits of one picture.
 *
 * @typedef {object} Sizes
 * @property {number} width
 * @property {number} edge
 * @property {number} chip
 * @property {number} corner
 * @property {number} pad
 * @property {number} gap
 * @property {number} between
 * @property {number} below
 * @property {number} line
 * @property {number} baseline
 * @property {number} below_baseline
 * @property {number} bracket
 * @property {Font} chip_font
 * @property {Font} below_font
 * @property {Font} words_font
 * @property {Font} whole_font
 * @property {number} most_tokens
 * @property {number} most_rows
 * @property {number} most_bytes of a token
 */

/**
 * A token in a picture. `below`: small text under it; `colour`: 2 · hue + shade; `lost`: whether the
 * vocabulary cannot write its text.
 * @typedef {{ bytes: Uint8Array, text: string, below: string, colour: number, lost?: boolean }} Chip
 */
/** @typedef {{ chips: Chip[], text: string }} Whole tokens that share characters; `text`: the characters */
/** @typedef {(Chip | Whole | string)[]} Row chips, and words between them */
/** @typedef {{ x: number, y: number, width: number, chip: Chip }} Box */
/** @typedef {{ x: number, y: number, text: string }} Words */
/** @typedef {{ x: number, y: number, to_x: number }} Bracket below the tokens of a `Whole`; `y`: lower edge */
/**
 * `labels`: for each `Whole`, its characters, which are drawn after its tokens.
 * @typedef {{ boxes: Box[], words: Words[], labels: Words[], brackets: Bracket[], width: number, height: number }} Layout
 */
/** @typedef {(bytes: Uint8Array) => Part[]} PartsOf */

/** Return the chips of an item of a row. @param {Chip | Whole | string} item */
const chipsOf = (item) => typeof item === "string" ? [] : "chips" in item ? item.chips : [item];

/**
 * Return chips. Chips that are parts of the same character come together, as one `Whole`.
 *
 * @param {Chip[]} chips
 * @param {PartsOf} partsOf
 * @param {Sizes} sizes
 * @returns {(Chip | Whole)[]}
 */
function withWholes(chips, partsOf, sizes) {
  return groups(chips.map(({ bytes }) => bytes)).map(([start, end]) => {
    if (end === start + 1) return chips[start];
    const together = chips.slice(start, end);
    const bytes = Uint8Array.from(together.flatMap((chip) => [...chip.bytes]));
    return { chips: together, text: beginning(bytes, partsOf, sizes) };
  });
}

/**
 * Return the chips of a text in rows, a row for each line of the text, up to the limits of one picture.
 *
 * @param {Chip[]} chips
 * @param {number} total how many tokens the text has
 * @param {PartsOf} partsOf
 * @param {Sizes} sizes
 * @returns {Row[]}
 */
export function rowsOf(chips, total, partsOf, sizes) {
  /** @type {Row[]} */
  const rows = [];
  let isNew = true;
  for (const item of withWholes(chips.slice(0, sizes.most_tokens), partsOf, sizes)) {
    if (isNew) rows.push([]);
    rows[rows.length - 1].push(item);
    isNew = chipsOf(item).some(({ bytes }) => bytes.includes(10));
  }
  rows.splice(sizes.most_rows);
  const more = total - rows.flat().reduce((sum, item) => sum + chipsOf(item).length, 0);
  if (more) rows.push([`and ${counted(more, "more token")}`]);
  return rows.length ? rows : [["no tokens"]];
}

/**
 * Lay out rows.
 *
 * @param {Row[]} rows
 * @param {Sizes} sizes
 * @param {(text: string, font: Font) => number} widthOf
 * @returns {Layout}
 */
export function layout(rows, sizes, widthOf) {
  /** @type {Layout} */
  const found = { boxes: [], words: [], labels: [], brackets: [], width: 0, height: sizes.edge };
  for (const row of rows) new Line(found, row, sizes, widthOf).add(row);
  found.height += sizes.edge;
  return found;
}

/** A row of a picture. A long row goes on in further lines. */
class Line {
  /** @param {Layout} found @param {Row} row @param {Sizes} sizes @param {(text: string, font: Font) => number} widthOf */
  constructor(found, row, sizes, widthOf) {
    const hasBelow = row.some((item) => chipsOf(item).some(({ below }) => below));
    const hasBracket = row.some((item) => typeof item !== "string" && "chips" in item);
    this.found = found;
    this.sizes = sizes;
    this.widthOf = widthOf;
    this.height = sizes.chip + sizes.line + (hasBelow ? sizes.below : 0) + (hasBracket ? sizes.bracket : 0);
    this.x = 0;
    this.y = 0;
  }

  /** @param {Row} row */
  add(row) {
    this.#next();
    let first = this.found.boxes.length;
    for (const item of row) {
      if (typeof item !== "string" && !("chips" in item)) {
        this.#addChip(item);
        continue;
      }
      this.#turn(first);
      if (typeof item === "string") this.#addWords(item);
      else this.#addWhole(item);
      first = this.found.boxes.length;
    }
    this.#turn(first);
  }

  /**
   * Let boxes change places in each line where their tokens run from right to left.
   *
   * @param {number} first the index of the first box
   */
  #turn(first) {
    const { boxes } = this.found;
    if (!boxes.slice(first).some(({ chip }) => isMixed(decoded(chip.bytes)))) return;
    const lines = Map.groupBy(boxes.splice(first), ({ y }) => y);
    for (const line of lines.values()) {
      let { x } = line[0];
      for (const i of turned(line.map(({ chip }) => kindOf(decoded(chip.bytes))))) {
        boxes.push({ ...line[i], x });
        x += line[i].width + this.sizes.gap;
      }
    }
  }

  #next() {
    [this.x, this.y] = [this.sizes.edge, this.found.height];
    this.found.height += this.height;
  }

  /** Return whether the line has room for another `width` pixels. @param {number} width */
  #fits(width) {
    const { edge, width: most } = this.sizes;
    return this.x === edge || this.x + width <= most - edge;
  }

  /** Make room for an item, and return its position. @param {number} width @param {number} gap pixels after the item */
  #place(width, gap) {
    if (!this.#fits(width)) this.#next();
    const { x, y } = this;
    this.found.width = Math.max(this.found.width, x + width + this.sizes.edge);
    this.x += width + gap;
    return { x, y };
  }

  /** @param {string} text */
  #addWords(text) {
    const { edge, between, gap, words_font } = this.sizes;
    if (this.x > edge) this.x += between - gap;
    this.found.words.push({ ...this.#place(this.widthOf(text, words_font), between), text });
  }

  /** @param {Chip} chip */
  #chipWidth({ text, below }) {
    const { chip_font, below_font, pad } = this.sizes;
    return Math.max(this.widthOf(text, chip_font) + 2 * pad, this.widthOf(below, below_font) + 4);
  }

  /** @param {Chip} chip */
  #addChip(chip) {
    const width = this.#chipWidth(chip);
    this.found.boxes.push({ ...this.#place(width, this.sizes.gap), width, chip });
  }

  /** Put tokens and the character that they make into one line, if a line has room for them. @param {Whole} whole */
  #addWhole({ chips, text }) {
    const { gap, edge, width: most, whole_font } = this.sizes;
    const label = { text: `= ${text}`, width: this.widthOf(`= ${text}`, whole_font) };
    const width = chips.reduce((sum, chip) => sum + this.#chipWidth(chip), 0) + label.width + gap * chips.length;
    if (!this.#fits(width) && width <= most - 2 * edge) this.#next();
    let { x: start, y } = this;
    for (const chip of [...chips, null]) {
      const end = this.x - gap;
      if (chip) this.#addChip(chip);
      else this.found.labels.push({ ...this.#place(label.width, gap), text: label.text });
      if (this.y === y) continue;
      if (end > start) this.#addBracket(start, y, end);
      [start, y] = [edge, this.y];
    }
    this.#addBracket(start, y, this.x - gap);
    this.x += gap;
  }

  /** @param {number} x @param {number} y @param {number} to_x */
  #addBracket(x, y, to_x) {
    this.found.brackets.push({ x, y: y + this.height - this.sizes.line, to_x });
  }
}

/**
 * Return a token as a chip without small text. Of a long token, the chip has only the beginning.
 *
 * @param {Uint8Array} bytes
 * @param {number} colour
 * @param {PartsOf} partsOf
 * @param {Sizes} sizes
 * @returns {Chip}
 */
export function pictureChip(bytes, colour, partsOf, sizes) {
  return { bytes, text: beginning(bytes, partsOf, sizes), below: "", colour };
}

/**
 * Return bytes as text for a picture. Of many bytes, return the beginning: about `most_bytes`, in whole characters.
 *
 * @param {Uint8Array} bytes
 * @param {PartsOf} partsOf
 * @param {Sizes} sizes
 */
function beginning(bytes, partsOf, { most_bytes }) {
  let end = most_bytes;
  while (end < Math.min(bytes.length, most_bytes + 3) && (bytes[end] & 0xc0) === 0x80) end++;
  const text = partsOf(bytes.subarray(0, end)).map((part) => part.text).join("");
  return pictureText(text) + (end < bytes.length ? "…" : "");
}

/**
 * Return a text for a picture. White space that would break or move the text becomes a space; a character that XML does
 * not allow becomes a number.
 *
 * @param {string} text
 */
function pictureText(text) {
  return text.replace(/[\t\n\v\f\r\u0085\u2028\u2029]/g, " ").replace(
    // deno-lint-ignore no-control-regex
    /[\x00-\x1f\ufffe\uffff]|\p{Cs}/gu,
    (character) => `⟨${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`,
  );
}
