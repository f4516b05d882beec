// What every page adds to Streamlit's widgets. The listeners are added once for as long as the tab shows the app.

/**
 * After a click on the name of a view, take the focus away from that name. While a name has the focus, arrow keys and
 * Space choose the next view instead of stepping. If the view was chosen by keyboard, the click event has no `detail`,
 * and the focus stays.
 */
function leaveViews(event) {
  if (event.detail && event.target.closest("[data-testid=stButtonGroup]"))
    setTimeout(() => document.activeElement?.blur());
}

/**
 * Let a theme that is chosen on one page hold on all pages. Streamlit stores the theme only under the address that the
 * tab opened.
 */
function shareTheme() {
  for (const name of ["setItem", "removeItem"]) {
    const change = Storage.prototype[name];
    Storage.prototype[name] = function (key, value) {
      change.call(this, key, value);
      const [, version] = key.match(/^stActiveTheme-.*(-v\d+)$/) ?? [];
      const links = version ? document.querySelectorAll(".st-key-navigation a") : [];
      const shown = Array.from(links, ({ pathname }) => pathname);
      // pages that share a link with another page; `page_scripts.py` writes their names here
      const others = links.length ? PAGES_UNDER.map((name) => new URL(name, links[1].href).pathname) : [];
      for (const path of [...shown, ...others]) change.call(this, `stActiveTheme-${path}${version}`, value);
    };
  }
}

/**
 * Give the document the colour scheme of the theme. Streamlit sets it on its own element only, and draws menus beside
 * that: there, all colours that follow the scheme would be the light ones. Another theme is another class of the element.
 */
function spreadScheme() {
  const app = document.querySelector(".stApp");
  const spread = () => (document.documentElement.style.colorScheme = getComputedStyle(app).colorScheme);
  new MutationObserver(spread).observe(app, { attributeFilter: ["class"] });
  spread();
}

/** When the page is scrolled, move Streamlit's header with the navigation. The header contains only the menu. */
function scrollHeader({ target }) {
  if (target.dataset?.testid === "stMain")
    document.querySelector("[data-testid=stHeader]").style.translate = `0 ${-target.scrollTop}px`;
}

/** Make the row of links to the pages a landmark for screen readers. Streamlit has no element for a navigation. */
function nameNavigation() {
  for (const row of document.querySelectorAll(".st-key-navigation")) {
    row.setAttribute("role", "navigation");
    row.setAttribute("aria-label", "Pages");
  }
}

/**
 * Half a second after an answer has begun, let the style sheet make pale what the answer will replace. Streamlit's own
 * fading waits as long, but its transition begins at once, and the browser paints the page in every frame for that.
 */
function fadeLate() {
  let late = 0;
  new MutationObserver(([{ target }]) => {
    clearTimeout(late);
    const pale = (is) => document.documentElement.classList.toggle("late", is);
    if (target.dataset.testScriptState === "running") late = setTimeout(pale, 500, true);
    else pale(false);
  }).observe(document.body, { attributeFilter: ["data-test-script-state"], subtree: true });
}

/** Tell screen readers while what the page draws is of an earlier text or step than a picture shows (behind.js). */
function sayBusy() {
  const html = document.documentElement;
  new MutationObserver(() => {
    const busy = (place, is) => document.querySelectorAll(place).forEach((all) => all.setAttribute("aria-busy", is));
    const isBehind = html.classList.contains("behind");
    busy(".st-key-view, .st-key-above-film", isBehind);
    busy(".st-key-below-film", isBehind || html.classList.contains("behind-film"));
  }).observe(html, { attributeFilter: ["class"] });
}

/**
 * If no page embeds this one, drop the messages that Streamlit sends to such a page. Streamlit would receive them
 * itself, and take a millisecond to refuse each. A message that a frame within this page posts to it would now seem to
 * come from the page itself; there is no such frame.
 */
function tellOnlyAnEmbeddingPage() {
  const post = window.postMessage.bind(window);
  window.postMessage = (message, ...rest) => {
    if (parent !== window || !message?.stCommVersion) post(message, ...rest);
  };
}

/**
 * When a visitor chooses or drops a large GGUF, a file of llama.cpp, put its beginning in its place before Streamlit
 * sees the file.
 */
function cutModels(event) {
  // The tokenizer is at the beginning; what follows are a model's gigabytes. `page_scripts.py` writes the number here.
  const most = MODEL_MB << 20; // bytes
  const files = [...(event.dataTransfer ?? event.target).files ?? []];
  const isLarge = (file) => /\.gguf$/i.test(file.name) && file.size > most;
  const chooser = event.target.closest?.("[data-testid=stFileUploader]")?.querySelector("input[type=file]");
  if (!chooser || !files.some(isLarge)) return;
  const cut = new DataTransfer();
  for (const file of files)
    cut.items.add(isLarge(file) ? new File([file.slice(0, most)], file.name) : file);
  event.preventDefault();
  event.stopPropagation();
  chooser.files = cut.files;
  chooser.dispatchEvent(new Event("change", { bubbles: true }));
}

nameNavigation();
if (!window.mergescope) {
  window.mergescope = true;
  shareTheme();
  spreadScheme();
  fadeLate();
  sayBusy();
  tellOnlyAnEmbeddingPage();
  document.addEventListener("click", leaveViews, true);
  document.addEventListener("scroll", scrollHeader, true);
  document.addEventListener("change", cutModels, true);
  document.addEventListener("drop", cutModels, true);
}
