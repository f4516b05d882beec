// The biography of a token that stands in no text, as the vocabulary explorer shows it. The tree comes from the server.

import { fromHex } from "./chips.js";
import { Panel } from "./panel.js";

function treeFrom({ token, step, halves }) {
  return { bytes: fromHex(token), step, halves: halves.map(treeFrom) };
}

const panels = new WeakMap();

export default function ({ data, parentElement }) {
  const known = panels.get(parentElement) ?? { data };
  if (!panels.has(parentElement)) {
    known.panel = new Panel(
      parentElement,
      () => known.data,
      (words) => (parentElement.getElementById("said").textContent = words),
    );
    panels.set(parentElement, known);
  }
  known.data = data;
  const tree = treeFrom(data.tree);
  known.panel.show({ bytes: tree.bytes, id: data.id, born: data.born, tree, whole: data.whole }, data.facts);
}
