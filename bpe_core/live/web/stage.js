// One side on the screen but for its words: the sentence, the bars, the merges.

import { Bars } from "./bars.js";
import { counted, element, grouped, times } from "./chips.js";
import { Merges } from "./merges.js";
import { plainSentence, sentence } from "./word_chips.js";

const TO_COME = "None made yet; the pale ones are still to come. Click one to go to its step.";

export class Stage {
  constructor(film, side) {
    Object.assign(this, { film, side });
    const { root, data } = film;
    const shown = new Set(data.parts);
    const saids = root.querySelector(".saids");
    if (data.stages.length > 1) this.heading = saids.appendChild(element("h2", "side"));
    this.said = saids.appendChild(element("div", "sentence"));
    this.said.hidden = !shown.has("said");
    if (shown.has("pairs")) this.addPairs(root.querySelector(".columns"), data);
    if (shown.has("merges")) this.addMerges(root.querySelector(".columns"));
  }

  /** One chart of pairs; of a training that goes by something else than the count, a second one beside it. */
  addPairs(columns, data) {
    const [first, ...others] = this.record.charts.map((chart) => this.addChart(columns, data, chart));
    Object.assign(this, { pairsTitle: first.title, bars: first.bars, pairsNote: first.note, others });
    this.clear = element("button", "quiet", "Show all pairs");
    this.clear.type = "button";
    this.clear.hidden = true;
    this.clear.addEventListener("click", () => this.film.choose({}));
    first.title.parentNode.after(this.clear);
  }

  addChart(columns, data, chart) {
    const column = columns.appendChild(element("section", "column pairs"));
    const head = column.appendChild(element("header"));
    const title = element("span", "", this.titled(chart.title));
    head.appendChild(element("h2")).append(title, element("span", "unit", chart.unit));
    const save = head.appendChild(element("span", "save"));
    const box = column.appendChild(element("div", "body"));
    const bars = new Bars(box, this.record, data.vega, (pair) => this.film.picked(this.side, pair), chart);
    for (const kind of ["svg", "png"]) {
      const button = save.appendChild(element("button", "quiet", kind.toUpperCase()));
      button.type = "button";
      button.title = `Save the chart as ${kind.toUpperCase()}`;
      button.addEventListener(
        "click",
        () =>
          bars.chart.save(
            `pairs-step-${this.film.step}`,
            kind,
            `${this.titled(chart.title)}, ${chart.unit}, step ${grouped(this.film.step)}`,
          ),
      );
    }
    return { title, bars, note: column.appendChild(element("p", "note")) };
  }

  addMerges(columns) {
    const column = columns.appendChild(element("section", "column merges"));
    const head = column.appendChild(element("header"));
    const title = head.appendChild(element("h2", "", "Merge history"));
    if (this.record.decides) title.append(element("span", "unit", `times seen; ${this.record.decides}`));
    const box = column.appendChild(element("div", "body"));
    box.tabIndex = 0;
    box.setAttribute("role", "group");
    box.setAttribute("aria-label", "Merges in their order; a click goes to the step");
    this.merges = new Merges(box, this.record, (step) => this.film.go(step));
    this.mergesNote = column.appendChild(element("p", "note"));
  }

  /** The title of a part of it; where there are two sides, with the side's. */
  titled(part) {
    const { title } = this.film.data.stages[this.side];
    return title ? `${part}: ${title}` : part;
  }

  get record() {
    return this.film.records[this.side];
  }

  /** Another run. */
  set() {
    if (this.heading) this.heading.textContent = this.film.data.stages[this.side].title;
    for (const bars of this.allBars()) Object.assign(bars, { record: this.record, now: new Map() });
    this.merges?.set(this.record);
  }

  allBars() {
    return this.bars ? [this.bars, ...this.others.map(({ bars }) => bars)] : [];
  }

  /** Show a step. `hidden`: the next merge is to be guessed. */
  draw(step, { hidden, move, focus }) {
    const { record } = this;
    const frame = record.frame(step);
    this.say(step, frame, hidden);
    this.drawPairs(step, frame, { hidden, move, focus });
    if (!this.merges) return;
    this.mergesNote.textContent = step
      ? `${grouped(step)} of ${grouped(record.steps)} merges made`
      : hidden
      ? "None made yet. Those to come are hidden."
      : TO_COME;
  }

  say(step, frame, hidden) {
    const { record } = this;
    const pieces = frame ? [...frame.said] : this.inShort(step);
    if (frame && !hidden) pieces.push(...frame.tie, " ", ...frame.ahead); // what was tied may be merged next
    const said = JSON.stringify(pieces);
    if (said === this.saidNow) return;
    this.saidNow = said;
    this.said.replaceChildren(...sentence(record, pieces));
    this.said.title = plainSentence(record, pieces);
  }

  /** What is known of a step without its frame. */
  inShort(step) {
    if (!step || !this.record.left.length) return [""];
    const { left, right, made, count } = this.record.merge(step);
    return [`Step ${grouped(step)} joined `, [left], " + ", [right], " → ", [made, "new"], `, seen ${times(count)} …`];
  }

  drawPairs(step, frame, { hidden, move, focus }) {
    if (!this.bars) return;
    const word = focus?.bars && focus.step === step ? focus : null;
    for (const bars of this.allBars()) bars.box.classList.toggle("stale", !frame);
    const after = this.others.length ? "" : step ? ` after step ${grouped(step)}` : " before any merge";
    this.pairsTitle.textContent = this.titled((word ? "Pairs of the word" : this.record.charts[0].title) + after);
    this.clear.hidden = !this.film.pair && !this.film.word;
    this.clear.textContent = this.film.word ? "Show all pairs" : "Unmark";
    if (!frame) return;
    const chosen = this.film.pair?.[0] === this.side ? this.film.pair.slice(1) : null;
    this.bars.draw(word && !hidden ? word.bars : frame.bars, { chosen, hidden, move });
    this.note(this.pairsNote, word ? word.pairs : frame.pairs, word ? Infinity : frame.bars.length, 0);
    this.others.forEach(({ bars, note }, i) => {
      bars.draw(frame.others[i], { chosen, hidden, move });
      this.note(note, frame.pairs, frame.others[i].length, i + 1);
    });
  }

  /** How many pairs there are, and which of them a chart shows. */
  note(note, pairs, shown, chart) {
    const { order } = this.record.charts[chart];
    note.textContent = !pairs
      ? ""
      : counted(pairs, "different pair") + (pairs > shown ? `; the ${shown} ${order} are shown` : "");
  }
}
