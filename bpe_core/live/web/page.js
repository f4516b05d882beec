// A source without a server: it answers a view from the data in the HTML page (see `page.py`).

/** @import { Component, Request } from "./types.js" */

/** @param {string} id */
const named = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** The data in the page. @type {any} */
export const content = JSON.parse(named("data").textContent);

/**
 * Show a view, and answer its requests.
 *
 * @param {(component: Component<any>) => void} show
 * @param {(request: Request) => object} answer return what a request changes in the view's data
 */
export function serve(show, answer) {
  const parentElement = /** @type {ShadowRoot} */ (named("view").shadowRoot);
  const { data } = content;
  const receive = () => show({ data, parentElement, send: (request) => setTimeout(respond, 0, request) });
  /** @param {Request} request */
  const respond = (request) => {
    Object.assign(data, answer(request), { answered: request.number });
    receive();
  };
  receive();
}
