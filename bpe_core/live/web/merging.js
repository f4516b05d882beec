// "Watch your text being merged": five buttons and a slider whose positions are the merges that change this text.

import { find, setAttributes } from "./elements.js";
import { grouped } from "./numbers.js";

/** @import { TextModel } from "./cut.js" */
/** @import { Timer } from "./types.js" */

const PLAY = { least: 2.5, most: 9, each: 0.25 }; // seconds
const REST_MILLISECONDS = 150;

/**
 * The position of a text between no merge and all of them.
 *
 * Position 0 is before any merge; position `i` is after the `i`-th merge that changes the text; the last one is the
 * whole vocabulary.
 */
export class Merging {
  position = 0;
  #playing = false;
  /** @type {number | null} */
  #frame = null;
  /** @type {Timer | undefined} */
  #resting;

  /**
   * @param {ShadowRoot} root
   * @param {TextModel} model
   * @param {(step: number) => void} show show a step
   * @param {(step: number) => void} settled called with the step where it came to rest
   */
  constructor(root, model, show, settled) {
    this.root = root;
    this.model = model;
    this.show = show;
    this.settled = settled;
    /** @param {string} id */
    const button = (id) => find(root, `#${id}`, HTMLButtonElement);
    this.slider = find(root, "#slider", HTMLInputElement);
    this.where = find(root, "#where", HTMLElement);
    this.toggle = button("play");
    this.backward = [button("first"), button("back")];
    this.forward = [button("next"), button("last")];
    this.slider.addEventListener("input", () => this.#by(Number(this.slider.value)));
    this.toggle.addEventListener("click", () => this.#playing ? this.#pause() : this.#play());
    button("first").addEventListener("click", () => this.#by(0));
    button("back").addEventListener("click", () => this.#by(this.position - 1));
    button("next").addEventListener("click", () => this.#by(this.position + 1));
    button("last").addEventListener("click", () => this.#by(this.most));
  }

  /**
   * Take over a text, a vocabulary or a step, and return the step that is shown. A step between two positions counts as
   * the earlier position.
   *
   * @param {TextModel} model
   * @param {number} step
   */
  set(model, step) {
    this.model = model;
    const after = model.stepsHere.findIndex((one) => one > step);
    this.position = after < 0 ? this.most : after;
    if (this.#playing && !this.most) this.#pause();
    this.#draw();
    return this.step;
  }

  /** The last position. */
  get most() {
    return this.model.stepsHere.length;
  }

  get atEnd() {
    return this.position >= this.most;
  }

  get step() {
    return this.atEnd ? this.model.steps : this.merge;
  }

  /** The step of the last merge that changed the text, also where the whole vocabulary is shown; 0 before any. */
  get merge() {
    return this.position ? this.model.stepsHere[this.position - 1] : 0;
  }

  /** Go to a position by a person's hand. @param {number} position */
  #by(position) {
    this.#pause();
    this.#to(position);
    this.#rest();
  }

  /** @param {number} position */
  #to(position) {
    const bounded = Math.max(0, Math.min(position, this.most));
    if (bounded === this.position) return;
    this.position = bounded;
    this.#draw();
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = null;
      this.show(this.step);
    });
  }

  #rest() {
    clearTimeout(this.#resting);
    this.#resting = setTimeout(() => this.settled(this.step), REST_MILLISECONDS);
  }

  #play() {
    const from = this.atEnd ? 0 : this.position;
    const seconds = Math.min(PLAY.most, Math.max(PLAY.least, PLAY.each * (this.most - from)));
    /** @type {number | undefined} */
    let begun;
    /** @param {number} now */
    const frame = (now) => {
      if (!this.#playing || !this.root.host.isConnected) return;
      begun ??= now;
      const passed = (now - begun) / 1000 / seconds;
      this.#to(from + Math.floor(passed * (this.most - from)));
      if (passed >= 1) this.#pause();
      else requestAnimationFrame(frame);
    };
    this.#to(from);
    this.#playing = true;
    this.#draw();
    requestAnimationFrame(frame);
  }

  #pause() {
    if (!this.#playing) return;
    this.#playing = false;
    this.#draw();
    this.#rest();
  }

  /** Stop, and tell nothing of the step: another text is shown. */
  stop() {
    this.#playing = false;
    clearTimeout(this.#resting);
  }

  #draw() {
    const { position, most, model, slider, toggle } = this;
    slider.max = String(most);
    slider.value = String(position);
    const words = most ? `${grouped(position)} of the ${grouped(most)} merges in this text` : "no merges";
    setAttributes(slider, { "aria-valuetext": `${words}, step ${grouped(this.step)} of ${grouped(model.steps)}` });
    this.where.textContent = words;
    find(toggle, "span", HTMLElement).textContent = this.#playing ? "Pause" : "Play";
    toggle.classList.toggle("playing", this.#playing);
    // A disabled button would lose the focus to the page.
    for (const button of this.backward) setAttributes(button, { "aria-disabled": !position });
    for (const button of this.forward) setAttributes(button, { "aria-disabled": position >= most });
    slider.disabled = toggle.disabled = !most;
  }
}
