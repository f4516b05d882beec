// The page of the site: the box with the text, what is chosen, and its two pages, Tokens and Train.
//
//     at once           the pictures show the examples, from data that the page has (`recorded`)
//     then              Python is fetched and started; a line says how far it is
//     from then on      a picture asks the worker for what is typed, as it asks a server in the app (source.js). When the
//                       typing rests, and when something is chosen, this page asks for a picture's first data ("view")
//
// At most one such question is under way, then the newest.

import { default as showEditor, readCopy } from "../editor/editor.js";
import { Engine, NOT_STARTED, NotFetched, TO_DO } from "./engine.js";
import { default as showFilm } from "../film/film.js";
import { linkOf, readLink } from "./link.js";
import { content } from "../saved/page.js";
import { copied } from "../shared/pictures.js";
import { REST } from "../shared/channel.js";
import { grouped } from "../shared/numbers.js";
import { default as showTokens } from "../tokens/token_view.js";
import { Refusal, Wish } from "../shared/source.js";

/** @import { Choices, Chosen } from "./link.js" */
/** @import { Sources } from "./engine.js" */
/** @import { Asks, Chunk, Component, Request } from "../shared/types.js" */

/**
 * What the page has from the beginning. `chunks`: the frames of the example's film.
 * @typedef {{ sources: Sources, choices: Choices, example: Record<string, string>, tokens: any, film: any, chunks: Chunk[][] }} Recorded
 */

const LONGEST = 4000; // characters of a text in a link
const MB = 1e6;
const THEME = "mergescope.theme"; // the key of the reader's theme in the browser
const LOADING = "This needs Python, which is still loading.";
const STILL = "The picture is of the example still: what you typed or chose needs Python.";
const FROM_DISK = "Opened from a disk, this page shows the examples. A web server that has the folder runs the rest.";
const UNSAFE = "Opened by http, this page cannot check what it loads, so it shows the examples. Open it by https.";
const FEW = 5; // values of a link that a sentence names
const LATER = "What was chosen cannot be fetched now. It follows as soon as the network is back.";
const NOTHING_COMES = "Nothing has come for a while: the network is slow, or something in it keeps this back.";
const PATIENCE = 20_000; // milliseconds without a byte after which the page says so

/** @template {HTMLElement} Kind @param {string} id @param {new () => Kind} kind @returns {Kind} */
function named(id, kind) {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`no ${id}`);
  return found;
}

/** @param {string} id */
const rootOf = (id) => /** @type {ShadowRoot} */ (named(id, HTMLElement).shadowRoot);

/** A picture of the page, with the data that the page gives it. */
class Picture {
  #opened = 0; // how often the page has set what the picture shows
  shows = ""; // what the data is of, as text
  /** @type {number | null} */
  step = null; // null for where the picture opens

  /**
   * @param {string} id of its element
   * @param {(component: Component<any>) => void} show
   * @param {any} data
   * @param {(picture: Picture) => void} told called when the reader has chosen a step
   */
  constructor(id, show, data, told) {
    this.root = rootOf(id);
    this.show = show;
    this.data = data;
    this.told = told;
  }

  /** Show other data, whose step the picture adopts. @param {object} data */
  open(data) {
    this.draw({ ...data, version: `opened ${++this.#opened}` });
  }

  /** @param {object} changed what changes in the data */
  draw(changed) {
    Object.assign(this.data, changed);
    const send = (/** @type {Request} */ request) => setTimeout(() => this.#respond(request));
    this.show({ data: { ...this.data }, parentElement: this.root, send });
  }

  /** @param {Request} request */
  #respond({ number, choice }) {
    const { step } = /** @type {{ step?: number }} */ (choice);
    if (step !== undefined) this.step = step;
    this.draw({ answered: number, ...(step === undefined ? {} : { step }) });
    this.told(this);
  }
}

class Site {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #late; // says that nothing comes
  text = ""; // that the page has heard of
  isReady = false; // whether the engine is there

