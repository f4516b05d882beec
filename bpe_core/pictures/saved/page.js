// A source without a server: it answers a view from the data in the HTML page (see `saved_page.py`). `#step=12` in the
// page's address is the step of the view.

import { fromBase64 } from "../shared/bytes.js";

/** @import { Component, Request } from "../shared/types.js" */

/**
 * The data of a view that has steps. `stage`: the index of the stage that is shown, if there are several.
 * @typedef {{ version: string | number, answered: number, step: number, stage?: number }} StepData
 */

/** @param {string} id */
const named = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** Return a number in the page's address; null if the address lacks that number. @param {"step" | "stage"} name */
function linked(name) {
  const number = new URLSearchParams(location.hash.slice(1)).get(name) ?? "";
  return /^\d{1,9}$/.test(number) ? Number(number) : null;
}

/**
 * Write a step, and a stage if there are several, into the page's address.
 *
 * @param {number | undefined} step
 * @param {number | undefined} stage
 */
function link(step, stage) {
  const isInNotebook = location.protocol === "about:"; // in a frame, whose address cannot change
  const hash = stage === undefined ? `#step=${step}` : `#stage=${stage}&step=${step}`;
  if (!isInNotebook && step !== undefined && hash !== location.hash) history.replaceState(history.state, "", hash);
}

// Before any data is read, since the notebook tells its theme as soon as the page is loaded.
addEventListener("message", ({ data: theme }) => {
  if (theme === "light" || theme === "dark") document.documentElement.style.colorScheme = theme;
});

/** Return the page's data, which is in the page as compressed JSON. @returns {Promise<any>} */
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
    const { step, enter } =
      /** @type {{ step?: number, enter?: [stage: number, step: number] | null }} */ (request.choice);
    Object.assign(data, answer(request), { answered: request.number });
    link(enter ? enter[1] : step, data.stage);
    receive();
  };
  const follow = () => {
    const [stage, step] = [linked("stage"), linked("step")];
    const isOther = stage !== null && stage !== data.stage;
    if (isOther) Object.assign(data, answer({ number: 0, version: null, choice: { enter: [stage, 0] } }));
    data.step = step ?? data.step;
    data.version = `linked ${data.version}`; // the view adopts the step
    receive();
  };
  addEventListener("hashchange", follow); // for a link within the page; `link` does not cause this event
  follow();
}
