// When a page writes a step or a view into its own address, replace the page's entry in the browser's history instead
// of adding an entry. So "back" leads to the page before, and not through every step.
// A page may write its address as soon as it opens, so this script is in the document, before Streamlit's own.
{
  const push = history.pushState.bind(history);
  let soon = 0;
  history.pushState = (state, title, url) => {
    const address = new URL(url ?? location.href, location.href);
    const isHere = () => address.pathname === location.pathname;
    clearTimeout(soon);
    // later, since the page is to be drawn first: replacing the entry takes a browser as long as drawing the page
    if (isHere()) soon = setTimeout(() => isHere() && history.replaceState(state, title, address), 100);
    else push(state, title, url);
  };
}