  /** @param {Recorded} recorded */
  constructor({ sources, choices, example, tokens, film, chunks }) {
    this.choices = choices;
    this.example = example;
    this.chosen = choices.first;
    this.engine = new Engine(sources);
    this.loading = named("loading", HTMLElement);
    this.bar = named("bar", HTMLProgressElement);
    this.problem = named("problem", HTMLElement);
    this.remark = named("remark", HTMLElement); // what the link says and the page does not know
    this.said = named("said", HTMLElement);
    this.menus = {
      tokenizer: named("tokenizer", HTMLSelectElement),
      split: named("split", HTMLSelectElement),
      alphabet: named("alphabet", HTMLSelectElement),
      size: named("size", HTMLInputElement),
    };
    const told = (/** @type {Picture} */ picture) => this.#told(picture);
    /** @type {Record<string, Picture>} */
    this.pages = {
      tokens: new Picture("tokens-picture", showTokens, tokens, told),
      train: new Picture("film-picture", showFilm, {
        ...film,
        asks: { address: "", handle: "", own: framesOf(chunks) },
      }, told),
    };
    /** @type {{ text: string, version: number, answered: number }} */
    this.box = { text: "", version: 0, answered: 0 };
    this.view = new Wish("view", {
      asks: () => ({
        address: "",
        handle: "",
        own: (name, { of, ...parameters }) => this.engine.ask(of, name, parameters),
      }),
      take: (data, asked) => this.#take(data, asked),
      refused: ({ message }) => this.#explain(message),
      lost: (is) => is ? this.#explain(LATER) : undefined,
    });
  }

  /** Open the page with its link. */
  open() {
    const copy = readCopy()?.text; // before the box has another text
    this.follow();
    if (!this.text && copy) this.#fill(copy);
    for (const page of Object.values(this.pages)) {
      const step = page === this.picture && page.step !== null ? { step: page.step } : {};
      page.open({ ...step, plays: page === this.picture && this.#plays });
    }
    addEventListener("hashchange", () => this.follow());
    for (const [name, menu] of Object.entries(this.menus)) {
      menu.addEventListener("change", () => this.#choose({ [name]: menu.value }));
    }
    for (const link of document.querySelectorAll("nav a")) {
      link.addEventListener("click", (event) => this.#go(/** @type {MouseEvent} */ (event), link.id));
    }
    named("clear", HTMLButtonElement).addEventListener("click", () => this.#fill(""));
    named("copy", HTMLButtonElement).addEventListener("click", () => this.#copy());
    const theme = named("theme", HTMLSelectElement);
    theme.value = remembered();
    theme.addEventListener("change", () => setTheme(theme.value));
    setTheme(theme.value);
    this.#load();
  }

  /** Whether the example of Tokens plays once by itself: on a page that nobody has asked for anything else. */
  get #plays() {
    return !location.hash && !this.text;
  }

  get picture() {
    return this.pages[this.chosen.page];
  }

  /** The text that the open page shows. */
  get shown() {
    return this.text || this.example[this.chosen.page];
  }

  /** What the picture of the open page is about. @returns {Record<string, unknown>} */
  get thing() {
    const { page, tokenizer, split, alphabet, size } = this.chosen;
    return page === "tokens" ? { tokenizer } : { pretokenizer: split, alphabet, vocab_size: Number(size) };
  }

  /** Show what the link in the address says. */
  follow() {
    const { chosen, unknown } = readLink(location.hash, this.choices);
    this.chosen = { ...chosen, text: null };
    if (chosen.text !== null) this.#fill(chosen.text);
    else this.#drawBox({});
    this.picture.step = chosen.step;
    this.picture.shows = ""; // the link sets the step
    const named = unknown.slice(0, FEW).join(", ") + (unknown.length > FEW ? ` and ${unknown.length - FEW} more` : "");
    this.remark.textContent = named && `The link has values that are unknown here: ${named}.`;
    this.#update();
  }

  // --- the text ---

  /** Put a text into the box. @param {string} text */
  #fill(text) {
    this.text = text;
    this.#drawBox({ text, version: this.box.version + 1 });
    this.#update();
  }

  /** @param {object} changed */
  #drawBox(changed) {
    Object.assign(this.box, changed);
    const placeholder = `Type or paste a text. Until then the page shows this one: ${this.example[this.chosen.page]}`;
    const looks = { label: "Your text", placeholder, height: 66, most_lines: 8, pause: REST, began: 1, in_tab: "keep" };
    const send = (/** @type {Request} */ request) => setTimeout(() => this.#heard(request));
    showEditor({ data: /** @type {any} */ ({ ...this.box, ...looks }), parentElement: rootOf("box"), send });
  }

  /** The typing rests. @param {Request} request */
  #heard({ number, choice }) {
    const { text = this.text } = /** @type {{ text?: string }} */ (choice);
    if (text !== this.text) { for (const page of Object.values(this.pages)) page.step = null; }
    this.text = text;
    this.#drawBox({ text, answered: number });
    this.#update();
  }

  // --- what is chosen ---

  /** @param {Partial<Chosen>} changed */
  #choose(changed) {
    this.chosen = { ...this.chosen, ...changed };
    this.picture.step = null;
    this.remark.textContent = "";
    this.#update();
  }

  /** @param {MouseEvent} event @param {string} page */
  #go(event, page) {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    history.pushState(null, "", location.href); // so that Back leads to the page that is left
    this.chosen = { ...this.chosen, page: page.replace("to-", "") };
    this.#drawBox({});
    this.#update();
  }

  /** @param {Picture} picture */
  #told(picture) {
    if (picture === this.picture) this.#address();
  }

