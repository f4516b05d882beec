// The menu of pairs that a step could have merged instead: choosing one makes another training, on the server.

import { element } from "./chips.js";

export class Branches {
  constructor(film, menu) {
    Object.assign(this, { film, menu });
    menu.addEventListener("change", () => this.take());
  }

  take() {
    if (!this.menu.value) return;
    const pair = this.menu.value.split(" ").map(Number);
    this.film.trigger("branch", { run: this.film.run, pair: [0, this.film.step, ...pair] });
    this.menu.value = "";
  }

  /** `hidden`: the next merge is to be guessed; what was as frequent as the last one may be it. */
  draw(step, frame, hidden) {
    const { film, menu } = this;
    const [record] = film.records;
    const merged = step ? record.merge(step) : null;
    const others = (frame?.tied ?? []).filter(([left, right]) => left !== merged.left || right !== merged.right);
    menu.style.visibility = others.length && !hidden && !film.clock.playing ? "" : "hidden";
    if (!others.length || menu.of === `${film.run} ${step}`) return;
    menu.of = `${film.run} ${step}`;
    const first = element("option", "", "Merge another tied pair instead");
    first.value = "";
    menu.replaceChildren(
      first,
      ...others.map(([left, right]) => {
        const option = element("option", "", `${record.text(left)} + ${record.text(right)}`);
        option.value = `${left} ${right}`;
        return option;
      }),
    );
  }
}
