// The views of a page: each element keeps the view that it shows.

/**
 * @template Data
 * @typedef {{ receive: (component: import("./types.js").Component<Data>) => unknown }} View
 */

/** @type {WeakMap<ShadowRoot, View<any>>} */
const views = new WeakMap();

/**
 * Let the view of an element receive an answer of the source. `make` makes the view at the first answer.
 *
 * @template Data
 * @param {import("./types.js").Component<Data>} component
 * @param {() => View<Data>} make
 */
export function show(component, make) {
  const root = component.parentElement;
  const view = views.get(root) ?? make();
  views.set(root, view);
  view.receive(component);
}
