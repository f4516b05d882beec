// The most frequent pairs of one side: a chart drawn by Vega, and over each bar a button that chooses its pair.

import { Chart } from "./charts.js";
import { element, grouped } from "./chips.js";
import { PAIR_CHART } from "./from_python.js";

const MOVE_MILLISECONDS = 160;

export class Bars {
  constructor(box, record, url, choose, { order, room }) {
    Object.assign(this, { record, choose, now: new Map() });
    this.box = box;
    const drawn = box.appendChild(element("div", "drawn"));
    drawn.setAttribute("aria-hidden", "true");
    this.chart = new Chart(
      drawn,
      room ? { ...PAIR_CHART, params: [{ name: "room", value: room }] } : PAIR_CHART,
      url,
      () => Math.max(box.clientWidth, 220),
    );
    this.empty = box.appendChild(element("p", "empty", "No pair is left."));
    this.empty.hidden = true;
    this.list = box.appendChild(element("div", "over"));
    this.list.setAttribute("role", "group");
    this.list.setAttribute("aria-label", `Pairs, the ${order} first`);
    this.list.addEventListener("click", (event) => this.pick(event.target.closest("button")));
    this.list.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.chart.fit()).observe(box);
  }

  pick(button) {
    if (button) this.choose([button.pair[0], button.pair[1]]);
  }

  key(event) {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!by) return;
    const buttons = [...this.list.children].filter((button) => !button.hidden);
    buttons[buttons.indexOf(event.target) + by]?.focus();
    event.preventDefault();
  }

  /** Draw bars [left, right, count, role, label, if it is not the count]; `chosen`: the pair that is; `hidden`: names only, no bars; `move`: let them move. */
  draw(bars, { chosen, hidden, move }) {
    const name = ([left, right]) => `${this.record.text(left, 9)}  ${this.record.text(right, 9)}`;
    const shown = hidden
      ? bars.map((bar) => [bar[0], bar[1], 1, "unsaid"]).sort((a, b) => (name(a) < name(b) ? -1 : 1))
      : bars;
    const rows = shown.map((bar, i) => ({
      key: `${bar[0]}.${bar[1]}`,
      rank: i + 1,
      pair: name(bar),
      count: bar[2],
      role: bar[3],
      label: hidden ? "" : (bar[4] ?? grouped(bar[2])) + { next: "  next", tied: "  tied", other: "" }[bar[3]],
    }));
    this.buttons(shown, chosen, hidden);
    this.target = rows;
    this.chart.box.style.visibility = rows.length ? "" : "hidden";
    this.empty.hidden = rows.length > 0;
    if (!rows.length) return;
    if (move && !hidden && this.now.size) this.move(performance.now(), new Map(this.now));
    else this.set(rows);
  }

  buttons(shown, chosen, hidden) {
    this.list.classList.toggle("asked", hidden);
    while (this.list.children.length < shown.length) {
      const button = element("button");
      button.type = "button";
      this.list.append(button);
    }
    [...this.list.children].forEach((button, i) => {
      const bar = shown[i];
      button.hidden = !bar;
      if (!bar) return;
      button.pair = bar;
      button.tabIndex = i ? -1 : 0;
      const pair = `${this.record.text(bar[0], 60)} + ${this.record.text(bar[1], 60)}`;
      const role = { next: ", joined next", tied: ", tied with it", other: "" }[bar[3]];
      button.title = hidden ? pair : `${pair}: ${bar[4] ?? grouped(bar[2])}${role}`;
      button.setAttribute("aria-label", button.title);
      button.setAttribute("aria-pressed", Boolean(chosen && chosen[0] === bar[0] && chosen[1] === bar[1]));
    });
  }

  set(rows) {
    cancelAnimationFrame(this.moving);
    this.now = new Map(rows.map((row) => [row.key, row]));
    this.done = this.chart.show(rows);
  }

  /** Bars go from where they were to where they belong. */
  move(begun, from) {
    cancelAnimationFrame(this.moving);
    const frame = (time) => {
      const share = Math.min((time - begun) / MOVE_MILLISECONDS, 1);
      if (share >= 1) return this.set(this.target);
      const eased = 1 - (1 - share) ** 3;
      const between = (row, name) => {
        const old = from.get(row.key);
        return old ? old[name] + (row[name] - old[name]) * eased : row[name];
      };
      this.chart.show(this.target.map((row) => ({ ...row, rank: between(row, "rank"), count: between(row, "count") })));
      this.moving = requestAnimationFrame(frame);
    };
    this.moving = requestAnimationFrame(frame);
  }
}
