// One training in the browser: its merges, words with their lifetimes, and frames of the steps near by.

import { fromHex, unpacked } from "../shared/bytes.js";
import { cutAt } from "../shared/cut.js";
import { parts, tokenText } from "../shared/token_text.js";

/** @import { Symbols } from "../shared/cut.js" */
/** @import { Chunk, Facts, Frame, PairChart, WordRow } from "../shared/types.js" */

/**
 * A merge. `left`, `right` and `made` are ids; `tied`: how many pairs were as good, the merged pair included.
 * @typedef {{ left: number, right: number, made: number, count: number, tied: number }} Merge
 */
/** @typedef {Symbols & { row: number, count: number, more: number }} Word `more`: symbols that are not sent */

export const CHUNK_STEPS = 4; // steps whose frames travel together, as in Python
const NEVER = 0x7fffffff;
const MOST_BYTES = 600; // of a token that is drawn
const MOST_CHUNKS = 800;
const MOST_ASKED = 24; // chunks in one request

/** @type {PairChart[]} */
const CHARTS = [{ title: "Pair counts", unit: "times seen", order: "most frequent" }];

export class Record {
  /** @type {number[]} */
  #lengths = []; // the characters of each base symbol, as it is written
  /** @type {Map<number, Uint8Array>} */
  #known = new Map(); // token id → its bytes
  /** @type {Map<number, Frame[]>} */
  #chunks = new Map(); // chunk number → frames; the chunk that came last is the last

  /**
   * @param {string} digest
   * @param {number} steps
   * @param {Facts} facts
   * @param {number} begin how many steps of the training came before; the film adds it to the numbers that it shows
   */
  constructor(digest, steps, facts, begin = 0) {
    this.digest = digest;
    this.begin = begin;
    this.steps = steps;
    this.glyph = facts.glyph;
    this.marks = facts.marks;
    this.kinds = facts.kinds;
    this.base = facts.base.map(fromHex);
    this.hues = unpacked(facts.hues);
    this.left = unpacked(facts.left);
    this.right = unpacked(facts.right);
    this.counts = unpacked(facts.counts);
    this.tied = unpacked(facts.tied);
    this.yours = new Set(facts.yours); // steps whose pair a person chose
    this.along = facts.along;
    this.sources = facts.sources ?? null;
    this.mostPairs = facts.most_pairs;
    this.continues = facts.continues ?? false;
    this.unit = facts.unit ?? "step";
    this.decides = facts.decides ?? ""; // what chooses the merges, if not the count
    this.equal = facts.equal ?? "as frequent";
    this.summary = facts.summary ?? [];
    this.longest = facts.longest ?? [];
    this.charts = facts.charts ?? CHARTS;
    /** @type {Map<number, Word>} */
    this.words = new Map(); // by row
  }

  /** Return the merge of a step, from 1. @param {number} step @returns {Merge} */
  merge(step) {
    const k = step - 1;
    return {
      left: this.left[k],
      right: this.right[k],
      made: this.base.length + k,
      count: this.counts[k],
      tied: this.tied[k],
    };
  }

  /**
   * Return the count whose bar is as long as the chart: the largest count of the training, so that equal counts have
   * equal bars at every step. As long as all bars would be shorter than a tenth of the chart, the returned count is
   * divided by ten.
   *
   * @param {number} most the largest count of the step
   */
  fullCount(most) {
    const first = this.decides ? 0 : (this.counts[0] ?? 0); // counts only fall, unless something else chooses the merges
    let full = Math.max(first, most);
    while (most > 0 && 10 * most <= full) full /= 10;
    return full;
  }

  /** Return the bytes of a token; of a very long token only the beginning. @param {number} id */
  bytes(id) {
    if (id < this.base.length) return this.base[id];
    const bytes = this.#known.get(id) ?? this.#joined(id);
    this.#known.set(id, bytes);
    return bytes;
  }

