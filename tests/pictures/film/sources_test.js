import { deepEqual } from "node:assert/strict";

import { areas } from "../../../bpe_core/pictures/film/sources.js";

Deno.test("the areas of sources lie on each other and fill the strip", () => {
  deepEqual(areas([0, 1, 3], [[750, 1000], [250, 0]]), [
    "M0,750L1,750L1,1000L3,1000L3,0L1,0L1,0L0,0Z",
    "M0,1000L1,1000L1,1000L3,1000L3,1000L1,1000L1,750L0,750Z",
  ]);
  deepEqual(areas([0], [[], []]), ["", ""], "without merges");
});
