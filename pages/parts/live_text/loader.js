// All that travels with every answer: the component itself is served once, under an address that its data names.
let ready;
export default async function (component) {
  ready ??= import(new URL(component.data.script, location.href).href);
  (await ready).default(component);
}
