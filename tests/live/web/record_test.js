import assert, { deepEqual, equal } from "node:assert/strict";

import { toHex } from "../../../bpe_core/live/web/bytes.js";
import { CHUNK_STEPS, missingChunks, Record } from "../../../bpe_core/live/web/record.js";

/** @import { Facts, Frame, Packed } from "../../../bpe_core/live/web/types.js" */

/** @param {number[]} numbers @returns {Packed} */
const packed = (numbers) => ({ bits: 8, base64: btoa(String.fromCharCode(...numbers)) });

/** @type {Facts} "a", "b" and "##b"; then "ab", then "abab" */
const FACTS = {
  base: ["61", "62", "ff62"],
  hues: packed([0, 1, 2, 3, 4]),
  kinds: 12,
  left: packed([0, 3]),
  right: packed([1, 3]),
  counts: packed([5, 2]),
  tied: packed([1, 4]),
  yours: [],
  most_pairs: 15,
  glyph: "_",
  marks: {},
  along: {},
};

/** @type {Frame} */
const FRAME = { bars: [], pairs: 0, sentence: [], tie: [], ahead: [], parts: [], changed: 0, tied: [], tokens: 0 };

/** A training of so many steps of which chunks have arrived. @param {number} steps @param {number[]} chunks */
function recordOf(steps, chunks) {
  const record = new Record("", steps, FACTS);
  for (const number of chunks) record.addChunk(number, { frames: Array(CHUNK_STEPS).fill(FRAME), words: [] });
  return record;
}

Deno.test("a count has a bar of the same length at every step, until all bars are shorter than a tenth", () => {
  const record = new Record("", 3, { ...FACTS, counts: packed([200, 60, 15]) });
  deepEqual([200, 60, 21, 20, 15, 2, 1].map((most) => record.fullCount(most)), [200, 200, 200, 20, 20, 2, 2]);
  const byScore = new Record("", 3, { ...FACTS, counts: packed([200, 60, 15]), decides: "the score decides" });
  equal(byScore.fullCount(15), 15);
});

Deno.test("tokens and merges follow from the facts", () => {
  const record = recordOf(2, []);
  deepEqual([0, 3, 4].map((id) => toHex(record.bytes(id))), ["61", "6162", "61626162"]);
  deepEqual(record.merge(2), { left: 3, right: 3, made: 4, count: 2, tied: 4 });
  deepEqual([record.text(4), record.text(4, 3), record.pairText(3, 2)], ["abab", "aba…", "ab + _b"]);
});

Deno.test("a token that continues another loses its mark there", () => {
  const record = new Record("", 1, { ...FACTS, left: packed([0]), right: packed([2]), continues: true });
  equal(record.text(3), "ab");
});

Deno.test("a word has its tokens at every step", () => {
  const record = recordOf(2, []);
  record.addWords([[7, 3, [0, 1, 0, 1], [0, 1, 2, 1], 0]]);
  const word = record.words.get(7);
  assert(word);
  const shown = [0, 1, 2].map((step) => {
    const { count, ids, made } = record.cut(word, step);
    return [Array.from(ids.subarray(0, count)), Array.from(made.subarray(0, count))];
  });
  deepEqual(shown, [[[0, 1, 0, 1], [0, 0, 0, 0]], [[3, 3], [1, 1]], [[4], [2]]]);
});

Deno.test("the chunk that came first makes room", () => {
  const record = recordOf(10_000, Array.from({ length: 201 }, (_, number) => number));
  deepEqual([record.hasChunk(0), record.hasChunk(1), record.hasChunk(200)], [false, true, true]);
  deepEqual([record.frame(5), record.frame(CHUNK_STEPS)], [undefined, FRAME]);
});

Deno.test("the chunks of the step are asked for alone, of each side that has them", () => {
  deepEqual(missingChunks([recordOf(100, [])], 40, 1), [[0, 2]]);
  deepEqual(missingChunks([recordOf(100, []), recordOf(20, [])], 40, 1), [[0, 2], [1, 1]]);
  deepEqual(missingChunks([recordOf(100, [2]), recordOf(20, [])], 40, 1), [[1, 1]]);
});

Deno.test("then those ahead, and near the beginning of a chunk the one before", () => {
  deepEqual(missingChunks([recordOf(100, [2])], 33, 1), [[0, 3], [0, 1]]);
  deepEqual(missingChunks([recordOf(100, [2])], 47, 1), [[0, 3]]);
  deepEqual(missingChunks([recordOf(100, [0])], 3, 1), [[0, 1]]);
  deepEqual(missingChunks([recordOf(100, [6])], 100, 1), [[0, 5]]);
});

Deno.test("while it plays, several are asked for once fewer than half of them are left", () => {
  deepEqual(missingChunks([recordOf(1000, [0, 1, 2, 3])], 15, 6), []);
  deepEqual(missingChunks([recordOf(1000, [0, 1, 2, 3])], 31, 6), [[0, 4], [0, 5], [0, 6], [0, 7]]);
  equal(missingChunks([recordOf(1000, [0]), recordOf(1000, [0])], 15, 6).length, 6);
});
