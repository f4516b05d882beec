// Streamlit as the source of a live view. This is all that travels with every answer: the view's own script is served
// once, under an address that its data names. The browser takes this same script of two components for one.
const ready = new Map();
export default async function (component) {
  const { data, parentElement, setStateValue } = component;
  const { script } = data;
  if (!ready.has(script)) ready.set(script, import(new URL(script, location.href).href));
  const { default: show } = await ready.get(script).catch((error) => {
    ready.delete(script); // the next answer tries again
    throw error;
  });
  if (!parentElement.isConnected) return; // the page has been left meanwhile
  show({ data, parentElement, send: (request) => setStateValue("request", request) });
}
