// A long row of things, of which only the visible stretches are built. What is out of sight is plain text.

import { tokenOf } from "./cut.js";

/** `draw(chunk element, first token, end token)` fills a stretch; `placeholder(chunk number)` is its text until then. */
export class Pane {
  constructor(element, draw, placeholder) {
    Object.assign(this, { element, draw, placeholder, chunks: [], visible: new Set() });
    this.observer = new IntersectionObserver((entries) => this.seen(entries), { root: element, rootMargin: "200px" });
  }

  /** Another text: new chunks, and the first ones drawn at once. */
  setModel(model, cut) {
    this.model = model;
    this.observer.disconnect();
    const count = Math.max(model.chunks.length - 1, 0);
    const old = this.chunks.length;
    for (let c = old; c < count; c++) {
      const chunk = document.createElement("span");
      chunk.setAttribute("role", "presentation");
      chunk.number = c;
      this.chunks.push(chunk);
    }
    this.chunks.splice(count);
    this.visible = new Set([...this.visible, 0].filter((c) => c < count));
    this.chunks.forEach((chunk, c) => {
      const text = this.placeholder(c);
      chunk.stale = true;
      if (chunk.drawn && !this.visible.has(c) && chunk.text !== text) chunk.drawn = false;
      if (!chunk.drawn && chunk.text !== text) chunk.textContent = text;
      chunk.text = text;
    });
    this.arrange();
    this.setCut(cut);
    this.chunks.forEach((chunk) => this.observer.observe(chunk));
  }

  /** Put the chunks into their blocks, and touch only blocks that have changed. */
  arrange() {
    const blocks = [];
    this.chunks.forEach((chunk, c) => {
      if (this.model.opens[c]) blocks.push([]);
      blocks[blocks.length - 1].push(chunk);
    });
    while (this.element.children.length > blocks.length) this.element.lastChild.remove();
    blocks.forEach((chunks, b) => {
      const block = this.element.children[b] ?? this.element.appendChild(document.createElement("div"));
      block.setAttribute("role", "presentation");
      const same = block.children.length === chunks.length && chunks.every((chunk, i) => block.children[i] === chunk);
      if (!same) block.replaceChildren(...chunks);
    });
  }

  /** Other tokens of the same text. */
  setCut(cut) {
    this.cut = cut;
    for (const chunk of this.chunks) chunk.stale = true;
    for (const c of this.visible) this.fill(this.chunks[c]);
    clearTimeout(this.rest);
    this.rest = setTimeout(() => this.refresh(), 300);
  }

  /** Redraw what was drawn before and has gone out of sight since. */
  refresh() {
    const chunk = this.chunks.find((one) => one.drawn && one.stale);
    if (!chunk) return;
    this.fill(chunk);
    this.rest = setTimeout(() => this.refresh(), 20);
  }

  seen(entries) {
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting) this.visible.add(target.number);
      else this.visible.delete(target.number);
      if (isIntersecting && this.chunks[target.number] === target) this.fill(target);
    }
  }

  fill(chunk) {
    if (!chunk.stale) return;
    const [start, end] = this.model.chunks.slice(chunk.number, chunk.number + 2);
    const first = tokenOf(this.cut, start);
    const last = end === this.model.size ? this.cut.count : tokenOf(this.cut, end);
    const fragment = document.createDocumentFragment();
    this.draw(fragment, first, last);
    chunk.replaceChildren(fragment);
    chunk.stale = false;
    chunk.drawn = true;
  }

  /** Make sure that a token is on the screen. */
  show(token) {
    const { chunks } = this.model;
    const start = this.cut.starts[token];
    let c = 0;
    while (c + 2 < chunks.length && chunks[c + 1] <= start) c++;
    if (this.chunks[c]) this.fill(this.chunks[c]);
  }
}
