// Tokens as a picture, and pictures and tables as files: SVG, PNG, CSV, JSON, the clipboard.

import { element, penOf, setAttributes, svgElement, widthOf } from "./elements.js";

/** @import { Inks } from "./chips.js" */
/** @import { TableRow } from "./types.js" */

/**
 * A token in a picture. `below`: its id. `breaks`: whether a line ends with it.
 * @typedef {{ text: string, below?: string, ink: Inks, breaks: boolean }} PictureToken
 */
/** @typedef {{ heading: string }} PictureHeading a line of its own */

const SVG = "http://www.w3.org/2000/svg";
const HEADING = "600 14px sans-serif";
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
 * Return a picture of coloured tokens in rows.
 *
 * @param {(PictureToken | PictureHeading)[]} tokens
 * @param {[paper: string, ink: string]} page the colours of the page
 */
export function pictureOf(tokens, [paper, quiet]) {
  const row = tokens.some((token) => "below" in token && token.below) ? PICTURE.row : PICTURE.plain;
  const svg = svgElement("svg", { xmlns: SVG });
  svg.append(svgElement("rect", { width: "100%", height: "100%", fill: paper }));
  let [x, y, right] = [PICTURE.edge, PICTURE.edge, 0];
  for (const token of tokens) {
    if ("heading" in token) {
      const width = widthOf(token.heading, HEADING);
      svg.append(svgElement("text", { x, y: y + 20, fill: quiet, style: `font: ${HEADING}` }, token.heading));
      right = Math.max(right, x + width);
      y += 30;
      continue;
    }
    const { text, below, ink, breaks } = token;
    const width = Math.max(
      widthOf(text, PICTURE.font) + 2 * PICTURE.pad,
      below ? widthOf(below, PICTURE.small) + 4 : 14,
    );
    if (x > PICTURE.edge && x + width > PICTURE.width - PICTURE.edge) [x, y] = [PICTURE.edge, y + row];
    svg.append(svgElement("rect", { x, y, width, height: PICTURE.height, rx: 4, fill: ink[0] }));
    const middle = { x: x + width / 2, "text-anchor": "middle" };
    const written = { ...middle, y: y + 18, fill: ink[1], style: `font: ${PICTURE.font}; white-space: pre` };
    svg.append(svgElement("text", written, text));
    const small = { ...middle, y: y + PICTURE.height + 11, fill: quiet, style: `font: ${PICTURE.small}` };
    if (below) svg.append(svgElement("text", small, below));
    x += width + PICTURE.gap;
    right = Math.max(right, x);
    if (breaks) [x, y] = [PICTURE.edge, y + row];
  }
  const size = { width: Math.ceil(right + PICTURE.edge), height: y + (x > PICTURE.edge ? row : 0) + PICTURE.edge };
  setAttributes(svg, { ...size, viewBox: `0 0 ${size.width} ${size.height}` });
  return svg;
}

/**
 * Return a picture that the page shows as one that stands alone: on a ground, and with the style sheet's colours in it.
 *
 * @param {SVGSVGElement} svg
 * @param {string} paper
 */
export function framed(svg, paper) {
  const [width, height] = [Number(svg.getAttribute("width")) + 24, Number(svg.getAttribute("height")) + 24];
  const outer = svgElement("svg", { xmlns: SVG, width, height, viewBox: `0 0 ${width} ${height}` });
  outer.append(svgElement("rect", { width, height, fill: paper }));
  const inner = outer.appendChild(copyOf(svg));
  const copies = /** @type {NodeListOf<SVGElement>} */ (inner.querySelectorAll("*"));
  svg.querySelectorAll("*").forEach((shown, i) => {
    const { fill, stroke, opacity } = getComputedStyle(shown);
    Object.assign(copies[i].style, { fill, stroke, opacity });
  });
  setAttributes(inner, { x: 12, y: 12 });
  return outer;
}

/** Return a picture once more, to be changed. @param {SVGSVGElement} svg */
export const copyOf = (svg) => /** @type {SVGSVGElement} */ (svg.cloneNode(true));

/** @param {SVGSVGElement} svg */
export const svgText = (svg) => new XMLSerializer().serializeToString(svg);

/**
 * Return a picture in pixels, twice as fine as the screen's.
 *
 * @param {SVGSVGElement} svg
 * @returns {Promise<Blob>}
 */
export async function pngOf(svg) {
  const image = new Image();
  const loaded = new Promise((resolve, reject) => Object.assign(image, { onload: resolve, onerror: reject }));
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svgText(svg))}`;
  await loaded;
  const canvas = element("canvas");
  const fine = Math.min(2, 16_000 / Math.max(image.width, image.height));
  Object.assign(canvas, { width: image.width * fine, height: image.height * fine });
  const pen = penOf(canvas);
  pen.scale(fine, fine);
  pen.drawImage(image, 0, 0);
  return new Promise((resolve, reject) =>
    canvas.toBlob((made) => made ? resolve(made) : reject(new Error("This browser cannot make a PNG.")), "image/png")
  );
}

/**
 * Copy a text, or the promise of a PNG, and return whether that was possible.
 *
 * @param {string | Promise<Blob>} content
 */
export async function copied(content) {
  try {
    if (typeof content === "string") await navigator.clipboard.writeText(content);
    else await navigator.clipboard.write([new ClipboardItem({ "image/png": content })]);
    return true;
  } catch {
    return typeof content === "string" && copiedByHand(content);
  }
}

/** Copy a text where a browser keeps its clipboard from pages without https. @param {string} text */
function copiedByHand(text) {
  const box = document.body.appendChild(element("textarea"));
  box.value = text;
  box.select();
  const done = document.execCommand("copy");
  box.remove();
  return done;
}

/** Hand a file to the visitor. @param {string} name @param {string} type @param {BlobPart} content */
export function download(name, type, content) {
  const url = URL.createObjectURL(new Blob([content], { type }));
  Object.assign(element("a"), { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/**
 * Hand a picture to the visitor.
 *
 * @param {string} name
 * @param {string} kind "svg" or "png"
 * @param {SVGSVGElement} svg
 */
export async function downloadPicture(name, kind, svg) {
  if (kind === "svg") download(`${name}.svg`, "image/svg+xml", svgText(svg));
  else download(`${name}.png`, "image/png", await pngOf(svg));
}

/**
 * Return rows with named columns as a CSV file.
 *
 * @param {string[]} columns
 * @param {TableRow[]} rows
 */
export function csvOf(columns, rows) {
  const lines = [columns, ...rows.map((row) => columns.map((column) => row[column]))];
  return lines.map((line) => line.map(cell).join(",") + "\r\n").join("");
}

/** @param {string | number} value */
const cell = (value) => /[",\r\n]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : String(value);