  /** Write what is chosen, without the text, into the address. */
  #address() {
    const link = linkOf({ ...this.chosen, step: this.picture.step }, this.choices.first);
    if (link !== location.hash) history.replaceState(history.state, "", link || location.pathname + location.search);
  }

  async #copy() {
    const hasText = this.text.length <= LONGEST;
    const chosen = { ...this.chosen, step: this.picture.step, text: hasText ? this.text : null };
    const link = location.href.replace(/#.*/, "") + linkOf(chosen, this.choices.first);
    const done = await copied(link);
    const what = !hasText ? "without the text, which is too long for a link" : this.text ? "with your text" : "";
    this.said.textContent = done ? `Link copied${what && `, ${what}`}.` : "The browser does not allow copying here.";
    clearTimeout(this.forgets);
    this.forgets = setTimeout(() => this.said.textContent = "", 6000);
  }

  // --- the pictures ---

  /** Draw what is chosen, and ask for what the open picture lacks. */
  #update() {
    const { chosen, pages, menus } = this;
    for (const [key, page] of Object.entries(pages)) {
      named(`${key}-page`, HTMLElement).hidden = key !== chosen.page;
      named(`to-${key}`, HTMLElement).setAttribute("aria-current", key === chosen.page ? "page" : "false");
      if (this.isReady && page !== this.picture) page.draw({ asks: undefined }); // who is not seen asks for nothing
    }
    for (const [name, menu] of Object.entries(menus)) menu.value = chosen[/** @type {keyof typeof menus} */ (name)];
    this.#address();
    if (!this.isReady) return this.#explain(this.#isExample ? "" : STILL);
    const shows = JSON.stringify([this.thing, this.shown]);
    if (this.picture.shows === shows) {
      this.#explain("");
      return this.picture.draw({ asks: this.#asks() });
    }
    this.view.want({
      of: this.thing,
      text: this.shown,
      specials: true,
      step: this.picture.step ?? 0,
      page: chosen.page,
      shows,
    });
  }

  /** @param {any} data @param {{ page: string, shows: string, text: string }} asked */
  #take(data, { page, shows, text }) {
    const picture = this.pages[page];
    picture.shows = shows;
    const step = picture.step === null ? data.step : Math.min(picture.step, page === "tokens" ? data.steps : data.step);
    this.#explain("");
    picture.open({
      ...data,
      step,
      given: text,
      is_example: !this.text,
      asks: picture === this.picture ? this.#asks() : undefined,
    });
  }

  /** Whom the open picture asks. @returns {Asks & { example: string, specials: boolean }} */
  #asks() {
    const { thing, picture } = this;
    /** @param {string} name @param {any} parameters */
    const own = (name, parameters) =>
      this.engine.ask(thing, name, { ...parameters, text: parameters.text ?? picture.data.given });
    return { address: "", handle: JSON.stringify(thing), own, example: this.example[this.chosen.page], specials: true };
  }

  /** @param {string} sentence */
  #explain(sentence) {
    if (this.problem.textContent !== sentence) this.problem.textContent = sentence;
  }

  // --- the engine ---

  async #load() {
    let isLoading = true;
    const why = location.protocol === "file:" ? FROM_DISK : isSecureContext ? "" : UNSAFE;
    try {
      if (why) throw new Refusal(422, why);
      await this.engine.start(this.chosen.tokenizer, (received, all) => {
        if (isLoading) this.#showLoading(received, all);
      });
      this.isReady = true;
      this.#say("", true);
      this.pages.tokens.data.given = this.example.tokens;
      this.pages.train.data.given = this.example.train;
      if (this.#isExample && this.chosen.page === this.choices.first.page && this.picture.step === null) {
        this.picture.shows = JSON.stringify([this.thing, this.shown]);
        // so that the first key need not wait; if it fails, that key says why
        this.engine.ask(this.thing, "view", { text: "", specials: true, step: 0 }).catch(() => {});
      }
      this.#update();
    } catch (error) {
      isLoading = false; // other files may still be on their way
      this.#say(`${whyNot(error)} The examples play without it.`, true);
    }
  }

  /** Whether what is typed and chosen is what the page was written with. */
  get #isExample() {
    const { split, alphabet, size, tokenizer } = this.choices.first;
    const { chosen } = this;
    const isFirst = chosen.page === "tokens"
      ? chosen.tokenizer === tokenizer
      : chosen.split === split && chosen.alphabet === alphabet && String(chosen.size) === String(size);
    return !this.text && isFirst;
  }

  /** @param {number} received @param {number} all bytes */
  #showLoading(received, all) {
    const [had, of] = [received, all].map((bytes) => grouped(Math.round(bytes / MB)));
    this.bar.value = received / all;
    const what = received < all
      ? `Loading Python, so that you can type your own text: ${had} of ${of} MB.`
      : "Starting Python.";
    this.#say(what, false);
    if (received < all) this.#late = setTimeout(() => this.#say(`${what} ${NOTHING_COMES}`, false), PATIENCE);
  }

  /** @param {string} words @param {boolean} isOver whether nothing is loading any more */
  #say(words, isOver) {
    clearTimeout(this.#late);
    if (this.loading.textContent !== words) this.loading.textContent = words;
    this.bar.hidden = isOver;
  }
}

