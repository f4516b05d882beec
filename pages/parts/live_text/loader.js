// Streamlit as the source of a live view. Only this script travels with every answer; it fetches the view's own script,
// once, from the address `data.script`. That is completed by the page's address, since this script, a blob, has no path.
export default async function (component) {
  const { data, parentElement, setStateValue } = component;
  const { default: show } = await import(new URL(data.script, location.href).href); // once: the browser keeps it
  if (!parentElement.isConnected) return; // the page has been left meanwhile
  show({ data, parentElement, send: (request) => setStateValue("request", request) });
}
