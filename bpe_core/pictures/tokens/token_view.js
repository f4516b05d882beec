// The tokens of a text, and a step bar that grows the vocabulary. One answer of the server has the tokens of all steps.

import { Channel, REST } from "../shared/channel.js";
import { CopyAndSave } from "./copy_and_save.js";
import { lostChip } from "../shared/chips.js";
import { bytesOf, cutAt, isLost, readAnswer, tokenBytes, tokenOf } from "../shared/cut.js";
import { find, setChildren, write } from "../shared/elements.js";
import { Figures } from "./figures.js";
import { Merging } from "./merging.js";
import { grouped } from "../shared/numbers.js";
import { Panel } from "./panel.js";
import { sentenceNodes } from "../shared/sentence.js";
import { show } from "../shared/show.js";
import { TypedText, Wish } from "../shared/source.js";
import { Spelling } from "./spelling.js";
import { StepBar } from "../shared/step_bar.js";
import { TokenLists } from "./token_lists.js";
import { parts, plainParts } from "../shared/token_text.js";
import { treeOf } from "./tree.js";

/** @import { BarOptions } from "../shared/step_bar.js" */
/** @import { Steps } from "../shared/stepping.js" */
/** @import { Branch, Span } from "./tree.js" */
/** @import { Refusal } from "../shared/source.js" */
/** @import { Component, Options, Timer, TokenViewData } from "../shared/types.js" */

const OFTEN = 150; // milliseconds to wait before asking for, or drawing, what the next key press may change
const STATUS_MILLISECONDS = 4000;
const LOST = "The server does not answer. Your text stays here, and its tokens follow by themselves.";
const PLAYED = "mergescope.played"; // the key of the tab's note that the first page has played

export class TokenView {
  step = 0;
  /** @type {number | null} */
  #frame = null; // the request of the next cut
  #at = -1; // a symbol of the chosen token
  /** @type {{ step?: number, at?: number, options?: Options } | null} */
  #choice = null; // the choices since the server set the step and the token; `options` stays
  #isNew = true; // until the first answer is shown
  /** @type {Partial<TokenViewData> | null} */
  #found = null; // what was asked for a typed text, while the page's answer is of an older one
  /** @type {string | null} */
  #chosenIn = null; // what was shown when a step or a token was chosen
  /** @type {Timer | undefined} */
  #asking;
  /** @type {Timer | undefined} */
  #drawing; // of the panel, below the tokens of a typed text
  #isToldOfToken = false; // whether the line in place of a panel is about the chosen token, not about the last merge
  /** @type {Timer | undefined} */
  #saying;

  /** @param {Component<TokenViewData>} component */
  constructor({ parentElement: root, data }) {
    this.root = root;
    this.data = data;
    this.model = readAnswer(data);
    this.cut = cutAt(this.model, data.steps, data.hues);
    this.channel = new Channel({
      root,
      choice: () => this.#choice,
      adopt: () => this.#adopt(),
      pressedElsewhere: () => this.bar.stepping.pressedElsewhere(),
    });
    this.body = this.#part("body");
    this.panes = this.#part("panes");
    this.sentence = this.#part("sentence");
    this.status = this.#part("status");
    this.remarks = this.#part("remarks");
    this.lost = this.#part("lost");
    this.show = find(root, "#show", HTMLSelectElement);
    this.marks = find(root, "#marks", HTMLInputElement);
    this.merging = new Merging(this.model);
    this.bar = new StepBar(root, this.#steps(), this.#barOptions());
    find(root, ".title", HTMLElement).append(this.bar.where);
    this.bar.where.setAttribute("aria-live", "off"); // the sentence says more
    this.figures = new Figures(root);
    this.spelling = new Spelling(root);
    this.copies = new CopyAndSave(root, this);
    this.panel = new Panel(root, () => this.data);
    this.lists = new TokenLists(this);
    this.#showOptions(data.options);
    this.#listen();
    const to = {
      lost: (/** @type {boolean} */ is) => this.#showLost(is),
      refused: (/** @type {Refusal} */ refusal) => this.#refused(refusal),
    };
    const take = (/** @type {any} */ found, /** @type {string} */ text) => this.#take(found, text);
    this.typed = new TypedText(root, { ...to, name: "tokens", data: () => this.data, take });
    const takeFacts = (/** @type {any} */ { facts }, /** @type {any} */ { text }) => this.#takeFacts(facts, text);
    this.facts = new Wish("token", {
      ...to,
      asks: () => (root.host.isConnected ? this.data.asks : undefined),
      take: takeFacts,
    });
  }

  /** Show the tokens of a typed text. @param {Partial<TokenViewData>} data @param {string} text */
  #take(data, text) {
    this.bar.stepping.stop();
    this.#found = { ...data, step: data.steps ?? 0, given: text, is_example: this.typed.isEmpty };
    this.data = { ...this.data, ...this.#found };
    this.model = readAnswer(this.data);
    this.#at = this.data.at;
    this.#choice = this.#choice?.options ? { options: this.#choice.options } : null;
    this.panel.panel.style.minHeight = "";
    this.#drawAt(this.merging.set(this.model, this.data.steps));
    clearTimeout(this.#drawing);
    this.#drawing = setTimeout(() => this.#showPanel(), OFTEN);
  }

  /** @param {TokenViewData["facts"]} facts @param {string} text */
  #takeFacts(facts, text) {
    if (text !== this.data.given) return;
    this.data = { ...this.data, facts };
    if (this.#found) this.#found.facts = facts;
    this.#showPanel();
  }

  /** @param {Refusal} refusal */
  #refused({ status, message }) {
    if (status === 410) this.channel.ask();
    else if (message) this.say(message);
  }

  /** The text and the vocabulary that are shown, as a text. */
  get #subject() {
    return `${this.data.asks?.handle ?? ""} ${this.data.given}`;
  }

