// A text area that sends its text while a person types.

import { Behind } from "../shared/behind.js";
import { Channel } from "../shared/channel.js";
import { find } from "../shared/elements.js";
import { show } from "../shared/show.js";
import { TYPED } from "../shared/source.js";

/** @import { Component, EditorData, Timer } from "../shared/types.js" */

// Milliseconds between an answer and the editor's next request. If several components send at once, Streamlit reruns
// the fragment of only one. The film of Unigram's rounds sends as soon as an answer comes, so the editor waits a moment.
const MOMENT = 20;
const LATER = 1000; // milliseconds after an answer; by then the text has reached the link
const LINE = 22.8; // pixels
const AROUND = 20; // pixels around the lines
const COPY = "mergescope.text"; // the key of the tab's copy of the text; the copy outlives a reload
const LONG = 2000; // characters of a text for which the area has all its rows
const LOADED = performance.timeOrigin; // changes when the page is reloaded

/** Return whether the tab shows the page again, by a reload or its history. A link that it opens has a text of its own. */
function isAgain() {
  const entries = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
  return entries.some(({ type }) => type !== "navigate");
}

/** @typedef {{ text: string, unsaved: number }} Copy `unsaved`: `LOADED` until the server has answered; then 0 */

/** Return the tab's copy of the text; other pages of the host may have put something else there. @returns {Copy | null} */
export function readCopy() {
  try {
    const copy = JSON.parse(sessionStorage.getItem(COPY) ?? "null");
    return typeof copy?.text === "string" ? copy : null;
  } catch {
    return null;
  }
}

/** Save a text as the tab's copy; an empty text deletes it. @param {string} text */
function saveCopy(text, unsaved = 0) {
  try {
    if (text) sessionStorage.setItem(COPY, JSON.stringify({ text, unsaved }));
    else sessionStorage.removeItem(COPY);
  } catch {
    // The storage is full or forbidden. The link still carries a short text.
  }
}

class Editor {
  #isTouched = false; // whether something was typed since the server has set the text
  #early = ""; // the text typed before this script arrived, or to a server that has ended since
  #began = 0; // when the server was started that has answered last
  /** @type {Timer | undefined} */
  #saving;
  #behind = new Behind("behind"); // whether the page draws an earlier text than the box has

  /** @param {Component<EditorData>} component */
  constructor({ parentElement: root, data }) {
    this.data = data;
    this.area = find(root, "#editor", HTMLTextAreaElement);
    this.label = find(root, "label", HTMLElement);
    this.#early = this.area.value;
    this.channel = new Channel({
      root,
      choice: () => this.#isTouched ? { text: this.area.value } : null,
      adopt: () => this.#adopt(),
      pause: () => this.data.pause || MOMENT,
      yields: true,
    });
    this.area.addEventListener("input", () => {
      this.#isTouched = true;
      this.#tell(); // first, so that the answer is under way meanwhile
      this.#grow();
      if (this.data.in_tab) saveCopy(this.area.value, LOADED);
      this.#behind.begin();
      this.channel.request(this.data.pause);
      if (this.channel.isSettled) this.#behind.end(); // the text is again as the page knows it
    });
    this.area.addEventListener("blur", () => this.channel.request());
  }

  /** Take in an answer of the server. @param {Component<EditorData>} component */
  receive({ data, send }) {
    this.data = data;
    this.label.textContent = data.label;
    this.area.placeholder = data.placeholder;
    this.channel.receive(data, send);
    this.#grow();
    this.channel.request(data.pause || MOMENT);
    if (data.in_tab && this.#isTouched) this.#saveLater();
    if (this.channel.isSettled) this.#behind.end();
  }

  /** Let the area grow with a short text. A browser would measure all of a long one at every key. */
  #grow() {
    const { most_lines, height } = this.data;
    const isLong = this.area.value.length > LONG;
    const rows = Math.round((height - AROUND) / LINE); // whole lines
    this.area.rows = isLong ? Math.max(most_lines, rows) : rows;
    this.area.style.setProperty("--rows", String(rows));
    this.area.style.setProperty("--most", String(most_lines));
    this.area.classList.toggle("grows", most_lines > 0 && !isLong);
  }

  /**
   * Tell the pictures of the page what is in the area: they ask for what they show of it themselves. An area for another
   * text, such as a held-out one, has no copy in the tab, and tells nothing.
   */
  #tell() {
    if (!this.data.in_tab) return;
    // what the server has set may have line ends that an area does not keep
    const set = this.data.elsewhere ? null : this.data.text;
    const detail = this.#isTouched ? this.area.value : set;
    document.dispatchEvent(new CustomEvent(TYPED, { detail }));
  }

  /** Show what was typed early or is not saved, if the server lacks that text; else what the server has set. */
  #adopt() {
    const { text, in_tab, began } = this.data;
    clearTimeout(this.#saving);
    if (began !== this.#began && this.#isTouched) this.#early = this.area.value; // a server that was started anew
    this.#began = began;
    if (this.area.value !== text) this.area.value = text;
    const before = readCopy();
    const isUnsaved = in_tab && before?.unsaved && before.unsaved !== LOADED && isAgain();
    const own = this.#early || (before && isUnsaved ? before.text : "");
    this.#early = "";
    this.#isTouched = own !== "";
    if (own) {
      this.area.value = own;
      if (in_tab) saveCopy(own, LOADED); // shown once: a text that the server sets later is not undone by it
    } else if (in_tab) saveCopy(in_tab === "keep" ? text : "");
    this.#tell();
  }

  /** Once the server has answered all typing, mark the tab's copy as a text that the server has. */
  #saveLater() {
    clearTimeout(this.#saving);
    this.#saving = setTimeout(() => {
      if (this.channel.isSettled) saveCopy(this.area.value);
    }, LATER);
  }
}

/** Show an answer of the source. @param {Component<EditorData>} component */
export default function (component) {
  show(component, () => new Editor(component));
}
