// Where a picture gets what it lacks: it asks for a resource by name and gets a promise of data. A server answers, or a
// saved page from the data that it has.
//
// A picture asks for its newest wish only: at most one request of a `Wish` is under way, and after its answer the newest
// wish is sent.
//
//     want(a) ──────────► request a                      want(c) replaces want(b), which nobody sends
//     want(b), want(c)         ◄── answer a ── request c ──► …

/** @import { Asks } from "./types.js" */

export const TYPED = "mergescope.typed"; // the event of a text box; its detail is the text in the box, or null
const AGAIN = 1000; // milliseconds after which a request that did not arrive is sent again
const TRY_AGAIN = [408, 502, 503, 504]; // a body that came too slowly; a busy server; a proxy that does not reach one
const FAILED = "The server could not answer this."; // the words of its 500 are not for the screen
const PATIENCE = 60_000; // milliseconds after which a request counts as one that did not arrive

/**
 * An answer that cannot be given. `status`: 204 if the page itself answers, 410 if the server does not know the handle
 * any more. The message: a sentence for the screen, or "".
 */
export class Refusal extends Error {
  /** @param {number} status @param {string} sentence */
  constructor(status, sentence) {
    super(sentence);
    this.status = status;
  }
}

/**
 * Ask for a resource. Fails with a `Refusal` if the server refuses, else with another error: if the server cannot be
 * reached, or is busy, or heard the request too slowly, or a proxy before it answers.
 *
 * @param {Asks} asks
 * @param {string} name
 * @param {object} parameters
 * @returns {Promise<any>}
 */
export async function get({ address, handle, own }, name, parameters) {
  if (own) return own(name, parameters);
  const headers = { "Content-Type": "application/json", "Mergescope-Handle": handle };
  const url = new URL(`${address}${name}`, location.href);
  const signal = AbortSignal.timeout(PATIENCE);
  const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(parameters), signal });
  if (answer.status === 200) return answer.json();
  if (TRY_AGAIN.includes(answer.status)) throw new Error(`status ${answer.status}`);
  throw new Refusal(answer.status, answer.status === 422 ? await answer.text() : answer.status >= 500 ? FAILED : "");
}

/** The wish of a picture for one resource. */
export class Wish {
  /** @type {object | null} */
  #next = null;
  #isAsking = false;
  #isDropped = false; // whether nobody wants the answer that is under way

  /**
   * @param {string} name
   * @param {object} to
   * @param {() => Asks | undefined} to.asks whom to ask at the moment
   * @param {(data: any, parameters: any) => void} to.take take an answer
   * @param {(refusal: Refusal) => void} to.refused
   * @param {(whether: boolean) => void} to.lost called with true when a request does not arrive, else with false
   */
  constructor(name, { asks, take, refused, lost }) {
    this.name = name;
    this.asks = asks;
    this.take = take;
    this.refused = refused;
    this.lost = lost;
  }

  /**
   * Ask with these parameters, now or after the answer that is under way. With null, ask for nothing after it.
   * @param {object | null} parameters
   */
  want(parameters) {
    this.#next = parameters;
    if (!this.#isAsking) this.#ask();
  }

  /** Want nothing any more. The answer that is under way is not taken. */
  drop() {
    this.#next = null;
    this.#isDropped = true;
  }

  async #ask() {
    this.#isAsking = true;
    try {
      for (let asks = this.asks(); asks && this.#next; asks = this.asks()) {
        const parameters = this.#next;
        this.#next = null;
        await this.#answer(asks, parameters);
      }
    } finally {
      this.#isAsking = false;
    }
  }

  /** Ask once. If the request does not arrive, it is the newest wish again, unless there is a newer one. */
  async #answer(/** @type {Asks} */ asks, /** @type {object} */ parameters) {
    let data;
    this.#isDropped = false;
    try {
      data = await get(asks, this.name, parameters);
    } catch (error) {
      if (error instanceof Refusal) {
        this.lost(false);
        if (!this.#next && !this.#isDropped) this.refused(error);
      } else {
        this.lost(true);
        if (!this.#isDropped) this.#next ??= parameters;
        await new Promise((resolve) => setTimeout(resolve, AGAIN));
      }
      return;
    }
    this.lost(false);
    if (!this.#isDropped) this.take(data, parameters);
  }
}

/**
 * What a picture shows. `given`: the text as it was typed; `asks`: whom the picture asks about another text. `example`:
 * the example that an empty box shows.
 * @typedef {{ given: string, asks?: Asks & { example: string, specials?: boolean } }} Given
 */

/**
 * What is typed in the page's text box, for a picture that shows something of it. The picture asks for that itself: the
 * page hears of the text only when the typing rests. Until then an answer of the page is of an older text.
 */
export class TypedText {
  /** @type {string | null} */
  #text = null; // null until the box says it, and while the page has a text that is too long for the box

  /**
   * @param {ShadowRoot} root of the picture
   * @param {object} picture
   * @param {string} picture.name of the resource
   * @param {() => Given} picture.data what the picture shows, and whom it asks
   * @param {() => object} [picture.more] what else the picture asks with, besides a text
   * @param {(data: any, text: string, more: any) => void} picture.take show what was asked for a text
   * @param {(refusal: Refusal) => void} picture.refused
   * @param {(whether: boolean) => void} picture.lost
   */
  constructor(root, { name, data, more = () => ({}), take, refused, lost }) {
    this.data = data;
    this.more = more;
    const took = (/** @type {any} */ found, /** @type {{ text: string }} */ { text, ...asked }) => {
      take(found, text, asked);
      this.ask();
    };
    const asks = () => (root.host.isConnected ? data().asks : undefined); // a picture that is gone asks nobody
    this.wish = new Wish(name, { asks, take: took, refused, lost });
    const hear = (/** @type {Event} */ event) => {
      if (!root.host.isConnected) return document.removeEventListener(TYPED, hear);
      this.#text = /** @type {CustomEvent<string | null>} */ (event).detail;
      this.ask();
    };
    document.addEventListener(TYPED, hear);
  }

  /** Whether nothing is in the box, so that the example is shown. */
  get isEmpty() {
    return this.#text === "";
  }

  /** The text that the picture should show. @param {Given} data */
  #wanted({ given, asks }) {
    return !asks || this.#text === null ? given : this.#text || asks.example;
  }

  /** Whether an answer of the page is of an older text. @param {Given} data */
  isAhead(data) {
    return this.#wanted(data) !== data.given;
  }

  /** Ask for the text that the picture should show, unless it shows that. `anew`: even then. */
  ask(anew = false) {
    const { asks, given } = this.data();
    const wanted = this.#wanted({ asks, given });
    if (!asks || (!anew && wanted === given)) return;
    this.wish.want({ ...this.more(), text: wanted, specials: asks.specials });
  }
}
