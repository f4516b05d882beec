import { deepEqual, equal, rejects } from "node:assert/strict";

import { get, Refusal, Wish } from "../../../bpe_core/pictures/shared/source.js";
import { FakeTime } from "./fake_time.js";

/** @typedef {{ url: string, headers: Record<string, string>, parameters: unknown, answer: (answer: Response | Error) => void }} Asked */

Object.assign(globalThis, { location: { href: "http://localhost/app/train?text=x" } });

/** A picture with one wish, and a server that is answered by hand. */
class Talk {
  /** @type {Asked[]} */
  asked = [];
  /** @type {string[]} what the picture was told, in order */
  told = [];
  /** @type {import("../../../bpe_core/pictures/shared/types.js").Asks | undefined} */
  asks = { address: "/app/r/", handle: "h1" };
  #real = { fetch: globalThis.fetch, timeout: AbortSignal.timeout };

  constructor() {
    this.time = new FakeTime();
    AbortSignal.timeout = () => new AbortController().signal; // no timer that outlives the test
    globalThis.fetch =
      /** @type {typeof fetch} */ ((/** @type {URL} */ url, /** @type {any} */ { headers, body }) =>
        new Promise((resolve, reject) => {
          const answer = (/** @type {Response | Error} */ answer) =>
            answer instanceof Error ? reject(answer) : resolve(answer);
          this.asked.push({ url: `${url}`, headers, parameters: JSON.parse(body), answer });
        }));
    this.wish = new Wish("tokens", {
      asks: () => this.asks,
      take: (data, { text }) => this.told.push(`${text}: ${data}`),
      refused: ({ status, message }) => this.told.push(`${status} ${message}`.trim()),
      lost: (is) => this.told.push(is ? "lost" : "found"),
    });
  }

  [Symbol.dispose]() {
    this.time[Symbol.dispose]();
    globalThis.fetch = this.#real.fetch;
    AbortSignal.timeout = this.#real.timeout;
  }

  /** Want the tokens of each of some texts. @param {...string} texts */
  want(...texts) {
    for (const text of texts) this.wish.want({ text });
  }

  /** Answer the last request, and let the picture hear it. @param {Response | Error} answer */
  answer(answer) {
    this.asked.at(-1)?.answer(answer);
    return this.pass(0);
  }

  /** Let time pass, and let the picture hear what happened. @param {number} milliseconds */
  async pass(milliseconds) {
    this.time.pass(milliseconds);
    const { port1, port2 } = new MessageChannel(); // a turn of the event loop without a timer
    await new Promise((resolve) => {
      port1.onmessage = resolve;
      port2.postMessage(null);
    });
    port1.close();
  }

  /** The texts of all requests. */
  get texts() {
    return this.asked.map(({ parameters }) => /** @type {{ text: string }} */ (parameters).text);
  }
}

const ok = (/** @type {unknown} */ data) => new Response(JSON.stringify(data));
const refusal = (/** @type {number} */ status, sentence = "") => new Response(sentence, { status });

Deno.test("no typed word and no handle is in the address", () => {
  using talk = new Talk();
  talk.want("secret");
  const [{ url, headers, parameters }] = talk.asked;
  equal(url, "http://localhost/app/r/tokens");
  equal(headers["Mergescope-Handle"], "h1");
  deepEqual(parameters, { text: "secret" });
});

Deno.test("one request is under way; the newest wish is next, so no answer comes out of order", async () => {
  using talk = new Talk();
  talk.want("a", "b", "c");
  deepEqual(talk.texts, ["a"]);
  await talk.answer(ok(1));
  deepEqual(talk.texts, ["a", "c"], "nobody asks for b");
  await talk.answer(ok(2));
  deepEqual(talk.told, ["found", "a: 1", "found", "c: 2"]);
  talk.want("d");
  deepEqual(talk.texts, ["a", "c", "d"]);
});

