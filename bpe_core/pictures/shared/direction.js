// The direction of tokens in a row. To a browser a token's box is no letter, and boxes run in the direction of the row.
// So each box stands between two invisible marks with the direction of its text, and the browser's own rules for mixed
// text place the boxes: the tokens of an Arabic word run from right to left, in an English line too.

/** @typedef {"rtl" | "ltr" | "digits" | "bytes" | ""} Kind */

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const FIRST = /[\p{L}\p{Nd}]/u;
const DIGIT = /\p{Nd}/u;
const [LRM, RLM, LRI, PDI] = ["\u200e", "\u200f", "\u2066", "\u2069"];
/** @type {{ [kind in Kind]: [before: string, after: string] }} */
const MARKS = { rtl: [RLM, RLM], ltr: [LRM, LRM], digits: [LRI, PDI], bytes: ["", ""], "": ["", ""] };
const decoder = new TextDecoder();

/** Return whether a text has letters that run from right to left. @param {string} text */
export const isMixed = (text) => RIGHT_TO_LEFT.test(text);

/** Return bytes as a text, with U+FFFD for what is no whole character. @param {Uint8Array} bytes */
export const decoded = (bytes) => decoder.decode(bytes);

/**
 * Return the kind of a text: what its first letter or digit is, or else whether it has pieces of characters.
 *
 * @param {string} text
 * @returns {Kind}
 */
export function kindOf(text) {
  const first = FIRST.exec(text)?.[0];
  if (!first) return text.includes("\ufffd") ? "bytes" : "";
  return DIGIT.test(first) ? "digits" : isMixed(first) ? "rtl" : "ltr";
}

/** Return the direction of neighbouring tokens: that of their first letter. @param {Uint8Array[]} tokens */
export function directionOf(...tokens) {
  const kinds = tokens.map((bytes) => kindOf(decoded(bytes)));
  return kinds.find((kind) => kind === "rtl" || kind === "ltr") ?? "ltr";
}

/**
 * Append the box of a token to a row, between marks with the token's direction.
 *
 * @param {Node & ParentNode} row
 * @param {HTMLElement} box
 * @param {Uint8Array} bytes
 * @param {boolean} isPieces whether the box has several tokens that share a letter; these keep their order
 */
export function appendDirected(row, box, bytes, isPieces = false) {
  const kind = kindOf(decoded(bytes));
  const [before, after] = MARKS[kind];
  if (kind) box.dir = kind === "rtl" && !isPieces ? "rtl" : "ltr";
  const last = row.lastChild;
  if (kind === "digits" && last?.nodeValue === PDI) last.remove(); // the digits of a number run on
  else if (before) row.append(before);
  row.append(box);
  if (after) row.append(after);
}

/**
 * Return the order in which the tokens of a line stand from left to right in a picture, as indexes. Tokens from the
 * first to the last that run from right to left change places, and numbers among them run on. `direction.py` has the
 * same function, with examples.
 *
 * @param {Kind[]} kinds
 */
export function turned(kinds) {
  /** @type {number[]} */
  const order = [];
  for (let at = 0; at < kinds.length;) {
    let end = at + 1;
    for (let i = at; kinds[at] === "rtl" && i < kinds.length && kinds[i] !== "ltr" && kinds[i] !== "bytes"; i++) {
      if (kinds[i]) end = i + 1;
    }
    for (let last = end; last > at;) {
      let first = last - 1;
      while (kinds[first] === "digits" && first > at && kinds[first - 1] === "digits") first--;
      for (let i = first; i < last; i++) order.push(i);
      last = first;
    }
    at = end;
  }
  return order;
}
