// Tokens as a picture, and pictures and tables as files: SVG, PNG, CSV, JSON, the clipboard.

import { svgElement } from "./chips.js";
import { widthOf } from "./tree.js";

export const PICTURE = {
  width: 900,
  edge: 20,
  height: 26,
  row: 44,
  plain: 34,
  gap: 3,
  pad: 6,
  tokens: 2000,
  font: "15px monospace",
  small: "10px sans-serif",
};

/**
 * Coloured tokens in rows. `tokens`: [{text, below, ink: [paper, ink, quiet], breaks}]; a `heading` has a line of
 * its own; `page`: its [paper, ink].
 */
export function pictureOf(tokens, page) {
  const row = tokens.some((token) => token.below) ? PICTURE.row : PICTURE.plain;
  const svg = svgElement("svg", { xmlns: "http://www.w3.org/2000/svg" });
  svg.append(svgElement("rect", { width: "100%", height: "100%", fill: page[0] }));
  let [x, y, right] = [PICTURE.edge, PICTURE.edge, 0];
  for (const { text, below, ink, breaks, heading } of tokens) {
    const width = Math.max(
      widthOf(text, PICTURE.font) + 2 * PICTURE.pad,
      below ? widthOf(below, PICTURE.small) + 4 : 14,
    );
    if (x > PICTURE.edge && x + width > PICTURE.width - PICTURE.edge) [x, y] = [PICTURE.edge, y + row];
    if (heading) {
      svg.append(svgElement("text", { x, y: y + 20, fill: page[1], style: "font: 600 14px sans-serif" }, text));
      right = Math.max(right, x + widthOf(text, "600 14px sans-serif"));
      y += 30;
      continue;
    }
    svg.append(svgElement("rect", { x, y, width, height: PICTURE.height, rx: 4, fill: ink[0] }));
    const middle = { x: x + width / 2, "text-anchor": "middle" };
    svg.append(
      svgElement(
        "text",
        { ...middle, y: y + 18, fill: ink[1], style: `font: ${PICTURE.font}; white-space: pre` },
        text,
      ),
    );
    if (below) {
      svg.append(
        svgElement(
          "text",
          { ...middle, y: y + PICTURE.height + 11, fill: page[1], style: `font: ${PICTURE.small}` },
          below,
        ),
      );
    }
    x += width + PICTURE.gap;
    right = Math.max(right, x);
    if (breaks) [x, y] = [PICTURE.edge, y + row];
  }
  const size = { width: Math.ceil(right + PICTURE.edge), height: y + (x > PICTURE.edge ? row : 0) + PICTURE.edge };
  for (const [key, value] of Object.entries({ ...size, viewBox: `0 0 ${size.width} ${size.height}` })) {
    svg.setAttribute(key, value);
  }
  return svg;
}

/** A picture that the page shows on a ground of its own, as a file of its own: the style sheet's colours go with it. */
export function framed(svg, paper) {
  const [width, height] = [Number(svg.getAttribute("width")) + 24, Number(svg.getAttribute("height")) + 24];
  const outer = svgElement("svg", {
    xmlns: "http://www.w3.org/2000/svg",
    width,
    height,
    viewBox: `0 0 ${width} ${height}`,
  });
  outer.append(svgElement("rect", { width, height, fill: paper }));
  const inner = outer.appendChild(svg.cloneNode(true));
  const copies = inner.querySelectorAll("*");
  svg.querySelectorAll("*").forEach((shown, i) => {
    const { fill, stroke, opacity } = getComputedStyle(shown);
    Object.assign(copies[i].style, { fill, stroke, opacity });
  });
  inner.setAttribute("x", 12);
  inner.setAttribute("y", 12);
  return outer;
}

export const svgText = (svg) => new XMLSerializer().serializeToString(svg);

/** The picture in pixels, twice as fine as the screen's. */
export async function pngOf(svg) {
  const image = new Image();
  const loaded = new Promise((resolve, reject) => Object.assign(image, { onload: resolve, onerror: reject }));
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svgText(svg))}`;
  await loaded;
  const canvas = document.createElement("canvas");
  const fine = Math.min(2, 16_000 / Math.max(image.width, image.height));
  Object.assign(canvas, { width: image.width * fine, height: image.height * fine });
  const pen = canvas.getContext("2d");
  pen.scale(fine, fine);
  pen.drawImage(image, 0, 0);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

/** Copy a text, or the promise of a PNG; whether that went well. */
export async function copied(content) {
  try {
    if (typeof content === "string") await navigator.clipboard.writeText(content);
    else await navigator.clipboard.write([new ClipboardItem({ "image/png": content })]);
    return true;
  } catch {
    return typeof content === "string" && copiedByHand(content);
  }
}

/** For browsers that keep their clipboard from pages without https. */
function copiedByHand(text) {
  const box = document.body.appendChild(Object.assign(document.createElement("textarea"), { value: text }));
  box.select();
  const done = document.execCommand("copy");
  box.remove();
  return done;
}

export function download(name, type, content) {
  const url = URL.createObjectURL(new Blob([content], { type }));
  Object.assign(document.createElement("a"), { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Rows with named columns as a CSV file. */
export function csvOf(names, rows) {
  const cell = (value) => (/[",\r\n]/.test(value) ? `"${String(value).replaceAll('"', '""')}"` : value);
  return [names, ...rows.map((row) => names.map((name) => cell(row[name])))].map((row) => row.join(",")).join("\r\n") +
    "\r\n";
}
