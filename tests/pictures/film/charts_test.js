import { deepEqual } from "node:assert/strict";

import { Chart } from "../../../bpe_core/pictures/film/charts.js";

Deno.test("equal rows are not drawn again", async () => {
  /** @type {unknown[]} */
  const drawn = [];
  const view = {
    width: () => 1,
    data: (/** @type {string} */ _, /** @type {unknown} */ rows) => drawn.push(rows),
    runAsync: async () => {},
  };
  Object.assign(globalThis, { vegaEmbed: () => Promise.resolve({ view }) });
  const classes = new Set();
  const toggle = (/** @type {string} */ name, /** @type {boolean} */ is) =>
    is ? classes.add(name) : classes.delete(name);
  const box = { classList: { toggle }, closest: () => ({ classList: { toggle } }) };
  const chart = new Chart(/** @type {HTMLElement} */ (/** @type {unknown} */ (box)), {}, "#vega", () => 1);
  deepEqual([...classes], ["waiting", "waits"]);
  for (const count of [1, 2, 2, 3]) await chart.show([{ count }]);
  deepEqual(drawn, [[{ count: 2, number: 0 }], [{ count: 3, number: 0 }]], "Vega begins with the first");
  deepEqual([...classes], []);
});
