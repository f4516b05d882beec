// Small functions that turn values into text, and text into values.

import { deepEqual, equal } from "node:assert/strict";

import { fromHex, spacedHex, toHex, unpacked } from "../../../bpe_core/pictures/shared/bytes.js";
import { withFirst } from "../../../bpe_core/pictures/film/corpus.js";
import { pictureChip } from "../../../bpe_core/pictures/shared/layout.js";
import { counted, grouped, times } from "../../../bpe_core/pictures/shared/numbers.js";
import { csvOf } from "../../../bpe_core/pictures/shared/pictures.js";
import { sentenceText } from "../../../bpe_core/pictures/shared/sentence.js";
import { plainParts } from "../../../bpe_core/pictures/shared/token_text.js";

Deno.test("bytes and numbers are unpacked", () => {
  deepEqual(unpacked({ bits: 16, base64: "AQACAQ==" }), Uint16Array.of(1, 258));
  deepEqual(fromHex("00ff6c"), Uint8Array.of(0, 255, 108));
  deepEqual([toHex(fromHex("00ff6c")), spacedHex(fromHex("00ff6c"))], ["00ff6c", "00 FF 6C"]);
});

Deno.test("numbers in sentences", () => {
  deepEqual([grouped(1234567), counted(1, "token"), counted(1000, "token")], ["1,234,567", "1 token", "1,000 tokens"]);
  deepEqual([times(1), times(2)], ["once", "2 times"]);
});

Deno.test("a cell of a table that would end too early is quoted", () => {
  const rows = [{ token: 'a"b', id: 1 }, { token: "x,y", id: -2.5 }, { token: "\n", id: 3 }];
  equal(csvOf(["id", "token"], rows), 'id,token\r\n1,"a""b"\r\n-2.5,"x,y"\r\n3,"\n"\r\n');
});

Deno.test("a sentence as plain text", () => {
  const write = (/** @type {number} */ id) => `t${id}`;
  const parts = [{ token: 1 }, " → ", { token: 2, new: true }, { pair: /** @type {[number, number]} */ ([3, 4]) }];
  equal(sentenceText(["From ", ...parts, ", in ", { word: "low" }], write), "From t1 → t2t3 + t4, in “low”");
});

Deno.test("without marks every character is written as it is, but for a line break and what cannot be drawn", () => {
  const parts = plainParts(new TextEncoder().encode(" a\t\r\n\u200b\0"), "_");
  equal(parts.map(({ text }) => text).join(""), " a\t\u200b⟨0000⟩");
  deepEqual(plainParts(fromHex("6cffc3"), "_").map(({ kind }) => kind), ["text", "mark", "hex"]);
});

Deno.test("the rows of words that come first keep their words on the other side", () => {
  /** @param {number[]} words */
  const alone = (...words) => words.map((word) => ({ sides: [[word]] }));
  deepEqual(withFirst(alone(1, 2, 3), [3, 9, 3], 0), alone(3, 9, 1));
  const window = [{ sides: [[1], [11]], count: 5 }, { sides: [[2], [12, 13]] }, { sides: [[3], [14, 13]] }];
  deepEqual(withFirst(window, [13, 99], 1), [window[1], window[2], window[0]]);
  deepEqual(withFirst(window, [], 0), window);
});

Deno.test("a picture has no character that XML forbids, and no white space that breaks a line", () => {
  const shown = "a\u0001b\tc\uffff…";
  const chip = pictureChip(new Uint8Array(), 0, () => [{ text: shown, kind: "text" }], /** @type {any} */ ({}));
  equal(chip.text, "a⟨0001⟩b c⟨FFFF⟩…");
});
