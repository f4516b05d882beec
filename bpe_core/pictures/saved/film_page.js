// A film on a saved page. The page has all chunks of all stages.

import { default as show } from "../film/film.js";
import { content, serve } from "./page.js";

/** @import { Chunk, FilmData } from "../shared/types.js" */

/** @typedef {{ data: FilmData, chunks: Chunk[][] }} WholeFilm `chunks`: all chunks of each side */

content().then(({ films, open }) => {
  const all = /** @type {WholeFilm[]} */ (films);
  let film = all[open];
  let entered = 0; // how often a stage was entered
  const shown = () => ({ ...film.data, ...(all.length > 1 ? { stage: all.indexOf(film) } : {}) });
  serve(show, shown(), ({ choice, missing }) => {
    const { enter } = /** @type {{ enter?: [stage: number, step: number] | null }} */ (choice);
    if (enter) {
      film = all[enter[0]] ?? film;
      entered += 1;
      return { ...shown(), step: enter[1], version: `entered ${entered}` };
    }
    const asked = /** @type {[side: number, chunk: number][]} */ (missing);
    const { chunks } = film;
    return { chunks: asked.map(([side, at]) => [side, at, chunks[side][at]]).filter(([, , chunk]) => chunk) };
  });
});
