// A view on an HTML page of its own, without a server (see `page.py`).

/** @param {string} id */
const named = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** What came with the page. @type {any} */
export const came = JSON.parse(named("data").textContent);

/** Where the view is drawn. */
export const root = /** @type {ShadowRoot} */ (named("view").shadowRoot);
