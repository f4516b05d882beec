// Tokens as coloured chips, and sentences with tokens in them. Text goes in as text only.

const element = (tag, className = "", text = "") => {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text) made.textContent = text;
  return made;
};

const figures = new Intl.NumberFormat("en");
const grouped = (number) => figures.format(number);

/** A token: its bytes, its hue, 1 for the deeper shade, and marks such as "new". */
function chip(record, bytes, hue, shade = 0, mark = "") {
  const made = element("span", `token t${hue} s${shade}${mark && " " + mark}`);
  for (const part of parts(bytes, record.glyph, record.marks))
    made.append(part.kind === "text" ? part.text : element("span", part.kind, part.text));
  return made;
}

/** A token by its id; of a long one the beginning. */
function chipOf(record, id, mark = "", most = 40) {
  const bytes = record.bytes(id);
  const made = chip(record, bytes.subarray(0, most), record.hues[id], 0, mark);
  if (bytes.length > most) made.append("…");
  return made;
}

/** Pieces of a sentence as nodes: a text, [token id], [token id, "new"], {word}. */
const sentence = (record, pieces) =>
  pieces.map((piece) => {
    if (typeof piece === "string") return document.createTextNode(piece);
    if (Array.isArray(piece)) return chipOf(record, piece[0], piece[1] ?? "");
    return element("span", "named", piece.word);
  });

/** The same as plain text. */
const plainSentence = (record, pieces) =>
  pieces.map((piece) => (typeof piece === "string" ? piece : Array.isArray(piece) ? record.text(piece[0], 40) : piece.word)).join("");
