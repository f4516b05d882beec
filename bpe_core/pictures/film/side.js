// One side on the screen, without its words: the sentence, the bars, the merges.

import { Bars, WALL } from "./bars.js";
import { Chart } from "./charts.js";
import { buttonOf, changeChildren, element, find, setAttributes } from "../shared/elements.js";
import { Merges } from "./merges.js";
import { counted, grouped, times } from "../shared/numbers.js";
import { sentenceNodes, sentenceText } from "../shared/sentence.js";
import { tokenChip } from "./token_chip.js";

/** @import { Film } from "./film.js" */
/** @import { Sentence } from "../shared/sentence.js" */
/** @import { Focus, Frame, PairChart } from "../shared/types.js" */

/** @typedef {{ title: HTMLElement, bars: Bars, note: HTMLElement }} Column a chart of pairs, its title and its note */

/**
 * How to draw a step. `hidden`: whether the next merge is to be guessed. `move`: whether bars move. `focus`: details
 * about the chosen pair or word.
 * @typedef {{ hidden: boolean, move: boolean, focus: Focus | null }} DrawOptions
 */

const TO_COME = "None made yet; the pale ones are still to come. Click one to go to its step.";

export class Side {
  /** @type {HTMLElement | null} */
  #heading = null;
  /** @type {Column[]} */
  #columns = []; // two columns if something other than the count chooses the merges
  /** @type {{ list: Merges, unit: HTMLElement, note: HTMLElement } | null} */
  #merges = null;
  #drawn = ""; // the sentence that is shown

  /** @param {Film} film @param {number} side */
  constructor(film, side) {
    this.film = film;
    this.side = side;
    const { root, data } = film;
    const [sentences, columns] = [find(root, ".sentences", HTMLElement), find(root, ".columns", HTMLElement)];
    const shown = new Set(data.sections);
    if (data.sides.length > 1) this.#heading = sentences.appendChild(element("h2", "side"));
    const room = sentences.appendChild(element("div", "room"));
    room.hidden = !shown.has("sentence");
    this.longest = room.appendChild(element("div", "longest")); // unseen: it makes room, so that no step moves the page
    this.longest.setAttribute("aria-hidden", "true");
    this.sentence = room.appendChild(element("div", "sentence"));
    this.clear = buttonOf("quiet", "Show all pairs");
    this.clear.hidden = true;
    this.clear.addEventListener("click", () => film.choose({}));
    if (shown.has("pairs")) {
      this.#columns = this.record.charts.map((chart) => this.#addChart(columns, chart));
      this.#columns[0].title.parentElement?.after(this.clear);
    }
    if (shown.has("merges")) this.#addMerges(columns);
  }

  /** @param {HTMLElement} columns @param {PairChart} chart @returns {Column} */
  #addChart(columns, chart) {
    const { film, side, record } = this;
    const column = columns.appendChild(element("section", "column pairs"));
    const head = column.appendChild(element("header"));
    const title = element("span", "", this.#titled(chart.title));
    head.appendChild(element("h2")).append(title, element("span", "unit", chart.unit));
    const save = head.appendChild(element("span", "save"));
    const box = column.appendChild(element("div", "body"));
    const bars = new Bars(box, record, film.data.vega, (pair) => film.picked(side, pair), chart);
    if (bars.chart instanceof Chart) this.#addSaves(save, bars.chart, chart);
    return { title, bars, note: column.appendChild(element("p", "note")) };
  }

