// The count of every merge along the slider, and a mark where the film stands.

import { Chart } from "./charts.js";
import { element, grouped } from "./chips.js";
import { TIMELINE_CHART } from "./from_python.js";

export class Timeline {
  /** `film` goes to the step that is clicked, and says which ones are still to be guessed. */
  constructor(box, record, url, film) {
    Object.assign(this, { box, record, film });
    const drawn = box.appendChild(element("div", "drawn"));
    drawn.setAttribute("aria-hidden", "true");
    const legend = box.nextElementSibling;
    if (record.decides) legend.append(`; ${record.decides}`);
    this.ends = legend.appendChild(element("output"));
    this.mark = box.appendChild(element("div", "now"));
    this.chart = new Chart(drawn, TIMELINE_CHART, url, () => Math.max(box.clientWidth, 100));
    box.addEventListener("click", (event) => {
      const { left, width } = box.getBoundingClientRect();
      film.go(Math.round(((event.clientX - left) / width) * this.record.steps));
    });
    box.addEventListener("pointermove", (event) => {
      const { left, width } = box.getBoundingClientRect();
      const step = Math.max(1, Math.round(((event.clientX - left) / width) * this.record.steps));
      if (step > this.record.steps) return;
      const { left: a, right: b, count, tied } = this.record.merge(step);
      const ties = tied > 1 ? `, tied with ${grouped(tied - 1)}` : "";
      const pair = film.hides(step)
        ? ""
        : `: ${this.record.text(a)} + ${this.record.text(b)}, ${grouped(count)}${ties}`;
      box.title = `Step ${grouped(step)}${pair}`;
    });
    new ResizeObserver(() => {
      this.width = box.clientWidth; // kept, because asking for it while drawing costs a layout
      this.chart.fit();
      this.draw(this.step ?? 0);
    }).observe(box);
  }

  set(record) {
    this.record = record;
    if (record.timeline.length) this.chart.show(record.timeline);
    const said = (step) => `${grouped(record.merge(step).count)} at step ${grouped(step)}`;
    this.ends.textContent = record.steps > 1 ? `${said(1)}, ${said(record.steps)}` : "";
  }

  draw(step) {
    this.step = step;
    this.ends.hidden = this.film.hides(this.record.steps); // they would tell
    this.mark.style.transform = `translateX(${(step / Math.max(this.record.steps, 1)) * (this.width ?? 0)}px)`;
  }
}
