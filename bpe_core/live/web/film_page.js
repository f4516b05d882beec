// A film on a page of its own, which has all its chunks.

import { default as show } from "./film.js";
import { content, serve } from "./page.js";

content().then(({ data, chunks }) =>
  serve(show, data, ({ missing }) => {
    const asked = /** @type {[side: number, chunk: number][]} */ (missing);
    return { chunks: asked.map(([side, at]) => [side, at, chunks[side][at]]).filter(([, , chunk]) => chunk) };
  })
);