  /**
   * Add buttons that save a chart as a picture.
   *
   * @param {HTMLElement} save
   * @param {Chart} picture
   * @param {PairChart} chart
   */
  #addSaves(save, picture, chart) {
    for (const kind of ["svg", "png"]) {
      const button = save.appendChild(buttonOf("quiet", kind.toUpperCase()));
      button.title = `Save the chart as ${kind.toUpperCase()}`;
      button.addEventListener("click", () => {
        const step = this.film.begin + this.film.step;
        const yours = [...this.record.yours].map((own) => this.record.begin + own).filter((own) => own <= step);
        const chosen = yours.length ? ` (pair chosen by hand at step ${yours.map(grouped).join(", ")})` : "";
        const about = `${this.#titled(chart.title)}, ${chart.unit}, step ${grouped(step)}${chosen}`;
        picture.save(`pairs-step-${step}`, kind, about);
      });
    }
  }

  /** @param {HTMLElement} columns */
  #addMerges(columns) {
    const { record } = this;
    const column = columns.appendChild(element("section", "column merges"));
    const title = column.appendChild(element("header")).appendChild(element("h2", "", this.#titled("Merge history")));
    const unit = title.appendChild(element("span", "unit"));
    const box = column.appendChild(element("div", "body"));
    box.tabIndex = 0;
    setAttributes(box, { role: "group", "aria-label": "Merges in their order; a click goes to the step" });
    if (!this.side) this.film.blocks.surround(box);
    const list = new Merges(box, record, (step) => this.film.go(step));
    this.#merges = { list, unit, note: column.appendChild(element("p", "note")) };
  }

  /** Return the title of a chart. In a film of two sides it has the side's title as well. @param {string} part */
  #titled(part) {
    const { title } = this.film.data.sides[this.side];
    return title ? `${part}: ${title}` : part;
  }

  get record() {
    return this.film.records[this.side];
  }

  /** Show another run. */
  set() {
    if (this.#heading) this.#heading.textContent = this.film.data.sides[this.side].title;
    const boxes = this.record.longest.map((sentence) => {
      const box = element("div");
      box.append(...this.#nodes(sentence));
      return box;
    });
    changeChildren(this.longest, ...boxes);
    const { mostPairs, last } = this.film; // both sides are as high; not set on the film, whose elements all inherit
    for (const { bars } of this.#columns) {
      bars.box.style.setProperty("--bars", String(Math.max(1, mostPairs)));
      bars.set(this.record);
    }
    if (!this.#merges) return;
    const { decides } = this.record;
    this.#merges.list.box.style.setProperty("--merges", String(Math.max(1, last)));
    this.#merges.unit.textContent = decides && `times seen; ${decides}`;
    this.#merges.list.set(this.record);
  }

  /**
   * Scroll the list of merges to a step. Call it before anything else is drawn, so that the browser lays out the page
   * once.
   *
   * @param {number} step
   * @param {boolean} hidden
   */
  scroll(step, hidden) {
    this.#merges?.list.draw(step, { later: !hidden });
  }

  /** @param {number} step @param {DrawOptions} options */
  draw(step, options) {
    const { record } = this;
    const frame = record.frame(step);
    this.#say(step, frame, options.hidden);
    this.#drawPairs(step, frame, options);
    if (!this.#merges) return;
    const none = options.hidden ? "None made yet. Those to come are hidden." : TO_COME;
    const [made, all] = [record.begin + step, record.begin + record.steps];
    this.#merges.note.textContent = step ? `${grouped(made)} of ${grouped(all)} merges made` : none;
  }

  /** @param {number} step @param {Frame | undefined} frame @param {boolean} hidden */
  #say(step, frame, hidden) {
    const { record } = this;
    const sentence = !frame ? this.#inShort(step) : this.#isRepeated(step, frame) ? [] : [...frame.sentence];
    if (frame && !hidden) sentence.push(...frame.tie, " ", ...frame.ahead); // a tied pair may be the next merge
    const drawn = JSON.stringify(sentence);
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    this.sentence.replaceChildren(...this.#nodes(sentence));
    this.sentence.title = sentenceText(sentence, (token) => record.text(token, 40));
  }

  /**
   * Return whether both sides say the same of the step before any merge: then the picture says it.
   *
   * @param {number} step @param {Frame} frame
   */
  #isRepeated(step, frame) {
    const same = JSON.stringify(frame.sentence);
    return !step && this.film.records.length > 1 &&
      this.film.records.every((record) => JSON.stringify(record.frame(0)?.sentence) === same);
  }

  /** @param {Sentence<number>} sentence */
  #nodes(sentence) {
    return sentenceNodes(sentence, (token, kind) => tokenChip(this.record, token, kind));
  }

  /** Return the sentence of a step whose frame has not arrived. @param {number} step @returns {Sentence<number>} */
  #inShort(step) {
    if (!step || !this.record.left.length) return [""];
    const { left, right, made, count } = this.record.merge(step);
    const [tokens, token] = [[{ token: left }, " + ", { token: right }], { token: made, new: true }];
    return [`Step ${grouped(this.record.begin + step)} joined `, ...tokens, " → ", token, `, seen ${times(count)} …`];
  }

  /** @param {number} step @param {Frame | undefined} frame @param {DrawOptions} options */
  #drawPairs(step, frame, { hidden, move, focus }) {
    const [first, ...others] = this.#columns;
    if (!first) return;
    const { pair, word, isTyped: isLater } = this.film;
    for (const { bars } of this.#columns) bars.box.classList.toggle("stale", !frame);
    const ofWord = focus?.bars && focus.step === step ? { bars: focus.bars, pairs: focus.pairs ?? 0 } : null;
    const { timeline, unit } = this.film.data.sides[this.side];
    const before = timeline?.before.length ? " before new merges" : " before any merge";
    const after = others.length ? "" : step ? ` after step ${grouped(this.record.begin + step)}` : before;
    const title = ofWord ? `Pairs of the ${unit}` : this.record.charts[0].title;
    first.title.textContent = this.#titled(title + after);
    this.clear.hidden = !pair && !word;
    this.clear.textContent = word ? "Show all pairs" : "Unmark";
    if (!frame) return;
    /** @type {[number, number] | null} */
    const chosen = pair?.[0] === this.side ? [pair[1], pair[2]] : null;
    const ended = !frame.pairs;
    const freed = new Set(ofWord || hidden ? [] : frame.freed?.map((i) => frame.bars[i]));
    first.bars.draw(ofWord && !hidden ? ofWord.bars : frame.bars, { chosen, hidden, move, isLater, ended, freed });
    this.#note(0, ofWord ? ofWord.pairs : frame.pairs, ofWord ? Infinity : frame.bars.length);
    if (freed.size) first.note.textContent += `; ${WALL} marks pairs that were blocked`;
    others.forEach(({ bars }, i) => {
      const more = frame.others?.[i] ?? [];
      bars.draw(more, { chosen, hidden, move, isLater });
      this.#note(i + 1, frame.pairs, more.length);
    });
  }

  /**
   * Say how many pairs there are, and which of them a chart shows.
   *
   * @param {number} chart
   * @param {number} pairs
   * @param {number} shown
   */
  #note(chart, pairs, shown) {
    const which = pairs > shown ? `; the ${shown} ${this.record.charts[chart].order} are shown` : "";
    this.#columns[chart].note.textContent = pairs ? counted(pairs, "different pair") + which : "";
  }
}
