// When a page writes a step into its own address, replace the page's entry in the browser's history instead of adding
// an entry. So "back" leads to the view before, or to the page before, and not through every step. An address that the
// page corrects by itself, as that of a wrong link, has no entry either: "back" would lead to it again and again.
// A page may write its address as soon as it opens, so this script is in the document, before Streamlit's own.
{
  const push = history.pushState.bind(history);
  let soon = 0, acted = -Infinity; // milliseconds
  for (const act of ["pointerdown", "keydown"]) addEventListener(act, () => acted = performance.now(), true);
  const placeIn = ({ searchParams: values }) => `${values.get("view")} ${values.get("lesson")}`;
  history.pushState = (state, title, url) => {
    const address = new URL(url ?? location.href, location.href);
    const isHere = () => address.pathname === location.pathname;
    const isChosen = performance.now() - acted < 10_000 && placeIn(address) !== placeIn(new URL(location.href));
    clearTimeout(soon);
    // later, since the page is to be drawn first: replacing the entry takes a browser as long as drawing the page
    if (isHere() && !isChosen) soon = setTimeout(() => isHere() && history.replaceState(state, title, address), 100);
    else push(state, title, url);
  };
}
