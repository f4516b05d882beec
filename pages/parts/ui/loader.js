// Shows a live view, with Streamlit as its source. Only this short script travels with every answer; it imports the
// view's own script from the address in the data. This script itself is loaded from a blob. No path resolves against a
// blob's address: hence `URL`.
export default async function (component) {
  const { data, parentElement, setStateValue } = component;
  const { default: show } = await import(new URL(data.script, location.href).href); // once: the browser caches it
  if (!parentElement.isConnected) return; // the visitor has left the page meanwhile
  show({ data, parentElement, send: (request) => setStateValue("request", request) });
}
