// A text area that sends its text while one types: at most one request under way, the newest text when the answer comes.

const ANSWER_SECONDS = 15; // after so long a request counts as lost

class Editor {
  constructor(root) {
    this.area = root.getElementById("editor");
    this.label = root.querySelector("label");
    this.number = Date.now(); // of the last request
    this.area.addEventListener("input", () => this.soon());
    this.area.addEventListener("blur", () => this.send());
  }

  receive({ data, setStateValue }) {
    this.setStateValue = setStateValue;
    this.pause = data.pause;
    this.label.textContent = data.label;
    this.area.placeholder = data.placeholder;
    this.area.style.height ||= `${data.height}px`;
    if (data.version !== this.version) this.adopt(data);
    else if (data.answered === this.number) this.waiting = false;
    this.soon();
  }

  /** Take over a text that was not typed here. */
  adopt({ text, version }) {
    this.version = version;
    if (this.area.value !== text) this.area.value = text;
    this.sent = this.area.value; // as the browser has it, with its own line breaks
    this.waiting = false;
  }

  /** At once; or after a pause, where the page is too slow to follow every key. */
  soon() {
    clearTimeout(this.resting);
    if (!this.pause) this.send();
    else this.resting = setTimeout(() => this.send(), this.pause);
  }

  send() {
    clearTimeout(this.resting);
    const text = this.area.value;
    const lost = performance.now() - this.sentAt > 1000 * ANSWER_SECONDS;
    if (text === this.sent || (this.waiting && !lost)) return;
    this.waiting = true;
    this.sent = text;
    this.sentAt = performance.now();
    this.setStateValue("typed", { number: ++this.number, version: this.version, text });
  }
}

const editors = new WeakMap();

export default function (component) {
  const root = component.parentElement;
  if (!editors.has(root)) editors.set(root, new Editor(root));
  editors.get(root).receive(component);
}
