// The buttons of the step bars, and their keys. Of several bars on a page, the bar whose view was used last has the keys.

/** @typedef {"start" | "back" | "play" | "next" | "end"} Act the action of a button of a step bar */
/** @typedef {{ root: ShadowRoot, isShown: boolean, act: (act: Act) => void }} Bar */

/**
 * The buttons of a step bar: their names, keys and hints. The button End has no hint: a hint would repeat the name.
 * @type {Readonly<Record<Act, { name: string, key: string, hint: string }>>}
 */
export const ACTS = {
  start: { name: "Start", key: "Home", hint: "Home" },
  back: { name: "Back", key: "ArrowLeft", hint: "←" },
  play: { name: "Play", key: " ", hint: "Space" },
  next: { name: "Next", key: "ArrowRight", hint: "→" },
  end: { name: "End", key: "End", hint: "" },
};
const KEYS = new Map(Object.entries(ACTS).map(([act, { key }]) => [key, /** @type {Act} */ (act)]));

// Elements that use the arrow keys, Home and End themselves. In a region that takes the focus, these keys scroll.
const USES_ARROWS = "[role=radiogroup], [role=listbox][aria-expanded], [role=menu], [role=slider], [role=tablist], " +
  "[role=region][tabindex], [data-baseweb=select]";

/** @type {Bar[]} */
let bars = []; // all bars of the page; the first is the bar that was used last

/** Give a step bar the keys when its view is used, as long as the bar is on the page. @param {Bar} bar */
export function listenFor(bar) {
  if (!bars.length) addEventListener("keydown", pressed);
  bars.push(bar);
  for (const type of ["pointerdown", "focusin"]) {
    bar.root.addEventListener(type, () => bars = [bar, ...bars.filter((other) => other !== bar)]);
  }
}

/** @param {KeyboardEvent} event */
function pressed(event) {
  bars = bars.filter(({ root }) => root.host.isConnected);
  if (!bars.length) return removeEventListener("keydown", pressed);
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.defaultPrevented) return;
  const act = KEYS.get(event.key);
  const bar = bars.find(({ isShown }) => isShown);
  const [focused] = event.composedPath();
  if (!act || !bar || (focused instanceof HTMLElement && takesKey(focused, event.key))) return;
  event.preventDefault();
  bar.act(act);
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
