// A chart that Vega draws with changing rows. Vega arrives with the first chart.

import { setAttributes, svgElement } from "../shared/elements.js";
import { copyOf, downloadPicture } from "../shared/pictures.js";

/** @typedef {Record<string, unknown>} ChartRow */

/**
 * A chart of Vega, as far as it is used here.
 *
 * @typedef {object} VegaView
 * @property {{ (): number, (width: number): unknown }} width
 * @property {(name: string, rows: ChartRow[]) => unknown} data
 * @property {(name: string, value: number) => unknown} signal
 * @property {() => Promise<unknown>} runAsync
 */
/** @typedef {(box: HTMLElement, spec: object, options: object) => Promise<{ view: VegaView }>} VegaEmbed */

const TITLE = 28; // pixels above a chart in a file

export class Chart {
  room = 0; // pixels for the labels to the right of bars; 0 for what the specification says
  /** @type {VegaView | undefined} */
  #view;
  /** @type {Promise<void> | null} */
  #running = null;
  /** @type {ChartRow[]} */
  #rows = [];
  /** @type {ChartRow[]} */
  #drawn = []; // the rows that were drawn last
  #wide = 0; // pixels, the new width; 0 if the width does not change
  #drawnRoom = 0; // the room that was drawn last

  /**
   * Make a chart that draws its first rows as soon as Vega has arrived. Until then its box is waiting (see film.css).
   *
   * @param {HTMLElement} box
   * @param {object} spec its specification
   * @param {string} url the address of Vega's script; "#vega" on a saved page, which has the script and forbids eval
   * @param {() => number} width returns the width to draw, in pixels
   */
  constructor(box, spec, url, width) {
    this.box = box;
    this.spec = spec;
    this.url = url;
    this.width = width;
    this.#wait(true);
  }

  /** Mark the box, and the section around it, while Vega has not arrived. @param {boolean} is */
  #wait(is) {
    this.box.classList.toggle("waiting", is);
    this.box.closest("section")?.classList.toggle("waits", is);
  }

  /**
   * Show rows. Rows that are replaced before they are drawn are skipped.
   *
   * Each row gets its `number`, which is the key of its marks in the specification: so Vega changes the marks that it
   * has, instead of making them anew.
   *
   * @param {ChartRow[]} rows
   * @param {boolean} [isLater] whether what is drawn now is painted first
   */
  show(rows, isLater = false) {
    const numbered = rows.map((row, number) => ({ ...row, number }));
    if (JSON.stringify(numbered) !== JSON.stringify(this.#rows)) this.#rows = numbered; // equal rows are not drawn again
    this.#running ??= this.#run(isLater).finally(() => this.#running = null);
    return this.#running;
  }

  /** @param {boolean} isLater */
  async #run(isLater) {
    if (isLater) await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    const view = this.#view ??= await this.#begun();
    while (this.#drawn !== this.#rows || this.#wide || this.#drawnRoom !== this.room) {
      this.#drawn = this.#rows;
      if (this.#drawnRoom !== this.room) view.signal("room", this.room);
      this.#drawnRoom = this.room;
      if (this.#wide) view.width(this.#wide);
      this.#wide = 0;
      view.data("rows", this.#drawn);
      await view.runAsync();
    }
  }

  async #begun() {
    const isHere = this.url.startsWith("#");
    if (!isHere) await import(new URL(this.url, location.href).href); // the browser loads a module once
    const { vegaEmbed } = /** @type {{ vegaEmbed: VegaEmbed }} */ (/** @type {unknown} */ (globalThis));
    this.#drawn = this.#rows;
    this.#drawnRoom = this.room;
    const params = this.room ? { params: [{ name: "room", value: this.room }] } : {};
    const spec = { ...this.spec, ...params, width: this.width(), data: { name: "rows", values: this.#rows } };
    const { view } = await vegaEmbed(this.box, spec, { actions: false, renderer: "svg", tooltip: false, ast: isHere });
    this.#wait(false);
    return view;
  }

  /** Draw the chart again if its box has another width. */
  fit() {
    if (!this.#view || this.#view.width() === this.width()) return;
    this.#wide = this.width();
    this.show(this.#rows);
  }

  /**
   * As soon as the chart is drawn, save a picture of it: below a title, on the page's background.
   *
   * @param {string} name
   * @param {string} kind "svg" or "png"
   * @param {string} title
   */
  async save(name, kind, title) {
    await this.#running;
    const shown = this.box.querySelector("svg");
    if (!shown) return;
    const svg = copyOf(shown);
    const [width, height] = [Number(svg.getAttribute("width")), Number(svg.getAttribute("height")) + TITLE];
    setAttributes(svg, { xmlns: "http://www.w3.org/2000/svg", height, viewBox: `0 ${-TITLE} ${width} ${height}` });
    const style = getComputedStyle(this.box);
    const paper = style.getPropertyValue("--st-background-color") || "white";
    svg.prepend(svgElement("rect", { y: -TITLE, width, height, fill: paper }));
    const font = { "font-family": style.fontFamily, "font-size": 14, "font-weight": 600 };
    svg.append(svgElement("text", { x: 4, y: 18 - TITLE, fill: style.color, ...font }, title));
    svg.style.color = style.color;
    await downloadPicture(name, kind, svg);
  }
}
