// Shows a live view, with Streamlit as the view's source of data. Only this short script travels with every answer. It
// imports the view's own script from the address in the data. Browsers load this short script from a blob, and no path
// resolves against a blob's address. So `URL` resolves the path against the page's address.
export default async function (component) {
  const { data, parentElement, setStateValue } = component;
  const { default: show } = await import(new URL(data.script, location.href).href); // once: the browser caches it
  if (!parentElement.isConnected) return; // the visitor has left the page meanwhile
  show({ data, parentElement, send: (request) => setStateValue("request", request) });
}
