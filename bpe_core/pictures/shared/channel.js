// The channel between a live view and its source: the server, HTML page or notebook that answers it.
//
// The view numbers its requests, and the source marks its answers with a version:
//
//     view                                                  source
//      | request { number: 7, version: "a", choice } ----------->|   `number`: counted by the view
//      |<---------- answer { answered: 7, version: "a", data } --|
//      | request { number: 8, version: "a", choice } ------------>|
//      |<---------- answer { answered: 7, version: "b", data } --|   `version`: changes each time the source itself
//      |                                                         |   sets what the view shows: the view adopts that
//      |<---------- answer { answered: 8, version: "b", data } --|   once; the source ignores choice 8, made under "a"
//      | request { number: 9, version: "b", choice } ----------->|
//
// So a late message undoes nothing: an answer brings data at any time, but sets the view only with a version that the
// view does not know. Answers arrive in order, so an unknown version is newer, even if the source counts anew.
//
// At most one request is under way. After the answer, the view sends its newest choice. Streamlit may stop the script
// that works on a request, and start the script again. That request is never answered, so the view sends it again. A
// view begins to count at the time of day: so a view that is mounted anew, or reloaded, does not take the answer to an
// older view's request for an answer to its own.

import { isLeaving, isPressWaiting, isRunning, watchClicks } from "./when_to_send.js";

/** @import { Request, Send, SourceAnswer, Timer } from "./types.js" */

const ANSWER = 1000; // milliseconds after which a request without an answer is sent again, if no script runs. Each time
// the wait doubles: in a slow network the answer may be on its way.
const LOST = 5000; // milliseconds without an answer after which the connection counts as lost
const CHECK = 500; // milliseconds between two checks of a request under way
export const REST = 1000; // milliseconds without another key, step or choice, after which a picture tells the page

// Buttons in rows, such as a page's views, outside of what a film redraws. A press there runs the whole page. Of two
// values that are sent at once, Streamlit would run the fragment of only one: so before such a press nothing is sent.
const TABS = "[data-testid=stButtonGroup]:not(.st-key-below-film *, .st-key-view *)";
const WAIT = 50; // milliseconds between two checks whether a request may be sent

/** @typedef {{ mergescopeUnheard?: Set<Channel> }} Shared each view has a script of its own, and the document one set */
const shared = /** @type {Shared} */ (globalThis);
// The channels whose views have a choice that the source has not answered.
const unheard = shared.mergescopeUnheard ??= new Set();
/** @type {Set<Channel>} */
const stepped = new Set(); // the channels of this script whose views have steps
let sendsFirst = false; // whether a press anywhere lets them send

/** Note whether a channel has such a choice. Share, and tests, look at the class of the document. */
function note(/** @type {Channel} */ channel, /** @type {boolean} */ is) {
  if (is) unheard.add(channel);
  else unheard.delete(channel);
  document.documentElement?.classList.toggle("unheard", unheard.size > 0);
}

/** Let what waits for a rest be sent before a press has an effect: a link leads to a page that knows all of it. */
function sendBeforePresses() {
  if (sendsFirst) return;
  sendsFirst = true;
  /** @param {Event} event */
  const send = (event) => {
    const path = event.composedPath(); // a view that is pressed itself does not rest yet
    const isTab = path.some((each) => each instanceof Element && each.matches(TABS));
    const sends = (/** @type {Channel} */ { view: { root, skipsTabs } }) =>
      !path.includes(root.host) && !(isTab && skipsTabs);
    stepped.forEach((channel) => {
      if (!channel.view.root.host.isConnected) stepped.delete(channel);
      else if (sends(channel)) channel.view.pressedElsewhere?.();
    });
    unheard.forEach((channel) => sends(channel) && channel.request());
  };
  document.addEventListener("pointerdown", send, true);
  document.addEventListener("keydown", (event) => /^(Enter|Tab)$/.test(event.key) && send(event), true);
}

/**
 * What a channel knows of its view.
 *
 * @typedef {object} Chooser
 * @property {ShadowRoot} root
 * @property {() => object | null} choice the values chosen in the view; null if none since the source set the view
 * @property {() => void} adopt show what the source has set
 * @property {() => number} [pause] milliseconds between an answer and the next request
 * @property {boolean} [yields] whether a request waits while a pressed button of the page has had no effect yet
 * @property {boolean} [skipsTabs] whether a press on the name of a view lets it send nothing: see `TABS`
 * @property {() => void} [pressedElsewhere] called before such a press: a view that plays, or has not rested yet, takes
 *   the step that is shown into its choice
 * @property {(whether: boolean) => void} [lost] called with true if answers fail to come, else with false
 */

