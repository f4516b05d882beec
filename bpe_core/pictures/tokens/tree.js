// The tree of merges that made a token, as a picture: the token at the top, its symbols at the bottom.

import { setAttributes, svgElement, widthOf } from "../shared/elements.js";
import { grouped } from "../shared/numbers.js";

/** @import { TextModel } from "../shared/cut.js" */

/** @typedef {{ start: number, end: number, step: number, halves: Span[] }} Span a token of a text, in symbols */
/** @typedef {{ bytes: Uint8Array, step: number, halves: Branch[] }} Branch a token, and its two halves */

const TREE = { leaves: 36, row: 44, height: 22, gap: 6, pad: 7, font: "14px monospace", small: "12px sans-serif" };

/**
 * Return the two halves of a token, from the lifetimes of its boundaries; none for a symbol.
 *
 * @param {TextModel} model
 * @param {Span} span
 * @returns {Span[]}
 */
function halvesOf({ mergedAt }, { start, end }) {
  if (end - start < 2) return [];
  let seam = start + 1;
  for (let i = seam + 1; i < end; i++) if (mergedAt[i] > mergedAt[seam]) seam = i;
  /** @param {number} from @param {number} to */
  const latest = (from, to) => mergedAt.subarray(from + 1, to).reduce((a, b) => Math.max(a, b), 0);
  /** @param {number} from @param {number} to @returns {Span} */
  const half = (from, to) => ({ start: from, end: to, step: latest(from, to), halves: [] });
  return [half(start, seam), half(seam, end)];
}

/**
 * Return the tree of the token from symbol `start` to `end`. The tree gets another level as long as it has few enough
 * leaves. `whole`: whether the tree reaches down to the symbols.
 *
 * @param {TextModel} model
 * @param {number} start
 * @param {number} end
 * @param {number} step the step that made the token
 * @returns {{ root: Span, whole: boolean }}
 */
export function treeOf(model, start, end, step) {
  /** @type {Span} */
  const root = { start, end, step, halves: [] };
  let leaves = 1;
  for (let level = [root]; level.length;) {
    const below = level.map((span) => halvesOf(model, span));
    const more = below.filter((halves) => halves.length).length;
    if (leaves + more > TREE.leaves) return { root, whole: false };
    leaves += more;
    level.forEach((span, i) => span.halves = below[i]);
    level = below.flat();
  }
  return { root, whole: true };
}

/**
 * A token in the picture: `x` is its middle, `y` its top.
 *
 * @typedef {object} Box
 * @property {Branch} branch
 * @property {string} text
 * @property {string} label
 * @property {number} x
 * @property {number} y
 * @property {number} width
 * @property {Box[]} halves
 */

/**
 * Return the boxes of the tokens of a tree, and the size of the picture.
 *
 * @param {Branch} root
 * @param {(branch: Branch) => string} write
 */
function arranged(root, write) {
  let right = 0;
  let deepest = 0;
  /** @param {Branch} branch @param {number} depth @returns {Box} */
  const boxOf = (branch, depth) => {
    const text = write(branch);
    const label = branch.step ? `step ${grouped(branch.step)}` : "";
    const width = Math.max(widthOf(text, TREE.font) + 2 * TREE.pad, 22);
    const room = Math.max(width, label ? widthOf(label, TREE.small) : 0);
    deepest = Math.max(deepest, depth);
    const begun = right;
    const box = {
      branch,
      text,
      label,
      width,
      x: begun + room / 2,
      y: depth * TREE.row,
      halves: /** @type {Box[]} */ ([]),
    };
    if (!branch.halves.length) {
      right += room + TREE.gap;
      return box;
    }
    box.halves = branch.halves.map((half) => boxOf(half, depth + 1));
    box.x = (box.halves[0].x + box.halves[1].x) / 2;
    const short = room / 2 - (box.x - begun);
    if (short > 0) shift(box, short);
    right = Math.max(right + Math.max(short, 0), box.x + room / 2 + TREE.gap);
    return box;
  };
  const top = boxOf(root, 0);
  return { top, width: Math.ceil(right - TREE.gap) + 2, height: (deepest + 1) * TREE.row - 8 };
}

/** @param {Box} box @param {number} by */
function shift(box, by) {
  box.x += by;
  box.halves.forEach((half) => shift(half, by));
}

/**
 * Return the picture of a tree, and the `x` of the root token's middle. The style sheet colours the picture.
 *
 * @param {Branch} root
 * @param {(branch: Branch) => string} write
 * @param {(branch: Branch) => string} kindOf the classes of a token's box
 */
export function drawTree(root, write, kindOf) {
  const { top, width, height } = arranged(root, write);
  const svg = svgElement("svg", { xmlns: "http://www.w3.org/2000/svg", width, height });
  setAttributes(svg, { viewBox: `0 0 ${width} ${height}` });
  /** @param {Box} box */
  const draw = (box) => {
    const { text, label, x, y } = box;
    for (const half of box.halves) {
      const from = y + TREE.height + (label ? 14 : 2);
      svg.append(svgElement("path", { d: `M${x} ${from}L${half.x} ${half.y - 2}` }));
    }
    const [left, middle] = [x - box.width / 2, { x, "text-anchor": "middle" }];
    svg.append(
      svgElement("rect", { x: left, y, width: box.width, height: TREE.height, rx: 4, class: kindOf(box.branch) }),
    );
    svg.append(svgElement("text", { ...middle, y: y + 15.5, style: `font: ${TREE.font}; white-space: pre` }, text));
    const below = { ...middle, y: y + TREE.height + 11, class: "step", style: `font: ${TREE.small}` };
    if (label) svg.append(svgElement("text", below, label));
    box.halves.forEach(draw);
  };
  draw(top);
  return { svg, width, middle: top.x };
}
