// The pairs of a film where no Vega is: a plain list in the place of a chart.

import { element } from "./elements.js";

/** @typedef {{ pair: string, label: string, role: string }} Row */

export class PairList {
  /** @param {HTMLElement} box */
  constructor(box) {
    this.box = box;
  }

  /** Show these rows, a line each: the pair, its count, and whether it is joined next or tied with that pair. @param {Row[]} rows */
  show(rows) {
    this.box.replaceChildren(...rows.map(({ pair, label, role }) => {
      const line = element("div", `listed ${role}`);
      line.append(element("span", "name", pair), element("span", "label", label));
      return line;
    }));
  }

  /** The box has another width, which the style sheet follows. */
  fit() {}
}