for (
  const [what, answer] of /** @type {[string, () => Response | Error][]} */ ([
    ["cannot be reached", () => new TypeError("network error")],
    ["heard the request too slowly", () => refusal(408, "The body did not arrive in time.")],
    ["is busy", () => refusal(503, "Too many requests")],
    ["is down behind its proxy", () => new Response("<html>Bad gateway", { status: 502 })],
    ["is replaced by a proxy's own page", () => new Response("<html>Sign in")],
  ])
) {
  Deno.test(`a server that ${what} is asked again after a second, for the newest wish`, async () => {
    using talk = new Talk();
    talk.want("a");
    await talk.answer(answer());
    deepEqual(talk.told, ["lost"]);
    await talk.pass(999);
    talk.want("b"); // typing does not ask more often
    deepEqual(talk.texts, ["a"]);
    await talk.pass(1);
    await talk.answer(answer());
    await talk.pass(1000);
    deepEqual(talk.texts, ["a", "b", "b"], "the same wish again, if there is no newer one");
    await talk.answer(ok(3));
    deepEqual(talk.told, ["lost", "lost", "found", "b: 3"]);
  });
}

Deno.test("an unknown handle is refused once, however many wishes there were; a new handle is used then", async () => {
  using talk = new Talk();
  talk.want("a", "b");
  await talk.answer(refusal(410, "This is not here any more."));
  deepEqual(talk.texts, ["a", "b"]);
  await talk.answer(refusal(410, "This is not here any more."));
  deepEqual(talk.told, ["found", "found", "410"]);
  await talk.pass(60_000);
  equal(talk.asked.length, 2, "it does not ask again by itself");
  talk.asks = { address: "/app/r/", handle: "h2" };
  talk.want("b");
  equal(talk.asked[2].headers["Mergescope-Handle"], "h2");
});

Deno.test("only a refusal for the reader has a sentence of its own", async () => {
  using talk = new Talk();
  talk.want("a");
  await talk.answer(refusal(422, "The pattern takes too long."));
  talk.want("b");
  await talk.answer(refusal(500, "Traceback"));
  deepEqual(talk.told, ["found", "422 The pattern takes too long.", "found", "500 The server could not answer this."]);
});

Deno.test("a picture without anybody to ask asks nobody", () => {
  using talk = new Talk();
  talk.asks = undefined;
  talk.want("a");
  equal(talk.asked.length, 0);
  talk.asks = { address: "/app/r/", handle: "h1" };
  talk.want("b");
  deepEqual(talk.texts, ["b"]);
});

Deno.test("what is dropped is not taken, and what is wanted no more is not asked for", async () => {
  using talk = new Talk();
  talk.want("a", "b");
  talk.wish.want(null);
  await talk.answer(ok(1));
  deepEqual([talk.texts, talk.told], [["a"], ["found", "a: 1"]]);
  talk.want("c", "d");
  talk.wish.drop();
  talk.want("e");
  await talk.answer(ok(2));
  await talk.answer(ok(3));
  deepEqual(talk.texts, ["a", "c", "e"]);
  deepEqual(talk.told.filter((each) => each !== "found"), ["a: 1", "e: 3"]);
  talk.want("f");
  talk.wish.drop();
  await talk.answer(refusal(410));
  await talk.pass(60_000);
  deepEqual(talk.told.filter((each) => each !== "found"), ["a: 1", "e: 3"], "nor is its refusal");
});

Deno.test("a page that has its data itself sends no request", async () => {
  using talk = new Talk();
  talk.asks = { address: "", handle: "", own: (name, { text }) => `${name} of ${text}` };
  talk.want("a");
  await talk.pass(0);
  deepEqual([talk.asked.length, talk.told.at(-1)], [0, "a: tokens of a"]);
});

Deno.test("an error of the picture is no lost server, and the next wish is asked for", async () => {
  using talk = new Talk();
  const failed = new Promise((resolve) =>
    addEventListener("unhandledrejection", (event) => {
      event.preventDefault();
      resolve(event.reason.message);
    }, { once: true })
  );
  talk.wish.take = () => {
    throw new Error("of the picture");
  };
  talk.want("a");
  await talk.answer(ok(1));
  equal(await failed, "of the picture");
  deepEqual(talk.told, ["found"]);
  talk.want("b");
  deepEqual(talk.texts, ["a", "b"]);
});

Deno.test("what the page itself answers is refused without an error, and not asked again", async () => {
  using talk = new Talk();
  talk.want("a");
  await talk.answer(new Response(null, { status: 204 }));
  await talk.pass(60_000);
  deepEqual(talk.told, ["found", "204"]);
  equal(talk.asked.length, 1);
});

Deno.test("`get` fails with what went wrong", async () => {
  using talk = new Talk();
  const asking = get({ address: "/r/", handle: "h" }, "token", { at: 1 });
  talk.asked[0].answer(refusal(422, "Why."));
  await rejects(asking, (error) => error instanceof Refusal && error.status === 422 && error.message === "Why.");
});
