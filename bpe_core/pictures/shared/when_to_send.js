// Whether the last click on the page forbids a component to send now.

const LEAVING = 5000; // milliseconds after which a click on a link counts as a click that led nowhere
const PRESS = 5000; // milliseconds after which a click no longer counts as the cause of a run
const last = { at: -Infinity, leftAt: -Infinity, leftPath: "" };
let isWatching = false;

/** Begin to watch for clicks. Every view calls this before it sends anything. */
export function watchClicks() {
  if (!isWatching) document.addEventListener("click", clicked, true);
  isWatching = true;
}

/** @param {MouseEvent} event */
function clicked(event) {
  last.at = performance.now();
  const inNewTab = event.ctrlKey || event.metaKey || event.shiftKey;
  const link = event.composedPath().find((node) =>
    node instanceof HTMLAnchorElement && node.dataset.testid === "stPageLink-NavLink"
  );
  if (inNewTab || !(link instanceof HTMLAnchorElement)) return;
  const isElsewhere = new URL(link.href, location.href).pathname !== location.pathname;
  if (isElsewhere) Object.assign(last, { leftAt: last.at, leftPath: location.pathname });
}

/**
 * Return whether the visitor is on the way to another page. If a component sends something now, the visitor stays: of
 * two waiting requests Streamlit runs only the newer request, on the page that sent it.
 */
export const isLeaving = () => performance.now() - last.leftAt < LEAVING && location.pathname === last.leftPath;

/**
 * Return whether a press of a button, made after `time`, may still wait for the page. A press in a fragment, made while
 * the page runs, waits for the end of that run. Streamlit forgets the press if a newer value of a component ends the
 * run early.
 *
 * @param {number} time milliseconds
 */
export const isPressWaiting = (time) => last.at > time && performance.now() - last.at < PRESS && isRunning();

/** Return whether Streamlit says that a script runs. */
export function isRunning() {
  /** @type {HTMLElement | null} */
  const app = document.querySelector("[data-test-script-state]");
  return app?.dataset.testScriptState === "running";
}
