// A film on a page of its own, which has all its chunks. `#step=12` in its address is the step.

import { default as show } from "./film.js";
import { content, serve } from "./page.js";

const linked = Number(new URLSearchParams(location.hash.slice(1)).get("step") ?? NaN);
if (Number.isInteger(linked) && linked >= 0) content.data.step = linked;

serve(show, ({ missing, choice }) => {
  if (location.protocol !== "about:") { // as in a notebook's frame, whose address cannot change
    history.replaceState(history.state, "", `#step=${/** @type {{ step: number }} */ (choice).step}`);
  }
  const asked = /** @type {[side: number, chunk: number][]} */ (missing);
  return { chunks: asked.map(([side, at]) => [side, at, content.chunks[side][at]]).filter(([, , chunk]) => chunk) };
});
