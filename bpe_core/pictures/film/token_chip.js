// A token of a training as an element of the page.

import { chipOf } from "../shared/chips.js";

/** @import { Record } from "./record.js" */

/**
 * Return a token of a training as an element; of a long token only the beginning.
 *
 * @param {Record} record
 * @param {number} id
 * @param {string} [kind] more classes
 * @param {number} [most] bytes
 */
export function tokenChip(record, id, kind = "", most = 40) {
  const bytes = record.bytes(id);
  const chip = chipOf(record.parts(bytes.subarray(0, most)), 2 * record.hues[id], kind);
  if (bytes.length > most) chip.append("…");
  return chip;
}