  /** @param {number} id */
  #joined(id) {
    const bytes = [];
    const stack = [id];
    for (let next = stack.pop(); next !== undefined && bytes.length < MOST_BYTES; next = stack.pop()) {
      if (next < this.base.length) bytes.push(...this.base[next].subarray(this.continues && bytes.length ? 1 : 0));
      else stack.push(this.right[next - this.base.length], this.left[next - this.base.length]);
    }
    return Uint8Array.from(bytes);
  }

  /**
   * Return the tokens of a word at a step. A token that continues a word begins with a mark. The bytes of the word do
   * not have this mark, but the hue of the token depends on it.
   *
   * @param {Word} word
   * @param {number} step
   */
  cut(word, step) {
    const cut = cutAt(word, step, this.kinds);
    if (!this.continues) return cut;
    for (let i = 0; i < cut.count; i++) {
      const colour = 2 * this.hues[cut.ids[i]];
      cut.colours[i] = i && cut.colours[i - 1] === colour ? colour + 1 : colour;
    }
    return cut;
  }

  /** Return the parts of bytes as they are shown. @param {Uint8Array} bytes */
  parts(bytes) {
    return parts(bytes, this.glyph, this.marks);
  }

  /** Return a token as one line of plain text. @param {number} id @param {number} [most] characters */
  text(id, most = 24) {
    const text = tokenText(this.bytes(id).subarray(0, 4 * most), this.glyph, this.marks);
    const characters = Array.from(text);
    return characters.length > most ? characters.slice(0, most).join("") + "…" : text;
  }

  /** Return a pair as one line of plain text. @param {number} left @param {number} right @param {number} [most] */
  pairText(left, right, most) {
    return `${this.text(left, most)} + ${this.text(right, most)}`;
  }

  /** Return how many characters a base symbol has, as it is written. @param {number} symbol */
  length(symbol) {
    return (this.#lengths[symbol] ??= Array.from(this.text(symbol)).length);
  }

  /** Keep words that have arrived. @param {WordRow[]} words */
  addWords(words) {
    for (const [row, count, symbols, lifetimes, more] of words) {
      if (this.words.has(row)) continue;
      const parts = symbols.map((symbol) => this.base[symbol]);
      const byteAt = new Int32Array(parts.length + 1);
      parts.forEach((part, i) => byteAt[i + 1] = byteAt[i] + part.length);
      const bytes = new Uint8Array(byteAt[parts.length]);
      parts.forEach((part, i) => bytes.set(part, byteAt[i]));
      this.words.set(row, {
        row,
        count,
        more,
        size: parts.length,
        bytes,
        byteAt,
        base: Int32Array.from(symbols),
        mergedAt: Int32Array.from(lifetimes, (step) => step || NEVER),
        idOf: (step) => this.base.length + step - 1,
      });
    }
  }

  /** Keep the frames of a chunk, and drop the oldest of too many chunks. @param {number} number @param {Chunk} chunk */
  addChunk(number, { frames, words }) {
    this.addWords(words);
    this.#chunks.delete(number);
    this.#chunks.set(number, frames);
    const [oldest] = this.#chunks.keys();
    if (this.#chunks.size > MOST_CHUNKS) this.#chunks.delete(oldest);
  }

  /** Return whether the frames of a chunk have arrived. @param {number} number */
  hasChunk(number) {
    return this.#chunks.has(number);
  }

  /** Return the frame of a step; undefined until it has arrived. @param {number} step */
  frame(step) {
    return this.#chunks.get(Math.floor(step / CHUNK_STEPS))?.[step % CHUNK_STEPS];
  }
}

/**
 * Return the chunks to fetch. The chunks of the step are requested alone, so that they come soon. Later chunks are
 * requested several at a time, so that a playing film sends few requests.
 *
 * @param {Record[]} records
 * @param {number} step
 * @param {number} ahead how many chunks after the step's chunk are wanted; with 0 only the step's chunk is
 * @returns {[side: number, number: number][]}
 */
export function missingChunks(records, step, ahead) {
  /** @param {number} by @returns {[number, number][]} */
  const missing = (by) =>
    records.flatMap((record, side) => {
      const number = Math.floor(Math.min(step, record.steps) / CHUNK_STEPS) + by;
      const exists = number >= 0 && number * CHUNK_STEPS <= record.steps;
      return exists && !record.hasChunk(number) ? [[side, number]] : [];
    });
  const now = missing(0);
  if (now.length || !ahead) return now;
  /** @param {number} count */
  const next = (count) => Array.from({ length: count }, (_, k) => missing(k + 1)).flat();
  const hasEnough = !next(Math.ceil(ahead / 2)).length;
  return [...(hasEnough ? [] : next(ahead)), ...missing(-1)].slice(0, MOST_ASKED);
}
