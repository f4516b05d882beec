// A strip above the slider for a training on several sources: whose merges come when. A column of the strip is divided
// among the sources as the occurrences of the pairs that were joined there. The legend has the shares of the step.

import { element, setAttributes, svgElement } from "../shared/elements.js";
import { percent } from "../shared/numbers.js";

/** @import { Film } from "./film.js" */

/**
 * Return for each source the path of its area in a box that is as wide as there are merges, and 1000 high.
 *
 * @param {number[]} edges
 * @param {number[][]} shares
 */
export function areas(edges, shares) {
  const base = edges.slice(1).map(() => 0);
  return shares.map((share) => {
    /** @type {string[]} */
    const above = [];
    /** @type {string[]} */
    const below = []; // from right to left, so that both together are one outline
    for (let i = 0; i < base.length; i++) {
      const top = Math.min(1000, base[i] + share[i]);
      above.push(`${edges[i]},${top}`, `${edges[i + 1]},${top}`);
      below.unshift(`${edges[i + 1]},${base[i]}`, `${edges[i]},${base[i]}`);
      base[i] = top;
    }
    return above.length ? `M${above.join("L")}L${below.join("L")}Z` : "";
  });
}

/**
 * Return a background that divides a bar among the sources. It moves nothing on the page, as parts of a bar would.
 * @param {string[]} colours @param {number[]} counts @param {number} whole
 */
function stripes(colours, counts, whole) {
  let end = 0;
  const parts = colours.map((colour, i) => {
    const begin = end;
    end += (100 * counts[i]) / whole;
    return `${colour} ${begin}% ${end}%`;
  });
  return `linear-gradient(to right, ${parts.join(", ")})`;
}

export class SourceStrip {
  #step = 0;
  #width = 0; // pixels, as in `Timeline`
  /** @type {HTMLElement[]} */
  #shares = [];
  #bar = element("span", "bar"); // of the step

  /** @param {HTMLElement} into @param {number} side @param {Film} film */
  constructor(into, side, film) {
    this.film = film;
    this.side = side;
    this.root = into.appendChild(element("div", "sources"));
    this.whose = this.root.appendChild(element("p", "legend"));
    this.box = this.root.appendChild(element("div", "body"));
    this.picture = this.box.appendChild(svgElement("svg", { preserveAspectRatio: "none", "aria-hidden": "true" }));
    this.mark = this.box.appendChild(element("div", "now"));
    this.legend = this.root.appendChild(element("p", "legend names"));
    this.#bar.setAttribute("aria-hidden", "true"); // the shares say the same
    this.box.addEventListener("click", (event) => {
      const { left, width } = this.box.getBoundingClientRect();
      film.go(Math.round(((event.clientX - left) / width) * this.record.steps));
    });
    new ResizeObserver(() => {
      this.#width = this.box.clientWidth;
      this.draw(this.#step);
    }).observe(this.box);
  }

  get record() {
    return this.film.records[this.side];
  }

  /** Show another run. */
  set() {
    const { sources, steps } = this.record;
    this.root.hidden = !sources;
    if (!sources) return;
    const { title } = this.film.data.sides[this.side];
    this.whose.textContent = `${title && `${title}: `}Which source wanted the pairs`;
    this.box.style.width = `calc((100% - 16px) * ${steps / Math.max(this.film.last, 1)})`;
    setAttributes(this.picture, { viewBox: `0 0 ${Math.max(steps, 1)} 1000` });
    this.picture.replaceChildren(
      ...areas(sources.edges, sources.shares).map((d, i) => svgElement("path", { d, fill: sources.colours[i] })),
    );
    this.#shares = sources.names.map(() => element("b", "share"));
    const entries = sources.names.map((name, i) => {
      const entry = element("span", "entry");
      entry.appendChild(element("span", "mark")).style.background = sources.colours[i];
      entry.append(element("span", "name", name), this.#shares[i]);
      return entry;
    });
    this.legend.replaceChildren(this.#bar, ...entries);
  }

  /** @param {number} step */
  draw(step) {
    this.#step = step;
    const { sources, steps } = this.record;
    if (!sources) return;
    const own = Math.min(step, steps);
    this.mark.style.transform = `translateX(${(own / Math.max(steps, 1)) * this.#width}px)`;
    const wanted = this.record.frame(own)?.wanted ?? [];
    const whole = wanted.reduce((sum, count) => sum + count, 0);
    const shown = whole && !this.film.hides(own);
    this.#shares.forEach((cell, i) => {
      cell.textContent = shown ? percent(wanted[i], whole) : "";
    });
    this.#bar.style.backgroundImage = shown ? stripes(sources.colours, wanted, whole) : "";
  }
}
