// Guessing the next merge: what is picked is judged by the merge that follows; as frequent as the winner is right.

import { times } from "./chips.js";

export class Predict {
  constructor(film) {
    Object.assign(this, { film, on: false, right: 0, asked: 0 });
    this.box = film.root.querySelector(".predict input");
    this.verdict = film.root.querySelector(".verdict");
    this.box.addEventListener("change", () => this.turn(this.box.checked));
  }

  turn(on) {
    this.on = on;
    this.verdict.hidden = !on;
    Object.assign(this, { right: 0, asked: 0 });
    this.ask();
    this.film.pause();
    this.film.choose({});
  }

  ask() {
    this.say(
      this.on
        ? "Which pair is joined next? Pick it from the pairs, or click a token in the corpus: it is paired with the token to its right, the last one with that to its left."
        : "",
    );
  }

  /** Another step was gone to without a guess: the verdict on the last one is over. */
  stepped(step) {
    if (this.on && step !== this.judged) this.ask();
  }

  say(text) {
    this.verdict.textContent = text;
  }

  /** Judge a picked pair, and make the step. */
  guess([left, right]) {
    const { film } = this;
    const record = film.records[0];
    const frame = record.frame(film.step);
    if (film.step >= record.steps || !frame) return;
    const next = record.merge(film.step + 1);
    const known = frame.bars.find((bar) => bar[0] === left && bar[1] === right);
    const named = (a, b) => `${record.text(a)} + ${record.text(b)}`;
    const exact = left === next.left && right === next.right;
    const hit = exact || known?.[2] === next.count;
    this.asked++;
    this.right += hit;
    const winner = `${named(next.left, next.right)} is joined, seen ${times(next.count)}`;
    const seen = known ? `seen ${times(known[2])}` : `seen less often than the ${frame.bars.length} most frequent`;
    const verdict = exact
      ? `Right: ${winner}${next.tied > 1 ? ", and the tie rule prefers it" : ""}.`
      : hit
      ? `Right: ${named(left, right)} is as frequent. By the tie rule ${winner}.`
      : `No: ${named(left, right)} is ${seen}; ${winner}.`;
    const again = film.step + 1 < record.steps ? " And next?" : "";
    this.say(`${verdict} Score: ${this.right} of ${this.asked}.${again}`);
    this.judged = film.step + 1;
    film.go(this.judged);
  }
}
