// Streamlit as the source of a live view. This is all that travels with every answer: the view's own script is one of the
// server's, whose address its data names. This one is a blob, against whose own address no path resolves.
export default async function (component) {
  const { data, parentElement, setStateValue } = component;
  const { default: show } = await import(new URL(data.script, location.href).href); // once: the browser keeps it
  if (!parentElement.isConnected) return; // the page has been left meanwhile
  show({ data, parentElement, send: (request) => setStateValue("request", request) });
}
