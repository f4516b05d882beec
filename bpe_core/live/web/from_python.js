// What Python hands to a view when it makes its script: here for the checks, there with its real values (see `script.py`).

/** The style sheet of the film. */
export const STYLE = "";
/** The elements of the film, without anything of a user. */
export const SKELETON = "";
/** The Vega specifications of its charts. @type {Record<string, unknown>} */
export const PAIR_CHART = {};
/** @type {Record<string, unknown>} */
export const TIMELINE_CHART = {};
