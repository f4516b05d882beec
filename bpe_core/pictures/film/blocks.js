// The stages of a training that the film does not show: grey blocks at both ends of the slider, and at both ends of the
// list of merges. A press on a block makes the film show the block's stage.

import { buttonOf, element } from "../shared/elements.js";

/** @import { Film } from "./film.js" */
/** @import { Block } from "../shared/types.js" */

/** @typedef {"before" | "after"} End of the stage that is shown */

export class Blocks {
  /** @type {[end: End, box: HTMLElement][]} */
  #boxes = [];
  #shown = "";

  /** @param {Film} film */
  constructor(film) {
    this.film = film;
    const track = element("div", "track");
    film.controls.slider.replaceWith(track);
    track.append(film.controls.slider);
    this.surround(film.controls.slider);
  }

  /** Draw the blocks before and after an element as well. @param {HTMLElement} box */
  surround(box) {
    for (const end of /** @type {const} */ (["before", "after"])) {
      const blocks = element("div", "blocks");
      box[end](blocks);
      this.#boxes.push([end, blocks]);
    }
  }

  /** Return the blocks before or after the stage that is shown. @param {End} end */
  at(end) {
    return this.film.data.sides[0].timeline?.[end] ?? [];
  }

  /** Show the blocks of the training, if they have changed. */
  set() {
    const shown = JSON.stringify(this.film.data.sides[0].timeline);
    if (shown === this.#shown) return;
    this.#shown = shown;
    const { root, box, controls } = this.film;
    const focused = root.activeElement?.closest(".blocks");
    for (const [end, blocks] of this.#boxes) blocks.replaceChildren(...this.at(end).map((block) => this.#drawn(block)));
    for (const end of /** @type {const} */ (["before", "after"])) {
      box.style.setProperty(`--${end}`, String(this.at(end).length));
    }
    if (focused) controls.buttons.get("play")?.focus(); // the block that was pressed is gone
  }

  /** @param {Block} block */
  #drawn({ title, size, stage, first, about }) {
    const drawn = buttonOf("block");
    drawn.append(element("b", "", title), " ", element("span", "", size));
    drawn.title = about;
    drawn.setAttribute("aria-label", `${title}, ${size}. ${about}`);
    drawn.addEventListener("click", () => this.film.enter(stage, first));
    return drawn;
  }

  /**
   * Return where the film goes on at a step outside the shown stage. Before the stage's first step, that is the last
   * step of the block before. After the stage's last step, it is the first step of the block after. Return null if there is no
   * such block.
   *
   * @param {number} step
   * @returns {{ stage: number, step: number } | null}
   */
  leads(step) {
    const before = this.at("before").at(-1);
    const after = this.at("after")[0];
    if (step < 0 && before) return { stage: before.stage, step: before.last };
    if (step > this.film.last && after) return { stage: after.stage, step: after.first };
    return null;
  }
}
