// What goes to the server: all that the film wants, as one value; at most one request at a time, the newest wants next.

import { isLeaving } from "./leaving.js";

const ANSWER_MILLISECONDS = 5000;

export class Exchange {
  /** `lost(whether)` is told when the server does not answer; `gone()` says whether the page with the film has been left. */
  constructor(lost, gone) {
    Object.assign(this, { lost, gone });
    this.number = Date.now();
  }

  /** Ask for what `wants()` gives, unless that has been asked for or an answer is still to come. */
  tell(wants) {
    this.wants = wants;
    clearTimeout(this.later);
    if (this.waiting || this.gone()) return;
    if (isLeaving()) return void (this.later = setTimeout(() => this.tell(this.wants), ANSWER_MILLISECONDS / 10));
    const value = wants();
    const text = JSON.stringify(value);
    if (text === this.asked) return;
    this.asked = text;
    this.send(value);
  }

  send(value) {
    this.waiting = true;
    this.set("film", { ...value, number: ++this.number });
    clearInterval(this.watch);
    const begun = performance.now();
    this.watch = setInterval(() => {
      if (this.gone()) return clearInterval(this.watch);
      if (isLeaving()) return;
      const connected = isConnected();
      const late = performance.now() - begun > ANSWER_MILLISECONDS;
      if (!connected || late) this.lost(true);
      if (!connected) this.broken = true;
      else if (late || this.broken) {
        this.broken = false;
        this.send(value); // it may not have arrived
      }
    }, 500);
  }

  /** The server has answered a request. */
  answered(number) {
    if (!this.waiting || number !== this.number) return;
    this.waiting = false;
    clearInterval(this.watch);
    this.lost(false);
    if (this.wants) this.tell(this.wants);
  }

  /** Another run: what was asked of the one before has no answer any more. */
  reset() {
    this.waiting = false;
    this.asked = "";
    clearInterval(this.watch);
  }
}

/** Whether Streamlit says that its server is there. */
function isConnected() {
  const state = document.querySelector("[data-test-connection-state]")?.dataset.testConnectionState;
  return navigator.onLine !== false && (state === undefined || state === "CONNECTED");
}
