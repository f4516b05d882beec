// All that travels with every answer: the component itself is served once, under an address that its data names.
// The browser takes this same script of two components for one.
const ready = new Map();
export default async function (component) {
  const { script } = component.data;
  if (!ready.has(script)) ready.set(script, import(new URL(script, location.href).href));
  const { default: show } = await ready.get(script).catch((error) => {
    ready.delete(script); // the next answer tries again
    throw error;
  });
  if (component.parentElement.isConnected) show(component); // else the page has been left meanwhile
}
