// The layout of a picture of tokens, by the rules and sizes of bpe_core/display/layout.py: a test compares the two.
// Nothing here touches the page.

import { counted } from "./numbers.js";

/** @import { Part } from "./token_text.js" */

/** @typedef {readonly [family: string, size: number, cell: number]} Font `cell`: is Python's alone */

/**
 * The sizes of a picture, in pixels: `Sizes` in layout.py says what each is. `most_…`: at most so many in one picture.
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
 * @property {Font} chip_font
 * @property {Font} below_font
 * @property {Font} words_font
 * @property {number} most_tokens
 * @property {number} most_rows
 * @property {number} most_bytes of a token
 */

/**
 * A token in a picture. `below`: small text under it; `breaks`: whether a line of the text ends with it; `colour`:
 * 2 · hue + shade; `lost`: whether it stands for text that the vocabulary cannot write.
 * @typedef {{ text: string, below: string, breaks: boolean, colour: number, lost?: boolean }} Chip
 */
/** @typedef {(Chip | string)[]} Row chips, and words between them */
/** @typedef {{ x: number, y: number, width: number, chip: Chip }} Box */
/** @typedef {{ x: number, y: number, text: string }} Words */
/** @typedef {{ boxes: Box[], words: Words[], width: number, height: number }} Layout */

/**
 * Return the chips of a text in rows, one for each of its lines, as far as one picture goes.
 *
 * @param {Chip[]} chips
 * @param {number} total how many tokens the text has
 * @param {Sizes} sizes
 * @returns {Row[]}
 */
export function rowsOf(chips, total, { most_tokens, most_rows }) {
  /** @type {Row[]} */
  const rows = [];
  let isNew = true;
  for (const chip of chips.slice(0, most_tokens)) {
    if (isNew) rows.push([]);
    rows[rows.length - 1].push(chip);
    isNew = chip.breaks;
  }
  rows.splice(most_rows);
  const more = total - rows.reduce((sum, row) => sum + row.length, 0);
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
  const found = { boxes: [], words: [], width: 0, height: sizes.edge };
  /** @param {Chip | string} item */
  const room = (item) => {
    if (typeof item === "string") return widthOf(item, sizes.words_font);
    const own = widthOf(item.text, sizes.chip_font) + 2 * sizes.pad;
    return Math.max(own, widthOf(item.below, sizes.below_font) + 4);
  };
  for (const row of rows) {
    const hasBelow = row.some((item) => typeof item !== "string" && item.below);
    const line = sizes.chip + sizes.line + (hasBelow ? sizes.below : 0);
    let [x, y] = [sizes.edge, found.height];
    for (const item of row) {
      const isWords = typeof item === "string";
      const width = room(item);
      if (x > sizes.edge && isWords) x += sizes.between - sizes.gap;
      if (x > sizes.edge && x + width > sizes.width - sizes.edge) [x, y] = [sizes.edge, y + line];
      if (isWords) found.words.push({ x, y, text: item });
      else found.boxes.push({ x, y, width, chip: item });
      found.width = Math.max(found.width, x + width + sizes.edge);
      x += width + (isWords ? sizes.between : sizes.gap);
    }
    found.height = y + line;
  }
  found.height += sizes.edge;
  return found;
}

/**
 * Return a token as a chip without small text; of a long one the beginning: about `most_bytes`, whole characters.
 *
 * @param {Uint8Array} bytes
 * @param {number} colour
 * @param {(bytes: Uint8Array) => Part[]} partsOf
 * @param {Sizes} sizes
 * @returns {Chip}
 */
export function pictureChip(bytes, colour, partsOf, { most_bytes }) {
  let end = most_bytes;
  while (end < Math.min(bytes.length, most_bytes + 3) && (bytes[end] & 0xc0) === 0x80) end++;
  const text = partsOf(bytes.subarray(0, end)).map((part) => part.text).join("");
  const rest = end < bytes.length ? "…" : "";
  return { text: pictureText(text) + rest, below: "", breaks: bytes.includes(10), colour };
}

/**
 * Return a text for a picture: with spaces for white space that would break or move it, and with numbers for characters
 * that XML does not allow.
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
