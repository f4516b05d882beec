// A film on a page of its own: what the server answers in the app is answered here, from all chunks.

import { default as show } from "./film.js";
import { came, root } from "./page.js";

/**
 * Answer the request of this number with the chunks that it asks for.
 * @param {number} number
 * @param {[side: number, chunk: number][]} asked
 */
function answer(number, asked) {
  const chunks = asked.map(([side, at]) => [side, at, came.chunks[side][at]]).filter(([, , chunk]) => chunk);
  show({
    data: { ...came.data, answered: number, chunks },
    parentElement: root,
    /** @type {(name: string, wanted: any) => void} */
    setStateValue(_, { number, ask }) {
      setTimeout(answer, 0, number, ask);
    },
    setTriggerValue() {},
  });
}

answer(0, came.first);
