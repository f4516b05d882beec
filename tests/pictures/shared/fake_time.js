// A clock that only a test moves: timers, frames of the screen, `performance.now`, `Date.now`.

const FRAME = 16; // milliseconds

/** @typedef {{ at: number, act: () => void, every?: number }} Due */

export class FakeTime {
  /** @type {Map<number, Due>} */
  #due = new Map();
  #last = 0;
  #real = { setTimeout, clearTimeout, setInterval, clearInterval, now: performance.now, date: Date.now };

  /** @param {number} [now] milliseconds */
  constructor(now = 1000) {
    this.now = now;
    const clear = (/** @type {number} */ id) => this.#due.delete(id);
    Object.assign(globalThis, {
      setTimeout: (/** @type {() => void} */ act, wait = 0) => this.#add({ at: this.now + wait, act }),
      setInterval: (/** @type {() => void} */ act, every = 0) => this.#add({ at: this.now + every, act, every }),
      requestAnimationFrame: (/** @type {(now: number) => void} */ act) => {
        return this.#add({ at: this.now + FRAME, act: () => act(this.now) });
      },
      clearTimeout: clear,
      clearInterval: clear,
    });
    performance.now = Date.now = () => this.now;
  }

  [Symbol.dispose]() {
    const { now, date, ...timers } = this.#real;
    Object.assign(globalThis, timers);
    performance.now = now;
    Date.now = date;
  }

  /** @param {Due} due */
  #add(due) {
    this.#due.set(++this.#last, due);
    return this.#last;
  }

  /** How many timers and frames are still to come. */
  get waiting() {
    return this.#due.size;
  }

  /** Let time pass, and what is due happen in its order. @param {number} milliseconds */
  pass(milliseconds) {
    const end = this.now + milliseconds;
    for (;;) {
      const [next] = [...this.#due].filter(([, { at }]) => at <= end).sort(([, a], [, b]) => a.at - b.at);
      if (!next) break;
      const [id, { at, act, every }] = next;
      this.now = at;
      if (every) this.#due.set(id, { at: at + every, act, every });
      else this.#due.delete(id);
      act();
    }
    this.now = end;
  }
}
