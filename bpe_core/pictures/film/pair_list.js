// The pairs of a film without Vega: a plain list instead of a chart.

import { element } from "../shared/elements.js";

/** @typedef {{ pair: string, label: string, role: string }} Row */

export class PairList {
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
