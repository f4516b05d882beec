// The end of a prompt: a handle in the text, the tokens of the text up to the handle, and the tokens of the whole text.

import { fromHex } from "../shared/bytes.js";
import { Channel, REST } from "../shared/channel.js";
import { chipOf, inksOf, lostChip } from "../shared/chips.js";
import { utf8Of } from "../shared/cut.js";
import { around, element, find } from "../shared/elements.js";
import { PICTURE } from "../shared/from_python.js";
import { pictureChip } from "../shared/layout.js";
import { counted, grouped } from "../shared/numbers.js";
import { downloadPicture, pictureOf } from "../shared/pictures.js";
import { sentenceNodes } from "../shared/sentence.js";
import { show } from "../shared/show.js";
import { TypedText } from "../shared/source.js";
import { hueOf, parts } from "../shared/token_text.js";

/** @import { Row } from "../shared/layout.js" */
/** @import { Refusal } from "../shared/source.js" */
/** @import { Component, PromptData, PromptRow } from "../shared/types.js" */

const KINDS = ["", "differs", "later"]; // classes of tokens, as prompt_data.py numbers the kinds

/** Return whose end is shown: that of a text, in the tokens of a vocabulary. @param {PromptData} data */
const subjectOf = ({ asks, given }) => `${asks?.handle ?? ""} ${given}`;

class PromptEnd {
  #end = 0; // characters
  #chosen = -1; // the end that was chosen; -1 for the end that is found
  /** @type {string | null} */
  #movedIn = null; // what was shown when a person moved the end; null if nobody has since the server set it
  /** @type {Partial<PromptData> | null} */
  #found = null; // what was asked for, while the page's answer is of an older text or end

