// The step bar: buttons, slider, speed, and a step that can be typed.

import { find, setAttributes } from "./elements.js";
import { KEYS, listenFor } from "./keys.js";
import { grouped } from "./numbers.js";

/** @import { Film } from "./film.js" */
/** @import { Act } from "./keys.js" */
/** @import { Timer } from "./types.js" */

export class Controls {
  /** @type {Timer | undefined} */
  #announcing;

  /** @param {Film} film */
  constructor(film) {
    this.film = film;
    const { root } = film;
    /** @param {Act} act */
    const button = (act) => find(root, `[data-do=${act}]`, HTMLButtonElement);
    this.buttons = {
      start: button("start"),
      back: button("back"),
      play: button("play"),
      next: button("next"),
      end: button("end"),
    };
    this.slider = find(root, ".slider", HTMLInputElement);
    this.at = find(root, ".at", HTMLElement);
    this.where = find(root, ".where", HTMLElement);
    this.unit = find(root, ".unit-name", HTMLElement);
    this.last = find(root, ".last", HTMLElement);
    this.select = find(root, ".speed select", HTMLSelectElement);
    this.said = find(root, ".live", HTMLElement);
    this.lost = find(root, ".status", HTMLElement);
    this.slider.addEventListener("input", () => film.scrub(Number(this.slider.value)));
    this.slider.addEventListener("change", () => film.rest());
    this.at.addEventListener("focus", () => getSelection()?.selectAllChildren(this.at));
    this.at.addEventListener("keydown", (event) => this.#typed(event));
    this.at.addEventListener("blur", () => film.redraw(false)); // a number that was not entered goes
    this.select.addEventListener("change", () => film.clock.setSpeed(this.speed));
    for (const [key, act] of Object.entries(KEYS)) {
      this.buttons[act].addEventListener("click", () => film.act(act));
      this.buttons[act].setAttribute("aria-keyshortcuts", key === " " ? "Space" : key);
    }
    listenFor(film);
  }

  /** Steps a second. */
  get speed() {
    return Number(this.select.value);
  }

  /** Go to the step that was typed, at Enter; take nothing but digits. @param {KeyboardEvent} event */
  #typed(event) {
    if (event.key.length === 1 && !/\d/.test(event.key) && !event.ctrlKey && !event.metaKey) event.preventDefault();
    if (event.key !== "Enter" && event.key !== "Escape") return;
    event.preventDefault();
    const number = this.at.textContent.replace(/\D/g, "");
    this.at.blur();
    if (event.key === "Enter" && number) this.film.go(Number(number));
  }

  /** @param {number} step @param {number} last @param {boolean} playing */
  draw(step, last, playing) {
    const unit = this.film.records[0]?.unit ?? "step";
    this.slider.max = String(Math.max(last, 1));
    this.slider.value = String(step);
    this.slider.disabled = !last;
    this.slider.setAttribute("aria-valuetext", `${unit} ${step} of ${last}`);
    const isTyped = this.film.root.activeElement === this.at;
    if (!isTyped) this.at.textContent = grouped(step);
    this.at.setAttribute("aria-label", `${unit}, to be typed`);
    this.unit.textContent = unit;
    this.last.textContent = grouped(last);
    this.at.style.minWidth = `${grouped(last).length}ch`; // what follows it does not move
    this.where.style.minWidth = `${2 * grouped(last).length + 8}ch`;
    const off = { start: !step, back: !step, play: !last, next: step >= last, end: step >= last };
    // A disabled button would lose the focus to the page.
    for (const act of Object.values(KEYS)) setAttributes(this.buttons[act], { "aria-disabled": off[act] });
    find(this.buttons.play, "span", HTMLElement).textContent = playing ? "Pause" : "Play";
  }

  /** Tell a screen reader what the step did, once the film rests for a moment. @param {string} text */
  announce(text) {
    clearTimeout(this.#announcing);
    this.#announcing = setTimeout(() => this.said.textContent = text, 400);
  }

  /** Say something about the exchange with the server. @param {string} text */
  status(text) {
    this.lost.textContent = text;
  }
}
