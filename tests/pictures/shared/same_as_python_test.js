// What the browser works out is what Python works out. The examples are a file that tests/pictures/shared/test_web.py writes:
//
//     deno test --allow-read same_as_python_test.js -- examples.json

import { deepEqual, equal } from "node:assert/strict";

import { fromHex, toHex } from "../../../bpe_core/pictures/shared/bytes.js";
import {
  cutAt,
  isLost,
  lettersOf,
  opensLetter,
  readAnswer,
  tokenBytes,
} from "../../../bpe_core/pictures/shared/cut.js";
import { layout, pictureChip, rowsOf } from "../../../bpe_core/pictures/shared/layout.js";
import { Merging } from "../../../bpe_core/pictures/tokens/merging.js";
import { money, percent, priceOf, whyNoPrice } from "../../../bpe_core/pictures/shared/numbers.js";
import { sentenceText } from "../../../bpe_core/pictures/shared/sentence.js";
import { hueOf, parts, rawText, tokenText } from "../../../bpe_core/pictures/shared/token_text.js";
import { Record } from "../../../bpe_core/pictures/film/record.js";

/** @import { Font, Sizes } from "../../../bpe_core/pictures/shared/layout.js" */
/** @import { Answer, Facts, Marks, WordRow } from "../../../bpe_core/pictures/shared/types.js" */

/**
 * A token, in hex: its parts [text, kind] with the glyph and without, its hue, and its text where it is whole.
 * @typedef {[hex: string, withGlyph: string[][], without: string[][], hue: number, raw: string | null]} Token
 */
/** @typedef {[hex: string, id: number, colour: number, from: number, to: number]} CutToken */
/** `spellings`: the letters of each token, or of the tokens that share a letter. */
/** @typedef {{ answer: Answer, cuts: [step: number, tokens: CutToken[]][], spellings: [step: number, letters: string[][]][] }} Text */
/**
 * A text, and for each position of its step bar: the step, the number of tokens, the sentence about the merge.
 * @typedef {{ answer: Answer, title: string, positions: [step: number, tokens: number, sentence: string][] }} Melting
 */
/**
 * Tokens in a picture, with the text below each. `widths`: of every text, by font and size. `rest`: words at the end.
 *
 * @typedef {object} Picture
 * @property {Sizes} sizes
 * @property {string} heading
 * @property {[hex: string, below: string][]} tokens
 * @property {number} total
 * @property {{ [written: string]: number }} widths
 * @property {[x: number, y: number, width: number, text: string, below: string][]} boxes
 * @property {[x: number, y: number, text: string][]} words
 * @property {[x: number, y: number, text: string][]} labels
 * @property {[x: number, y: number, toX: number][]} brackets
 * @property {[width: number, height: number]} size
 */
/** @typedef {{ facts: Facts, steps: number, words: WordRow[], names: string[], cuts: string[][][] }} Run */
/** @typedef {{ hues: number, glyph: string, marks: Marks, tokens?: Token[], texts?: Text[], meltings?: Melting[], pictures?: Picture[], runs?: Run[], prices?: [written: string, price: number | null, why: string, cost: string][], percents?: [part: number, whole: number, written: string][] }} Examples */

/** @type {Examples} */
const examples = Deno.args.length ? JSON.parse(Deno.readTextFileSync(Deno.args[0])) : { hues: 0, glyph: "", marks: {} };
const { hues, glyph, marks, tokens = [], texts = [], meltings = [], pictures = [], runs = [] } = examples;
const { prices = [], percents = [] } = examples;

Deno.test({ name: "prices are read and percentages written alike", ignore: !prices.length }, () => {
  for (const [written, price, why, cost] of prices) {
    equal(priceOf(written), price ?? NaN, written);
    equal(whyNoPrice(written), why, written);
    equal(money(written, "1.50"), cost, written);
  }
  for (const [part, whole, written] of percents) equal(percent(part, whole), written, `${part} of ${whole}`);
});

