import { deepEqual, equal } from "node:assert/strict";

import { linkOf, readLink } from "../../../bpe_core/pictures/site/link.js";

/** @import { Chosen, Choices } from "../../../bpe_core/pictures/site/link.js" */

/** @type {Chosen} */
const first = {
  page: "tokens",
  tokenizer: "gpt2",
  split: "gpt2",
  alphabet: "bytes",
  size: "1000",
  step: null,
  text: null,
};
/** @type {Choices} */
const choices = {
  pages: ["tokens", "train"],
  tokenizers: ["gpt2", "bert"],
  splits: ["gpt2", "whitespace"],
  alphabets: ["bytes", "characters"],
  most: 10_000,
  first,
};
const read = (/** @type {string} */ hash) => readLink(hash, choices);

Deno.test("a link says what differs from the defaults, and is read as it was written", () => {
  equal(linkOf(first, first), "");
  const chosen = { ...first, page: "train", split: "whitespace", size: "300", step: 12, text: "low & lower\n#é🦜" };
  const link = linkOf(chosen, first);
  equal(link.includes("tokenizer"), false);
  deepEqual(read(link), { chosen, unknown: [] });
  deepEqual(read(""), { chosen: first, unknown: [] });
  deepEqual(read("#step=0").chosen.step, 0);
});

Deno.test("what a link has and the page does not know is named, and the default stays", () => {
  const { chosen, unknown } = read(
    "#tokenizer=gpt9&size=0&step=-1&page=chat&split=custom&toString=x&size=99999&alphabet=bytes",
  );
  deepEqual(chosen, first);
  deepEqual(unknown, [
    "tokenizer=gpt9",
    "size=0",
    "step=-1",
    "page=chat",
    "split=custom",
    "toString=x",
    "size=99999",
  ]);
});
