// Shows a live view, with Streamlit as the view's source of data. Only this short script travels with every answer. It
// imports the view's own script from the address in the data. Browsers load this short script from a blob, and no path
// resolves against a blob's address. So `URL` resolves the path against the page's address.
//
// An import answers in a later task, even if the script is loaded. So the script's function is kept, and the next
// answer is shown at once. Answers that come during an import wait for that same import, so they are shown in order.
// Until then nothing of the view is drawn: it has its elements, and nothing in them. The page's style sheet keeps room
// for it, until it is marked as drawn.

const loaded = new Map(); // a script's address → its function that shows an answer
const imports = new Map(); // a script's address → the import under way
const UNDRAWN = new CSSStyleSheet();
UNDRAWN.replaceSync("* { display: none !important }");

export default async function (component) {
  const { data: { script, data }, parentElement, setStateValue } = component;
  const sheets = parentElement.adoptedStyleSheets;
  if (!loaded.has(script)) {
    sheets.push(UNDRAWN);
    if (!imports.has(script)) {
      const begun = import(new URL(script, location.href).href);
      imports.set(script, begun.finally(() => imports.delete(script))); // one that failed is tried again
    }
    loaded.set(script, (await imports.get(script)).default);
  }
  if (!parentElement.isConnected) return; // the visitor has left the page meanwhile
  loaded.get(script)({ data, parentElement, send: (request) => setStateValue("request", request) });
  if (sheets.includes(UNDRAWN)) parentElement.adoptedStyleSheets = sheets.filter((each) => each !== UNDRAWN);
  parentElement.host.toggleAttribute("data-drawn", true);
}
