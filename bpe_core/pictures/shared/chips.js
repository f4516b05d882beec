// A token as an element of the page, coloured by its bytes.

import { element } from "./elements.js";

/** @import { Part } from "./token_text.js" */

/**
 * Return a token as an element.
 *
 * @param {Part[]} parts
 * @param {number} colour 2 · hue + shade
 * @param {string} [kind] more classes
 */
export function chipOf(parts, colour, kind = "") {
  const chip = element("span", `token t${colour >> 1} s${colour & 1} ${kind}`.trimEnd());
  for (const part of parts) {
    if (part.kind === "text") chip.append(part.text);
    else chip.append(element("span", part.kind, part.text));
  }
  return chip;
}

/**
 * Return an element for text that the vocabulary cannot write: struck through, without a colour.
 *
 * @param {Part[]} parts
 */
export function lostChip(parts) {
  const chip = element("span", "token unknown");
  const struck = chip.appendChild(element("del"));
  for (const part of parts) struck.append(part.kind === "text" ? part.text : element("span", part.kind, part.text));
  return chip;
}

/** @typedef {[paper: string, ink: string, quiet: string]} Inks the colours of a token's ground, text and id */

/**
 * Return a function for pictures: from a token's colour to the token's inks in the present theme.
 *
 * @param {HTMLElement} root an element to which the style sheet applies
 */
export function inksOf(root) {
  /** @type {Map<number, Inks>} */
  const known = new Map();
  /** @param {number} colour @returns {Inks} */
  const measured = (colour) => {
    const probe = root.appendChild(chipOf([], colour));
    const quiet = getComputedStyle(probe.appendChild(element("sub"))).color;
    const { backgroundColor, color } = getComputedStyle(probe);
    const inks = /** @type {Inks} */ ([backgroundColor, color, quiet]);
    probe.remove();
    return inks;
  };
  /** @param {number} colour */
  return (colour) => {
    const inks = known.get(colour) ?? measured(colour);
    known.set(colour, inks);
    return inks;
  };
}
