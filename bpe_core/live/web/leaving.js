// Whether the visitor is on the way to another page. Streamlit takes what a component sends then for a wish to stay: of
// two requests that wait it runs the newer, with the page of the one who sent it.

const LEAVING = 5000; // milliseconds after which a click on a link is taken for one that led nowhere
const left = { at: -Infinity, path: "" };

document.addEventListener("click", (event) => {
  const link = event.composedPath().find((node) => node.dataset?.testid === "stPageLink-NavLink");
  const here = !event.ctrlKey && !event.metaKey && !event.shiftKey; // not in a new tab or window
  const away = link && new URL(link.href, location.href).pathname !== location.pathname;
  if (away && here) Object.assign(left, { at: performance.now(), path: location.pathname });
}, true);

export const isLeaving = () => performance.now() - left.at < LEAVING && location.pathname === left.path;
