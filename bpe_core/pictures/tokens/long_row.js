// A long row of tokens. Only the chunks in sight are built; the others are plain text.

import { changeChildren, element, setAttributes } from "../shared/elements.js";
import { tokenOf } from "../shared/cut.js";

/** @import { Cut, TextModel } from "../shared/cut.js" */
/** @import { Timer } from "../shared/types.js" */

/**
 * A stretch of a text. `text`: shown until the tokens are drawn. `stale`: whether the drawn tokens are of another step.
 * @typedef {{ box: HTMLElement, number: number, text: string, drawn: boolean, stale: boolean }} Chunk
 */

const REFRESH = { first: 300, next: 20 }; // milliseconds until a stretch out of sight is drawn again

export class LongRow {
  /** @type {Chunk[]} */
  #chunks = [];
  /** @type {Set<number>} */
  #visible = new Set();
  /** @type {Cut | null} */
  #cut = null;
  /** @type {TextModel | null} */
  #model = null;
  /** @type {Timer | undefined} */
  #rest;

  /**
   * @param {HTMLElement} box
   * @param {object} tokens
   * @param {(into: DocumentFragment, first: number, end: number) => void} tokens.draw draw those from `first` to `end`
   * @param {(box: HTMLElement, first: number) => void} tokens.number number what is drawn, from `first` on
   * @param {(box: HTMLElement) => void} tokens.forget take the numbers away
   * @param {(model: TextModel, chunk: number) => string} tokens.placeholder the text of a chunk until it is drawn
   */
  constructor(box, { draw, number, forget, placeholder }) {
    this.box = box;
    this.draw = draw;
    this.number = number;
    this.forget = forget;
    this.placeholder = placeholder;
    this.observer = new IntersectionObserver((entries) => this.#seen(entries), { root: box, rootMargin: "200px" });
  }

  /**
   * Show tokens. The tokens of another text get new chunks, and the first chunks are drawn at once.
   *
   * @param {TextModel} model
   * @param {Cut} cut
   */
  show(model, cut) {
    const isOther = model !== this.#model;
    this.#model = model;
    if (isOther) this.#newChunks(model);
    this.#cut = cut;
    for (const chunk of this.#chunks) chunk.stale = true;
    for (const number of this.#visible) this.#fill(this.#chunks[number]);
    clearTimeout(this.#rest);
    this.#rest = setTimeout(() => this.#refresh(), REFRESH.first);
    if (isOther) { for (const { box } of this.#chunks) this.observer.observe(box); }
  }

  /** @param {TextModel} model */
  #newChunks(model) {
    this.observer.disconnect();
    const count = Math.max(model.chunks.length - 1, 0);
    while (this.#chunks.length < count) {
      const box = element("span");
      box.setAttribute("role", "presentation");
      this.#chunks.push({ box, number: this.#chunks.length, text: "", drawn: false, stale: true });
    }
    this.#chunks.splice(count);
    this.#visible = new Set([...this.#visible, 0].filter((number) => number < count));
    for (const chunk of this.#chunks) {
      const text = this.placeholder(model, chunk.number);
      const isOther = chunk.text !== text;
      if (isOther && !this.#visible.has(chunk.number)) chunk.drawn = false;
      if (isOther && !chunk.drawn) chunk.box.textContent = text;
      chunk.text = text;
    }
    this.#arrange(model);
  }

  /** Put the chunks into their blocks, and touch only blocks that have changed. @param {TextModel} model */
  #arrange(model) {
    /** @type {HTMLElement[][]} */
    const blocks = [];
    for (const { box, number } of this.#chunks) {
      if (model.opens[number]) blocks.push([]);
      blocks[blocks.length - 1].push(box);
    }
    while (this.box.children.length > blocks.length) this.box.lastChild?.remove();
    blocks.forEach((boxes, b) => {
      const block = this.box.children[b] ?? this.box.appendChild(element("div"));
      setAttributes(block, { role: "presentation" });
      const isSame = block.children.length === boxes.length && boxes.every((box, i) => block.children[i] === box);
      if (!isSame) block.replaceChildren(...boxes);
    });
  }

  /** Draw again, one at a time, the chunks out of sight that still show another step. */
  #refresh() {
    const chunk = this.#chunks.find(({ drawn, stale }) => drawn && stale);
    if (!chunk) return;
    this.#fill(chunk);
    this.#rest = setTimeout(() => this.#refresh(), REFRESH.next);
  }

  /** @param {IntersectionObserverEntry[]} entries */
  #seen(entries) {
    for (const { target, isIntersecting } of entries) {
      const chunk = this.#chunks.find(({ box }) => box === target);
      if (chunk && isIntersecting) {
        this.#visible.add(chunk.number);
        this.#fill(chunk);
      } else if (chunk) this.#visible.delete(chunk.number);
    }
  }

  /** @param {Chunk} chunk */
  #fill(chunk) {
    if (!chunk.stale || !this.#model || !this.#cut) return;
    const [start, end] = this.#model.chunks.slice(chunk.number, chunk.number + 2);
    const last = end === this.#model.size ? this.#cut.count : tokenOf(this.#cut, end);
    const first = tokenOf(this.#cut, start);
    const fragment = document.createDocumentFragment();
    this.draw(fragment, first, last);
    this.forget(chunk.box);
    changeChildren(chunk.box, fragment);
    this.number(chunk.box, first);
    chunk.stale = false;
    chunk.drawn = true;
  }

  /** Make sure that a token is on the page. @param {number} token */
  build(token) {
    if (!this.#model || !this.#cut) return;
    const start = this.#cut.starts[token];
    const next = this.#model.chunks.findIndex((symbol) => symbol > start);
    const chunk = this.#chunks[next - 1];
    if (chunk) this.#fill(chunk);
  }
}