  /** @param {boolean} is */
  #showLost(is) {
    this.lost.textContent = is ? LOST : "";
  }

  /**
   * If the page says so, play once from bytes to words. A key or a click ends it.
   *
   * A tab that has a link's values or has played before shows the end at once, as does a browser that asks for less
   * motion.
   */
  #playOnce() {
    const isStill = location.search || matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (isStill || !this.data.plays || !this.merging.atEnd || !firstPlay()) return;
    this.bar.stepping.act("play");
    const ends = new AbortController();
    const end = (/** @type {Event} */ event) => {
      ends.abort();
      if (!event.composedPath().includes(this.bar.box)) this.bar.stepping.act("end");
    };
    for (const name of ["pointerdown", "keydown"]) addEventListener(name, end, { capture: true, signal: ends.signal });
  }

  /** @param {string} id */
  #part(id) {
    return find(this.root, `#${id}`, HTMLElement);
  }

  // --- the server ---

  /** Take in an answer of the server. @param {Component<TokenViewData>} component */
  receive({ data, send }) {
    this.step = this.merging.atEnd ? data.steps : this.merging.step;
    const { data: before } = this;
    const isAhead = this.typed.isAhead(data);
    if (!isAhead) this.#found = null;
    this.data = { ...data, ...this.#found };
    if (!this.#found && data !== before) this.model = readAnswer(data);
    this.channel.receive(data, send);
    const { asks } = before;
    const isAnother = data.asks?.handle !== asks?.handle || data.asks?.specials !== asks?.specials;
    if (isAhead && isAnother) this.typed.ask(true);
    const step = Math.min(this.step, data.steps);
    if (step < data.steps) this.#recut(this.merging.set(this.model, data.steps)); // the tokens take its room
    this.#recut(this.merging.set(this.model, step));
    if (this.#isNew) this.#playOnce();
    this.#isNew = false;
  }

  /** Show the step and the token that the server has set for another text or vocabulary. */
  #adopt() {
    const { at, step, shows, title } = this.data;
    if (!this.#found && this.#chosenIn !== this.#subject) {
      this.bar.stepping.stop();
      this.step = step;
      this.#at = at;
      this.#choice = this.#unheardOptions();
    }
    this.panel.panel.style.minHeight = "";
    for (const section of /** @type {NodeListOf<HTMLElement>} */ (this.root.querySelectorAll("[data-section]"))) {
      section.hidden = !shows.includes(section.dataset.section ?? "");
    }
    const alone = !shows.includes("panel");
    this.#isToldOfToken = alone && at >= 0;
    const whose = alone ? ` with ${title.split(" (")[0]}'s tokenizer` : "";
    const merges = this.data.steps > 0;
    this.#part("merging-title").textContent = merges
      ? `Watch ${this.data.is_example ? "an example" : "the text"} being merged${whose}`
      : `${title.split(" (")[0]} merges nothing`;
    this.bar.box.hidden = this.bar.where.hidden = !merges;
    this.body.classList.toggle("alone", alone);
    this.body.classList.toggle("no-merges", !merges);
  }

  /** Return the controls whose values the page keeps. Each names its value in `data-option`. */
  #controls() {
    return /** @type {(HTMLInputElement | HTMLSelectElement)[]} */ (Array.from(
      this.root.querySelectorAll("[data-option]"),
    ));
  }

  /** Return the choice without its step and its token, and without options that the page has already. */
  #unheardOptions() {
    const { options } = this.#choice ?? {};
    const isUnheard = Object.entries(options ?? {}).some(([name, value]) => this.data.options[name] !== value);
    return isUnheard ? { options } : null;
  }

  /** Show the options that the page has. Others stay as the markup has them. @param {Options} options */
  #showOptions(options) {
    for (const control of this.#controls()) {
      const value = options[control.dataset.option ?? ""];
      if (control instanceof HTMLInputElement && typeof value === "boolean") control.checked = value;
      else if (value !== undefined) control.value = String(value);
    }
  }

  /**
   * Send a choice to the server.
   *
   * @param {{ step?: number, at?: number, options?: Options }} part of the choice
   * @param {number} [after] milliseconds
   */
  #choose(part, after = REST) {
    if (!part.options) this.#chosenIn = this.#subject;
    this.#choice = { ...this.#choice, ...part };
    this.channel.request(this.data.asks ? after : 0);
  }

  #chooseOptions() {
    const options = this.#controls().map((control) => {
      const isSwitch = control instanceof HTMLInputElement && control.type === "checkbox";
      return [control.dataset.option, isSwitch ? control.checked : control.value];
    });
    this.#choose({ options: Object.fromEntries(options) });
  }

  // --- the step bar ---

  /** Return what the step bar moves. @returns {Omit<Steps, "gone">} */
  #steps() {
    const { merging } = this;
    return {
      position: () => merging.position,
      last: () => merging.last,
      ready: () => true,
      speed: (positions) => merging.speed(positions),
      show: (position) => {
        merging.position = position;
        this.#chosenIn = this.#subject;
        this.#isToldOfToken = false;
        this.sentence.setAttribute("aria-live", "off"); // until the view rests
        this.#frame ??= requestAnimationFrame(() => {
          this.#frame = null;
          this.#recut(merging.step);
        });
      },
      redraw: () => this.bar.draw(),
      rested: () => {
        this.sentence.setAttribute("aria-live", "polite");
        this.#showSentence();
        this.#choose({ step: merging.step });
      },
    };
  }

  /** @returns {BarOptions} */
  #barOptions() {
    return {
      order: ["play", "start", "back", "next", "end"],
      label: "Merges that change this text",
      position: () => this.merging.written(this.cut.count),
      titles: {
        start: "Before any merge",
        back: "Back by one merge that changes this text",
        next: "On to the next merge that changes this text",
        end: "The whole vocabulary",
      },
    };
  }

  // --- what is on the screen ---

  /**
   * Show the tokens after `step` merges. The chosen token is the token that contains the chosen symbol.
   *
   * @param {number} step
   */
  #recut(step) {
    this.#drawAt(step);
    this.#showPanel();
  }

  /** Show all but the panel after `step` merges. @param {number} step */
  #drawAt(step) {
    const { model, data } = this;
    this.step = step;
    this.cut = cutAt(model, step, data.hues);
    const has = (/** @type {number} */ symbol) => symbol >= 0 && symbol < model.size;
    if (!has(this.#at)) this.#at = data.at; // the text has become shorter
    for (const part of [this.body, this.figures.list]) part.classList.toggle("example", Boolean(data.is_example));
    this.body.classList.toggle("two", this.show.value === "list");
    this.#keepRoom();
    this.lists.show(has(this.#at) ? tokenOf(this.cut, this.#at) : -1);
    this.bar.draw();
    this.figures.show(data, model);
    write(this.remarks, data.remarks ?? "");
    this.spelling.show(model, this.cut);
    if (this.#isToldOfToken) this.#showLine();
    else this.#showSentence();
  }

  /** Give the tokens and the panel of any step the room of the last step's: nothing below moves while the text plays. */
  #keepRoom() {
    const { merging, panes, panel: { panel } } = this;
    /** @param {HTMLElement} part */
    const heightOf = (part) => `${part.getBoundingClientRect().height}px`;
    panes.style.height = merging.atEnd ? "" : panes.style.height || heightOf(panes);
    if (!merging.atEnd) panel.style.minHeight ||= heightOf(panel); // an answer at another step is no reason to move
  }

  #showSentence() {
    const { steps, no_merges = "", title } = this.data;
    const sentence = steps ? this.merging.sentence(title) : [no_merges];
    setChildren(this.sentence, ...sentenceNodes(sentence, (bytes) => this.panel.chip(bytes)));
  }

  /** Return the parts of a token as they are shown. @param {Uint8Array} bytes */
  partsOf(bytes) {
    const { glyph, marks } = this.data;
    return this.marks.checked ? parts(bytes, glyph, marks) : plainParts(bytes, glyph);
  }

  /** @param {number} token */
  idText(token) {
    return this.cut.ids[token] < 0 ? "unknown" : String(this.cut.ids[token]);
  }

  /** Return the small text under text that the vocabulary cannot write. @param {string} id "" if ids are hidden */
  lostText(id) {
    const { lost_name } = this.data;
    return !id || id === lost_name ? lost_name : `${lost_name} ${id}`;
  }

  // --- one token: the line and the biography are always about the token with the ring ---

  /** Show the current token in the panel or, without a panel, in one line. */
  showCurrent() {
    if (this.panel.panel.hidden) this.#showLine();
    else this.#showPanel();
  }

  /** Choose a token. @param {number} token @param {HTMLElement | null} option as which it is drawn */
  chooseToken(token, option) {
    this.#at = this.cut.starts[token];
    this.#isToldOfToken = this.body.classList.contains("alone");
    this.#choose({ at: this.#at });
    this.panel.comeIntoSight(option);
  }

  /** Without a panel: describe the current token in one line, instead of the last merge. */
  #showLine() {
    const token = this.lists.current;
    if (token < 0 || token >= this.cut.count) return this.#showSentence();
    const bytes = tokenBytes(this.model, this.cut, token);
    const chip = isLost(this.model, this.cut, token) ? lostChip(this.partsOf(bytes)) : this.panel.chip(bytes);
    const { root } = this.#treeOf(token);
    const halves = root.halves.map(({ start, end }) => this.panel.chip(bytesOf(this.model, start, end)));
    const joined = halves.length ? [", of ", halves[0], " + ", halves[1]] : [];
    this.sentence.replaceChildren(chip, ` id ${this.idText(token)}: ${this.#bornOf(token)}`, ...joined, ".");
  }

  #showPanel() {
    const { cut, model, data: { facts } } = this;
    const token = this.lists.current;
    if (this.panel.panel.hidden) return;
    const isShown = token >= 0 && token < cut.count;
    this.#part("tree-files").hidden = !isShown;
    if (!isShown) return this.panel.show(null, null);
    const [start, end] = [cut.starts[token], cut.starts[token + 1]];
    const { root, whole } = this.#treeOf(token);
    /** @param {Span} span @returns {Branch} */
    const branch = (span) => ({
      bytes: bytesOf(model, span.start, span.end),
      step: span.step,
      halves: span.halves.map(branch),
    });
    const isKnown = facts?.at === start && facts.end === end && facts.step === this.step;
    if (!isKnown) this.#askForFacts();
    const lost = isLost(model, cut, token);
    const shown = { id: this.idText(token), born: this.#bornOf(token), tree: branch(root), whole, lost };
    this.panel.show(shown, isKnown ? facts : null);
  }

  /** Ask for the facts of the chosen token, once it stays chosen. */
  #askForFacts() {
    const { asks, given } = this.data;
    clearTimeout(this.#asking);
    if (!asks) return;
    this.#asking = setTimeout(() => {
      if (this.#at < 0) return;
      this.facts.want({ text: given, specials: asks.specials, at: this.#at, step: this.step });
    }, OFTEN);
  }

  /** @param {number} token */
  #treeOf(token) {
    const { starts, made } = this.cut;
    return treeOf(this.model, starts[token], starts[token + 1], made[token]);
  }

  /** @param {number} token */
  #bornOf(token) {
    const [id, step] = [this.cut.ids[token], this.cut.made[token]];
    if (isLost(this.model, this.cut, token)) return "lost: the vocabulary cannot write this text";
    if (step) return `made at step ${grouped(step)} of ${grouped(this.model.steps)}`;
    return this.data.special_ids.includes(id) ? "a special token" : "made by no merge";
  }

  #listen() {
    for (const control of this.#controls()) {
      control.addEventListener("input", () => {
        this.#recut(this.step);
        this.#chooseOptions();
      });
    }
  }

  /** Show for a moment what has been done. @param {string} words */
  say(words) {
    this.status.textContent = words;
    clearTimeout(this.#saying);
    this.#saying = setTimeout(() => this.status.textContent = "", STATUS_MILLISECONDS);
  }
}

/** Return whether nothing has played by itself in this tab yet. From now on something has. */
function firstPlay() {
  try {
    const before = sessionStorage.getItem(PLAYED);
    sessionStorage.setItem(PLAYED, "yes");
    return !before;
  } catch {
    return false; // the storage is forbidden
  }
}

/** Show an answer of the source. @param {Component<TokenViewData>} component */
export default function (component) {
  show(component, () => new TokenView(component));
}
