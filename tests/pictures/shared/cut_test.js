import { deepEqual, equal } from "node:assert/strict";

import { isHead, tokenOf } from "../../../bpe_core/pictures/shared/cut.js";
import { countOf } from "../../../bpe_core/pictures/tokens/spelling.js";
import { treeOf } from "../../../bpe_core/pictures/tokens/tree.js";

/** @import { TextModel } from "../../../bpe_core/pictures/shared/cut.js" */
/** @import { Span } from "../../../bpe_core/pictures/tokens/tree.js" */

/** A text of symbols with these lifetimes. @param {number[]} lifetimes @returns {TextModel} */
const modelOf = (lifetimes) => ({
  text: "",
  steps: 9,
  never: 10,
  stepsHere: [],
  leftInWords: new Int32Array(1),
  size: lifetimes.length,
  bytes: new Uint8Array(),
  byteAt: new Int32Array(),
  base: new Int32Array(),
  mergedAt: Int32Array.from(lifetimes),
  idOf: () => 0,
  from: new Int32Array(),
  to: new Int32Array(),
  head: Uint8Array.of(1, 0, 1),
  opensLetter: Uint8Array.of(1, 0, 1),
  continued: new Set(),
  lost: new Uint8Array(),
  gone: [],
  chunks: [],
  opens: [],
});

Deno.test("a token holds the symbols from its first to the next one's", () => {
  const cut = { step: 0, count: 3, starts: Int32Array.of(0, 2, 5, 6), ids: new Int32Array(), made: new Int32Array() };
  const tokens = [0, 1, 2, 4, 5].map((symbol) => tokenOf({ ...cut, colours: new Uint8Array() }, symbol));
  deepEqual(tokens, [0, 0, 1, 1, 2]);
});

Deno.test("a character begins at the end of the text, too", () => {
  deepEqual([0, 1, 2, 3].map((symbol) => isHead(modelOf([10, 10, 10]), symbol)), [true, false, true, true]);
});

Deno.test("a letter is counted small or capital, and tokens that share it count as one", () => {
  const text = "Re\u0301e\u0301r";
  const units = Array.from({ length: 6 }, (_, unit) => unit);
  const model = {
    ...modelOf([10, 10, 10, 10, 10, 10]),
    text,
    from: Int32Array.from(units),
    to: Int32Array.from(units, (unit) => unit + 1),
    opensLetter: Uint8Array.of(1, 1, 0, 1, 0, 1),
    continued: new Set([2, 4]),
  };
  const alone = { step: 0, count: 6, starts: Int32Array.from([...units, 6]), ids: new Int32Array() };
  const cut = { ...alone, made: new Int32Array(), colours: new Uint8Array() };
  deepEqual(countOf(model, cut, "r"), { all: 2, tokens: 2 });
  deepEqual(countOf(model, cut, "\u00c9"), { all: 2, tokens: 2 });
  deepEqual(countOf(model, { ...cut, count: 2, starts: Int32Array.of(0, 2, 6) }, "\u00e9"), { all: 2, tokens: 1 });
});

Deno.test("a tree has the merges by their steps, the latest on top", () => {
  const { root, whole } = treeOf(modelOf([10, 1, 3, 2]), 0, 4, 3);
  /** @param {Span} span @returns {unknown} */
  const written = ({ start, end, step, halves }) => [`${start}-${end} ${step}`, ...halves.map(written)];
  deepEqual(written(root), ["0-4 3", ["0-2 1", ["0-1 0"], ["1-2 0"]], ["2-4 2", ["2-3 0"], ["3-4 0"]]]);
  equal(whole, true);
});

Deno.test("a tree too large for the page ends above its symbols", () => {
  const lifetimes = Array.from({ length: 64 }, (_, i) => i ? 1 + Math.log2(i & -i) : 10);
  equal(treeOf(modelOf(lifetimes), 0, 64, 6).whole, false);
});
