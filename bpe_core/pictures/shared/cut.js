// The tokens of a text or a word at any step, cut from the arrays that Python sends. Nothing here touches the page.

import { fromHex, unpacked } from "./bytes.js";
import { hueOf } from "./token_text.js";

/** @import { Answer } from "./types.js" */

/**
 * A row of symbols and how they become tokens, one entry for each symbol.
 *
 * @typedef {object} Symbols
 * @property {number} size how many symbols there are
 * @property {Uint8Array} bytes of all symbols
 * @property {Int32Array} byteAt where the bytes of each symbol begin; the last entry is where all bytes end
 * @property {Int32Array} base the ids of the symbols
 * @property {Int32Array} mergedAt the step that removes the boundary before each symbol; a number above all steps if
 *   no step does
 * @property {(step: number) => number} idOf the id of the token that a step makes
 */

/**
 * A text under a vocabulary.
 *
 * @typedef {object} TextFacts
 * @property {string} text
 * @property {number} steps how many merges the vocabulary has
 * @property {number} never the lifetime of a boundary that no merge removes
 * @property {number[]} stepsHere the steps of the merges that change this text
 * @property {Int32Array} leftInWords for each position among these steps, how many boundaries are left inside words
 * @property {Int32Array} from where in the text (UTF-16) the first character of each symbol begins
 * @property {Int32Array} to where in the text (UTF-16) the last character of each symbol ends
 * @property {Uint8Array} head whether a character begins with the symbol
 * @property {Uint8Array} opensLetter whether a letter, as a reader sees it, begins with the symbol
 * @property {Set<number>} continued where in the text (UTF-16) a character continues a letter
 * @property {Uint8Array} lost whether the vocabulary cannot write the symbol's text; no merge joins such a symbol
 * @property {[number, number][]} gone where in the text (UTF-16) the parts begin and end that the model dropped
 * @property {number[]} chunks the symbols at which the text is cut for drawing; the last entry is the number of symbols
 * @property {boolean[]} opens for each chunk, whether it opens a block
 */
/** @typedef {Symbols & TextFacts} TextModel */

/**
 * The tokens after `step` merges, one entry for each of the `count` tokens; the arrays are longer.
 *
 * @typedef {object} Cut
 * @property {number} step
 * @property {number} count
 * @property {Int32Array} starts the first symbol of each token; the last entry is the number of symbols
 * @property {Int32Array} ids
 * @property {Int32Array} made the steps that made the tokens; 0 for symbols
 * @property {Uint8Array} colours 2 · hue + shade
 */

const CHUNK = 600; // symbols
const BLOCK = 5000;
const NEAR = 2000; // symbols at the start of a text, where each line is a block: a key changes a line of them

/**
 * Write a code point as UTF-8 at a position, and return the position after it.
 *
 * @param {number} point
 * @param {Uint8Array} bytes
 * @param {number} at
 */
function utf8(point, bytes, at) {
  if (point < 0x80) bytes[at++] = point;
  else if (point < 0x800) {
    bytes[at++] = 0xc0 | (point >> 6);
    bytes[at++] = 0x80 | (point & 63);
  } else {
    if (point < 0x10000) bytes[at++] = 0xe0 | (point >> 12);
    else {
      bytes[at++] = 0xf0 | (point >> 18);
      bytes[at++] = 0x80 | ((point >> 12) & 63);
    }
    bytes[at++] = 0x80 | ((point >> 6) & 63);
    bytes[at++] = 0x80 | (point & 63);
  }
  return at;
}

/**
 * Return a text in UTF-8: its `bytes` and a zero at the end, and for each byte the `unit` (UTF-16) at which the byte's
 * character begins.
 *
 * @param {string} text
 */
function encoded(text) {
  const bytes = new Uint8Array(3 * text.length + 1);
  const unit = new Int32Array(bytes.length);
  let at = 0;
  for (let from = 0; from < text.length;) {
    const point = text.codePointAt(from) ?? 0;
    const after = utf8(point, bytes, at);
    while (at < after) unit[at++] = from;
    from += point > 0xffff ? 2 : 1;
  }
  unit[at] = text.length;
  return { bytes, unit };
}

