// How a token is written and coloured, by the rules of bpe_core/pictures/shared/token_text.py and colours.py. A test
// compares the modules.

import { hex } from "./bytes.js";

/** @import { Marks } from "./types.js" */

/** @typedef {{ text: string, kind: "text" | "mark" | "hex" }} Part a part of a token as it is shown */

const MARKER = 0xff;
const UNSEEN = /^[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zs}\p{Zl}\p{Zp}\p{Me}]$/u;
const COMBINING = /^\p{M}$/u;

/** Return the number of a variation selector; 0 for another character. @param {number} point */
function selectorOf(point) {
  if (point >= 0xfe00 && point < 0xfe10) return point - 0xfe00 + 1;
  return point >= 0xe0100 && point < 0xe01f0 ? point - 0xe0100 + 17 : 0;
}

/**
 * Return the code point and the number of bytes of the character at `i`; null if no whole character begins at `i`. A
 * lone surrogate counts as a character.
 *
 * @param {Uint8Array} bytes
 * @param {number} i
 * @returns {[point: number, size: number] | null}
 */
function characterAt(bytes, i) {
  const lead = bytes[i];
  if (lead < 0x80) return [lead, 1];
  const size = lead >= 0xf0 && lead <= 0xf4 ? 4 : lead >= 0xe0 && lead < 0xf0 ? 3 : lead >= 0xc2 && lead < 0xe0 ? 2 : 0;
  if (!size || i + size > bytes.length) return null;
  let point = lead & (0x7f >> size);
  for (let j = i + 1; j < i + size; j++) {
    if ((bytes[j] & 0xc0) !== 0x80) return null;
    point = (point << 6) | (bytes[j] & 0x3f);
  }
  const least = [0, 0, 0x80, 0x800, 0x10000][size];
  return point < least || point > 0x10ffff ? null : [point, size];
}

/**
 * Return the parts of a token as they are shown.
 *
 * @param {Uint8Array} bytes
 * @param {string} glyph for the word marker; "" if words have none
 * @param {Marks} marks
 * @returns {Part[]}
 */
export function parts(bytes, glyph, marks) {
  /** @type {Part[]} */
  const shown = [];
  /** @param {string} text @param {Part["kind"]} kind */
  const add = (text, kind) => {
    const last = shown[shown.length - 1];
    if (last && last.kind === kind && kind !== "mark") last.text += (kind === "hex" ? " " : "") + text;
    else shown.push({ text, kind });
  };
  let first = true; // whether no character is before the next one with which it can combine
  for (let i = 0; i < bytes.length;) {
    const found = characterAt(bytes, i);
    if (!found) {
      if (glyph && bytes[i] === MARKER) add(glyph, "mark");
      else add(hex(bytes[i]), "hex");
      first = true;
      i += 1;
      continue;
    }
    const [point, size] = found;
    const character = String.fromCodePoint(point);
    if (marks[character]) add(marks[character], "mark");
    else if (UNSEEN.test(character)) add(`⟨${point.toString(16).toUpperCase().padStart(4, "0")}⟩`, "mark");
    else if (first && selectorOf(point)) add(`⟨VS${selectorOf(point)}⟩`, "mark");
    else add(first && COMBINING.test(character) ? "◌" + character : character, "text");
    first = shown[shown.length - 1].kind === "mark";
    i += size;
  }
  return shown;
}

/**
 * Return a token as one line of plain text.
 *
 * @param {Uint8Array} bytes
 * @param {string} glyph
 * @param {Marks} marks
 */
export const tokenText = (bytes, glyph, marks) => parts(bytes, glyph, marks).map((part) => part.text).join("");

/**
 * Return the parts of a token without marks: every character that can be drawn is drawn as itself. A line break has
 * no part, since the text breaks there.
 *
 * @param {Uint8Array} bytes
 * @param {string} glyph
 * @returns {Part[]}
 */
export function plainParts(bytes, glyph) {
  return parts(bytes, glyph, {}).map((part) => {
    if (part.kind !== "mark" || part.text === glyph) return part;
    const point = parseInt(part.text.slice(1, -1), 16);
    const surrogate = point >= 0xd800 && point < 0xe000;
    const text = point === 10 || point === 13 ? "" : String.fromCodePoint(point);
    return surrogate || point === 0 ? part : { text, kind: "text" };
  });
}

/** Return the bytes of a token without the marker. @param {Uint8Array} bytes @param {string} glyph "" for no marker */
export const textBytes = (bytes, glyph) => glyph ? bytes.filter((byte) => byte !== MARKER) : bytes;

/**
 * Return [start, end] of each group of tokens. A group is the fewest tokens that together are whole characters. A token
 * that never becomes part of a whole character is a group of its own.
 *
 * @param {Uint8Array[]} tokens
 * @returns {[start: number, end: number][]}
 */
export function groups(tokens) {
  /** @type {[start: number, end: number][]} */
  const found = [];
  let start = 0;
  let rest = new Uint8Array();
  /** @param {number} end */
  const giveUp = (end) => {
    for (; start < end; start++) found.push([start, start + 1]);
    rest = new Uint8Array();
  };
  tokens.forEach((token, i) => {
    rest = unfinished(Uint8Array.of(...rest, ...token));
    if (rest.length > 3) giveUp(i + 1); // no character begins like this
    if (rest.length || start > i) return;
    found.push([start, i + 1]);
    start = i + 1;
  });
  giveUp(tokens.length);
  return found;
}

/** Return the bytes that remain after the whole characters at the start. @param {Uint8Array} bytes */
function unfinished(bytes) {
  let i = 0;
  for (let size = 1; size && i < bytes.length; i += size) {
    size = bytes[i] === MARKER ? 1 : characterAt(bytes, i)?.[1] ?? 0;
  }
  return bytes.slice(i);
}

/**
 * Return a token as it is in the text, without marks. A byte that is no whole character is written as SentencePiece
 * writes it, <0xF0>: bare digits could be text.
 *
 * @param {Uint8Array} bytes
 * @param {string} glyph
 */
export function rawText(bytes, glyph) {
  const shown = [];
  for (let i = 0; i < bytes.length;) {
    const found = characterAt(bytes, i);
    if (found) shown.push(String.fromCodePoint(found[0]));
    else if (glyph && bytes[i] === MARKER) shown.push(glyph);
    else shown.push(`<0x${hex(bytes[i])}>`);
    i += found ? found[1] : 1;
  }
  return shown.join("");
}

const CRC = new Int32Array(256).map((_, n) => {
  for (let k = 0; k < 8; k++) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1;
  return n;
});

/**
 * Return the hue of the token `bytes[start:end]`: a number below `hues` that follows from the CRC-32 of these bytes.
 *
 * @param {Uint8Array} bytes
 * @param {number} start
 * @param {number} end
 * @param {number} hues
 */
export function hueOf(bytes, start, end, hues) {
  let crc = -1;
  for (let i = start; i < end; i++) crc = CRC[(crc ^ bytes[i]) & 0xff] ^ (crc >>> 8);
  return ((crc ^ -1) >>> 0) % hues;
}