  /** @param {Component<PromptData>} component */
  constructor({ parentElement: root, data }) {
    this.data = data;
    this.root = root;
    this.slider = find(root, "#end", HTMLInputElement);
    this.channel = new Channel({
      root,
      choice: () => this.#movedIn !== null ? { end: this.#chosen } : null,
      adopt: () => this.#adopt(),
    });
    this.typed = new TypedText(root, {
      name: "prompt",
      data: () => this.data,
      more: () => ({ end: this.#chosen, cut: this.data.cut }),
      take: (found, text, { end }) => this.#take(found, text, end),
      // of a text that is refused, the page itself tells more when the typing rests
      refused: (/** @type {Refusal} */ { status }) => status === 410 && this.channel.ask(),
      lost() {},
    });
    this.slider.addEventListener("input", () => this.#move(Number(this.slider.value)));
    this.#part("back").addEventListener("click", () => this.#move(this.#end - 1));
    this.#part("on").addEventListener("click", () => this.#move(this.#end + 1));
    this.#part("text").addEventListener("click", (event) => this.#clicked(event));
    for (const kind of ["svg", "png"]) {
      this.#part(kind).addEventListener("click", () => downloadPicture("end-of-a-prompt", kind, this.#picture()));
    }
  }

  /** @param {string} id */
  #part(id) {
    return find(this.root, `#${id}`, HTMLElement);
  }

  /** Take in an answer of the source. @param {Component<PromptData>} component */
  receive({ data, send }) {
    const { asks } = this.data;
    const isOlder = this.#movedIn === subjectOf(data) && data.chosen !== this.#chosen;
    const isBehind = this.typed.isAhead(data) || isOlder;
    if (!isBehind) this.#found = null;
    this.data = { ...data, ...this.#found };
    this.channel.receive(data, send);
    const isAnother = data.asks?.handle !== asks?.handle || data.asks?.specials !== asks?.specials;
    if (isBehind && isAnother) this.typed.ask(true);
    this.#draw();
  }

  /** Show the end that the server has set, unless the page's answer is of an older text or end. */
  #adopt() {
    if (this.#found) return;
    this.#end = this.data.end;
    this.#chosen = this.data.chosen;
    this.#movedIn = null;
  }

  /** Show what was asked for. @param {Partial<PromptData>} data @param {string} text @param {number} chosen the end */
  #take(data, text, chosen) {
    this.#found = { ...data, given: text };
    this.data = { ...this.data, ...this.#found };
    if (chosen === this.#chosen) this.#end = this.data.end; // else the hand is further on
    this.#draw();
  }

  #draw() {
    this.slider.max = String(this.data.length);
    this.#drawHandle();
    this.#drawAnswer();
  }

  /** @param {number} end */
  #move(end) {
    const to = Math.max(0, Math.min(end, this.data.length));
    if (to === this.#end) return;
    this.#end = this.#chosen = to;
    this.#movedIn = subjectOf(this.data);
    this.#drawHandle();
    this.typed.ask(true);
    this.channel.request(this.data.asks ? REST : 0);
  }

  /** Put the end before or after the character that was clicked, whichever is nearer. @param {MouseEvent} event */
  #clicked(event) {
    const character = around(event, "[data-at]");
    if (!character) return;
    const { left, width } = character.getBoundingClientRect();
    this.#move(Number(character.dataset.at) + (event.clientX > left + width / 2 ? 1 : 0));
  }

  /** Draw what follows the hand without delay: the slider, and the end of the prompt in the text. */
  #drawHandle() {
    const { first, text, length, marks } = this.data;
    this.slider.value = String(this.#end);
    const where = `${grouped(this.#end)} of ${grouped(length)} characters`;
    this.slider.setAttribute("aria-valuetext", where);
    this.#part("where").textContent = where;
    const caret = element("span", "caret");
    const shown = document.createDocumentFragment();
    let at = first;
    if (first) shown.append("… ");
    for (const character of text) {
      if (at === this.#end) shown.append(caret);
      const box = element("span", at < this.#end ? "" : "later");
      for (const part of parts(utf8Of(character), "", marks)) {
        box.append(part.kind === "text" ? character : element("span", part.kind, part.text));
      }
      box.dataset.at = String(at++);
      shown.append(box);
      if (character === "\n") shown.append(element("br"));
    }
    if (at === this.#end) shown.append(caret);
    if (at < length) shown.append(" …");
    this.#part("text").replaceChildren(shown);
  }

  /** Draw the answer of the source: the sentence, the two rows, and the tokens that begin with the cut-off part. */
  #drawAnswer() {
    const { rows: [prompt, whole], sentence, listed, count } = this.data;
    this.#part("sentence").replaceChildren(
      ...sentenceNodes(sentence, (hex) => this.#chips([[hex, -1, 0, false]], "")[0]),
    );
    for (const [id, row] of /** @type {const} */ ([["prompt", prompt], ["whole", whole]])) this.#drawRow(id, row);
    this.#part("others").hidden = !listed.length;
    this.#part("others-title").textContent = `${grouped(count)} begin so`;
    this.#part("which").textContent = count > listed.length
      ? `the ${listed.length} with the lowest ids, learnt first`
      : "";
    const others = this.#chips(listed.map(([hex, id]) => [hex, id, 0, false]), "");
    listed.forEach(([, , isAcross], n) => others[n].classList.toggle("across", isAcross));
    this.#part("listed").replaceChildren(...others);
  }

  /** @param {string} id @param {PromptRow} row */
  #drawRow(id, { count, before, tokens, after, lost_name }) {
    this.#part(`${id}-count`).textContent = grouped(count);
    /** @param {number} number */
    const more = (number) => element("span", "more", ` … ${grouped(number)} more … `);
    const chips = this.#chips(tokens, lost_name);
    this.#part(id).replaceChildren(...(before ? [more(before)] : []), ...chips, ...(after ? [more(after)] : []));
  }

  /** Return the colours of tokens. Two neighbours never have the same colour. @param {Uint8Array[]} tokens */
  #colours(tokens) {
    let before = -1;
    return tokens.map((bytes) => {
      const hue = hueOf(bytes, 0, bytes.length, this.data.hues);
      return before = before === 2 * hue ? 2 * hue + 1 : 2 * hue;
    });
  }

  #picture() {
    const { rows: [prompt, whole], sentence, listed, glyph, marks } = this.data;
    const partsOf = (/** @type {Uint8Array} */ bytes) => parts(bytes, glyph, marks);
    /** @param {readonly (readonly [hex: string, id: number, ...rest: unknown[]])[]} tokens @returns {Row} */
    const row = (tokens) => {
      const bytes = tokens.map(([hex]) => fromHex(hex));
      const colours = this.#colours(bytes);
      return tokens.map(([, id], n) => ({
        ...pictureChip(bytes[n], colours[n], partsOf, PICTURE),
        below: id < 0 ? "" : String(id),
      }));
    };
    /** @param {string} name @param {PromptRow} side @returns {Row[]} */
    const rows = (name, { count, before, tokens, after }) => [
      [`${name}: ${counted(count, "token")}`],
      [
        ...(before ? [`${grouped(before)} more …`] : []),
        ...row(tokens),
        ...(after ? [`… ${grouped(after)} more`] : []),
      ],
    ];
    /** @type {Row} */
    const words = sentence.flatMap((part) =>
      typeof part === "string" ? [part.trim()] : "token" in part ? row([[part.token, -1]]) : []
    );
    const more = listed.length ? [["Tokens that begin so:", ...row(listed)]] : [];
    const pictured = [...rows("The prompt alone", prompt), ...rows("The whole text", whole), words, ...more];
    const paper = getComputedStyle(this.root.host).getPropertyValue("--st-background-color");
    return pictureOf("The end of a prompt", pictured, inksOf(this.#part("listed")), paper);
  }

  /**
   * Return tokens as elements, with their ids.
   *
   * @param {PromptRow["tokens"]} tokens an id below 0 is not shown
   * @param {string} lost_name
   */
  #chips(tokens, lost_name) {
    const { glyph, marks } = this.data;
    const colours = this.#colours(tokens.map(([hex]) => fromHex(hex)));
    return tokens.map(([hex, id, kind, isLost], n) => {
      const written = parts(fromHex(hex), glyph, marks);
      const chip = isLost ? lostChip(written) : chipOf(written, colours[n], KINDS[kind]);
      if (isLost || id >= 0) chip.append(element("sub", "", isLost ? lost_name : String(id)));
      return chip;
    });
  }
}

/** Show an answer of the source. @param {Component<PromptData>} component */
export default function (component) {
  show(component, () => new PromptEnd(component));
}
