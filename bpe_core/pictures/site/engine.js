// The engine of the page: Python in a worker. Its files are fetched and checked here, and the worker gets the bytes.
//
//     fetched(file)    fetch, then SHA-256: another file than the tested one is never used. What goes wrong on the way is
//                      said with the host from which the file should come
//     start            the worker's script is Pyodide's own two scripts and worker.js; the other files are messages
//     ask              a request; the worker answers one after the other
//
// The worker is made of a blob, so that the policy of the page is its policy too: a script from an address has none on a
// host that sends no headers.

import { Refusal } from "../shared/source.js";

/**
 * A file of the site, or of Pyodide. `address`: relative to the page.
 * @typedef {{ name: string, address: string, sha256: string, bytes: number }} SiteFile
 */

/**
 * What the engine is made of. `scripts`, `files`: of Pyodide. `lock`: its pyodide-lock.json. `tables`: of the
 * vocabularies, by key. `worker`: worker.js.
 * @typedef {{ scripts: SiteFile[], files: SiteFile[], lock: string, engine: SiteFile, tables: Record<string, SiteFile>, worker: string }} Sources
 */

/** @typedef {Uint8Array<ArrayBuffer>} Content */

export const NOT_STARTED = "Python could not be started in this browser.";
export const TO_DO = "reload the page, or open it in another network"; // your text stays: the tab keeps it
const STOPPED = "Python has stopped. Reload the page; your text stays.";
const FAILED = "This page could not answer that.";

/** A file that cannot be fetched now. The message says in a few words which host does not give it. */
export class NotFetched extends Error {}

/** @param {Content} content */
async function sha256(content) {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", content));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Fetch a file and check that it is the tested one. Fails with a `Refusal` if it is another, with `NotFetched` if it
 * cannot be fetched now.
 *
 * @param {SiteFile} file
 * @param {(bytes: number) => void} [received] called with the number of each part's bytes
 * @returns {Promise<Content>}
 */
export async function fetched({ name, address, sha256: expected, bytes }, received = () => {}) {
  const from = new URL(address, document.baseURI);
  const content = new Uint8Array(bytes);
  let size = 0;
  try {
    const answer = await fetch(from);
    if (!answer.ok || !answer.body) throw new NotFetched(`${from.host} answers ${answer.status} for ${name}`);
    const reader = answer.body.getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const { length } = part.value;
      if (size + length <= bytes) content.set(part.value, size);
      size += length;
      received(length);
    }
  } catch (error) { // of a browser its words are those of programmers, such as "Failed to fetch"
    throw error instanceof NotFetched ? error : new NotFetched(`${from.host} cannot be reached`);
  }
  if (size !== bytes || await sha256(content) !== expected) {
    const other = `${name} from ${from.host} is not the file that this page was made for, so it is not used`;
    throw new Refusal(422, `${other}: ${TO_DO}.`);
  }
  return content;
}

export class Engine {
  /** @type {Worker | null} */
  #worker = null;
  /** @type {Map<number, { take: (found: any) => void, fail: (error: Error) => void, otherwise: string }>} */
  #asked = new Map(); // what is under way, by number
  #number = 0;
  /** @type {Map<string, Promise<unknown>>} */
  #tables = new Map(); // of vocabularies, by key: on their way or in the worker

  /** @param {Sources} sources */
  constructor(sources) {
    this.sources = sources;
  }

  /**
   * Fetch Python, the engine and the table of a vocabulary, and start them.
   *
   * @param {string} first the key of the vocabulary that the page opens with
   * @param {(received: number, all: number) => void} progress called again and again; at last with all bytes
   */
  async start(first, progress) {
    const { scripts, files, lock, engine, tables, worker } = this.sources;
    const every = [...scripts, ...files, engine, tables[first]];
    const all = every.reduce((sum, file) => sum + file.bytes, 0);
    let received = 0;
    progress(0, all);
    const contents = await Promise.all(every.map((file) => fetched(file, (bytes) => progress(received += bytes, all))));
    const [code, others] = [contents.slice(0, scripts.length), contents.slice(scripts.length, -2)];
    const parts = [...code, worker].flatMap((part) => [part, "\n"]); // a script may end in a comment
    const address = URL.createObjectURL(new Blob(parts, { type: "text/javascript" }));
    this.#worker = new Worker(address);
    URL.revokeObjectURL(address);
    this.#worker.addEventListener("message", ({ data }) => this.#answered(data));
    this.#worker.addEventListener("error", () => this.#stop());
    const given = files.map(({ name }, i) => [name, others[i]]);
    const [zip, table] = contents.slice(-2);
    const start = { files: { ...Object.fromEntries(given), "pyodide-lock.json": lock }, engine: zip };
    await this.#call("start", start, [...others, zip].map((each) => each.buffer), NOT_STARTED);
    this.#tables.set(first, this.#put(tables[first], table));
  }

  /**
   * Ask about a thing: `{ tokenizer }`, or the settings of a training. Fails as `get` in source.js does.
   *
   * @param {Record<string, unknown>} thing
   * @param {string} name of the resource
   * @param {object} parameters
   * @returns {Promise<any>} the data
   */
  async ask(thing, name, parameters) {
    if (typeof thing.tokenizer === "string") await this.#table(thing.tokenizer);
    const given = { thing: JSON.stringify(thing), name, parameters: JSON.stringify(parameters) };
    const [status, found] = JSON.parse(await this.#call("ask", given));
    if (status !== 200) throw new Refusal(status, found);
    return found;
  }

  /** Give the worker the table of a vocabulary, once. @param {string} key */
  #table(key) {
    const file = this.sources.tables[key];
    const found = this.#tables.get(key) ?? fetched(file).then((content) => this.#put(file, content));
    this.#tables.set(key, found);
    found.catch(() => this.#tables.delete(key)); // the next wish fetches it again
    return found;
  }

  /** @param {SiteFile} file @param {Content} content */
  #put({ name }, content) {
    return this.#call("put", { name, content }, [content.buffer]);
  }

  /**
   * @param {string} act a function of worker.js
   * @param {object} given
   * @param {Transferable[]} [moved] what the worker gets without a copy
   * @param {string} [otherwise] the sentence for an error in the worker
   * @returns {Promise<any>}
   */
  #call(act, given, moved = [], otherwise = FAILED) {
    return new Promise((take, fail) => {
      if (!this.#worker) return fail(new Refusal(500, STOPPED));
      this.#asked.set(++this.#number, { take, fail, otherwise });
      this.#worker.postMessage({ number: this.#number, act, given }, moved);
    });
  }

  /** @param {{ number: number, found?: unknown, error?: string }} answer */
  #answered({ number, found, error }) {
    const waiting = this.#asked.get(number);
    this.#asked.delete(number);
    if (error === undefined) return waiting?.take(found);
    console.error(error);
    waiting?.fail(new Refusal(500, waiting.otherwise));
  }

  #stop() {
    this.#worker?.terminate();
    this.#worker = null;
    for (const { fail } of this.#asked.values()) fail(new Refusal(500, STOPPED));
    this.#asked.clear();
  }
}
