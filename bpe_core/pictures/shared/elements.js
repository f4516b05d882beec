// Elements of the page: made, found and measured. Text goes in as text, never as markup.

/**
 * Return a new element.
 *
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {string} [kind] its classes
 * @param {string} [text]
 */
export function element(name, kind = "", text = "") {
  const made = document.createElement(name);
  if (kind) made.className = kind;
  if (text) made.textContent = text;
  return made;
}

/**
 * Return a new button that submits nothing.
 *
 * @param {string} kind its classes
 * @param {string} [text]
 */
export function buttonOf(kind, text = "") {
  const made = element("button", kind, text);
  made.type = "button";
  return made;
}

/**
 * Return a new SVG element.
 *
 * @template {keyof SVGElementTagNameMap} Name
 * @param {Name} name
 * @param {Record<string, string | number>} attributes
 * @param {string} [text]
 */
export function svgElement(name, attributes, text = "") {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  setAttributes(made, attributes);
  made.textContent = text;
  return made;
}

/**
 * Let a menu close on a choice, on Escape, and when the focus leaves it; then its name has the focus.
 * @param {HTMLDetailsElement} menu
 */
export function closeOnChoice(menu) {
  const close = () => {
    menu.open = false;
    menu.querySelector("summary")?.focus();
  };
  menu.addEventListener("click", ({ target }) => target instanceof HTMLButtonElement && close());
  menu.addEventListener("keydown", ({ key }) => key === "Escape" && menu.open && close());
  menu.addEventListener("focusout", ({ relatedTarget }) => {
    if (relatedTarget instanceof Node && !menu.contains(relatedTarget)) menu.open = false;
  });
}

/** Give an element a text, unless it has it: then the browser has nothing to lay out. @param {Element} of @param {string} text */
export function write(of, text) {
  if (of.textContent !== text) of.textContent = text;
}

/**
 * Set attributes of an element.
 *
 * @param {Element} of
 * @param {Record<string, string | number | boolean>} attributes
 */
export function setAttributes(of, attributes) {
  for (const [name, value] of Object.entries(attributes)) of.setAttribute(name, String(value));
}

/**
 * Give an element these children, unless it has the same already: then the browser has nothing to lay out and to paint.
 *
 * @param {Element} of
 * @param {(Node | string)[]} children
 */
export function setChildren(of, ...children) {
  const { old, fresh, first } = compared(of, children);
  if (first < Math.max(old.length, fresh.length)) of.replaceChildren(...fresh);
}

/**
 * Give an element these children, and keep those of its own that are the same at both ends. The browser has less to lay
 * out and to paint; but a child that stays may move, where a new one would just be there.
 *
 * @param {Element} of
 * @param {(Node | string)[]} children
 */
export function changeChildren(of, ...children) {
  const { old, fresh, first } = compared(of, children);
  const most = Math.min(old.length, fresh.length) - first;
  let last = 0; // how many children stay at the end
  while (last < most && old[old.length - 1 - last].isEqualNode(fresh[fresh.length - 1 - last])) last++;
  const after = old[old.length - last] ?? null;
  for (const node of old.slice(first, old.length - last)) node.remove();
  for (const node of fresh.slice(first, fresh.length - last)) of.insertBefore(node, after);
}

/**
 * Return the child nodes that an element has, those that it is to have, and how many of the first are the same.
 *
 * @param {Element} of
 * @param {(Node | string)[]} children
 */
function compared(of, children) {
  const made = element("div");
  made.append(...children);
  const [old, fresh] = [[...of.childNodes], [...made.childNodes]];
  const other = old.findIndex((node, i) => !(fresh[i] && node.isEqualNode(fresh[i])));
  return { old, fresh, first: other < 0 ? old.length : other };
}

/**
 * Return the first element within `root` that `selector` matches. Throw `TypeError` if there is no such element, or if
 * it is not of the given kind.
 *
 * @template {Element} Kind
 * @param {ParentNode} root
 * @param {string} selector
 * @param {new () => Kind} kind
 */
export function find(root, selector, kind) {
  const found = root.querySelector(selector);
  if (found instanceof kind) return found;
  throw new TypeError(`This view has no ${kind.name} that ${selector} matches.`);
}

/**
 * Return the nearest element that `selector` matches, from an event's target outwards; null if no element matches.
 *
 * @param {Event} event
 * @param {string} selector
 */
export function around(event, selector) {
  const found = event.target instanceof Element ? event.target.closest(selector) : null;
  return found instanceof HTMLElement ? found : null;
}

/** Return the drawing context of a canvas. @param {HTMLCanvasElement} canvas */
export function penOf(canvas) {
  const pen = canvas.getContext("2d");
  if (!pen) throw new Error("This browser cannot draw on a canvas.");
  return pen;
}

/** @type {CanvasRenderingContext2D | undefined} */
let ruler;

/**
 * Return how wide a text is, in whole pixels.
 *
 * @param {string} text
 * @param {string} font as in CSS
 */
export function widthOf(text, font) {
  ruler ??= penOf(element("canvas"));
  ruler.font = font;
  return Math.ceil(ruler.measureText(text).width);
}
