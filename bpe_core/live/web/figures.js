// The numbers of a text: how many tokens, big; the others beside it; what they cost, with the reader's own price.

import { element, grouped } from "./chips.js";

const ratio = (one, other) => (other ? (one / other).toFixed(2) : "–");
const percent = (share) => (share && share < 0.0001 ? "< 0.01%" : `${(100 * share).toFixed(2)}%`);
const money = (amount) => (amount ? (amount < 0.01 ? amount.toPrecision(2) : amount.toFixed(2)) : "0");

const POINT = /^(\d+\.?\d*|\.\d+|\d{1,3}(,\d{3})+\.\d+|\d{1,3}(,\d{3}){2,}|\d{1,3}([\s'’]\d{3})+(\.\d+)?)$/;
const COMMA = /^(\d+,\d{1,2}|\d{1,3}(\.\d{3})+,\d{1,2}|\d{1,3}(\.\d{3}){2,}|\d{1,3}([\s'’]\d{3})+,\d{1,2})$/;

/** The number that a price is; NaN where it is none, or could be read in two ways, as 1,000 can. */
export function priceOf(written) {
  const bare = written.trim().replace(/^\p{Sc}\s*|\s*\p{Sc}$/gu, "");
  if (POINT.test(bare)) return Number(bare.replace(/[^\d.]/g, ""));
  return COMMA.test(bare) ? Number(bare.replace(/[^\d,]/g, "").replace(",", ".")) : NaN;
}

export class Figures {
  constructor(root, changed) {
    this.$ = (id) => root.getElementById(id);
    for (const id of ["window", "price"]) this.$(id).addEventListener("input", () => (this.cost(), changed()));
  }

  /** `tokens`: how many there are after the step of `merging`. What they cost is always that of the whole vocabulary. */
  show(data, tokens, { model, atEnd, step }) {
    const { counts, figures } = data;
    this.tokens = atEnd ? tokens : model.mergedAt.reduce((sum, fallen) => sum + (fallen > model.steps), 0);
    const values = {
      tokens: grouped(tokens),
      characters: grouped(counts.characters),
      bytes: grouped(counts.bytes),
      "bytes per token": ratio(counts.bytes, tokens),
      "tokens per word": ratio(tokens, counts.words),
    };
    const list = this.$("figures");
    if (!list.children.length) {
      list.append(...Object.entries(figures).map(([name, meaning]) => this.figure(name, meaning)));
    }
    for (const value of list.querySelectorAll("dd")) {
      const { name } = value.dataset;
      value.textContent = values[name];
      value.previousSibling.textContent = values[name] === "1" ? name.slice(0, -1) : name;
    }
    list.querySelector(".big dt").dataset.after = atEnd
      ? ""
      : `after ${grouped(step)} of ${grouped(model.steps)} merges`;
    this.cost();
  }

  figure(name, meaning) {
    const figure = element("div", name === "tokens" ? "big" : "");
    const term = figure.appendChild(element("dt", "", name));
    term.title = meaning;
    figure.appendChild(element("dd")).dataset.name = name;
    return figure;
  }

  cost() {
    const price = priceOf(this.$("price").value);
    const refused = Number.isNaN(price) && this.$("price").value.trim() !== "";
    this.$("price").setAttribute("aria-invalid", refused);
    this.$("refused").textContent = refused ? "A price is a number such as 2.50." : "";
    this.$("share").textContent = percent(this.tokens / Number(this.$("window").value));
    this.$("amount").textContent = price >= 0 ? money((this.tokens * price) / 1e6) : "–";
  }
}
