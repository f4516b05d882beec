// What the browser knows of one training: its merges, words with their lifetimes, and frames of the steps near by.

import { fromHex } from "./chips.js";
import { cutAt, unpacked } from "./cut.js";
import { tokenText } from "./text.js";

export const CHUNK_STEPS = 16; // steps whose frames travel together, as in Python
const NEVER = 0x7fffffff;
const MOST_BYTES = 600; // of a token that is drawn
const CHUNKS_KEPT = 200;

export class Record {
  constructor(digest, steps, facts) {
    Object.assign(this, { digest, steps, glyph: facts.glyph, marks: facts.marks, kinds: facts.kinds });
    this.base = facts.base.map(fromHex);
    for (const name of ["hues", "left", "right", "counts", "tied"]) this[name] = unpacked(facts[name]);
    this.yours = new Set(facts.yours); // steps whose pair a person chose
    this.timeline = facts.timeline;
    this.mostPairs = facts.most_pairs ?? 1;
    this.continues = Boolean(facts.continues);
    this.unit = facts.unit ?? "step";
    this.decides = facts.decides ?? ""; // what chooses the merges, where it is not the count
    this.equal = facts.equal ?? "as frequent";
    this.charts = facts.charts ?? [{ title: "Pair counts", unit: "times seen", order: "most frequent" }];
    this.lengths = [];
    this.known = new Map(); // token id → its bytes
    this.models = new Map(); // row → word
    this.chunks = new Map(); // chunk number → frames; the one used last stands last
  }

  /** The merge of a step (from 1). */
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

  /** The bytes of a token; of a very long one the beginning. */
  bytes(id) {
    if (id < this.base.length) return this.base[id];
    if (!this.known.has(id)) this.known.set(id, this.joined(id));
    return this.known.get(id);
  }

  joined(id) {
    const bytes = [];
    const stack = [id];
    while (stack.length && bytes.length < MOST_BYTES) {
      const next = stack.pop();
      if (next < this.base.length) bytes.push(...this.base[next].subarray(this.continues && bytes.length ? 1 : 0));
      else stack.push(this.right[next - this.base.length], this.left[next - this.base.length]);
    }
    return Uint8Array.from(bytes);
  }

  /** The tokens of a word at a step; what continues a word begins with a mark, so its hue is not that of its letters. */
  cut(word, step) {
    const cut = cutAt(word, step, this.kinds);
    if (this.continues) {
      for (let i = 0; i < cut.count; i++) {
        const colour = 2 * this.hues[cut.ids[i]];
        cut.colours[i] = i && cut.colours[i - 1] === colour ? colour + 1 : colour;
      }
    }
    return cut;
  }

  /** A token as one line of plain text. */
  text(id, most = 24) {
    const text = tokenText(this.bytes(id).subarray(0, 4 * most), this.glyph, this.marks);
    const characters = Array.from(text);
    return characters.length > most ? characters.slice(0, most).join("") + "…" : text;
  }

  /** How many characters a base symbol is written with. */
  length(symbol) {
    return (this.lengths[symbol] ??= Array.from(this.text(symbol)).length);
  }

  /** Take in words: [row, count, symbols, lifetimes, symbols that did not travel] each. */
  addWords(words) {
    for (const [row, count, symbols, lifetimes, more] of words) {
      if (this.models.has(row)) continue;
      const parts = symbols.map((symbol) => this.base[symbol]);
      const byteAt = new Int32Array(parts.length + 1);
      parts.forEach((part, i) => (byteAt[i + 1] = byteAt[i] + part.length));
      const bytes = new Uint8Array(byteAt[parts.length]);
      parts.forEach((part, i) => bytes.set(part, byteAt[i]));
      const mergedAt = Int32Array.from(lifetimes, (step) => step || NEVER);
      const idOf = (step) => this.base.length + step - 1;
      this.models.set(row, {
        row,
        count,
        more,
        bytes,
        byteAt,
        mergedAt,
        idOf,
        size: parts.length,
        base: Int32Array.from(symbols),
      });
    }
  }

  addChunk(number, { frames, words }) {
    this.addWords(words);
    this.chunks.delete(number);
    this.chunks.set(number, frames);
    if (this.chunks.size > CHUNKS_KEPT) this.chunks.delete(this.chunks.keys().next().value);
  }

  /** The frame of a step; undefined while it is not here. */
  frame(step) {
    return this.chunks.get(Math.floor(step / CHUNK_STEPS))?.[step % CHUNK_STEPS];
  }
}

/** The chunks still to be fetched: [side, number] each. Those of the step come alone, so that they come soon. */
export function missingChunks(records, step, ahead) {
  const missing = (by) =>
    records.flatMap((record, side) => {
      const number = Math.floor(Math.min(step, record.steps) / CHUNK_STEPS) + by;
      const exists = number >= 0 && number * CHUNK_STEPS <= record.steps;
      return exists && !record.chunks.has(number) ? [[side, number]] : [];
    });
  const now = missing(0);
  if (now.length) return now;
  const next = (number) => [...Array(number).keys()].flatMap((k) => missing(k + 1));
  const behind = step % CHUNK_STEPS < CHUNK_STEPS / 2 ? missing(-1) : [];
  const enough = !next(Math.ceil(ahead / 2)).length; // several at once, rather than one each time one is passed
  return (enough ? [] : next(ahead)).concat(behind).slice(0, 6);
}
