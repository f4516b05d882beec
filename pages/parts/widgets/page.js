// What every page adds to the widgets it is made of. Runs once for as long as the browser's tab shows the app.

/**
 * A click on the name of a view would leave the focus there, where arrow keys and Space choose the next view instead of
 * stepping. Whoever comes to the names by keyboard keeps the focus: such a click has no `detail`.
 */
function leaveViews(event) {
  if (event.detail && event.target.closest("[data-testid=stButtonGroup]"))
    setTimeout(() => document.activeElement?.blur());
}

/**
 * What a page writes into its own address, a step or a view, replaces the entry in the browser's history: "back" then
 * leads to the page before, and not through every step.
 */
function keepOneEntryAPage() {
  const push = history.pushState.bind(history);
  let soon = 0;
  history.pushState = (state, title, url) => {
    const address = new URL(url ?? location.href, location.href);
    const isHere = () => address.pathname === location.pathname;
    clearTimeout(soon);
    // in 100 ms: the browser takes as long for this as for drawing what is new, which comes first
    if (isHere()) soon = setTimeout(() => isHere() && history.replaceState(state, title, address), 100);
    else push(state, title, url);
  };
}

/** Streamlit's header holds the menu only, and leaves with the navigation when the page is scrolled. */
function scrollHeader({ target }) {
  if (target.dataset?.testid === "stMain")
    document.querySelector("[data-testid=stHeader]").style.translate = `0 ${-target.scrollTop}px`;
}

if (!window.mergescope) {
  window.mergescope = true;
  keepOneEntryAPage();
  document.addEventListener("click", leaveViews, true);
  document.addEventListener("scroll", scrollHeader, true);
}
