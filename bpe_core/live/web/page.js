// A source without a server: it answers a view from the data in the HTML page (see `page.py`). `#step=12` in the page's
// address is the step of the view.

import { fromBase64 } from "./bytes.js";

/** @import { Component, Request } from "./types.js" */

/** @typedef {{ version: string | number, answered: number, step: number }} StepData the data of a view that has steps */

/** @param {string} id */
const named = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** Return the step in the page's address; null if it has none. */
function linkedStep() {
  const step = new URLSearchParams(location.hash.slice(1)).get("step") ?? "";
  return /^\d{1,9}$/.test(step) ? Number(step) : null;
}

/** Write a step into the page's address. @param {number | undefined} step */
function link(step) {
  const isInNotebook = location.protocol === "about:"; // in a frame, whose address cannot change
  if (isInNotebook || step === undefined || step === linkedStep()) return;
  history.replaceState(history.state, "", `#step=${step}`);
}

// Before any data is read, since the notebook tells its theme as soon as the page is loaded.
addEventListener("message", ({ data: theme }) => {
  if (theme === "light" || theme === "dark") document.documentElement.style.colorScheme = theme;
});

/** Return the data in the page, which is JSON, compressed. @returns {Promise<any>} */
export async function content() {
  const compressed = new Blob([fromBase64(named("data").textContent)]).stream();
  return await new Response(compressed.pipeThrough(new DecompressionStream("deflate"))).json();
}

/**
 * Show a view, and answer its requests.
 *
 * @param {(component: Component<any>) => void} show
 * @param {StepData} data the view's data
 * @param {(request: Request) => object} answer return what a request changes in the view's data
 */
export function serve(show, data, answer) {
  const parentElement = /** @type {ShadowRoot} */ (named("view").shadowRoot);
  const receive = () => show({ data, parentElement, send: (request) => setTimeout(respond, 0, request) });
  /** @param {Request} request */
  const respond = (request) => {
    link(/** @type {{ step?: number }} */ (request.choice).step);
    Object.assign(data, answer(request), { answered: request.number });
    receive();
  };
  const follow = () => {
    data.step = linkedStep() ?? data.step;
    data.version = `linked ${data.version}`; // the view adopts the step
    receive();
  };
  addEventListener("hashchange", follow); // a link within the page; the page's own writing is none
  follow();
}
