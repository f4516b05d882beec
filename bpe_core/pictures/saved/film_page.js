// A film on a saved page. The page has all chunks of all stages, and answers what the film asks for.

import { default as show } from "../film/film.js";
import { content, serve } from "./page.js";

/** @import { Chunk, FilmData } from "../shared/types.js" */

/** @typedef {{ data: FilmData, chunks: Chunk[][] }} WholeFilm `chunks`: all chunks of each side */

content().then(({ films, open }) => {
  const all = /** @type {WholeFilm[]} */ (films);
  let film = all[open];
  let entered = 0; // how often a stage was entered
  /** @param {string} _ @param {{ chunks: [side: number, chunk: number][] }} asked */
  const own = (_, { chunks: asked }) => ({
    chunks: asked.map(([side, at]) => [side, at, film.chunks[side][at]]).filter(([, , chunk]) => chunk),
  });
  const asks = { address: "", handle: "", own };
  const shown = () => ({ ...film.data, asks, ...(all.length > 1 ? { stage: all.indexOf(film) } : {}) });
  serve(show, shown(), ({ choice }) => {
    const { enter } = /** @type {{ enter?: [stage: number, step: number] | null }} */ (choice);
    if (!enter) return {};
    film = all[enter[0]] ?? film;
    entered += 1;
    return { ...shown(), step: enter[1], version: `entered ${entered}` };
  });
});
