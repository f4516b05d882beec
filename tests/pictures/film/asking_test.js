import { deepEqual } from "node:assert/strict";

Object.assign(globalThis, { document: new EventTarget() });
const { Asking } = await import("../../../bpe_core/pictures/film/asking.js");

/** @import { Film } from "../../../bpe_core/pictures/film/film.js" */

Deno.test("a film asks nothing about the training that it shows once the page has another one", async () => {
  const asked = /** @type {string[]} */ ([]);
  const own = (/** @type {string} */ name) => (asked.push(name), {});
  const data = { run: "another", asks: { address: "", handle: "of another", own } };
  const film = { root: { host: { isConnected: true } }, data, run: "one", search: {}, begin: 0, step: 0 };
  const nothing = () => {};
  const asking = new Asking(
    /** @type {Film} */ (/** @type {unknown} */ (Object.assign(film, { showWords: nothing, arrived: nothing }))),
  );
  asking.forWords();
  asking.forWhole();
  await new Promise((done) => setTimeout(done));
  deepEqual(asked, ["film"]);
  film.run = "another";
  asking.forWords();
  await new Promise((done) => setTimeout(done));
  deepEqual(asked, ["film", "window"]);
});
