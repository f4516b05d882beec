// The best pairs of one side: a chart that Vega draws, or a plain list. A button over each row chooses the pair. The
// button has the pair's tokens in their colours, as in the corpus; a file of the chart has their names instead.

import { Chart } from "./charts.js";
import { directionOf } from "../shared/direction.js";
import { around, buttonOf, element, setAttributes, setChildren, widthOf } from "../shared/elements.js";
import { PAIR_CHART } from "../shared/from_python.js";
import { grouped } from "../shared/numbers.js";
import { sentenceNodes } from "../shared/sentence.js";
import { tokenChip } from "./token_chip.js";

/** @import { Record } from "./record.js" */
/** @import { Bar, Pair, PairChart } from "../shared/types.js" */

/** @typedef {{ key: string, rank: number, pair: string, share: number, role: string, label: string }} BarRow */

export const WALL = "┊"; // between the tokens of a pair that was blocked
const NAMED = 9; // bytes of a token that its name beside a bar has
const MOVE_MILLISECONDS = 160;
const AFTER_COUNT = { next: "  next", tied: "  tied", other: "" };
const LABEL_FONT = "12px 'Source Sans', sans-serif"; // of the chart's labels, as in film_charts.py
const BEFORE_LABEL = 5; // pixels, as in film_charts.py
const LEAST_ROOM = 66; // pixels for the labels
const IN_TITLE = { next: ", joined next", tied: ", tied with it", other: "" };

/** Return a button with room for a pair's tokens. */
function namedButton() {
  const button = buttonOf("");
  button.append(element("span", "names"));
  return button;
}

export class Bars {
  /** @type {Bar[]} */
  #bars = []; // one for each visible button
  /** @type {BarRow[]} */
  #target = []; // the bars to show
  /** @type {Map<string, BarRow>} */
  #now = new Map(); // the bars as they were before they moved
  #moving = 0;