/**
 * Return the symbols of a text.
 *
 * @param {Answer} data
 * @returns {TextModel}
 */
export function readAnswer(data) {
  const { text, steps } = data;
  const { symbols: each, fallen: falls, moved: exceptions } = data;
  const [symbols, fallen, moved, lost, within] = [each, falls, exceptions, data.lost, data.continued].map(unpacked);
  const [stepsHere, madeHere] = [data.steps_here, data.made_here].map(unpacked);
  const rows = data.alphabet.map(([id, hex, covered]) => ({ id, shown: fromHex(hex), covered }));
  const size = symbols.length;
  const never = steps + 1;
  const madeIds = new Int32Array(never);
  stepsHere.forEach((step, i) => (madeIds[step] = madeHere[i]));
  const leftInWords = Int32Array.from(unpacked(data.within_words));
  for (let i = leftInWords.length - 2; i >= 0; i--) leftInWords[i] += leftInWords[i + 1];
  const lifetimes = new Int32Array(stepsHere.length + 1).fill(never);
  lifetimes.set(stepsHere);
  const { bytes: raw, unit } = encoded(text);
  const model = {
    text,
    steps,
    never,
    size,
    stepsHere: Array.from(stepsHere),
    leftInWords,
    /** @param {number} step */
    idOf: (step) => madeIds[step],
    mergedAt: new Int32Array(size),
    bytes: new Uint8Array(raw.length + size),
    byteAt: new Int32Array(size + 1),
    from: new Int32Array(size),
    to: new Int32Array(size),
    head: new Uint8Array(size),
    opensLetter: new Uint8Array(size),
    continued: new Set(Array.from(within, (byte) => unit[byte])),
    lost: new Uint8Array(size),
    gone: partsOf(unpacked(data.gone), raw, unit),
    base: new Int32Array(size),
  };
  let at = 0;
  for (let i = 0, m = 0, end = 0; i < size; i++) {
    const { id, shown, covered } = rows[symbols[i]];
    let start = end;
    end += covered;
    if (moved[m] === i) {
      [start, end] = [moved[m + 1], moved[m + 2]];
      m += 3;
    }
    const none = start === end; // the symbol covers no text: it is a word marker, or a space put before the text
    if (none) { for (const byte of shown) model.bytes[at++] = byte; }
    else if (shown.length > covered) model.bytes[at++] = shown[0]; // the marker of a token that continues a word
    if (!none) { for (let k = start; k < end; k++) model.bytes[at++] = raw[k]; }
    let after = end;
    while (!none && (raw[after] & 0xc0) === 0x80) after++;
    model.byteAt[i + 1] = at;
    model.from[i] = unit[start];
    model.to[i] = unit[after];
    model.head[i] = none || (raw[start] & 0xc0) !== 0x80 ? 1 : 0;
    model.opensLetter[i] = (raw[start] & 0xc0) !== 0x80 && !model.continued.has(unit[start]) ? 1 : 0;
    model.base[i] = id;
    model.mergedAt[i] = lifetimes[fallen[i]];
  }
  for (const symbol of lost) model.lost[symbol] = 1;
  const { cuts, opens } = chunksOf(model);
  return Object.assign(model, { chunks: cuts, opens });
}

/**
 * Return where parts of a text begin and end, whole characters each.
 *
 * @param {ArrayLike<number>} bytes start and end of each part in UTF-8
 * @param {Uint8Array} raw
 * @param {Int32Array} unit
 * @returns {[number, number][]}
 */
function partsOf(bytes, raw, unit) {
  /** @type {[number, number][]} */
  const parts = [];
  for (let i = 0; i < bytes.length; i += 2) {
    let end = bytes[i + 1];
    while ((raw[end] & 0xc0) === 0x80) end++;
    parts.push([unit[bytes[i]], unit[end]]);
  }
  return parts;
}

/**
 * Return the symbols at which a text is cut for drawing. At each cut, a token and a letter begin at every step.
 *
 * `opens`: for each chunk, whether the chunk opens a block, as after a line break. The browser lays out each block by
 * itself, which is quick for a long text. A text without line breaks has a block every `BLOCK` symbols.
 *
 * @param {Pick<TextModel, "mergedAt" | "never" | "opensLetter" | "size" | "bytes" | "byteAt">} model
 */
