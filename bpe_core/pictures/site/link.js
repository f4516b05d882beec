// The link of the page: what is chosen, in the part of the address that no server is sent. A link omits what equals the
// default, and a text is only in the link that a reader copies.

/**
 * What is chosen. `step`: of the open page; null for where the page opens. `text`: null if the link has none.
 * @typedef {{ page: string, tokenizer: string, split: string, alphabet: string, size: string, step: number | null, text: string | null }} Chosen
 */

/**
 * What can be chosen, and the defaults.
 * @typedef {{ pages: string[], tokenizers: string[], splits: string[], alphabets: string[], most: number, first: Chosen }} Choices
 */

const WHOLE = /^\d{1,9}$/;

/**
 * Return what a link says, and the values that it has and the page does not know.
 *
 * @param {string} hash
 * @param {Choices} choices
 * @returns {{ chosen: Chosen, unknown: string[] }}
 */
export function readLink(hash, { pages, tokenizers, splits, alphabets, most, first }) {
  const listed = new Map(Object.entries({ page: pages, tokenizer: tokenizers, split: splits, alphabet: alphabets }));
  const chosen = { ...first };
  /** @type {string[]} */
  const unknown = [];
  for (const [name, value] of new URLSearchParams(hash.replace(/^#/, ""))) {
    if (name === "text") chosen.text = value;
    else if (name === "step" && WHOLE.test(value)) chosen.step = Number(value);
    else if (name === "size" && WHOLE.test(value) && Number(value) > 0 && Number(value) <= most) {
      chosen.size = String(Number(value));
    } else if (listed.get(name)?.includes(value)) {
      chosen[/** @type {"page" | "tokenizer" | "split" | "alphabet"} */ (name)] = value;
    } else unknown.push(`${name}=${value}`.slice(0, 60));
  }
  return { chosen, unknown };
}

/**
 * Return the link of what is chosen: "" or a part of the address that begins with #.
 *
 * @param {Chosen} chosen
 * @param {Chosen} first the defaults
 */
export function linkOf(chosen, first) {
  const values = new URLSearchParams();
  for (const [name, value] of Object.entries(chosen)) {
    if (value !== null && value !== "" && value !== first[/** @type {keyof Chosen} */ (name)]) {
      values.set(name, String(value));
    }
  }
  const written = values.toString();
  return written && `#${written}`;
}
