// The figures of a text: the number of tokens in big letters, then smaller figures; below the tokens what they cost.

import { buttonOf, element, find, setAttributes, write } from "../shared/elements.js";
import { grouped, money, percent, priceOf, whyNoPrice } from "../shared/numbers.js";

/** @import { TextModel } from "../shared/cut.js" */
/** @import { TokenViewData } from "../shared/types.js" */

const TOKENS = "tokens"; // the name of the figure in big letters
const LOST = "pieces lost"; // the name of the figure that is shown only if something is lost
const WORDS = "tokens per word"; // the name of the figure beside the costs: the others have room in one line

/** @param {number} one @param {number} other */
const ratio = (one, other) => (other ? (one / other).toFixed(2) : "–");
/** @param {number} amount */
const exact = (amount) => (amount ? (amount < 0.01 ? amount.toPrecision(2) : amount.toFixed(2)) : "0");

export class Figures {
  #tokens = 0;
  /** @type {Map<string, { figure: HTMLElement, name: HTMLElement, value: HTMLElement }>} */
  #drawn = new Map();

  /** @param {ShadowRoot} root */
  constructor(root) {
    this.list = find(root, "#figures", HTMLElement);
    this.costs = find(root, "#costs", HTMLElement);
    this.window = find(root, "#window", HTMLSelectElement);
    this.price = find(root, "#price", HTMLInputElement);
    this.refused = find(root, "#refused", HTMLElement);
    this.share = find(root, "#share", HTMLElement);
    this.amount = find(root, "#amount", HTMLElement);
    for (const input of [this.window, this.price]) input.addEventListener("input", () => this.#cost());
  }

  /**
   * Show the figures of the text, or of the example in its place, with the whole vocabulary, at any step. Lost pieces count as tokens, but not as bytes, nor in words.
   *
   * @param {TokenViewData} data
   * @param {TextModel} model
   */
  show(data, model) {
    const { counts, figures } = data;
    const tokens = model.mergedAt.reduce((sum, step) => sum + Number(step > model.steps), 0);
    const words = counts.words_to_divide;
    this.#tokens = tokens;
    const lost = model.lost.reduce((sum, one) => sum + one, 0) + model.gone.length;
    /** @type {Record<string, string>} */
    const values = {
      [TOKENS]: grouped(tokens),
      characters: grouped(counts.characters),
      bytes: grouped(counts.bytes),
      "bytes per token": ratio(counts.bytes_written, tokens),
      "tokens per word": ratio(words + model.leftInWords[model.stepsHere.length], words),
      [LOST]: grouped(lost),
    };
    if (!this.#drawn.size) { for (const [name, meaning] of Object.entries(figures)) this.#add(name, meaning); }
    for (const [name, drawn] of this.#drawn) {
      write(drawn.value, values[name]);
      write(drawn.name, values[name] === "1" ? name.replace(/s\b/, "") : name);
      drawn.figure.hidden = name === LOST && !lost;
    }
    this.#cost();
  }

  /** @param {string} name @param {string} meaning */
  #add(name, meaning) {
    const figure = element("div", { [TOKENS]: "big", [LOST]: "warns" }[name] ?? "");
    if (name === WORDS) this.costs.prepend(figure);
    else this.list.append(figure);
    const term = figure.appendChild(element("dt"));
    const value = figure.appendChild(element("dd"));
    const button = term.appendChild(buttonOf("term"));
    const card = term.appendChild(element("span", "definition", meaning));
    card.id = `about-${name.replaceAll(" ", "-")}`;
    card.setAttribute("role", "tooltip");
    button.setAttribute("aria-describedby", card.id);
    value.dataset.name = name;
    this.#drawn.set(name, { figure, name: button, value });
  }

  #cost() {
    const price = priceOf(this.price.value);
    write(this.refused, whyNoPrice(this.price.value));
    setAttributes(this.price, { "aria-invalid": Boolean(this.refused.textContent) });
    write(this.share, percent(this.#tokens, Number(this.window.value)));
    write(this.amount, price >= 0 ? money(this.price.value, exact((this.#tokens * price) / 1e6)) : "–");
  }
}