export class Channel {
  /** @type {Send} */
  #send = () => {};
  /** @type {Request["version"]} */
  #version = null;
  #number = Date.now(); // of the last request
  #first = Infinity; // number of the first request with this choice
  #told = "null"; // the choice that the source knows under this version, as text
  #isWaiting = false; // for an answer
  #isBroken = false; // whether the connection was lost since the last request
  #begunAt = 0; // milliseconds; when the request under way was sent first
  #sentAt = 0; // milliseconds; when the request under way was sent last
  #patience = ANSWER; // milliseconds until the request under way is sent again
  /** @type {Timer | undefined} */
  #later;
  /** @type {Timer | undefined} */
  #watch;

  /** @param {Chooser} view */
  constructor(view) {
    this.view = view;
    watchClicks(() => unheard.size > 0);
    sendBeforePresses();
    if (view.pressedElsewhere) stepped.add(this);
  }

  /** Whether the source has answered the view's present choice. */
  get isSettled() {
    return !this.#isWaiting && this.#choice === this.#told;
  }

  /** The present choice as text. */
  get #choice() {
    return JSON.stringify(this.view.choice());
  }

  /**
   * Send the present choice, if it is news for the source. A newer call replaces a call that still waits.
   *
   * @param {number} [after] milliseconds
   */
  request(after = 0) {
    clearTimeout(this.#later);
    const isNews = this.#choice !== this.#told;
    note(this, !this.#isGone && (this.#isWaiting || isNews));
    if (this.#isWaiting || this.#isGone || !isNews) return;
    const mustWait = isLeaving() || (this.view.yields && isPressWaiting(this.#sentAt));
    if (after || mustWait) this.#later = setTimeout(() => this.request(), after || WAIT);
    else {
      this.#isWaiting = true;
      this.#isBroken = false;
      this.#begunAt = performance.now();
      this.#patience = ANSWER;
      clearInterval(this.#watch);
      this.#watch = setInterval(() => this.#check(), CHECK);
      this.#sendNow();
    }
  }

  /**
   * Take in an answer: adopt what the source has set, and send the newest choice.
   *
   * @param {SourceAnswer} answer
   * @param {Send} send send a request to the source, from now on
   */
  receive({ version, answered }, send) {
    this.#send = send;
    const isSet = version !== this.#version;
    if (isSet) {
      this.#version = version;
      this.#told = "null";
      this.view.adopt();
    }
    if (!this.#isWaiting && isSet) return this.request(REST); // what the view has kept of its choice
    if (!this.#isWaiting || (!isSet && answered < this.#first)) return note(this, !this.isSettled);
    this.#isWaiting = false;
    clearInterval(this.#watch);
    this.view.lost?.(false);
    this.request(this.view.pause?.());
  }

  /** Ask the source for its answer once more: what it gave is gone. */
  ask() {
    this.#told = "";
    this.request();
  }

  get #isGone() {
    return !this.view.root.host.isConnected;
  }

  #sendNow() {
    const number = ++this.#number;
    const choice = this.#choice;
    if (choice !== this.#told) this.#first = number;
    this.#told = choice;
    this.#sentAt = performance.now();
    this.#send({ number, version: this.#version, choice: JSON.parse(choice) ?? {} });
  }

  /** Send the request again if it may not have arrived: nothing runs and no answer came, or the connection is back. */
  #check() {
    if (this.#isGone) {
      note(this, false);
      return clearInterval(this.#watch);
    }
    if (isLeaving()) return;
    const now = performance.now();
    const connected = isConnected();
    if (!connected) this.#isBroken = true;
    if (!connected || now - this.#begunAt > LOST) this.view.lost?.(true);
    const isOvertaken = now - this.#sentAt >= this.#patience && !isRunning();
    if (!connected || !(this.#isBroken || isOvertaken)) return;
    this.#isBroken = false;
    this.#patience *= 2;
    this.#sendNow();
  }
}

/** Return whether Streamlit says that its server can be reached; true on a page without Streamlit. */
function isConnected() {
  /** @type {HTMLElement | null} */
  const app = document.querySelector("[data-test-connection-state]");
  const state = app?.dataset.testConnectionState;
  return navigator.onLine !== false && (state === undefined || state === "CONNECTED");
}
