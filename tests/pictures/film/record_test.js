import assert, { deepEqual, equal } from "node:assert/strict";

import { toHex } from "../../../bpe_core/pictures/shared/bytes.js";
import { CHUNK_STEPS, missingChunks, Record } from "../../../bpe_core/pictures/film/record.js";

/** @import { Facts, Frame, Packed } from "../../../bpe_core/pictures/shared/types.js" */

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
  const record = recordOf(10_000, Array.from({ length: 801 }, (_, number) => number));
  deepEqual([record.hasChunk(0), record.hasChunk(1), record.hasChunk(800)], [false, true, true]);
  deepEqual([record.frame(CHUNK_STEPS - 1), record.frame(CHUNK_STEPS)], [undefined, FRAME]);
});

/** The chunks that a film asks for at the last step of a chunk. @param {Record[]} records @param {number} number @param {number} ahead */
const asked = (records, number, ahead) => missingChunks(records, CHUNK_STEPS * (number + 1) - 1, ahead);

Deno.test("the chunks of the step are asked for alone, of each side that has them", () => {
  deepEqual(asked([recordOf(100, [])], 2, 1), [[0, 2]]);
  deepEqual(asked([recordOf(100, []), recordOf(CHUNK_STEPS, [])], 2, 1), [[0, 2], [1, 1]]);
  deepEqual(asked([recordOf(100, [2]), recordOf(CHUNK_STEPS, [])], 2, 1), [[1, 1]]);
});

Deno.test("then those ahead, and the one before", () => {
  deepEqual(asked([recordOf(100, [2])], 2, 1), [[0, 3], [0, 1]]);
  deepEqual(asked([recordOf(100, [0])], 0, 1), [[0, 1]]);
  deepEqual(asked([recordOf(100, [1, 2, 3])], 2, 1), []);
  deepEqual(missingChunks([recordOf(6 * CHUNK_STEPS, [6])], 6 * CHUNK_STEPS, 1), [[0, 5]]);
  deepEqual(asked([recordOf(100, [2])], 2, 0), [], "none where none are wanted");
});

Deno.test("while it plays, several are asked for once fewer than half of them are left", () => {
  deepEqual(asked([recordOf(1000, [0, 1, 2, 3])], 0, 6), []);
  deepEqual(asked([recordOf(1000, [0, 1, 2, 3])], 1, 6), [[0, 4], [0, 5], [0, 6], [0, 7]]);
  equal(asked([recordOf(1000, [0]), recordOf(1000, [0])], 0, 24).length, 24);
});
