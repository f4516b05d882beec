// A chart along the slider for one side, such as the count of every merge, and a mark at the step of the film. If a
// side has fewer steps than the other side, the shorter side's chart ends where the shorter side's steps end.

import { Chart } from "./charts.js";
import { element } from "../shared/elements.js";
import { grouped } from "../shared/numbers.js";

/** @import { Film } from "./film.js" */
/** @import { Record } from "./record.js" */

/**
 * How a chart along the slider is drawn. `legend`: texts, each with the colour of the mark after it, or "" for no mark.
 * `ends`: whether the legend has the counts of the first and the last merge.
 *
 * @typedef {{ chart: { height: number }, legend: [text: string, colour: string][], ends?: boolean }} ChartAlong
 */

export class Timeline {
  #step = 0;
  #width = 0; // pixels; remembered, because asking for the width while drawing makes the browser lay out the page

  /**
   * @param {HTMLElement} into
   * @param {string} name of the chart's rows in a record
   * @param {ChartAlong} drawing
   * @param {number} side
   * @param {string} url the address of Vega's script
   * @param {Film} film goes to the clicked step, and knows which merges are still to be guessed
   */
  constructor(into, name, drawing, side, url, film) {
    const box = into.appendChild(element("div", "body"));
    const legend = into.appendChild(legendOf(side ? [] : drawing.legend)); // two charts share the legend of the first
    const record = film.records[side];
    this.whose = element("b");
    legend.prepend(this.whose);
    box.dataset.chart = name;
    box.style.height = `${drawing.chart.height}px`;
    this.name = name;
    this.box = box;
    this.side = side;
    this.record = record;
    this.film = film;
    const drawn = box.appendChild(element("div", "drawn"));
    drawn.setAttribute("aria-hidden", "true");
    this.decides = legend.appendChild(document.createTextNode(""));
    this.ends = legend.appendChild(element("output"));
    this.hasEnds = drawing.ends ?? false;
    this.mark = box.appendChild(element("div", "now"));
    this.chart = new Chart(drawn, drawing.chart, url, () => Math.max(box.clientWidth, 100));
    box.addEventListener("click", (event) => film.go(this.#stepAt(event)));
    box.addEventListener("pointermove", (event) => this.#describe(Math.max(1, this.#stepAt(event))));
    new ResizeObserver(() => {
      this.#width = box.clientWidth;
      this.chart.fit();
      this.draw(this.#step);
    }).observe(box);
  }

  /** @param {MouseEvent} event */
  #stepAt(event) {
    const { left, width } = this.box.getBoundingClientRect();
    return Math.round(((event.clientX - left) / width) * this.record.steps);
  }

  /** @param {number} step */
  #describe(step) {
    const { left, right, count, tied } = this.record.merge(step);
    const ties = tied > 1 ? `, tied with ${grouped(tied - 1)}` : "";
    const pair = this.film.hides(step) ? "" : `: ${this.record.pairText(left, right)}, ${grouped(count)}${ties}`;
    this.box.title = `Step ${grouped(this.record.begin + step)}${pair}`;
  }

  /** Show another run. */
  set() {
    const record = this.record = this.film.records[this.side];
    const { title } = this.film.data.sides[this.side];
    this.whose.textContent = title && `${title} `;
    this.decides.data = record.decides && `; ${record.decides}`;
    this.box.style.width = `calc((100% - 16px) * ${record.steps / Math.max(this.film.last, 1)})`;
    const rows = record.along[this.name] ?? [];
    if (rows.length) this.chart.show(rows, this.film.isTyped);
    const ends = this.hasEnds && record.steps > 1 ? [1, record.steps] : [];
    const counts = ends.map((step) => grouped(record.merge(step).count));
    this.ends.textContent = counts.join(" → ");
    this.ends.title = ends.map((step, i) => `${counts[i]} at step ${grouped(record.begin + step)}`).join(", ");
  }

  /** @param {number} step */
  draw(step) {
    this.#step = step;
    this.ends.hidden = this.film.hides(this.record.steps); // the counts would give the last merge away
    this.mark.style.transform = `translateX(${(step / Math.max(this.record.steps, 1)) * this.#width}px)`;
  }
}

/** @param {ChartAlong["legend"]} legend */
function legendOf(legend) {
  const line = element("p", "legend");
  for (const [text, colour] of legend) {
    line.append(text, " ");
    if (colour) line.appendChild(element("span", "mark")).style.background = colour;
  }
  return line;
}
