// Stepping by hand and playing: where a step bar goes. Nothing here touches the page.

import { Clock } from "./clock.js";

/** @import { Act } from "./keys.js" */
/** @import { Timer } from "./types.js" */

/** @typedef {"hand" | "slider" | "clock"} Mover a jump by hand, a slider that still moves, or playing */

/**
 * A view with steps, such as a film. Its positions are the numbers from 0 to `last`.
 *
 * @typedef {object} Steps
 * @property {() => number} position
 * @property {() => number} last
 * @property {(position: number) => boolean} ready whether a position can be shown
 * @property {(positions: number) => number} speed positions a second for playing a number of positions
 * @property {(position: number, mover: Mover) => void} show go to a position
 * @property {() => void} redraw draw the same position: playing has begun or ended
 * @property {() => void} rested called after a moment without another position
 * @property {() => boolean} gone whether the view has left the page
 * @property {(position: number) => (() => void) | null} [beyond] for a position before the first or after the last,
 *   return a function that goes on there, such as in another stage; null if nothing is there
 */

export const REST_MILLISECONDS = 200; // without another step until the view rests

export class Stepping {
  /** @type {Timer | undefined} */
  #resting;

  /** @param {Steps} steps */
  constructor(steps) {
    this.steps = steps;
    this.clock = new Clock({
      ready: steps.ready,
      go: (position) => steps.show(position, "clock"),
      ended: () => this.rest(0),
      gone: steps.gone,
    });
  }

  /** Do the action of a button. @param {Act} act */
  act(act) {
    if (act === "play") return this.clock.playing ? this.pause() : this.#play();
    const at = this.steps.position();
    const to = { start: 0, back: at - 1, next: at + 1, end: this.steps.last() }[act];
    const beyond = this.steps.beyond?.(to);
    if (beyond) return beyond();
    this.go(to);
  }

  /** Play to the last position. At the last position, start again from the first. */
  #play() {
    const { steps } = this;
    const last = steps.last();
    if (!last) return;
    if (steps.position() >= last) steps.show(0, "hand");
    const from = steps.position();
    this.clock.start(from, last, steps.speed(last - from));
    steps.redraw();
  }

  pause() {
    this.clock.stop();
    this.steps.redraw();
  }

  /** Go to the nearest position that exists, and stay there. @param {number} position */
  go(position) {
    const { steps } = this;
    const to = Math.max(0, Math.min(position, steps.last()));
    this.clock.stop();
    if (to !== steps.position()) steps.show(to, "hand");
    else steps.redraw();
    this.rest();
  }

  /** Show a position while the slider moves. The view rests when the slider is let go. @param {number} position */
  slide(position) {
    this.clock.stop();
    this.steps.show(position, "slider");
  }

  /** Rest after a time, unless the bar plays by then. @param {number} [milliseconds] */
  rest(milliseconds = REST_MILLISECONDS) {
    clearTimeout(this.#resting);
    this.#resting = setTimeout(() => {
      this.#resting = undefined;
      if (!this.clock.playing) this.steps.rested();
    }, milliseconds);
  }

  /** Something else is pressed: a step that is shown counts as rested at, even if the bar plays on. */
  pressedElsewhere() {
    if (!this.clock.playing && this.#resting === undefined) return;
    clearTimeout(this.#resting);
    this.#resting = undefined;
    this.steps.rested();
  }

  /** Stop playing without a rest, since the view shows something else. */
  stop() {
    this.clock.stop();
    clearTimeout(this.#resting);
    this.#resting = undefined;
  }
}
