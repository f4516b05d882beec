// The tree of merges that made a token, as a picture: the token at the top, its bytes at the bottom.

import { svgElement } from "./chips.js";

const TREE = { leaves: 36, row: 44, height: 22, gap: 6, pad: 7, font: "14px monospace", small: "10.5px sans-serif" };

/** A token's tree from the lifetimes of its boundaries: {start, end, step, halves}; the halves are not yet there. */
function halvesOf({ mergedAt }, node) {
  let seam = node.start + 1;
  for (let i = seam + 1; i < node.end; i++) if (mergedAt[i] > mergedAt[seam]) seam = i;
  const half = (start, end) => {
    let step = 0;
    for (let i = start + 1; i < end; i++) step = Math.max(step, mergedAt[i]);
    return { start, end, step, halves: [] };
  };
  return node.end - node.start > 1 ? [half(node.start, seam), half(seam, node.end)] : [];
}

/** The tree level by level, as long as it has few enough leaves; `whole`: whether that is down to the bytes. */
export function treeOf(model, start, end, step) {
  const root = { start, end, step, halves: [] };
  let level = [root];
  let leaves = 1;
  while (level.length) {
    const below = level.map((node) => halvesOf(model, node));
    const more = below.filter((halves) => halves.length).length;
    if (!more) return { root, whole: true };
    if (leaves + more > TREE.leaves) return { root, whole: false };
    leaves += more;
    level.forEach((node, i) => (node.halves = below[i]));
    level = below.flat();
  }
}

const measure = document.createElement("canvas").getContext("2d");

export function widthOf(text, font) {
  measure.font = font;
  return Math.ceil(measure.measureText(text).width);
}

/** Put every node in its place: `x` its middle, `y` its top, `width`; returns the size of the whole. */
function arrange(root, write) {
  let right = 0;
  let deepest = 0;
  const place = (node, depth) => {
    node.text = write(node);
    node.label = node.step ? `step ${node.step.toLocaleString("en")}` : "";
    node.width = Math.max(widthOf(node.text, TREE.font) + 2 * TREE.pad, 22);
    node.room = Math.max(node.width, node.label ? widthOf(node.label, TREE.small) : 0);
    node.y = depth * TREE.row;
    deepest = Math.max(deepest, depth);
    if (!node.halves.length) {
      node.x = right + node.room / 2;
      right += node.room + TREE.gap;
      return;
    }
    const begun = right;
    for (const half of node.halves) place(half, depth + 1);
    node.x = (node.halves[0].x + node.halves[1].x) / 2;
    const short = node.room / 2 - (node.x - begun);
    if (short > 0) shift(node, short);
    right = Math.max(right + Math.max(short, 0), node.x + node.room / 2 + TREE.gap);
  };
  place(root, 0);
  return { width: Math.ceil(right - TREE.gap) + 2, height: (deepest + 1) * TREE.row - 8 };
}

function shift(node, by) {
  node.x += by;
  node.halves.forEach((half) => shift(half, by));
}

/** The picture; `write(node)` is its text, `hue(node)` its hue. Its colours are those of the style sheet. */
export function drawTree(root, write, hue) {
  const { width, height } = arrange(root, write);
  const svg = svgElement("svg", {
    xmlns: "http://www.w3.org/2000/svg",
    width,
    height,
    viewBox: `0 0 ${width} ${height}`,
  });
  const draw = (node) => {
    for (const half of node.halves) {
      const from = node.y + TREE.height + (node.label ? 14 : 2);
      svg.append(svgElement("path", { d: `M${node.x} ${from}L${half.x} ${half.y - 2}` }));
    }
    svg.append(
      svgElement("rect", {
        x: node.x - node.width / 2,
        y: node.y,
        width: node.width,
        height: TREE.height,
        rx: 4,
        class: `t${hue(node)} s0`,
      }),
    );
    const middle = { x: node.x, "text-anchor": "middle" };
    svg.append(
      svgElement("text", { ...middle, y: node.y + 15.5, style: `font: ${TREE.font}; white-space: pre` }, node.text),
    );
    if (node.label) {
      svg.append(
        svgElement(
          "text",
          { ...middle, y: node.y + TREE.height + 11, class: "step", style: `font: ${TREE.small}` },
          node.label,
        ),
      );
    }
    node.halves.forEach(draw);
  };
  draw(root);
  return svg;
}
