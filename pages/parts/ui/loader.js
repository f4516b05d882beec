// Shows a live view, with Streamlit as the view's source of data. Only this short script travels with every answer. It
// imports the view's own script from the address in the data. Browsers load this short script from a blob, and no path
// resolves against a blob's address. So `URL` resolves the path against the page's address.

const views = new Map(); // a script's address → its function that shows an answer

export default async function (component) {
  const { data: { script, view: data }, parentElement, setStateValue } = component;
  // once: even for a script that the browser has, an import answers only after everything that already waits
  if (!views.has(script)) views.set(script, (await import(new URL(script, location.href).href)).default);
  if (!parentElement.isConnected) return; // the visitor has left the page meanwhile
  views.get(script)({ data, parentElement, send: (request) => setStateValue("request", request) });
}
