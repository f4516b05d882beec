// The keys of the step bar. Of several films on a page the one that was used last has them.

/** @typedef {"start" | "back" | "play" | "next" | "end"} Act what a button of the step bar does */
/** @typedef {{ root: ShadowRoot, act: (act: Act) => void }} Steps something with a step bar */

/** @type {Readonly<Record<string, Act>>} */
export const KEYS = { Home: "start", ArrowLeft: "back", " ": "play", ArrowRight: "next", End: "end" };

// What uses the arrow keys, Home and End itself.
const USES_ARROWS = "[role=radiogroup], [role=listbox][aria-expanded], [role=menu], [role=slider], [role=tablist], " +
  "[data-baseweb=select]";

/** @type {Steps[]} */
let films = []; // on the page; the one that has the keys is the first

/** Give a film the keys when it is used, as long as it is on the page. @param {Steps} film */
export function listenFor(film) {
  if (!films.length) addEventListener("keydown", pressed);
  films.push(film);
  for (const type of ["pointerdown", "focusin"]) {
    film.root.addEventListener(type, () => films = [film, ...films.filter((other) => other !== film)]);
  }
}

/** @param {KeyboardEvent} event */
function pressed(event) {
  films = films.filter(({ root }) => root.host.isConnected);
  if (!films.length) return removeEventListener("keydown", pressed);
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.defaultPrevented) return;
  const act = KEYS[event.key];
  const [focused] = event.composedPath();
  if (!act || (focused instanceof HTMLElement && takesKey(focused, event.key))) return;
  event.preventDefault();
  films[0].act(act);
}

/** Return whether a key belongs to the element that has the focus. @param {HTMLElement} focused @param {string} key */
function takesKey(focused, key) {
  if (focused.isContentEditable || focused instanceof HTMLTextAreaElement || focused instanceof HTMLSelectElement) {
    return true;
  }
  if (focused instanceof HTMLInputElement) {
    if (focused.type === "range") return key !== " ";
    return !["checkbox", "button", "radio"].includes(focused.type) || key === " ";
  }
  if (focused.closest(USES_ARROWS)) return true;
  const isPressed = ["BUTTON", "A", "SUMMARY"].includes(focused.tagName) || focused.getAttribute("role") === "button";
  return key === " " && isPressed;
}
