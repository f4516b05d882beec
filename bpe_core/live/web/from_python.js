// What Python hands to a view. Here the values are empty, for the checks; script.py puts in the real ones.

/** @import { Sizes } from "./layout.js" */

/** The style sheet of the film. */
export const STYLE = "";
/** The elements of the film, without anything of a user. */
export const SKELETON = "";
/** The Vega specifications of its charts. @type {Record<string, unknown>} */
export const PAIR_CHART = {};
/** @type {Record<string, unknown>} */
export const TIMELINE_CHART = {};
/** The sizes of a picture of tokens. @type {Sizes} */
export const PICTURE = /** @type {any} */ ({});
