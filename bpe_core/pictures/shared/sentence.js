// Sentences with tokens in them: one notation, drawn as nodes or written as plain text.

import { element } from "./elements.js";

/**
 * A sentence is a list of parts: texts, tokens, new tokens, pairs of tokens without a space, and words.
 *
 *     ["Step 1 joined ", { token: 108 }, " + ", { token: 111 }, " → ", { token: 256, new: true }]
 *
 * A token is an id in a film, and bytes in hex in a biography.
 *
 * @template Token
 * @typedef {string | { token: Token, new?: boolean } | { pair: [Token, Token] } | { word: string }} SentencePart
 */
/**
 * @template Token
 * @typedef {SentencePart<Token>[]} Sentence
 */

const STOP = /^[.,;:!?)]+/; // what never begins a line

/**
 * Return a sentence as nodes of the page. A stop after a token stays in the token's line.
 *
 * @template Token
 * @param {Sentence<Token>} sentence
 * @param {(token: Token, kind: "new" | "") => Node} chip draw a token
 */
export function sentenceNodes(sentence, chip) {
  /** @type {Node[]} */
  const nodes = [];
  for (const part of sentence) {
    if (typeof part !== "string") {
      nodes.push(nodeOf(part, chip));
      continue;
    }
    const [stop = ""] = part.match(STOP) ?? [];
    const before = nodes.at(-1);
    if (stop && before instanceof Element) {
      const held = element("span", "held");
      held.append(before, stop);
      nodes[nodes.length - 1] = held;
    }
    nodes.push(document.createTextNode(before instanceof Element ? part.slice(stop.length) : part));
  }
  return nodes;
}

/**
 * @template Token
 * @param {Exclude<SentencePart<Token>, string>} part
 * @param {(token: Token, kind: "new" | "") => Node} chip
 */
function nodeOf(part, chip) {
  if ("word" in part) return element("span", "named", part.word);
  if ("token" in part) return chip(part.token, part.new ? "new" : "");
  const pair = element("span", "pair");
  pair.append(...part.pair.map((token) => chip(token, "")));
  return pair;
}

/**
 * Return a sentence as plain text.
 *
 * @template Token
 * @param {Sentence<Token>} sentence
 * @param {(token: Token) => string} write write a token
 */
export function sentenceText(sentence, write) {
  return sentence.map((part) => {
    if (typeof part === "string") return part;
    if ("word" in part) return `“${part.word}”`;
    return "token" in part ? write(part.token) : part.pair.map(write).join(" + ");
  }).join("");
}
