import { equal, rejects } from "node:assert/strict";

import { Refusal } from "../../../bpe_core/pictures/shared/source.js";
import { fetched, NotFetched } from "../../../bpe_core/pictures/site/engine.js";

const file = {
  name: "abc.txt",
  address: "files/abc.txt",
  sha256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", // of "abc", as in FIPS 180-2
  bytes: 3,
};

/** Fetch the file from a server that answers with a text. @param {string} text @param {number} [status] */
function fetchedFrom(text, status = 200) {
  Object.assign(globalThis, {
    document: { baseURI: "https://here/site/" },
    fetch: (/** @type {URL} */ address) => {
      equal(address.href, "https://here/site/files/abc.txt");
      return Promise.resolve(new Response(text, { status }));
    },
  });
  return fetched(file);
}

Deno.test("a file is used if it is the tested one, and no other of its size", async () => {
  equal(new TextDecoder().decode(await fetchedFrom("abc")), "abc");
  for (const other of ["abd", "ab", "abcd"]) {
    await rejects(
      fetchedFrom(other),
      (error) => error instanceof Refusal && error.message.startsWith("abc.txt from here is not"),
    );
  }
  await rejects(fetchedFrom("abc", 404), new NotFetched("here answers 404 for abc.txt"));
  Object.assign(globalThis, { fetch: () => Promise.reject(new TypeError("Failed to fetch")) });
  await rejects(fetched(file), new NotFetched("here cannot be reached"));
});