function chunksOf({ mergedAt, never, opensLetter, size, bytes, byteAt }) {
  const cuts = [0];
  const opens = [true];
  let [last, block] = [0, 0];
  for (let i = 1; i < size; i++) {
    if (mergedAt[i] !== never || !opensLetter[i] || (i > NEAR && i - last < CHUNK / 3)) continue;
    const line = bytes[byteAt[i] - 1] === 10;
    if (!line && i - last < CHUNK) continue;
    const opening = line || i - block >= BLOCK;
    cuts.push(i);
    opens.push(opening);
    last = i;
    if (opening) block = i;
  }
  cuts.push(size);
  return { cuts, opens };
}

/**
 * Return the tokens after `step` merges.
 *
 * @param {Symbols} symbols
 * @param {number} step
 * @param {number} hues
 * @returns {Cut}
 */
export function cutAt(symbols, step, hues) {
  const { mergedAt, byteAt, bytes, base, size } = symbols;
  const starts = new Int32Array(size + 1);
  const ids = new Int32Array(size);
  const made = new Int32Array(size);
  const colours = new Uint8Array(size);
  let count = 0;
  for (let i = 0; i < size; count++) {
    let latest = 0;
    let j = i + 1;
    for (; j < size && mergedAt[j] <= step; j++) if (mergedAt[j] > latest) latest = mergedAt[j];
    const hue = hueOf(bytes, byteAt[i], byteAt[j], hues);
    starts[count] = i;
    made[count] = latest;
    ids[count] = latest ? symbols.idOf(latest) : base[i];
    colours[count] = count && colours[count - 1] === 2 * hue ? 2 * hue + 1 : 2 * hue;
    i = j;
  }
  starts[count] = size;
  return { step, count, starts, ids, made, colours };
}

/**
 * Return the bytes of the symbols `start` to `end`.
 *
 * @param {Symbols} symbols
 * @param {number} start
 * @param {number} end
 */
export const bytesOf = ({ bytes, byteAt }, start, end) => bytes.subarray(byteAt[start], byteAt[end]);

/** Return the bytes of a token. @param {Symbols} symbols @param {Cut} cut @param {number} token */
export const tokenBytes = (symbols, { starts }, token) => bytesOf(symbols, starts[token], starts[token + 1]);

/**
 * Return whether the vocabulary cannot write the text of a token.
 *
 * @param {TextModel} model
 * @param {Cut} cut
 * @param {number} token
 */
export const isLost = ({ lost }, { starts }, token) => lost[starts[token]] === 1;

/**
 * Return whether a character begins at a symbol, or the text ends there.
 *
 * @param {TextModel} model
 * @param {number} symbol
 */
export const isHead = ({ head, size }, symbol) => symbol === size || head[symbol] === 1;

/**
 * Return whether a letter begins at a symbol, or the text ends there.
 *
 * @param {TextModel} model
 * @param {number} symbol
 */
export const opensLetter = (model, symbol) => symbol === model.size || model.opensLetter[symbol] === 1;

/**
 * Return the letters of the symbols `start` to `end`, as a reader sees them.
 *
 * @param {TextModel} model
 * @param {number} start
 * @param {number} end
 */
export function lettersOf({ text, from, to, continued }, start, end) {
  /** @type {string[]} */
  const letters = [];
  let at = from[start];
  for (const character of text.slice(at, to[end - 1])) {
    if (letters.length && continued.has(at)) letters[letters.length - 1] += character;
    else letters.push(character);
    at += character.length;
  }
  return letters;
}

/** Return a text in UTF-8, lone surrogates included. @param {string} text */
export function utf8Of(text) {
  const { bytes, unit } = encoded(text);
  return bytes.subarray(0, unit.indexOf(text.length));
}

/**
 * Return the index of the token that contains a symbol.
 *
 * @param {Cut} cut
 * @param {number} symbol
 */
export function tokenOf(cut, symbol) {
  let low = 0;
  let high = cut.count - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (cut.starts[middle] <= symbol) low = middle;
    else high = middle - 1;
  }
  return low;
}
