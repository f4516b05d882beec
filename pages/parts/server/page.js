// What every page adds to Streamlit's widgets. The listeners are added once for as long as the tab shows the app.

/**
 * Take the focus away from the name of a view after a click: there, arrow keys and Space would choose the next view
 * instead of stepping. A choice by keyboard leaves the focus there: its click has no `detail`.
 */
function leaveViews(event) {
  if (event.detail && event.target.closest("[data-testid=stButtonGroup]"))
    setTimeout(() => document.activeElement?.blur());
}

/**
 * Let a page that writes a step or a view into its own address replace its entry in the browser's history. So "back"
 * leads to the page before, and not through every step.
 */
function keepOneEntryAPage() {
  const push = history.pushState.bind(history);
  let soon = 0;
  history.pushState = (state, title, url) => {
    const address = new URL(url ?? location.href, location.href);
    const isHere = () => address.pathname === location.pathname;
    clearTimeout(soon);
    // later: this takes a browser as long as drawing the page, which comes first
    if (isHere()) soon = setTimeout(() => isHere() && history.replaceState(state, title, address), 100);
    else push(state, title, url);
  };
}

/** Let a theme that is chosen on one page hold on all. Streamlit stores it under the address that the tab opened. */
function shareTheme() {
  for (const name of ["setItem", "removeItem"]) {
    const change = Storage.prototype[name];
    Storage.prototype[name] = function (key, value) {
      change.call(this, key, value);
      const [, version] = key.match(/^stActiveTheme-.*(-v\d+)$/) ?? [];
      const pages = version ? document.querySelectorAll(".st-key-navigation a") : [];
      for (const { pathname } of pages) change.call(this, `stActiveTheme-${pathname}${version}`, value);
    };
  }
}

/** Move Streamlit's header, which has only the menu, out of sight with the navigation when the page is scrolled. */
function scrollHeader({ target }) {
  if (target.dataset?.testid === "stMain")
    document.querySelector("[data-testid=stHeader]").style.translate = `0 ${-target.scrollTop}px`;
}

/** Make the row of links to the pages a landmark for screen readers. Streamlit has no element for it. */
function nameNavigation() {
  for (const row of document.querySelectorAll(".st-key-navigation")) {
    row.setAttribute("role", "navigation");
    row.setAttribute("aria-label", "Pages");
  }
}

nameNavigation();
if (!window.mergescope) {
  window.mergescope = true;
  keepOneEntryAPage();
  shareTheme();
  document.addEventListener("click", leaveViews, true);
  document.addEventListener("scroll", scrollHeader, true);
}
