// What the page draws is of an earlier text or step than a picture shows, until the page has heard of the new one.

const MARK = 500; // milliseconds after which what the page draws counts as late

/**
 * Says that the page is behind, by classes of the document: Share waits while there is `name-soon`, which is there at
 * once, and the style sheet marks the page while there is `name`, which comes after a moment.
 */
export class Behind {
  /** @type {import("./types.js").Timer | undefined} */
  #marking;

  /** @param {string} name */
  constructor(name) {
    this.name = name;
  }

  /** Something was typed or chosen. */
  begin() {
    document.documentElement.classList.add(`${this.name}-soon`);
    this.#marking ??= setTimeout(() => document.documentElement.classList.add(this.name), MARK);
  }

  /** The page has heard of it. */
  end() {
    clearTimeout(this.#marking);
    this.#marking = undefined;
    document.documentElement.classList.remove(this.name, `${this.name}-soon`);
  }
}
