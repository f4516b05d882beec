// The biography of one token: what it is, the tree of merges that made it, and what the server knows of it.

import { chipOf, counted, element, fromHex } from "./chips.js";
import { copied, download, framed, pngOf, svgText } from "./pictures.js";
import { hex, hueOf, parts, tokenText } from "./text.js";
import { drawTree } from "./tree.js";

const hexOf = (bytes, most = 40) =>
  Array.from(bytes.subarray(0, most), hex).join(" ") + (bytes.length > most ? " …" : "");

const WIDE = 450; // pixels of a tree that may have to be scrolled

export class Panel {
  /** `look()`: {glyph, marks, hues} of the moment. `say(words)` tells what has been done. */
  constructor(root, look, say) {
    this.$ = (id) => root.getElementById(id);
    Object.assign(this, { root, look, say });
    this.$("tree-svg").addEventListener("click", () => download("tree.svg", "image/svg+xml", svgText(this.picture())));
    this.$("tree-png").addEventListener(
      "click",
      async () => download("tree.png", "image/png", await pngOf(this.picture())),
    );
    this.$("tree-copy").addEventListener(
      "click",
      async () =>
        say(
          (await copied(pngOf(this.picture())))
            ? "Copied the tree."
            : "The browser does not allow copying pictures here.",
        ),
    );
  }

  picture() {
    return framed(this.svg, getComputedStyle(this.$("panel")).backgroundColor);
  }

  /**
   * `token`: {bytes, id, born, tree, whole}, where each node of the tree has `bytes`, `step` and `halves`; null: none.
   * `facts`: {rows: [[term, words]], apart: [words]}; null while the server has not told.
   */
  show(token, facts) {
    this.$("biography").hidden = !token;
    this.$("nothing").hidden = Boolean(token);
    if (!token) return;
    const { bytes, id, born } = token;
    this.$("line").replaceChildren(
      this.chip(bytes),
      " ",
      element("span", "fact", `id ${id}`),
      " ",
      element("span", "fact row", born),
    );
    this.$("bytes").replaceChildren(`${counted(bytes.length, "byte")} `, element("code", "", hexOf(bytes)));
    this.showTree(token);
    this.showFacts(facts);
  }

  showTree({ tree, whole }) {
    const { glyph, marks, hues } = this.look();
    const nodes = [tree];
    for (const node of nodes) nodes.push(...node.halves);
    const write = (node) => {
      const text = tokenText(node.bytes, glyph, marks);
      return text.length > 60 ? `${Array.from(text).slice(0, 58).join("")}…` : text;
    };
    this.svg = drawTree(tree, write, (node) => hueOf(node.bytes, 0, node.bytes.length, hues));
    this.svg.setAttribute("role", "img");
    const said = nodes.filter((node) => node.step).map((node) =>
      `${node.halves.map(write).join(" + ") || "…"} makes ${write(node)} at step ${node.step}`
    );
    this.svg.setAttribute("aria-label", said.join("; ") || `${write(tree)}: no merge made it`);
    const [box, drawn] = [this.$("tree"), Number(this.svg.getAttribute("width"))];
    box.style.setProperty("--drawn", drawn);
    box.replaceChildren(this.svg);
    if (drawn > WIDE) box.scrollLeft = (tree.x / drawn) * box.scrollWidth - box.clientWidth / 2; // the token in the middle
    this.$("cut-tree").hidden = whole;
  }

  showFacts(facts) {
    this.$("wait").hidden = Boolean(facts);
    this.$("facts").hidden = this.$("apart").hidden = !facts;
    if (!facts || facts === this.shown) return;
    this.shown = facts;
    const terms = facts.rows.flatMap(([term, words]) => {
      const value = element("dd");
      value.append(...this.words(words));
      return [element("dt", "", term), value];
    });
    this.$("facts").replaceChildren(...terms);
    const reasons = facts.apart.map((words) => {
      const reason = element("p");
      reason.append(...this.words(words));
      return reason;
    });
    this.$("apart").replaceChildren(...reasons);
  }

  /** Words with tokens among them: each is a string, a token in hex, or a pair of tokens. */
  words(words) {
    return words.map((word) => {
      if (typeof word === "string") return word;
      if (word.token !== undefined) return this.chip(fromHex(word.token));
      const pair = element("span", "pair");
      pair.append(...word.pair.map((token) => this.chip(fromHex(token))));
      return pair;
    });
  }

  chip(bytes) {
    const { glyph, marks, hues } = this.look();
    const shown = bytes.length > 120 ? bytes.subarray(0, 117) : bytes;
    const chip = chipOf(parts(shown, glyph, marks), 2 * hueOf(bytes, 0, bytes.length, hues));
    if (shown !== bytes) chip.append("…");
    return chip;
  }
}
