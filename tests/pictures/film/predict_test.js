import { equal } from "node:assert/strict";

import { Predict } from "../../../bpe_core/pictures/film/predict.js";

/** @import { Film } from "../../../bpe_core/pictures/film/film.js" */
/** @import { Bar, Pair } from "../../../bpe_core/pictures/shared/types.js" */

class Box {
  textContent = "";
  className = "";
  addEventListener() {}
}
Object.assign(globalThis, { HTMLElement: Box, HTMLButtonElement: Box });

/** Guess a pair, and return the verdict. The next merge joins 1 + 2. @param {Pair} pair @param {Bar[]} bars @param {boolean} byHand */
function verdict(pair, bars, byHand = false) {
  const record = {
    steps: 1,
    yours: new Set(byHand ? [1] : []),
    frame: () => ({ bars }),
    merge: () => ({ left: 1, right: 2, count: 3, tied: 2 }),
    pairText: (/** @type {number} */ left, /** @type {number} */ right) => `${left} + ${right}`,
  };
  const box = new Box();
  const film = { root: { querySelector: () => box }, records: [record], step: 0, go: () => {}, redraw: () => {} };
  new Predict(/** @type {Film} */ (/** @type {unknown} */ (film))).guess(pair);
  return box.textContent;
}

/** @type {Bar[]} */
const BARS = [[1, 2, 3, "next"], [4, 5, 3, "tied"]];

Deno.test("a pair that may tie with those listed is not called rarer", () => {
  equal(
    verdict([6, 7], BARS),
    "Perhaps: 6 + 7 is not listed, and may be as frequent. By the tie rule 1 + 2 is joined, seen 3 times. Score: 0 of 0.",
  );
  equal(
    verdict([6, 7], [...BARS, [8, 9, 2, "other"]]),
    "No: 6 + 7 is seen less often than the 3 most frequent; 1 + 2 is joined, seen 3 times. Score: 0 of 1. The counts show it; Next goes on.",
  );
});

Deno.test("a pair that was chosen by hand is not said to be the rule's", () => {
  equal(verdict([1, 2], BARS, true), "Right: 1 + 2 is joined, seen 3 times, as was chosen by hand. Score: 1 of 1.");
  equal(
    verdict([4, 5], BARS, true),
    "Right: 4 + 5 is as frequent. As was chosen by hand, 1 + 2 is joined, seen 3 times. Score: 1 of 1.",
  );
  equal(
    verdict([4, 5], BARS),
    "Right: 4 + 5 is as frequent. By the tie rule 1 + 2 is joined, seen 3 times. Score: 1 of 1.",
  );
});
