// What a film asks for by itself: the frames near its step, the words that match a search, details about a pair or a
// word, and the training of a typed text. Until the page has heard of that text, each request has it.

import { missingChunks } from "./record.js";
import { TypedText, Wish } from "../shared/source.js";

/** @import { Film } from "./film.js" */
/** @import { Given, Refusal } from "../shared/source.js" */
/** @import { Chunks, FilmData, FirstData, Focus, Window } from "../shared/types.js" */

const AHEAD = { playing: 24, resting: 4, jumping: 0 }; // chunks to ask for after the chunk of the step
const LOST = "Connection lost: playing what is here.";
const GONE = "This training is not here any more: reload the page.";

/**
 * Return the text of a film, and whom it asks about another text: nobody, if it does not follow the typing.
 * @param {FilmData} data @returns {Given}
 */
function givenOf({ given, asks }) {
  return given === undefined || !asks ? { given: "" } : { given, asks: { ...asks, example: asks.example ?? "" } };
}

export class Asking {
  /** @type {Set<string>} */
  #lost = new Set(); // what cannot be reached
  #isGone = false; // whether the handle named nothing any more when the film asked last

  /** @param {Film} film */
  constructor(film) {
    this.film = film;
    this.typed = new TypedText(film.root, {
      name: "film",
      data: () => givenOf(film.data),
      more: () => ({ ...film.search, step: 0 }),
      take: (found, text) => {
        this.#isGone = false;
        film.take(found, text);
      },
      refused: (refusal) => this.#refused(refusal),
      lost: (is) => this.showLost("typed", is),
    });
    this.whole = this.#wish("film", (/** @type {FirstData} */ first) => film.arrived(first));
    this.frames = this.#wish("frames", (/** @type {{ chunks: Chunks }} */ { chunks }) => film.addChunks(chunks));
    this.window = this.#wish("window", (/** @type {Window} */ window) => film.showWords(window));
    this.focus = this.#wish("focus", (/** @type {{ focus: Focus }} */ { focus }) => film.showDetails(focus));
  }

  /** @param {string} name @param {(found: any) => void} take */
  #wish(name, take) {
    const { film } = this;
    const isOpen = () => film.data.run === film.run; // else the page has another training, of which these are no frames
    return new Wish(name, {
      asks: () => (film.root.host.isConnected && (name === "film" || isOpen()) ? film.data.asks : undefined),
      take: (found) => {
        this.#isGone = false;
        take(found);
      },
      refused: (refusal) => this.#refused(refusal),
      lost: (is) => this.showLost(name, is),
    });
  }

  /** Ask the page for another handle, once, if the server does not know it any more. @param {Refusal} refusal */
  #refused({ status, message }) {
    if (status === 410 && !this.#isGone) this.film.channel.ask();
    else this.film.controls.status(status === 410 ? GONE : message);
    this.#isGone = status === 410;
  }

  /** @param {string} what cannot be reached, or can be again @param {boolean} is */
  showLost(what, is) {
    if (is) this.#lost.add(what);
    else if (!this.#lost.delete(what)) return;
    this.film.controls.status(this.#lost.size ? LOST : "");
  }

  /** Whether the box has another text than the page has heard of. @param {FilmData} data of the page */
  isAhead(data) {
    return this.typed.isAhead(givenOf(data));
  }

  /** Forget what was asked about another training. */
  drop() {
    for (const wish of [this.whole, this.frames, this.window, this.focus]) wish.drop();
  }

  /** Ask for the training that the page shows. */
  forWhole() {
    const { find, sort, step } = this.film.data;
    this.whole.want({ find, sort, step });
  }

  /** Ask for the frames that are missing at the step and around it. */
  forFrames() {
    const { records, step, motion, text } = this.film;
    const chunks = missingChunks(records, step, AHEAD[motion]);
    this.frames.want(chunks.length ? { chunks, text } : null);
  }

  /** Ask for the words of the search; in "changed first", the words that the step changed come before the others. */
  forWords() {
    const { search, begin, step, text } = this.film;
    this.window.want({ ...search, step: begin + step, text });
  }

  /** Ask for details about the chosen pair or word. A saved page has none. */
  forDetails() {
    const { pair, word, records, step, text, data } = this.film;
    const chosen = pair ?? word;
    if (chosen && !data.alone) this.focus.want({ chosen, step: Math.min(step, records[chosen[0]].steps), text });
  }
}
