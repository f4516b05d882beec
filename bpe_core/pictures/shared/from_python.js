// The values that Python gives to a view. Here they are empty, for the checks; view.py replaces them.

/** @import { Sizes } from "./layout.js" */

/** The style sheet of the film. */
export const STYLE = "";
/** The elements of the film as HTML. No part of it comes from a user. */
export const SKELETON = "";
/** The Vega specification of the pairs' chart. @type {Record<string, unknown>} */
export const PAIR_CHART = {};
/** The charts along the slider, by name: see `ChartAlong` in timeline.js. @type {Record<string, any>} */
export const CHARTS_ALONG = {};
/** The sizes of a picture of tokens. @type {Sizes} */
export const PICTURE = /** @type {any} */ ({});
