// "Watch the text being merged": the positions of its step bar are the merges that change this text.

import { bytesOf } from "../shared/cut.js";
import { counted, grouped, times } from "../shared/numbers.js";

/** @import { TextModel } from "../shared/cut.js" */
/** @import { Sentence } from "../shared/sentence.js" */

const PLAY = { least: 2.5, most: 9, each: 0.25 }; // seconds: of a whole play, and of a merge

/**
 * The position of a text between no merge and all of them.
 *
 * Position 0 is before any merge; position `i` is after the `i`-th merge that changes the text; the last position is
 * the whole vocabulary.
 */
export class Merging {
  position = 0;

  /** @param {TextModel} model */
  constructor(model) {
    this.model = model;
  }

  /**
   * Set the text, the vocabulary or the step, and return the step that is shown. A step between two positions counts as
   * the earlier position.
   *
   * @param {TextModel} model
   * @param {number} step
   */
  set(model, step) {
    this.model = model;
    const after = model.stepsHere.findIndex((one) => one > step);
    this.position = after < 0 ? this.last : after;
    return this.step;
  }

  /** The last position. */
  get last() {
    return this.model.stepsHere.length;
  }

  get atEnd() {
    return this.position >= this.last;
  }

  get step() {
    return this.atEnd ? this.model.steps : this.merge;
  }

  /** The step of the last merge that changed the text, even at the whole vocabulary; 0 before any merge. */
  get merge() {
    return this.position ? this.model.stepsHere[this.position - 1] : 0;
  }

  /** Return the speed of playing a number of positions, in positions a second. @param {number} positions */
  speed(positions) {
    return positions / Math.min(PLAY.most, Math.max(PLAY.least, PLAY.each * positions));
  }

  /** Return how the position is written: "3 of 12 merges here, 24 tokens". @param {number} tokens how many there are now */
  written(tokens) {
    const { last, position, step, model } = this;
    const more = `, step ${grouped(step)} of ${grouped(model.steps)}`;
    if (!last) return { before: "no merges", at: "", after: "", more };
    const after = ` of ${grouped(last)} merges here, ${counted(tokens, "token")}`;
    return { before: "", at: grouped(position), after, more };
  }

  /**
   * Return a sentence about the last merge of this text.
   *
   * It names whose step that is, since the number of merges of the text is drawn in the same line.
   *
   * @param {string} title the name of the vocabulary
   * @returns {Sentence<Uint8Array>}
   */
  sentence(title) {
    const { model, merge } = this;
    const at = merge ? model.mergedAt.indexOf(merge) : -1;
    if (at < 0 && !this.last && model.size) return ["No merge of this vocabulary changes this text."];
    if (at < 0) return [model.size ? `Before any merge: ${counted(model.size, "symbol")}.` : ""];
    const [start, end] = spanOf(model, at, merge);
    const count = model.mergedAt.filter((step) => step === merge).length;
    const whose = title.replace(/ \(.*\)$/, "").replace(/^t(?=he |his )/, "T");
    return [
      `${whose}'s step ${grouped(merge)} joined `,
      { token: bytesOf(model, start, at) },
      " + ",
      { token: bytesOf(model, at, end) },
      " → ",
      { token: bytesOf(model, start, end) },
      count > 1 ? `, ${times(count)}.` : ".",
    ];
  }
}

/**
 * Return the first symbol and the end of the token that `step` made across the boundary before symbol `seam`.
 *
 * @param {TextModel} model
 * @param {number} seam
 * @param {number} step
 */
function spanOf({ mergedAt, size }, seam, step) {
  let [start, end] = [seam - 1, seam + 1];
  while (mergedAt[start] <= step) start--;
  while (end < size && mergedAt[end] <= step) end++;
  return [start, end];
}
