// The tokens of a training as chips, and sentences with tokens in them.

import { chipOf, element } from "./chips.js";
import { parts } from "./text.js";

/** A token: its bytes, its hue, 1 for the deeper shade, and marks such as "new". */
export function chip(record, bytes, hue, shade = 0, mark = "") {
  return chipOf(parts(bytes, record.glyph, record.marks), 2 * hue + shade, mark);
}

/** A token by its id; of a long one the beginning. */
export function tokenChip(record, id, mark = "", most = 40) {
  const bytes = record.bytes(id);
  const made = chip(record, bytes.subarray(0, most), record.hues[id], 0, mark);
  if (bytes.length > most) made.append("…");
  return made;
}

/** Pieces of a sentence as nodes: a text, [token id], [token id, "new"], {word}. */
export const sentence = (record, pieces) =>
  pieces.map((piece) => {
    if (typeof piece === "string") return document.createTextNode(piece);
    if (Array.isArray(piece)) return tokenChip(record, piece[0], piece[1] ?? "");
    return element("span", "named", piece.word);
  });

/** The same as plain text. */
export const plainSentence = (record, pieces) =>
  pieces.map((
    piece,
  ) => (typeof piece === "string" ? piece : Array.isArray(piece) ? record.text(piece[0], 40) : `“${piece.word}”`)).join(
    "",
  );
