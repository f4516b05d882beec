// Vega, which arrives once, and a chart of it whose rows change.

import { svgElement } from "./chips.js";

const TITLE = 28; // pixels above a chart in a file

let vegaReady;

export class Chart {
  /** Draw the specification with its first rows, once Vega is here; `width()` says how wide. */
  constructor(box, spec, url, width) {
    Object.assign(this, { box, spec, url, width });
  }

  /** Show these rows; of several in one frame the last. */
  show(rows) {
    this.rows = rows;
    if (!this.running) this.running = this.run().finally(() => (this.running = null));
    return this.running;
  }

  async run() {
    if (!this.view) {
      vegaReady ??= import(new URL(this.url, location.href).href);
      await vegaReady.catch((error) => {
        vegaReady = null; // the next drawing tries again
        throw error;
      });
      const spec = { ...this.spec, width: this.width(), data: { name: "rows", values: this.rows } };
      const made = await globalThis.vegaEmbed(this.box, spec, { actions: false, renderer: "svg", tooltip: false });
      this.view = made.view;
      this.drawn = this.rows;
    }
    while (this.drawn !== this.rows || this.wide) {
      this.drawn = this.rows;
      if (this.wide) this.view.width(this.wide);
      this.wide = 0;
      this.view.data("rows", this.drawn);
      await this.view.runAsync();
    }
  }

  /** The box has another width. */
  fit() {
    if (!this.view || this.view.width() === this.width()) return;
    this.wide = this.width();
    this.show(this.rows);
  }

  /** Save what is drawn under its title, as "svg" or "png", on the page's background. */
  async save(name, kind, title) {
    const shown = this.box.querySelector("svg");
    if (!shown) return; // nothing is drawn yet
    const svg = shown.cloneNode(true);
    const [width, height] = ["width", "height"].map((side) => Number(svg.getAttribute(side)));
    svg.setAttribute("xmlns", "http://www.w3.org/2000/svg");
    svg.setAttribute("height", height + TITLE);
    svg.setAttribute("viewBox", `0 ${-TITLE} ${width} ${height + TITLE}`);
    const style = getComputedStyle(this.box);
    svg.append(
      svgElement("text", {
        x: 4,
        y: 18 - TITLE,
        fill: style.color,
        "font-family": style.fontFamily,
        "font-size": 14,
        "font-weight": 600,
      }, title),
    );
    svg.style.color = style.color;
    svg.style.background = style.getPropertyValue("--st-background-color");
    const drawn = new Blob([new XMLSerializer().serializeToString(svg)], { type: "image/svg+xml" });
    give(kind === "svg" ? drawn : await asPng(drawn, svg), `${name}.${kind}`);
  }
}

async function asPng(drawn, svg) {
  const url = URL.createObjectURL(drawn);
  const image = Object.assign(new Image(), { src: url });
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), {
    width: 2 * svg.getAttribute("width"),
    height: 2 * svg.getAttribute("height"),
  });
  const context = canvas.getContext("2d");
  context.fillStyle = svg.style.background || "white";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(url);
  return new Promise((done) => canvas.toBlob(done));
}

function give(blob, name) {
  const url = URL.createObjectURL(blob);
  Object.assign(document.createElement("a"), { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