/**
 * Return what answers the film of the example: it has its frames, and nothing else.
 *
 * @param {Chunk[][]} chunks of each side
 */
function framesOf(chunks) {
  /** @param {string} name @param {{ chunks: [side: number, chunk: number][] }} asked */
  return (name, { chunks: asked }) => {
    if (name !== "frames") throw new Refusal(422, LOADING);
    return { chunks: asked.map(([side, at]) => [side, at, chunks[side][at]]).filter(([, , chunk]) => chunk) };
  };
}

/** Return why Python is not there, and what the reader can do. @param {unknown} error */
function whyNot(error) {
  if (error instanceof Refusal) return error.message;
  if (error instanceof NotFetched) return `Python cannot be loaded, since ${error.message}: ${TO_DO}.`;
  console.error(error);
  return NOT_STARTED;
}

function remembered() {
  try {
    const theme = localStorage.getItem(THEME) ?? "";
    return ["light", "dark"].includes(theme) ? theme : "";
  } catch {
    return "";
  }
}

/** @param {string} theme "light", "dark", or "" for the system's */
function setTheme(theme) {
  document.documentElement.style.colorScheme = theme;
  try {
    localStorage.setItem(THEME, theme);
  } catch {
    // the storage is forbidden: the theme is this page's only
  }
}

content().then((recorded) => new Site(recorded).open());