  /**
   * @param {HTMLElement} box
   * @param {Record} record
   * @param {string} url the address of Vega's script; "" for a plain list
   * @param {(pair: Pair) => void} choose
   * @param {PairChart} facts
   */
  constructor(box, record, url, choose, { order, room = LEAST_ROOM }) {
    this.box = box;
    this.record = record;
    this.choose = choose;
    this.leastRoom = room;
    const drawn = box.appendChild(element("div", "drawn"));
    drawn.setAttribute("aria-hidden", "true");
    this.chart = url ? new Chart(drawn, PAIR_CHART, url, () => Math.max(box.clientWidth, 220)) : new PairList(drawn);
    this.empty = box.appendChild(element("div", "empty"));
    this.empty.hidden = true;
    this.list = box.appendChild(element("div", "over"));
    setAttributes(this.list, { role: "group", "aria-label": `Pairs, the ${order} first` });
    this.list.addEventListener("click", (event) => this.#click(event));
    this.list.addEventListener("keydown", (event) => this.#key(event));
    new ResizeObserver(() => this.chart.fit()).observe(box);
  }

  /** Show another run. @param {Record} record */
  set(record) {
    this.record = record;
    this.#now = new Map();
    if (this.chart instanceof Chart) this.chart.room = 0;
  }

  get #buttons() {
    return /** @type {HTMLButtonElement[]} */ ([...this.list.children]);
  }

  /** @param {Event} event */
  #click(event) {
    const bar = this.#bars[this.#buttons.findIndex((button) => button === around(event, "button"))];
    if (bar) this.choose([bar[0], bar[1]]);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!by) return;
    const buttons = this.#buttons.filter((button) => !button.hidden);
    buttons[buttons.findIndex((button) => button === event.target) + by]?.focus();
    event.preventDefault();
  }

  /**
   * Draw bars.
   *
   * @param {Bar[]} bars
   * @param {object} how
   * @param {Pair | null} how.chosen the pair that is chosen
   * @param {boolean} how.hidden whether the next merge is to be guessed: then names alone are shown, alphabetically
   * @param {boolean} how.move whether bars move from their old positions
   * @param {boolean} [how.ended] whether the corpus has no pair, so that the training has ended
   * @param {boolean} [how.isLater] whether what is drawn now is painted before the bars
   * @param {Set<Bar>} [how.freed] bars of pairs that were blocked until this step: a wall stood between their tokens
   */
  draw(bars, { chosen, hidden, move, isLater = false, ended = false, freed = new Set() }) {
    /** @param {Bar} bar */
    const name = (bar) =>
      `${this.record.text(bar[0], NAMED)}${freed.has(bar) ? ` ${WALL} ` : "  "}${this.record.text(bar[1], NAMED)}`;
    /** @param {Bar} one @param {Bar} other */
    const byName = (one, other) => (name(one) < name(other) ? -1 : 1);
    const shown = hidden ? bars.toSorted(byName) : bars;
    const full = this.record.fullCount(Math.max(0, ...bars.map(([, , count]) => count)));
    const rows = shown.map((bar, i) => {
      const [left, right, count, role, label = grouped(count)] = bar;
      const row = { key: `${left}.${right}`, rank: i + 1, pair: name(bar) };
      if (hidden) return { ...row, share: 1, role: "unsaid", label: "" };
      return { ...row, share: count / full, role, label: label + AFTER_COUNT[role] };
    });
    this.#drawButtons(shown, chosen, hidden, freed);
    this.#target = rows;
    this.#makeRoom(rows);
    this.chart.box.style.visibility = rows.length ? "" : "hidden";
    this.empty.hidden = rows.length > 0;
    if (!rows.length) return this.#drawEnd(ended);
    if (move && !hidden && this.#now.size) this.#move(performance.now(), new Map(this.#now));
    else this.#put(rows, isLater);
  }

  /** Say why there is no bar. @param {boolean} ended whether the training has ended */
  #drawEnd(ended) {
    const sentences = ended && this.record.summary.length ? this.record.summary : [["No pair is left."]];
    this.empty.replaceChildren(...sentences.map((sentence) => {
      const line = element("p");
      line.append(...sentenceNodes(sentence, (token) => tokenChip(this.record, token, "")));
      return line;
    }));
  }

  /** @param {Bar[]} shown @param {Pair | null} chosen @param {boolean} hidden @param {Set<Bar>} freed */
  #drawButtons(shown, chosen, hidden, freed) {
    this.#bars = shown;
    this.list.classList.toggle("asked", hidden);
    while (this.list.children.length < shown.length) this.list.append(namedButton());
    this.#buttons.forEach((button, i) => {
      button.hidden = i >= shown.length;
      if (button.hidden) return;
      const [left, right, count, role, label = grouped(count)] = shown[i];
      button.tabIndex = i ? -1 : 0;
      const pair = this.record.pairText(left, right, 60);
      const until = freed.has(shown[i]) ? ", blocked until here" : "";
      button.title = hidden ? pair : `${pair}: ${label}${IN_TITLE[role]}${until}`;
      const pressed = chosen?.[0] === left && chosen[1] === right;
      setAttributes(button, { "aria-label": button.title, "aria-pressed": pressed });
      const chips = [left, right].map((token) => tokenChip(this.record, token, "", NAMED));
      const names = /** @type {HTMLElement} */ (button.firstElementChild);
      setChildren(names, chips[0], freed.has(shown[i]) ? WALL : "", chips[1]);
      names.dir = directionOf(this.record.bytes(left), this.record.bytes(right));
    });
  }

  /**
   * Leave room for the widest label: of the first merge, whose count is most often the largest of all steps, and of the
   * rows. The room only grows, so that bars keep their length from step to step.
   *
   * @param {BarRow[]} rows
   */
  #makeRoom(rows) {
    if (!(this.chart instanceof Chart)) return;
    const first = grouped(this.record.counts[0] ?? 0) + AFTER_COUNT.next;
    const widths = [first, ...rows.map(({ label }) => label)].map((label) => widthOf(label, LABEL_FONT) + BEFORE_LABEL);
    this.chart.room = Math.max(this.leastRoom, this.chart.room, ...widths);
  }

  /** @param {BarRow[]} rows @param {boolean} [isLater] */
  #put(rows, isLater) {
    cancelAnimationFrame(this.#moving);
    this.#now = new Map(rows.map((row) => [row.key, row]));
    if (this.chart instanceof Chart) this.chart.show(rows, isLater);
    else this.chart.show(rows);
  }

  /** Move bars from their old positions to the new ones. @param {number} begun @param {Map<string, BarRow>} from */
  #move(begun, from) {
    cancelAnimationFrame(this.#moving);
    /** @param {number} time */
    const frame = (time) => {
      const share = Math.min((time - begun) / MOVE_MILLISECONDS, 1);
      if (share >= 1) return this.#put(this.#target);
      const eased = 1 - (1 - share) ** 3;
      this.chart.show(this.#target.map((row) => {
        const old = from.get(row.key) ?? row;
        const rank = old.rank + (row.rank - old.rank) * eased;
        return { ...row, rank, share: old.share + (row.share - old.share) * eased };
      }));
      this.#moving = requestAnimationFrame(frame);
    };
    this.#moving = requestAnimationFrame(frame);
  }
}

/** @typedef {{ pair: string, label: string, role: string }} Row */

/** The pairs without Vega: a plain list instead of a chart. */
class PairList {
  /** @param {HTMLElement} box */
  constructor(box) {
    this.box = box;
  }

  /** Show each pair as a line with its count, and with a mark if it is joined next or tied. @param {Row[]} rows */
  show(rows) {
    this.box.replaceChildren(...rows.map(({ pair, label, role }) => {
      const line = element("div", `listed ${role}`);
      line.append(element("span", "name", pair), element("span", "label", label));
      return line;
    }));
  }

  /** Do nothing: the style sheet fits the list to its box. */
  fit() {}
}
