// What goes to the server: all that the film wants, as one value. At most one request is under way; the newest follows.

import { isLeaving } from "./clicks.js";

/** @import { Timer } from "./types.js" */

const ANSWER_MILLISECONDS = 5000;
const LOOK_MILLISECONDS = 500;

/** @typedef {Record<string, unknown>} Wants */

/**
 * @typedef {object} ExchangeActions
 * @property {(value: Wants & { number: number }) => void} send send a request
 * @property {(whether: boolean) => void} lost the server does not answer, or answers again
 * @property {() => boolean} gone whether the film has left the page
 */

export class Exchange {
  #number = Date.now(); // of the last request; more than any before a reload
  #asked = ""; // what the last request asked for
  #waiting = false;
  #broken = false; // the connection was lost since the last request
  /** @type {(() => Wants) | undefined} */
  #wants;
  /** @type {Timer | undefined} */
  #later;
  /** @type {Timer | undefined} */
  #watch;

  /** @param {ExchangeActions} actions */
  constructor(actions) {
    this.actions = actions;
  }

  /**
   * Ask for what `wants` returns, unless that was asked for last. While an answer is still to come, only remember it.
   *
   * @param {() => Wants} wants
   */
  tell(wants) {
    this.#wants = wants;
    clearTimeout(this.#later);
    if (this.#waiting || this.actions.gone()) return;
    if (isLeaving()) {
      this.#later = setTimeout(() => this.tell(wants), LOOK_MILLISECONDS);
      return;
    }
    const value = wants();
    const text = JSON.stringify(value);
    if (text === this.#asked) return;
    this.#asked = text;
    this.#send(value);
  }

  /** @param {Wants} value */
  #send(value) {
    this.#waiting = true;
    this.actions.send({ ...value, number: ++this.#number });
    clearInterval(this.#watch);
    const begun = performance.now();
    this.#watch = setInterval(() => this.#look(value, begun), LOOK_MILLISECONDS);
  }

  /**
   * Send a value again that may not have arrived: its answer is late, or the connection was lost and is back.
   *
   * @param {Wants} value
   * @param {number} begun milliseconds
   */
  #look(value, begun) {
    if (this.actions.gone()) return clearInterval(this.#watch);
    if (isLeaving()) return;
    const connected = isConnected();
    const late = performance.now() - begun > ANSWER_MILLISECONDS;
    if (!connected || late) this.actions.lost(true);
    if (!connected) this.#broken = true;
    else if (late || this.#broken) {
      this.#broken = false;
      this.#send(value);
    }
  }

  /** Take note that the server has answered a request. @param {number} number */
  answered(number) {
    if (!this.#waiting || number !== this.#number) return;
    this.#waiting = false;
    clearInterval(this.#watch);
    this.actions.lost(false);
    if (this.#wants) this.tell(this.#wants);
  }

  /** Forget what was asked of another run: it has no answer any more. */
  reset() {
    this.#waiting = false;
    this.#asked = "";
    clearInterval(this.#watch);
  }
}

/** Return whether Streamlit says that its server can be reached. */
function isConnected() {
  /** @type {HTMLElement | null} */
  const app = document.querySelector("[data-test-connection-state]");
  const state = app?.dataset.testConnectionState;
  return navigator.onLine !== false && (state === undefined || state === "CONNECTED");
}
