// A text area that sends its text while one types: at most one request is under way, and the newest text follows.

import { find } from "./elements.js";
import { isLeaving, isPressWaiting, isRunning, watchClicks } from "./clicks.js";

/** @import { Component, EditorData, Timer } from "./types.js" */

const ANSWER = 1000; // milliseconds after which a request without an answer counts as lost
// Milliseconds. Of what several components send at once, Streamlit runs only the part of the page that one of them is
// in; a film sends as soon as an answer comes, and the editor a moment later.
const MOMENT = 20;
const LATER = 1000; // milliseconds after an answer, in which the text reaches the link
const LINE = 22.8; // pixels
const AROUND = 20; // pixels around the lines
const KEPT = "mergescope.text"; // the key of the tab's copy of the text, which outlives a reload
const LOADED = performance.timeOrigin; // tells this page from the one before a reload

/** @typedef {{ text: string, unsaved: number }} Copy `unsaved`: the page that typed the text and had no answer; or 0 */

/** Return what the tab keeps. @returns {Copy | null} */
function kept() {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT) ?? "null");
  } catch {
    return null;
  }
}

/** Let the tab keep a text; an empty one is forgotten. @param {string} text */
function keep(text, unsaved = 0) {
  try {
    if (text) sessionStorage.setItem(KEPT, JSON.stringify({ text, unsaved }));
    else sessionStorage.removeItem(KEPT);
  } catch {
    // full or not allowed: the link still carries a short text
  }
}

class Editor {
  /** @type {number | null} */
  #version = null;
  #number = Date.now(); // of the last request
  /** @type {string | null} */
  #sent = null; // the text that the server knows
  #sentAt = 0; // milliseconds
  #waiting = false;
  /** @type {Timer | undefined} */
  #saving;
  /** @type {Timer | undefined} */
  #resting;
  /** @type {Timer | undefined} */
  #watch;

  /** @param {Component<EditorData>} component */
  constructor({ parentElement: root, data, setStateValue }) {
    this.data = data;
    this.setState = setStateValue;
    this.area = find(root, "#editor", HTMLTextAreaElement);
    this.label = find(root, "label", HTMLElement);
    watchClicks();
    this.area.addEventListener("input", () => this.data.pause ? this.#soon() : this.#send());
    this.area.addEventListener("blur", () => this.#send());
  }

  /** Take in an answer of the server. @param {Component<EditorData>} component */
  receive({ data, setStateValue }) {
    this.data = data;
    this.setState = setStateValue;
    this.label.textContent = data.label;
    this.area.placeholder = data.placeholder;
    this.area.rows = Math.round((data.height - AROUND) / LINE); // whole lines
    if (data.version !== this.#version) this.#adopt(data);
    else if (data.answered === this.#number) this.#answered();
    this.#soon();
  }

  /**
   * Take over a text that was not typed here; after a reload whose link does not have it, the tab's own.
   *
   * @param {EditorData} data
   */
  #adopt({ text, version, in_tab }) {
    clearTimeout(this.#saving);
    this.#version = version;
    if (this.area.value !== text) this.area.value = text;
    this.#sent = this.area.value; // as the browser has it, with its own line breaks
    this.#waiting = false;
    const before = kept();
    const isUnsaved = in_tab && before?.unsaved && before.unsaved !== LOADED;
    if (before && (in_tab === "give back" || isUnsaved)) this.area.value = before.text;
    else if (in_tab) keep(in_tab === "keep" ? text : "");
  }

  #answered() {
    this.#waiting = false;
    clearTimeout(this.#saving);
    if (!this.data.in_tab) return;
    this.#saving = setTimeout(() => {
      if (!this.#waiting) keep(this.#sent ?? "");
    }, LATER);
  }

  /** Send in a moment; or after a pause, where the page is too slow to follow every key. */
  #soon() {
    clearTimeout(this.#resting);
    this.#resting = setTimeout(() => this.#send(), this.data.pause || MOMENT);
  }

  #send() {
    clearTimeout(this.#resting);
    const text = this.area.value;
    if (text === this.#sent || this.#waiting) return;
    if (this.data.in_tab) keep(text, LOADED);
    if (isLeaving() || isPressWaiting(this.#sentAt)) {
      if (this.area.isConnected) this.#soon();
      return;
    }
    this.#sent = text;
    this.#waiting = true;
    this.#sentAt = performance.now();
    this.setState("typed", { number: ++this.#number, version: this.#version, text });
    clearInterval(this.#watch);
    this.#watch = setInterval(() => this.#look(), ANSWER / 2);
  }

  /** Send again what has had no answer, once nothing runs. */
  #look() {
    if (!this.#waiting || !this.area.isConnected) return clearInterval(this.#watch);
    if (isRunning() || performance.now() - this.#sentAt < ANSWER) return;
    this.#waiting = false;
    this.#sent = null;
    this.#send();
  }
}

/** @type {WeakMap<ShadowRoot, Editor>} */
const views = new WeakMap();

/** Show an answer of the server. @param {Component<EditorData>} component */
export default function (component) {
  const root = component.parentElement;
  const view = views.get(root) ?? new Editor(component);
  views.set(root, view);
  view.receive(component);
}
