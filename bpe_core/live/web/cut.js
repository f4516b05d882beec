// From what the server sends to the tokens at any step. All arrays; nothing here touches the page.

import { fromHex } from "./chips.js";
import { hueOf } from "./text.js";

const CHUNK = 600; // symbols
const BLOCK = 5000;

/** Numbers as the server packs them. Loops: `from` with a function takes ten times as long. */
export function unpacked({ bits, base64 }) {
  const letters = atob(base64);
  const bytes = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i++) bytes[i] = letters.charCodeAt(i);
  return new { 8: Uint8Array, 16: Uint16Array, 32: Int32Array, 64: Float64Array }[bits](bytes.buffer);
}

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

/** A text in UTF-8: its `bytes`, a zero behind the last, and `unit`, where the character of each byte begins (UTF-16). */
function encoded(text) {
  const bytes = new Uint8Array(3 * text.length + 1);
  const unit = new Int32Array(bytes.length);
  let at = 0;
  for (let from = 0; from < text.length;) {
    const point = text.codePointAt(from);
    const after = utf8(point, bytes, at);
    while (at < after) unit[at++] = from;
    from += point > 0xffff ? 2 : 1;
  }
  unit[at] = text.length;
  return { bytes, unit };
}

/**
 * The symbols of a text, one entry each: `mergedAt`; `byteAt`, where its bytes begin in `bytes`; `from` and `to`, the
 * characters (UTF-16) that it belongs to; `head`, whether a character begins with it; `base`, its id.
 */
export function readAnswer(data) {
  const { text, steps } = data;
  const [symbols, fallen, moved, stepsHere, madeHere] = [
    data.symbols,
    data.fallen,
    data.moved,
    data.steps_here,
    data.made_here,
  ].map(unpacked);
  const rows = data.alphabet.map(([id, hex, covered]) => ({ id, shown: fromHex(hex), covered }));
  const size = symbols.length;
  const never = steps + 1;
  const madeIds = new Int32Array(never);
  stepsHere.forEach((step, i) => (madeIds[step] = madeHere[i]));
  const lifetimes = new Int32Array(stepsHere.length + 1).fill(never);
  lifetimes.set(stepsHere);
  const { bytes: raw, unit } = encoded(text);
  const model = {
    text,
    steps,
    never,
    size,
    steps_here: Array.from(stepsHere),
    idOf: (step) => madeIds[step],
    mergedAt: new Int32Array(size),
    bytes: new Uint8Array(raw.length + size),
    byteAt: new Int32Array(size + 1),
    from: new Int32Array(size),
    to: new Int32Array(size),
    head: new Uint8Array(size),
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
    const none = start === end; // it covers none of the text: a word marker, or a space put before it
    if (none) { for (const byte of shown) model.bytes[at++] = byte; }
    else for (let k = start; k < end; k++) model.bytes[at++] = raw[k];
    let behind = end;
    while (!none && (raw[behind] & 0xc0) === 0x80) behind++;
    model.byteAt[i + 1] = at;
    model.from[i] = unit[start];
    model.to[i] = unit[behind];
    model.head[i] = none || (raw[start] & 0xc0) !== 0x80 ? 1 : 0;
    model.base[i] = id;
    model.mergedAt[i] = lifetimes[fallen[i]];
  }
  const { cuts, opens } = chunksOf(model);
  return Object.assign(model, { chunks: cuts, opens });
}

/**
 * Where the text is cut for drawing: symbols where a token begins at every step, and with it a character.
 * `opens`: whether a chunk opens a block of its own, after a line break. Blocks are laid out apart, which keeps a long
 * text quick; one without line breaks gets a block now and then all the same.
 */
function chunksOf({ mergedAt, never, head, size, bytes, byteAt }) {
  const cuts = [0];
  const opens = [true];
  let [last, block] = [0, 0];
  for (let i = CHUNK / 3; i < size; i++) {
    if (mergedAt[i] !== never || !head[i] || i - last < CHUNK / 3) continue;
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

/** The tokens after `step` merges: `starts` (symbols, with the end), `ids`, `made` (steps), `colours` (2 · hue + shade). */
export function cutAt(model, step, hues) {
  const { mergedAt, byteAt, bytes, base, size } = model;
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
    ids[count] = latest ? model.idOf(latest) : base[i];
    colours[count] = count && colours[count - 1] === 2 * hue ? 2 * hue + 1 : 2 * hue;
    i = j;
  }
  starts[count] = size;
  return { step, count, starts, ids, made, colours };
}

export const bytesOf = (model, start, end) => model.bytes.subarray(model.byteAt[start], model.byteAt[end]);

/** Whether a token is made of whole characters. */
export const isWhole = (model, start, end) => model.head[start] && (end === model.size || model.head[end]);

/** The number of the token that holds a symbol. */
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
