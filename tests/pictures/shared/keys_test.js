import { deepEqual, equal } from "node:assert/strict";

import { listenFor } from "../../../bpe_core/pictures/shared/keys.js";

/** @import { Act } from "../../../bpe_core/pictures/shared/keys.js" */

/** The elements of a page that a key may belong to, as far as the keys ask. */
class FakeElement {
  tagName = "DIV";
  isContentEditable = false;

  /** @param {string} role */
  constructor(role) {
    this.role = role;
  }

  /** @param {string} selector */
  closest(selector) {
    return this.role && selector.includes(`[role=${this.role}]`) ? this : null;
  }

  getAttribute() {
    return this.role;
  }
}

const none = class {};
Object.assign(globalThis, {
  HTMLElement: FakeElement,
  HTMLTextAreaElement: none,
  HTMLSelectElement: none,
  HTMLInputElement: none,
});

/** Return step bars with these names, and what their keys did. @param {string[]} names */
function barsOf(...names) {
  const done = /** @type {string[]} */ ([]);
  const bars = names.map((name) => {
    const root = /** @type {any} */ (Object.assign(new EventTarget(), { host: { isConnected: true } }));
    const bar = { root, isShown: true, act: (/** @type {Act} */ act) => done.push(`${name} ${act}`) };
    listenFor(bar);
    return bar;
  });
  return { bars, done };
}

/**
 * Press a key, and return whether it is left to the page.
 *
 * @param {string} key
 * @param {{ role?: string, shiftKey?: boolean, ctrlKey?: boolean }} [options] `role`: of the element that has the focus
 */
function press(key, { role = "", ...options } = {}) {
  const event = new Event("keydown", { cancelable: true });
  Object.assign(event, { key, composedPath: () => [new FakeElement(role)], ...options });
  return dispatchEvent(event);
}

/** Take bars from the page. @param {{ root: { host: { isConnected: boolean } } }[]} bars */
function leave(bars) {
  for (const { root } of bars) root.host.isConnected = false;
  equal(press("End"), true);
}

Deno.test("every key does what its button does, and the page does nothing", () => {
  const { bars, done } = barsOf("film");
  for (const key of ["Home", "ArrowLeft", " ", "ArrowRight", "End"]) equal(press(key), false);
  deepEqual(done, ["film start", "film back", "film play", "film next", "film end"]);
  leave(bars);
});

Deno.test("other keys, keys with Shift or Control, and keys that an element needs are the page's", () => {
  const { bars, done } = barsOf("film");
  equal(press("a"), true);
  equal(press("ArrowRight", { shiftKey: true }), true);
  equal(press("ArrowRight", { ctrlKey: true }), true);
  equal(press("ArrowRight", { role: "radiogroup" }), true);
  equal(press("ArrowRight", { role: "region" }), true);
  equal(press(" ", { role: "button" }), true);
  equal(press("ArrowRight", { role: "button" }), false);
  deepEqual(done, ["film next"]);
  leave(bars);
});

Deno.test("of a film and a text the one that was used last has the keys, as long as it is shown and on the page", () => {
  const { bars, done } = barsOf("film", "text");
  const [film, text] = bars;
  press("End");
  text.root.dispatchEvent(new Event("pointerdown"));
  press("End");
  film.root.dispatchEvent(new Event("focusin"));
  press("End");
  film.isShown = false;
  press("End");
  film.isShown = true;
  film.root.host.isConnected = false;
  press("End");
  deepEqual(done, ["film end", "text end", "film end", "text end", "text end"]);
  leave(bars);
});
