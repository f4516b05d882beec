// Whether the last click on the page forbids a component to send now.

const LEAVING = 5000; // milliseconds after which a click on a link counts as a click that led nowhere
const PRESS = 5000; // milliseconds after which a click no longer counts as the cause of a run
const last = { at: -Infinity, leftAt: -Infinity, leftPath: "" };
const HELD = 2000; // milliseconds for which a click on a link waits at most
const LOOK = 30; // milliseconds between two looks whether it may go on
let isWatching = false;
/** @type {() => boolean} */
let isUnheard = () => false;
/** @type {HTMLAnchorElement | null} */
let passing = null; // the link whose held click goes on now

/**
 * Begin to watch for clicks. Every view calls this before it sends anything.
 *
 * @param {() => boolean} unheard whether a view has something that the page has not answered: a link waits for that
 */
export function watchClicks(unheard) {
  isUnheard = unheard;
  if (!isWatching) document.addEventListener("click", clicked, true);
  isWatching = true;
}

/**
 * Hold a click on a link until the page has answered what was typed and chosen, since Streamlit runs only the newer of
 * two waiting requests: the other page would lack it, or the visitor would stay.
 *
 * @param {MouseEvent} event
 * @param {HTMLAnchorElement} link
 */
function hold(event, link) {
  event.preventDefault();
  event.stopImmediatePropagation();
  const until = performance.now() + HELD;
  const goOn = () => {
    if (isUnheard() && performance.now() < until) {
      setTimeout(goOn, LOOK);
      return;
    }
    passing = link;
    link.click();
    passing = null;
  };
  setTimeout(goOn, LOOK);
}

/** @param {MouseEvent} event */
function clicked(event) {
  const inNewTab = event.ctrlKey || event.metaKey || event.shiftKey;
  const link = event.composedPath().find((node) =>
    node instanceof HTMLAnchorElement && node.dataset.testid === "stPageLink-NavLink"
  );
  const isLink = !inNewTab && link instanceof HTMLAnchorElement;
  const isElsewhere = isLink && new URL(link.href, location.href).pathname !== location.pathname;
  if (isElsewhere && isUnheard() && link !== passing) return hold(event, link);
  last.at = performance.now();
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
