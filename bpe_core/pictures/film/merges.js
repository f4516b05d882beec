// The merges of one side in order: the current merge is marked, later merges are pale. Only the rows in sight exist.

import { directionOf } from "../shared/direction.js";
import { around, buttonOf, element, setChildren } from "../shared/elements.js";
import { counted, grouped } from "../shared/numbers.js";
import { tokenChip } from "./token_chip.js";

/** @import { Record } from "./record.js" */

const MERGE_ROW = 24; // pixels

let buttons = 0; // of all lists, so that each button has an id of its own

export class Merges {
  /** @type {{ button: HTMLButtonElement, step: number }[]} */
  #rows = []; // row number `k % length` shows the merge of step `k`
  #step = 0;
  #later = true;
  #top = 0; // pixels, where the list is scrolled to
  #height = 0; // pixels, of the visible part
  #last = -1; // the step of the last merge that is listed
  #clicked = false;

  /**
   * @param {HTMLElement} box
   * @param {Record} record
   * @param {(step: number) => void} go
   */
  constructor(box, record, go) {
    this.box = box;
    this.record = record;
    this.all = box.appendChild(element("div", "all"));
    const scrolled = () => this.draw(this.#step, { stay: true, later: this.#later });
    box.addEventListener("scroll", scrolled, { passive: true });
    box.addEventListener("click", (event) => {
      const row = this.#rows.find(({ button }) => button === around(event, ".merge"));
      if (!row) return;
      this.#clicked = true; // the list stays under the pointer
      go(row.step);
    });
    box.addEventListener("keydown", (event) => {
      const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (!by) return;
      event.preventDefault();
      go(Math.max(0, Math.min(this.#step + by, this.record.steps)));
    });
    new ResizeObserver(() => {
      this.#height = box.clientHeight;
      this.draw(this.#step, { later: this.#later });
    }).observe(box);
  }

  /** Show another run. @param {Record} record */
  set(record) {
    this.record = record;
    for (const row of this.#rows) row.step = 0;
    this.#size();
  }

  /** Give all numbers the width of the longest number, and give the pairs the rest of the row. */
  #size() {
    const { begin, steps, counts } = this.record;
    let most = 0;
    for (const count of counts) most = Math.max(most, count);
    this.box.style.setProperty("--k", `${grouped(begin + steps).length}ch`);
    this.box.style.setProperty("--n", `${grouped(most).length}ch`);
  }

  /**
   * Show the list around a step.
   *
   * @param {number} step
   * @param {{ later?: boolean, stay?: boolean }} how `later`: with the merges to come; `stay`: do not scroll
   */
  draw(step, { later = true, stay = false }) {
    this.#step = step;
    this.#later = later;
    const last = later ? this.record.steps : step;
    if (last !== this.#last) this.all.style.height = `${last * MERGE_ROW}px`;
    this.#last = last;
    this.#scroll(stay || this.#clicked);
    this.#clicked = false;
    const first = Math.floor(this.#top / MERGE_ROW) + 1;
    const needed = Math.ceil(this.#height / MERGE_ROW) + 2;
    while (this.#rows.length < needed) this.#rows.push({ button: this.#newButton(), step: 0 });
    const rows = this.#rows.map((_, i) => this.#rows[(first + i) % this.#rows.length]);
    rows.forEach((row, i) => this.#put(row, first + i));
    const order = rows.map(({ button }) => button.id).join(" ");
    if (this.all.getAttribute("aria-owns") !== order) this.all.setAttribute("aria-owns", order); // for screen readers
  }

  #newButton() {
    const button = this.all.appendChild(buttonOf("merge"));
    button.id = `merge${++buttons}`;
    return button;
  }

  /** @param {boolean} stays */
  #scroll(stays) {
    const below = this.#step * MERGE_ROW - Math.round(this.#height * 0.7);
    const top = Math.max(0, Math.min(below, this.#last * MERGE_ROW - this.#height));
    if (stays) this.#top = this.box.scrollTop;
    else if (top !== this.#top) this.box.scrollTop = this.#top = top;
  }

  /** Show the merge of step `k` in a row. @param {{ button: HTMLButtonElement, step: number }} row @param {number} k */
  #put(row, k) {
    const { button } = row;
    button.hidden = k > this.#last;
    if (button.hidden) {
      row.step = 0;
      return;
    }
    if (row.step !== k) this.#write(button, k);
    row.step = k;
    button.classList.toggle("current", k === this.#step);
    button.classList.toggle("later", k > this.#step);
    if (k === this.#step) button.setAttribute("aria-current", "step");
    else button.removeAttribute("aria-current");
  }

  /** @param {HTMLButtonElement} button @param {number} k */
  #write(button, k) {
    const { record } = this;
    const { left, right, made, count, tied } = record.merge(k);
    button.tabIndex = -1;
    button.style.transform = `translateY(${(k - 1) * MERGE_ROW}px)`;
    const pair = element("span", "pair");
    const halves = element("span", "halves");
    halves.append(tokenChip(record, left, "", 24), tokenChip(record, right, "", 24));
    halves.dir = directionOf(record.bytes(made));
    pair.append(halves, element("span", "arrow", " → "), tokenChip(record, made, "", 48));
    pair.title = `${record.pairText(left, right, 48)} → ${record.text(made, 48)}`;
    const ties = element("span", "ties", record.yours.has(k) ? "chosen" : tied > 1 ? "tie" : "");
    if (tied > 1) ties.title = `${counted(tied - 1, "other pair")} ${tied > 2 ? "were" : "was"} ${record.equal}`;
    const number = element("span", "k", grouped(record.begin + k));
    setChildren(button, number, pair, ties, element("span", "n", grouped(count)));
  }
}
