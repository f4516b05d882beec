// The clock of playing: it shows the step that is due, and waits for a step whose frame has not arrived.

/**
 * @typedef {object} ClockActions
 * @property {(step: number) => boolean} ready whether a step can be shown
 * @property {(step: number) => void} go show a step
 * @property {() => void} ended playing has ended
 * @property {() => boolean} gone whether the film has left the page
 */

export class Clock {
  playing = false;
  #from = 0; // the step at which the present stretch of time began
  #begun = 0; // milliseconds
  #at = 0; // the step that was shown last
  #last = 0;
  #speed = 1; // steps a second

  /** @param {ClockActions} actions */
  constructor(actions) {
    this.actions = actions;
  }

  /**
   * Play from a step to the last one.
   *
   * @param {number} from
   * @param {number} last
   * @param {number} speed steps a second
   */
  start(from, last, speed) {
    this.playing = true;
    this.#at = from;
    this.#last = last;
    this.setSpeed(speed);
    requestAnimationFrame((now) => this.#frame(now));
  }

  /** @param {number} now milliseconds */
  #frame(now) {
    if (!this.playing || this.actions.gone()) return;
    const due = Math.min(this.#from + Math.floor(((now - this.#begun) / 1000) * this.#speed), this.#last);
    let next = this.#at;
    while (next < due && this.actions.ready(next + 1)) next++;
    if (next < due) [this.#from, this.#begun] = [next, now]; // the clock waits until the frame has arrived
    if (next !== this.#at) this.actions.go(this.#at = next);
    if (next >= this.#last) this.stop();
    else requestAnimationFrame((later) => this.#frame(later));
  }

  /** Play on at another speed. @param {number} speed steps a second */
  setSpeed(speed) {
    this.#from = this.#at;
    this.#begun = performance.now();
    this.#speed = speed;
  }

  stop() {
    if (!this.playing) return;
    this.playing = false;
    this.actions.ended();
  }
}
