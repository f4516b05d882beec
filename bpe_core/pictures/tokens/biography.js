// The biography of a token without a text, in the vocabulary explorer. The server sends its tree.

import { fromHex } from "../shared/bytes.js";
import { Panel } from "./panel.js";
import { show } from "../shared/show.js";

/** @import { Branch } from "./tree.js" */
/** @import { Component, BiographyData, TokenTree } from "../shared/types.js" */

/** @param {TokenTree} tree @returns {Branch} */
const branchOf = ({ token, step, halves }) => ({ bytes: fromHex(token), step, halves: halves.map(branchOf) });

class Biography {
  /** @param {Component<BiographyData>} component */
  constructor({ parentElement: root, data }) {
    this.data = data;
    this.panel = new Panel(root, () => this.data);
  }

  /** Take in an answer of the source. @param {Component<BiographyData>} component */
  receive({ data }) {
    this.data = data;
    const { id, born, whole } = data;
    this.panel.show({ id, born, whole, tree: branchOf(data.tree) }, data.facts);
  }
}

/** Show an answer of the source. @param {Component<BiographyData>} component */
export default function (component) {
  show(component, () => new Biography(component));
}
