// A text area that sends its text while one types: at most one request under way, the newest text when the answer comes.

import { isLeaving } from "./leaving.js";

const ANSWER = 1000; // milliseconds after which a request that nothing answers counts as lost
// Milliseconds. Of what several components send in one go, Streamlit runs only the part of the page that one of them is
// in; a film sends as soon as an answer comes, and the editor a moment later.
const MOMENT = 20;
const KEPT = "mergescope.text"; // the tab's copy of your text, which outlives a reload

const LATER = 1000; // milliseconds after an answer, in which the text reaches the link
const LOADED = performance.timeOrigin; // what tells this page from the one before a reload

/** What the tab keeps: {text, unsaved: the page that typed it and had no answer}; null for nothing. */
function kept() {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT));
  } catch {
    return null;
  }
}

function keep(text, unsaved = 0) {
  try {
    if (text) sessionStorage.setItem(KEPT, JSON.stringify({ text, unsaved }));
    else sessionStorage.removeItem(KEPT);
  } catch {
    // full or not allowed: the link still carries a short text
  }
}

// A button of a part of the page, pressed while the page runs, waits for the end of that run. Streamlit forgets the
// press where a newer text ends the run early. So after a click the next text waits for that end too.
const PRESS = 5000; // milliseconds that it waits at most
let clickedAt = -Infinity;
document.addEventListener("click", () => (clickedAt = performance.now()), true);
const isRunning = () => document.querySelector("[data-test-script-state]")?.dataset.testScriptState === "running";

const LINE = 22.8; // pixels, and what is around the lines
const AROUND = 20;

class Editor {
  constructor(root) {
    this.area = root.getElementById("editor");
    this.label = root.querySelector("label");
    this.number = Date.now(); // of the last request
    this.area.addEventListener("input", () => (this.pause ? this.soon() : this.send()));
    this.area.addEventListener("blur", () => this.send());
  }

  receive({ data, setStateValue }) {
    this.setStateValue = setStateValue;
    this.pause = data.pause;
    this.label.textContent = data.label;
    this.area.placeholder = data.placeholder;
    this.area.rows = Math.round((data.height - AROUND) / LINE); // whole lines
    if (data.version !== this.version) this.adopt(data);
    else if (data.answered === this.number) this.answered();
    this.soon();
  }

  /** Take over a text that was not typed here; after a reload whose link does not have it, the tab's own. */
  adopt({ text, version, in_tab }) {
    clearTimeout(this.saving);
    this.version = version;
    if (this.area.value !== text) this.area.value = text;
    this.sent = this.area.value; // as the browser has it, with its own line breaks
    this.waiting = false;
    this.inTab = in_tab;
    const before = kept();
    if (before && (in_tab === "give back" || (in_tab && before.unsaved && before.unsaved !== LOADED))) {
      this.area.value = before.text;
    } else if (in_tab) keep(in_tab === "keep" ? text : "");
  }

  answered() {
    this.waiting = false;
    clearTimeout(this.saving);
    if (this.inTab) this.saving = setTimeout(() => this.waiting || keep(this.sent), LATER);
  }

  /** In a moment; or after a pause, where the page is too slow to follow every key. */
  soon() {
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.send(), this.pause || MOMENT);
  }

  send() {
    clearTimeout(this.resting);
    const text = this.area.value;
    if (text === this.sent || this.waiting) return;
    if (this.inTab) keep(text, LOADED);
    if (isLeaving() || this.isAfterPress()) return this.area.isConnected && this.soon();
    Object.assign(this, { sent: text, waiting: true, sentAt: performance.now() });
    this.setStateValue("typed", { number: ++this.number, version: this.version, text });
    clearInterval(this.watch);
    this.watch = setInterval(() => this.look(), ANSWER / 2);
  }

  /** Whether a button may have been pressed since the last text was sent, and may wait for the page. */
  isAfterPress() {
    return clickedAt > this.sentAt && performance.now() - clickedAt < PRESS && isRunning();
  }

  /** Send again what has come to no answer while nothing runs. */
  look() {
    if (!this.waiting || !this.area.isConnected) return clearInterval(this.watch);
    if (isRunning() || performance.now() - this.sentAt < ANSWER) return;
    this.waiting = false;
    this.sent = null;
    this.send();
  }
}

const editors = new WeakMap();

export default function (component) {
  const root = component.parentElement;
  if (!editors.has(root)) editors.set(root, new Editor(root));
  editors.get(root).receive(component);
}
