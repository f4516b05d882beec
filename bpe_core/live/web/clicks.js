// What the last click on the page means for what a component may send now.

const LEAVING = 5000; // milliseconds after which a click on a link counts as one that led nowhere
const PRESS = 5000; // milliseconds after which a click has no part in what the page still runs
const last = { at: -Infinity, leftAt: -Infinity, leftPath: "" };
let isWatching = false;

/** Begin to watch for clicks. Every view calls it before it sends anything. */
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
 * Return whether the visitor is on the way to another page. Streamlit takes what a component sends then for a wish to
 * stay: of two requests that wait it runs the newer one, with the page that sent it.
 */
export const isLeaving = () => performance.now() - last.leftAt < LEAVING && location.pathname === last.leftPath;

/**
 * Return whether a button may have been pressed since a time, and may wait for the page. A button of a part of the page,
 * pressed while the page runs, waits for the end of that run; Streamlit forgets the press where a newer value of a
 * component ends the run early.
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
