// Guessing the next merge: a picked pair is compared with the pair that the next step merges. A picked pair that is
// equally frequent counts as right. After a wrong guess the film stays, and shows the counts, until it is stepped.

import { find, setAttributes } from "../shared/elements.js";
import { times } from "../shared/numbers.js";

/** @import { Film } from "./film.js" */
/** @import { Pair } from "../shared/types.js" */

const QUESTION =
  "Which pair is joined next? Pick it from the pairs, or click a token in the corpus: a click takes the token and " +
  "the one to its right. At the end of a word it takes the one to its left.";

export class Predict {
  on = false;
  #right = 0;
  #asked = 0;
  #judged = -1; // the step of the merge that was guessed last
  shown = -1; // the merge that is shown after a wrong guess, until the film is stepped

  /** @param {Film} film */
  constructor(film) {
    this.film = film;
    this.verdict = find(film.root, ".verdict", HTMLElement);
    this.button = find(film.root, ".predict", HTMLButtonElement);
    this.button.addEventListener("click", () => this.#turn(!this.on));
  }

  /** Show another run. Its merges can be guessed only if the count chooses them. */
  set() {
    const isOff = Boolean(this.film.records[0].decides);
    if (isOff && this.on) this.#turn(false);
    this.button.disabled = isOff;
  }

  /** @param {boolean} on */
  #turn(on) {
    this.on = on;
    this.shown = -1;
    this.verdict.hidden = !on;
    setAttributes(this.button, { "aria-pressed": on });
    this.#right = this.#asked = 0;
    this.#ask();
    this.film.pause();
    this.film.choose({});
  }

  #ask() {
    const goesOn = this.film.step < this.film.records[0].steps;
    this.verdict.className = "verdict";
    this.verdict.textContent = this.on && goesOn ? QUESTION : "";
  }

  /**
   * Ask for a guess again, if the film has gone on to a step that was not guessed. After the last step ask nothing.
   *
   * @param {number} step
   */
  stepped(step) {
    if (step === this.shown - 1) return;
    this.shown = -1;
    if (this.on && step !== this.#judged) this.#ask();
  }

  /** Judge a picked pair. If it is right, go on by a step. @param {Pair} pair */
  guess([left, right]) {
    const { film } = this;
    const record = film.records[0];
    const frame = record.frame(film.step);
    if (film.step >= record.steps || !frame || film.step === this.shown - 1) return;
    const next = record.merge(film.step + 1);
    const known = frame.bars.find((bar) => bar[0] === left && bar[1] === right);
    const exact = left === next.left && right === next.right;
    const hit = exact || known?.[2] === next.count;
    const open = !exact && !known && frame.bars.at(-1)?.[2] === next.count; // the frame has not all pairs that tie
    this.#asked += open ? 0 : 1;
    this.#right += hit ? 1 : 0;
    const winner = `${record.pairText(next.left, next.right)} is joined, seen ${times(next.count)}`;
    const guessed = record.pairText(left, right);
    const seen = known ? `seen ${times(known[2])}` : `seen less often than the ${frame.bars.length} most frequent`;
    const chosen = record.yours.has(film.step + 1);
    const rule = chosen ? "As was chosen by hand," : "By the tie rule";
    const tie = chosen ? ", as was chosen by hand" : next.tied > 1 ? ", and the tie rule prefers it" : "";
    const verdict = exact
      ? `Right: ${winner}${tie}.`
      : hit
      ? `Right: ${guessed} is as frequent. ${rule} ${winner}.`
      : open
      ? `Perhaps: ${guessed} is not listed, and may be as frequent. ${rule} ${winner}.`
      : `No: ${guessed} is ${seen}; ${winner}.`;
    const goesOn = hit || open;
    const again = goesOn ? film.step + 1 < record.steps ? " And next?" : "" : " The counts show it; Next goes on.";
    this.verdict.className = `verdict ${hit ? "right" : open ? "" : "wrong"}`;
    this.verdict.textContent = `${verdict} Score: ${this.#right} of ${this.#asked}.${again}`;
    if (goesOn) film.go(this.#judged = film.step + 1);
    else {
      this.shown = film.step + 1;
      film.redraw(false);
    }
  }
}
