// The merges of one side in their order, the current one marked, the later ones quiet. Only rows in sight exist.

import { counted, element, grouped } from "./chips.js";
import { tokenChip } from "./word_chips.js";

const MERGE_ROW = 24; // pixels

export class Merges {
  constructor(box, record, go) {
    Object.assign(this, { box, record, go, rows: [], step: 0, top: 0 });
    this.all = box.appendChild(element("div", "all"));
    box.addEventListener("scroll", () => this.draw(this.step, { stay: true, later: this.later }), { passive: true });
    box.addEventListener("click", (event) => {
      const row = event.target.closest(".merge");
      if (!row) return;
      this.clicked = true; // the list stays under the pointer
      go(row.step);
    });
    box.addEventListener("keydown", (event) => {
      const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (!by) return;
      event.preventDefault();
      go(Math.max(0, Math.min(this.step + by, this.record.steps)));
    });
    new ResizeObserver(() => {
      this.height = box.clientHeight;
      this.draw(this.step, { later: this.later });
    }).observe(box);
  }

  set(record) {
    this.record = record;
    this.top = -1; // scrolled to anew
    for (const row of this.rows) row.step = 0;
  }

  /** Show the list around a step; `later`: with the merges to come; `stay`: where it has been scrolled to. */
  draw(step, { later = true, stay = false } = {}) {
    Object.assign(this, { step, later });
    const last = later ? this.record.steps : step;
    const height = this.height ?? 0;
    if (last !== this.last) this.all.style.height = `${(this.last = last) * MERGE_ROW}px`;
    if (stay || (this.clicked && last === this.last)) this.top = this.box.scrollTop;
    else {
      const top = Math.max(0, Math.min(step * MERGE_ROW - Math.round(height * 0.7), last * MERGE_ROW - height));
      if (top !== this.top) this.box.scrollTop = this.top = top;
    }
    this.clicked = false;
    const first = Math.floor(this.top / MERGE_ROW) + 1;
    const needed = Math.ceil(height / MERGE_ROW) + 2;
    while (this.rows.length < needed) this.rows.push(this.all.appendChild(element("button", "merge")));
    for (let k = first; k < first + this.rows.length; k++) this.put(this.rows[k % this.rows.length], k, last);
  }

  put(row, k, last) {
    row.hidden = k > last;
    if (row.hidden) return void (row.step = 0);
    if (row.step !== k) {
      row.step = k;
      row.type = "button";
      row.tabIndex = -1;
      row.style.transform = `translateY(${(k - 1) * MERGE_ROW}px)`;
      const { left, right, made, count, tied } = this.record.merge(k);
      const pair = element("span", "pair");
      pair.append(
        tokenChip(this.record, left, "", 24),
        tokenChip(this.record, right, "", 24),
        " → ",
        tokenChip(this.record, made, "", 48),
      );
      const ties = element("span", "ties", this.record.yours.has(k) ? "yours" : tied > 1 ? "tie" : "");
      if (tied > 1) ties.title = `${counted(tied - 1, "other pair")} ${tied > 2 ? "were" : "was"} ${this.record.equal}`;
      row.replaceChildren(element("span", "k", grouped(k)), pair, ties, element("span", "n", grouped(count)));
    }
    row.classList.toggle("current", k === this.step);
    row.classList.toggle("later", k > this.step);
    if (k === this.step) row.setAttribute("aria-current", "step");
    else row.removeAttribute("aria-current");
  }
}
