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
  history.pushState = (state, title, url) => {
    const same = url && new URL(url, location.href).pathname === location.pathname;
    same ? history.replaceState(state, title, url) : push(state, title, url);
  };
}

/** Streamlit's header holds the menu only, and leaves with the navigation when the page is scrolled. */
function scrollHeader({ target }) {
  if (target.dataset?.testid === "stMain")
    document.querySelector("[data-testid=stHeader]").style.translate = `0 ${-target.scrollTop}px`;
}

/** The chart as it is drawn, in a file of its own: text in the theme's colour, on the page's background. */
function saveAsSvg(drawn) {
  const svg = drawn.cloneNode(true);
  svg.style.color = getComputedStyle(drawn).color;
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([new XMLSerializer().serializeToString(svg)], { type: "image/svg+xml" }));
  link.download = "chart.svg";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href));
}

/** Beside "Download as PNG" in a chart's toolbar, the same as SVG. */
function offerSvg() {
  for (const png of document.querySelectorAll('button[aria-label^="Download as PNG"]')) {
    const place = png.closest("[data-testid=stElementToolbarButton]");
    if (!place || place.nextElementSibling?.dataset.svg) continue;
    const copy = place.cloneNode(true), button = copy.querySelector("button");
    copy.dataset.svg = "offered";
    button.ariaLabel = png.ariaLabel.replace("PNG", "SVG");
    button.textContent = "SVG";
    button.title = "Download as SVG";
    button.style.fontSize = "0.75rem";
    button.onclick = () => {
      const drawn = place.closest("[data-testid=stElementContainer]").querySelector("[data-testid=stVegaLiteChart] svg");
      if (drawn) saveAsSvg(drawn);
    };
    place.after(copy);
  }
}

if (!window.mergescope) {
  window.mergescope = true;
  keepOneEntryAPage();
  document.addEventListener("click", leaveViews, true);
  document.addEventListener("scroll", scrollHeader, true);
  new MutationObserver(offerSvg).observe(document.body, { childList: true, subtree: true });
  offerSvg();
}
