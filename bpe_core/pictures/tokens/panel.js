// The biography of one token: its id and bytes, the tree of merges that made it, and the facts from the server.

import { fromHex, spacedHex } from "../shared/bytes.js";
import { chipOf, lostChip } from "../shared/chips.js";
import { element, find, setAttributes } from "../shared/elements.js";
import { counted } from "../shared/numbers.js";
import { framed } from "../shared/pictures.js";
import { sentenceNodes } from "../shared/sentence.js";
import { hueOf, parts, textBytes, tokenText } from "../shared/token_text.js";
import { drawTree } from "./tree.js";

/** @import { Branch } from "./tree.js" */
/** @import { Sentence } from "../shared/sentence.js" */
/** @import { Notation, TokenFacts } from "../shared/types.js" */

/**
 * A token whose biography is shown. `whole`: whether its tree reaches down to its symbols. `lost`: whether the
 * vocabulary cannot write its text.
 * @typedef {{ id: string | number, born: string, tree: Branch, whole: boolean, lost?: boolean }} Token
 */

const WIDE = 450; // pixels; a wider tree may have to be scrolled
const ABOVE = 8; // pixels that stay above a token
const LONG = { bytes: 40, chip: 120, text: 60 }; // of a longer token, only the beginning is shown

export class Panel {
  /** @type {SVGSVGElement | null} */
  #svg = null;
  #drawn = ""; // the token that is on the page, as text
  #shown = ""; // the facts that are on the page, as text

  /**
   * @param {ShadowRoot} root
   * @param {() => Notation} notation how tokens are written at the moment
   */
  constructor(root, notation) {
    this.notation = notation;
    /** @param {string} id */
    const part = (id) => find(root, `#${id}`, HTMLElement);
    this.panel = part("panel");
    this.biography = part("biography");
    this.nothing = part("nothing");
    this.line = part("line");
    this.bytes = part("bytes");
    this.tree = part("tree");
    this.isCut = part("cut-tree");
    this.isWide = part("wide-tree");
    this.wait = part("wait");
    this.facts = part("facts");
    this.apart = part("apart");
  }

  /** Return the tree of the token that is shown, as a picture. */
  picture() {
    if (!this.#svg) throw new Error("There is no tree: no token is shown.");
    return framed(this.#svg, getComputedStyle(this.panel).backgroundColor);
  }

  /**
   * Show the biography of a token.
   *
   * @param {Token | null} token null for none
   * @param {TokenFacts | null} facts null until they have arrived
   */
  show(token, facts) {
    this.biography.hidden = !token;
    this.nothing.hidden = Boolean(token);
    if (!token) return;
    const drawn = [this.notation().glyph, token.id, token.born, token.lost, token.whole, branchText(token.tree)].join();
    if (drawn !== this.#drawn) this.#draw(token); // most keys leave the token as it is
    this.#drawn = drawn;
    this.#showFacts(facts);
  }

  /**
   * Scroll as little as shows the beginning of the biography: it is far below the tokens of a long text. Where the token
   * would leave for that, scroll only until it is at the top.
   *
   * @param {HTMLElement | null} token
   */
  comeIntoSight(token) {
    if (this.panel.hidden) return;
    const { line } = this;
    const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";
    const margin = parseFloat(getComputedStyle(line).scrollMarginBottom);
    const way = line.getBoundingClientRect().bottom + margin - innerHeight;
    const room = token ? Math.max(0, token.getBoundingClientRect().top - ABOVE) : way;
    const tooFar = Math.max(0, way - room);
    // the browser scrolls to the line with its margins: these move it up by what would be too far
    line.style.scrollMargin = `${tooFar}px 0 ${margin - tooFar}px`;
    line.scrollIntoView({ behavior, block: "nearest" });
    line.style.scrollMargin = "";
  }

  /** @param {Token} token */
  #draw(token) {
    const { id, born, lost, tree: { bytes } } = token;
    const { glyph, marks } = this.notation();
    const [number, origin] = [element("span", "fact", `id ${id}`), element("span", "fact row", born)];
    const chip = lost ? lostChip(parts(bytes.subarray(0, LONG.chip), glyph, marks)) : this.chip(bytes);
    this.line.replaceChildren(chip, " ", number, " ", origin);
    const own = textBytes(bytes, glyph);
    const written = spacedHex(own.subarray(0, LONG.bytes)) + (own.length > LONG.bytes ? " …" : "");
    this.bytes.replaceChildren(`${counted(own.length, "byte")} `, element("code", "", written));
    this.#showTree(token);
  }

  /** @param {Token} token */
  #showTree({ tree, whole, lost, born }) {
    const { glyph, marks, hues } = this.notation();
    /** @param {Branch} branch */
    const write = ({ bytes }) => {
      const text = tokenText(bytes, glyph, marks);
      return text.length > LONG.text ? `${Array.from(text).slice(0, LONG.text - 2).join("")}…` : text;
    };
    const kindOf = (/** @type {Branch} */ { bytes }) => lost ? "unknown" : `t${hueOf(bytes, 0, bytes.length, hues)} s0`;
    const { svg, width, middle } = drawTree(tree, write, kindOf);
    const merges = everyBranch(tree).filter(({ step }) => step).map((branch) => {
      return `${branch.halves.map(write).join(" + ") || "…"} makes ${write(branch)} at step ${branch.step}`;
    });
    setAttributes(svg, { role: "img", "aria-label": merges.join("; ") || `${write(tree)}: ${born}` });
    this.#svg = svg;
    this.tree.style.setProperty("--drawn", String(width));
    this.tree.replaceChildren(svg);
    const isWide = width > WIDE; // the token is put into the middle of what is visible
    if (isWide) this.tree.scrollLeft = (middle / width) * this.tree.scrollWidth - this.tree.clientWidth / 2;
    this.isCut.hidden = whole;
    this.isWide.hidden = this.tree.scrollWidth <= this.tree.clientWidth;
  }

  /** @param {TokenFacts | null} facts */
  #showFacts(facts) {
    this.wait.hidden = Boolean(facts);
    this.facts.hidden = this.apart.hidden = !facts;
    const shown = facts && JSON.stringify([this.notation().glyph, facts.rows, facts.apart]);
    if (!shown || shown === this.#shown) return;
    this.#shown = shown;
    /** @param {"dd" | "p"} name @param {Sentence<string>} sentence */
    const written = (name, sentence) => {
      const made = element(name);
      made.append(...sentenceNodes(sentence, (token) => this.chip(fromHex(token))));
      return made;
    };
    this.facts.replaceChildren(
      ...facts.rows.flatMap(([term, words]) => [element("dt", "", term), written("dd", words)]),
    );
    this.apart.replaceChildren(...facts.apart.map((words) => written("p", words)));
  }

  /** Return a token as an element; of a long token only the beginning. @param {Uint8Array} bytes */
  chip(bytes) {
    const { glyph, marks, hues } = this.notation();
    const isLong = bytes.length > LONG.chip;
    const shown = isLong ? bytes.subarray(0, LONG.chip - 3) : bytes;
    const chip = chipOf(parts(shown, glyph, marks), 2 * hueOf(bytes, 0, bytes.length, hues));
    if (isLong) chip.append("…");
    return chip;
  }
}

/** Return a tree of tokens as text. @param {Branch} branch @returns {string} */
function branchText({ bytes, step, halves }) {
  return `${bytes.join(" ")} ${step} (${halves.map(branchText).join()})`;
}

/** Return all tokens of a tree, level by level. @param {Branch} root */
function everyBranch(root) {
  const branches = [root];
  for (const branch of branches) branches.push(...branch.halves);
  return branches;
}