Deno.test({ name: "tokens are written and coloured alike", ignore: !tokens.length }, () => {
  for (const [token, withGlyph, without, hue, raw] of tokens) {
    const bytes = fromHex(token);
    for (const [look, expected] of /** @type {const} */ ([[glyph, withGlyph], ["", without]])) {
      deepEqual(parts(bytes, look, marks).map(({ text, kind }) => [text, kind]), expected, token);
      equal(tokenText(bytes, look, marks), expected.map(([text]) => text).join(""), token);
    }
    equal(hueOf(bytes, 0, bytes.length, hues), hue, token);
    equal(rawText(bytes, ""), raw, token);
  }
});

Deno.test({ name: "the tokens of a text at any step are the engine's", ignore: !texts.length }, () => {
  for (const { answer, cuts, spellings } of texts) {
    const model = readAnswer(answer);
    for (const [step, expected] of cuts) {
      const cut = cutAt(model, step, hues);
      const shown = Array.from({ length: cut.count }, (_, token) => [
        toHex(tokenBytes(model, cut, token)),
        cut.ids[token],
        cut.colours[token],
        model.from[cut.starts[token]],
        model.to[cut.starts[token + 1] - 1],
        Number(isLost(model, cut, token)),
      ]);
      deepEqual(shown, expected, `${JSON.stringify(answer.text)} at step ${step}`);
    }
    for (const [step, expected] of spellings) {
      const { starts, count } = cutAt(model, step, hues);
      const bounds = Array.from(starts.subarray(0, count + 1)).filter((at, n) => !n || opensLetter(model, at));
      const letters = bounds.slice(0, -1).map((start, n) => lettersOf(model, start, bounds[n + 1]));
      deepEqual(letters, expected, `letters of ${JSON.stringify(answer.text)} at step ${step}`);
    }
  }
});

Deno.test({ name: "every position of a text is a merge that changes it", ignore: !meltings.length }, () => {
  for (const { answer, title, positions } of meltings) {
    const model = readAnswer(answer);
    const merging = new Merging(model);
    equal(merging.last, positions.length - 1);
    positions.forEach(([step, tokens, sentence], position) => {
      merging.position = position;
      const written = sentenceText(merging.sentence(title), (bytes) => tokenText(bytes, "", marks));
      deepEqual([merging.step, cutAt(model, step, hues).count, written], [step, tokens, sentence]);
      equal(merging.set(model, step), step);
      equal(merging.position, position);
    });
  }
});

Deno.test({ name: "tokens stand in a picture where Python puts them", ignore: !pictures.length }, () => {
  for (const { sizes, heading, tokens, total, widths, boxes, words, labels, brackets, size } of pictures) {
    const partsOf = (/** @type {Uint8Array} */ bytes) => parts(bytes, "", marks);
    const chips = tokens.map(([token, below]) => ({
      ...pictureChip(fromHex(token), 0, partsOf, sizes),
      below,
    }));
    /** @param {string} text @param {Font} font */
    const widthOf = (text, [family, size]) => widths[`${family} ${size} ${text}`];
    const rows = rowsOf(chips, total, partsOf, sizes);
    const found = layout(heading ? [[heading], ...rows] : rows, sizes, widthOf);
    deepEqual(found.boxes.map(({ x, y, width, chip }) => [x, y, width, chip.text, chip.below]), boxes);
    deepEqual(found.words.map(({ x, y, text }) => [x, y, text]), words);
    deepEqual(found.labels.map(({ x, y, text }) => [x, y, text]), labels);
    deepEqual(found.brackets.map(({ x, y, to_x }) => [x, y, to_x]), brackets);
    deepEqual([found.width, found.height], size);
  }
});

Deno.test({ name: "the words of a training at any step are the engine's", ignore: !runs.length }, () => {
  for (const { facts, steps, words, names, cuts } of runs) {
    const record = new Record("", steps, facts);
    record.addWords(words);
    deepEqual(names.map((_, id) => record.text(id, Infinity)), names);
    cuts.forEach((expected, step) => {
      const shown = Array.from(record.words.values(), (word) => {
        const cut = record.cut(word, step);
        return Array.from({ length: cut.count }, (_, token) => toHex(tokenBytes(word, cut, token)));
      });
      deepEqual(shown, expected, `step ${step}`);
    });
  }
});
