// The letters of the tokens, which a model never sees: written under the tokens, with a count of a chosen letter.

import { lettersOf, opensLetter, utf8Of } from "../shared/cut.js";
import { element, find } from "../shared/elements.js";
import { grouped, times } from "../shared/numbers.js";
import { tokenText } from "../shared/token_text.js";

/** @import { Cut, TextModel } from "../shared/cut.js" */
/** @import { Marks } from "../shared/types.js" */

/** Return a letter in the form that counts, as `alike` in letters.py does. @param {string} letter */
export const alike = (letter) => letter.normalize("NFC").toLowerCase();

/** Return the last letter of what was typed. @param {string} typed */
const lastLetter = (typed) => Array.from(new Intl.Segmenter().segment(typed)).pop()?.segment ?? "";

/**
 * Return how often a letter is in a text, and how many tokens have the letter. Tokens that share a letter count as one.
 *
 * @param {TextModel} model
 * @param {Cut} cut
 * @param {string} letter
 */
export function countOf(model, { starts, count }, letter) {
  const wanted = alike(letter);
  let [all, tokens] = [0, 0];
  for (let token = 0; token < count;) {
    const first = token++;
    while (!opensLetter(model, starts[token])) token++;
    const here = lettersOf(model, starts[first], starts[token]).filter((one) => alike(one) === wanted).length;
    all += here;
    if (here) tokens += 1;
  }
  return { all, tokens };
}

export class Spelling {
  /** @param {ShadowRoot} root */
  constructor(root) {
    this.switch = find(root, "#letters", HTMLInputElement);
    this.input = find(root, "#letter", HTMLInputElement);
    this.box = find(root, "#spelling", HTMLElement);
    this.sum = find(root, "#sum", HTMLElement);
    this.input.addEventListener("input", () => {
      this.input.value = lastLetter(this.input.value); // a new letter takes the place of the old one
    });
    this.input.addEventListener("focus", () => this.input.select());
  }

  /** Whether the letters are written under the tokens. */
  get isOn() {
    return this.switch.checked;
  }

  /**
   * Return the letters of the symbols `start` to `end` as an element, with the counted letter marked.
   *
   * @param {TextModel} model
   * @param {number} start
   * @param {number} end
   * @param {Marks} marks
   */
  under(model, start, end, marks) {
    const letters = element("span", "letters");
    const wanted = alike(this.input.value);
    let count = 0;
    for (const letter of lettersOf(model, start, end)) {
      const shown = tokenText(utf8Of(letter), "", marks);
      const isWanted = alike(letter) === wanted;
      letters.append(isWanted ? element("b", "", shown) : shown, " ");
      if (isWanted) count += 1;
    }
    if (count) {
      letters.append(element("span", "times", `${tokenText(utf8Of(this.input.value), "", marks)} × ${grouped(count)}`));
    }
    return letters;
  }

  /** Show how often the letter is in the text. @param {TextModel} model @param {Cut} cut */
  show(model, cut) {
    this.box.hidden = !this.isOn;
    const letter = this.input.value;
    if (!this.isOn || !letter) return this.sum.replaceChildren();
    const { all, tokens } = countOf(model, cut, letter);
    const where = all
      ? `: ${times(all)}, in ${grouped(tokens)} of the ${grouped(cut.count)} tokens`
      : " is not in this text";
    this.sum.textContent = `“${letter}”${where}.`;
  }
}
