// The two list boxes of a text: its tokens, and the tokens' ids. A click or a key chooses a token. The current token
// has a ring around it: it is the token that is pointed at, or else the chosen token.

import { chipOf, lostChip } from "../shared/chips.js";
import { bytesOf, isHead, isLost, opensLetter, tokenBytes, utf8Of } from "../shared/cut.js";
import { appendDirected, isMixed } from "../shared/direction.js";
import { around, element, find, setAttributes } from "../shared/elements.js";
import { LongRow } from "./long_row.js";
import { tokenText } from "../shared/token_text.js";

/** @import { TextModel } from "../shared/cut.js" */
/** @import { TokenView } from "./token_view.js" */

export class TokenLists {
  #text = ""; // the text that was shown last
  #chosen = -1; // tokens; -1 for none
  #hovered = -1;
  #isMixed = false; // whether some of the text runs from right to left

  /** @param {TokenView} view */
  constructor(view) {
    this.view = view;
    /** @param {string} id */
    const part = (id) => find(view.root, `#${id}`, HTMLElement);
    /** @param {HTMLElement} box @param {(into: DocumentFragment, first: number, end: number) => void} draw */
    const row = (box, draw) => {
      const number = (/** @type {HTMLElement} */ chunk, /** @type {number} */ first) =>
        this.#number(chunk, box.id[0], first);
      return new LongRow(box, { draw, forget, number, placeholder: textOf });
    };
    this.tokens = row(part("tokens"), (into, first, end) => this.#drawTokens(into, first, end));
    this.ids = row(part("ids"), (into, first, end) => this.#drawIds(into, first, end));
    for (const { box } of this.#rows) this.#listen(box);
  }

  get #rows() {
    return [this.tokens, this.ids];
  }

  /** The token that is pointed at, or else the chosen token; -1 for none. */
  get current() {
    return this.#hovered >= 0 ? this.#hovered : this.#chosen;
  }

  /**
   * Show the tokens of the view, and their ids if they are shown as a list.
   *
   * @param {number} chosen the chosen token; -1 for none
   */
  show(chosen) {
    const { model, cut, show } = this.view;
    this.#chosen = chosen;
    this.#hovered = -1;
    this.#isMixed = isMixed(model.text);
    this.ids.box.hidden = show.value !== "list";
    for (const row of this.#rows) if (!row.box.hidden) row.show(model, cut);
    const isTypedOn = model.text.startsWith(this.#text) || this.#text.startsWith(model.text);
    if (chosen >= 0 && (!this.#text || !isTypedOn)) this.#bringIntoSight(chosen);
    this.#text = model.text;
  }

  /** Scroll the lists, and nothing around them, so that the token that is explained is in sight. @param {number} token */
  #bringIntoSight(token) {
    for (const row of this.#rows) if (!row.box.hidden) row.build(token);
    for (const option of this.#optionsOf(token)) {
      const list = option.closest("[role=listbox]");
      if (!list) continue;
      const [inside, around] = [option.getBoundingClientRect(), list.getBoundingClientRect()];
      const isHidden = inside.bottom > around.bottom || inside.top < around.top;
      if (isHidden) list.scrollTop += inside.top - around.top - (around.height - inside.height) / 2;
    }
  }

  // --- drawing ---

  /**
   * Draw the tokens from `first` to `end`. Tokens that share a character are a group, and the character follows the
   * group. If letters are under the tokens, tokens that share a letter are a group as well.
   *
   * @param {DocumentFragment} into
   * @param {number} first
   * @param {number} end
   */
  #drawTokens(into, first, end) {
    const { cut, model, merging, data, show, spelling } = this.view;
    const { starts, colours, made } = cut;
    const opens = spelling.isOn ? opensLetter : isHead;
    const underneath = show.value === "yes";
    const merge = merging.atEnd ? 0 : merging.merge;
    /** @type {{ box: HTMLElement, start: number } | null} */
    let group = null;
    for (let token = first; token < end; token++) {
      const [start, next] = [starts[token], starts[token + 1]];
      this.#drawBetween(into, start ? starts[token - 1] : -1, start);
      if (!group && !(opens(model, start) && opens(model, next))) {
        group = { box: element("span", "whole"), start };
        group.box.setAttribute("role", "presentation");
      }
      const parts = this.view.partsOf(tokenBytes(model, cut, token));
      const lost = isLost(model, cut, token);
      const chip = lost ? lostChip(parts) : chipOf(parts, colours[token], merge && made[token] === merge ? "new" : "");
      const under = underneath ? this.view.idText(token) : "";
      if (under || lost) chip.append(element("sub", "", lost ? this.view.lostText(under) : under));
      const option = optionOf(chip);
      if (!group) this.#append(into, option, start, next);
      else group.box.append(option);
      if (group && opens(model, next)) {
        const text = tokenText(bytesOf(model, group.start, next), data.glyph, data.marks);
        group.box.append(element("span", "of", `= ${text}`));
        this.#append(into, group.box, group.start, next, true);
        group = null;
      }
      if (bytesOf(model, start, next).includes(10)) into.append(element("br"));
    }
    if (end === cut.count) this.#drawBetween(into, end ? starts[end - 1] : -1, model.size);
  }

  /**
   * Draw the text that no token has: before a symbol, or within the token before it. What the model dropped is drawn as
   * lost, the rest as thrown away. After the last token only what the model dropped is drawn.
   *
   * @param {DocumentFragment} into
   * @param {number} before the first symbol of the token before; -1 for none
   * @param {number} symbol
   */
  #drawBetween(into, before, symbol) {
    const { model } = this.view;
    const { from, to, text, gone, size } = model;
    const [first, until] = [before < 0 ? 0 : from[before], symbol < size ? from[symbol] : text.length];
    let at = symbol ? to[symbol - 1] : 0;
    for (const [start, end] of gone) {
      if (start < first || end > Math.max(until, at)) continue;
      if (start > at) drawDropped(into, text.slice(at, start));
      const bytes = utf8Of(text.slice(start, end));
      const chip = lostChip(this.view.partsOf(bytes));
      chip.title = "lost: the model has no token for it";
      into.append(chip);
      at = Math.max(at, end);
    }
    if (symbol < size && until > at) drawDropped(into, text.slice(at, until));
  }

  /**
   * Append a token or a group of tokens, from symbol `start` to `end`.
   *
   * @param {DocumentFragment} into
   * @param {HTMLElement} drawn
   * @param {number} start
   * @param {number} end
   */
  #append(into, drawn, start, end, isGroup = false) {
    const box = this.#spelt(drawn, start, end);
    if (this.#isMixed) appendDirected(into, box, bytesOf(this.view.model, start, end), isGroup);
    else into.append(box);
  }

  /**
   * Return a token or a group of tokens as an element. If letters are shown, its letters are below it.
   *
   * @param {HTMLElement} drawn
   * @param {number} start the first symbol
   * @param {number} end the symbol after the last
   */
  #spelt(drawn, start, end) {
    const { model, data, spelling } = this.view;
    if (!spelling.isOn) return drawn;
    const spelt = element("span", "spelt");
    const letters = spelling.under(model, start, end, data.marks);
    spelt.setAttribute("role", "presentation");
    letters.setAttribute("aria-hidden", "true"); // a list box has only options; the line below it has the letter's count
    spelt.append(drawn, letters);
    return spelt;
  }

  /** @param {DocumentFragment} into @param {number} first @param {number} end */
  #drawIds(into, first, end) {
    for (let token = first; token < end; token++) {
      into.append(optionOf(element("span", "id", this.view.idText(token))), " ");
    }
  }

  /**
   * Say of each option which token it is, and whether it is chosen. Most options are drawn already, for other numbers.
   *
   * @param {HTMLElement} box
   * @param {string} prefix of the list box: "t" or "i"
   * @param {number} first the token of the first option
   */
  #number(box, prefix, first) {
    optionsIn(box).forEach((option, i) => {
      setAttributes(option, { id: prefix + (first + i), "aria-selected": first + i === this.#chosen });
      if (first + i === this.current) option.classList.add("active");
    });
  }

  // --- the chosen token and the ring ---

  /** Return the elements of a token that are on the page. @param {number} token */
  #optionsOf(token) {
    const { root } = this.view;
    return ["t", "i"].map((prefix) => root.getElementById(prefix + token)).filter((option) => option !== null);
  }

  /** Move the ring from a token to the current token. @param {number} before */
  #ring(before) {
    for (const option of this.#optionsOf(before)) option.classList.remove("active");
    for (const option of this.#optionsOf(this.current)) option.classList.add("active");
    this.view.showCurrent();
  }

  /** @param {number} token */
  #hover(token) {
    if (token === this.#hovered) return;
    const before = this.current;
    this.#hovered = token;
    this.#ring(before);
  }

  /** @param {number} token @param {boolean} byKey */
  #choose(token, byKey) {
    const before = this.current;
    for (const option of this.#optionsOf(this.#chosen)) option.setAttribute("aria-selected", "false");
    for (const option of this.#optionsOf(token)) option.setAttribute("aria-selected", "true");
    this.#chosen = token;
    this.#hovered = -1;
    this.#ring(before);
    this.view.chooseToken(token, this.#optionsOf(token)[0] ?? null);
    if (byKey) this.#reveal(token);
  }

  /** Scroll a token into view. @param {number} token */
  #reveal(token) {
    for (const row of this.#rows) if (!row.box.hidden) row.build(token);
    for (const option of this.#optionsOf(token)) {
      option.classList.add("active");
      option.scrollIntoView({ block: "nearest" });
      option.closest("[role=listbox]")?.setAttribute("aria-activedescendant", option.id);
    }
  }

  /** @param {HTMLElement} box */
  #listen(box) {
    /** Return the token under an event; -1 for none. @param {Event} event */
    const under = (event) => Number(around(event, "[role=option]")?.id.slice(1) ?? -1);
    box.addEventListener("pointerover", (event) => {
      if (event.pointerType !== "touch") this.#hover(under(event));
    });
    box.addEventListener("pointerleave", () => this.#hover(-1));
    box.addEventListener("click", (event) => {
      if (under(event) >= 0) this.#choose(under(event), false);
    });
    box.addEventListener("keydown", (event) => this.#key(event));
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const last = this.view.cut.count - 1;
    const from = this.#chosen;
    /** @type {{ [key: string]: number | undefined }} */
    const moves = {
      ArrowRight: from + 1,
      ArrowDown: from + 1,
      ArrowLeft: from - 1,
      ArrowUp: from - 1,
      Home: 0,
      End: last,
    };
    const to = moves[event.key];
    if (to === undefined || last < 0) return;
    this.#choose(Math.max(0, Math.min(to, last)), true);
    event.preventDefault();
    event.stopPropagation();
  }
}

/** Return an element as an option of a list box. @param {HTMLElement} chip */
function optionOf(chip) {
  chip.setAttribute("role", "option");
  return chip;
}

/** @param {HTMLElement} box */
const optionsIn = (box) => box.querySelectorAll("[role=option]");

/** Take from the options of a box what `number` says of them, so that they can be compared. @param {HTMLElement} box */
function forget(box) {
  for (const option of optionsIn(box)) {
    for (const name of ["id", "aria-selected"]) option.removeAttribute(name);
    option.classList.remove("active");
  }
}

/**
 * Draw text that the pretokenizer dropped.
 *
 * @param {DocumentFragment} into
 * @param {string} text
 */
function drawDropped(into, text) {
  const dropped = into.appendChild(element("span", "dropped", text));
  dropped.title = "thrown away when the text is split";
}

/** Return the text of a chunk. @param {TextModel} model @param {number} chunk */
function textOf({ chunks, from, to, text, size }, chunk) {
  return size ? text.slice(from[chunks[chunk]], to[chunks[chunk + 1] - 1]) : "";
}
