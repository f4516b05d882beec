// Tokens as a picture, and pictures and tables as files: SVG, PNG, CSV, JSON, the clipboard.

import { element, penOf, setAttributes, svgElement, widthOf } from "./elements.js";
import { PICTURE } from "./from_python.js";
import { layout } from "./layout.js";

/** @import { Inks } from "./chips.js" */
/** @import { Font, Row } from "./layout.js" */
/** @import { TableRow } from "./types.js" */

const SVG = "http://www.w3.org/2000/svg";

/** @param {Font} font */
const cssOf = ([family, size]) => `${size}px ${family}`;

/**
 * Return a picture of rows of tokens. Its elements have the order in which bpe_core/pictures/paper/svg.py writes them.
 *
 * @param {string} title
 * @param {Row[]} rows
 * @param {(colour: number) => Inks} inkOf
 * @param {string} paper
 */
export function pictureOf(title, rows, inkOf, paper) {
  const { chip_font, below_font, words_font, whole_font, chip: height, corner, baseline, below_baseline } = PICTURE;
  const { boxes, words, labels, brackets, width, height: whole } = layout(
    rows,
    PICTURE,
    (text, font) => widthOf(text, cssOf(font)),
  );
  const svg = svgElement("svg", { xmlns: SVG, role: "img", width, height: whole, viewBox: `0 0 ${width} ${whole}` });
  svg.append(svgElement("title", {}, title), svgElement("rect", { width: "100%", height: "100%", fill: paper }));
  /** @param {string} text @param {number} x @param {number} y @param {string} fill @param {Font} font */
  const write = (text, x, y, fill, [family, size]) => {
    const font = { "font-family": family, "font-size": size, style: "white-space: pre" };
    const drawn = svg.appendChild(svgElement("text", { x, y, fill, ...font }, text));
    // So the text keeps its width in another font. Only for ASCII, since other letters are not spaced.
    // deno-lint-ignore no-control-regex
    if (/^[\x00-\x7f]{2,}$/.test(text)) drawn.setAttribute("textLength", String(widthOf(text, `${size}px ${family}`)));
    return drawn;
  };
  for (const { x, y, to_x } of brackets) {
    svg.append(svgElement("path", { d: `M${x} ${y - 4}v4H${to_x}v-4`, stroke: inkOf(0)[2], fill: "none" }));
  }
  for (const { x, y, width, chip } of boxes) {
    const [ground, ink, soft] = inkOf(chip.colour);
    /** @type {Record<string, string>} */
    const look = chip.lost ? { fill: "none", stroke: soft, "stroke-dasharray": "3 2" } : { fill: ground };
    svg.append(svgElement("rect", { x, y, width, height, rx: corner, ...look }));
    const texts = [write(chip.text, x + width / 2, y + baseline, ink, chip_font)];
    if (chip.lost) texts[0].setAttribute("text-decoration", "line-through");
    if (chip.below) texts.push(write(chip.below, x + width / 2, y + below_baseline, soft, below_font));
    for (const text of texts) text.setAttribute("text-anchor", "middle");
  }
  for (const { x, y, text } of words) write(text, x, y + baseline, inkOf(0)[1], words_font);
  for (const { x, y, text } of labels) write(text, x, y + baseline, inkOf(0)[2], whole_font);
  return svg;
}

/**
 * Return a copy of the page's picture for a file. The copy has a background, and the colours of the page's style sheet.
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
    const { fill, stroke, strokeDasharray, opacity, textDecoration } = getComputedStyle(shown);
    Object.assign(copies[i].style, { fill, stroke, strokeDasharray, opacity, textDecoration });
  });
  setAttributes(inner, { x: 12, y: 12 });
  return outer;
}

/** Return a copy of a picture. @param {SVGSVGElement} svg */
export const copyOf = (svg) => /** @type {SVGSVGElement} */ (svg.cloneNode(true));

/** Return a picture as the text of an SVG file. @param {SVGSVGElement} svg */
const svgText = (svg) => new XMLSerializer().serializeToString(svg);

/**
 * Return a picture as a PNG. It is twice as wide and high as the picture on the page, or smaller for a huge picture.
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
 * Copy a text or a PNG, given as a promise, to the clipboard. Return whether that was possible.
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

/** Copy a text in a browser that denies its clipboard to pages without https. @param {string} text */
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
