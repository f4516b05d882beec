// The menu of pairs that a step could have merged instead. The choice of a pair starts another training on the server.

import { element, find } from "../shared/elements.js";
import { counted } from "../shared/numbers.js";

/** @import { Film } from "./film.js" */
/** @import { Frame } from "../shared/types.js" */

const ONE_COLUMN = 860; // pixels: a narrower film has one column, as in film.css

export class Branches {
  #shown = ""; // the run and step whose pairs the menu lists

  /** @param {Film} film @param {HTMLSelectElement} menu */
  constructor(film, menu) {
    this.film = film;
    this.menu = menu;
    menu.addEventListener("change", () => this.#take());
    const corpus = find(film.root, ".corpus", HTMLElement);
    const sentences = find(film.root, ".sentences", HTMLElement);
    // where the columns stand one below the other, the menu stands below the words, for the eye and for Tab
    new ResizeObserver(([{ contentRect: { width } }]) => {
      const before = width && width < ONE_COLUMN ? corpus : sentences;
      if (menu.previousElementSibling !== before) before.after(menu);
    }).observe(film.box);
  }

  #take() {
    if (!this.menu.value) return;
    const [left, right] = this.menu.value.split(" ").map(Number);
    this.film.branch([left, right]);
    this.menu.value = "";
  }

  /**
   * Offer the pairs that tied with the pair that a step merged. A frame has the first of them; of many, the menu ends
   * with how many more there are.
   *
   * @param {number} step
   * @param {Frame | undefined} frame
   * @param {boolean} hidden whether the next merge is to be guessed: the menu may give it away
   */
  draw(step, frame, hidden) {
    const { film, menu } = this;
    const [record] = film.records;
    const merged = step ? record.merge(step) : null;
    const others = (frame?.tied ?? []).filter(([left, right]) => left !== merged?.left || right !== merged.right);
    menu.style.visibility = others.length && !hidden && !film.clock.playing ? "" : "hidden";
    const shown = `${film.run} ${step}`;
    if (!others.length || this.#shown === shown) return;
    this.#shown = shown;
    const first = element("option", "", "Merge another tied pair instead");
    first.value = "";
    menu.replaceChildren(
      first,
      ...others.map(([left, right]) => {
        const option = element("option", "", record.pairText(left, right));
        option.value = `${left} ${right}`;
        return option;
      }),
    );
    const more = (merged?.tied ?? 1) - 1 - others.length;
    if (more > 0) menu.appendChild(element("option", "", `and ${counted(more, "more tied pair")}`)).disabled = true;
  }
}
