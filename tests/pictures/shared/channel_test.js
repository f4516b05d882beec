import { deepEqual, equal } from "node:assert/strict";

import { Channel } from "../../../bpe_core/pictures/shared/channel.js";
import { FakeTime } from "./fake_time.js";

/** @import { Request } from "../../../bpe_core/pictures/shared/types.js" */

/** A link of Streamlit's navigation. */
class FakeLink {
  dataset = { testid: "stPageLink-NavLink" };
  href = "http://localhost/train";
}

/**
 * The page around the views, as Streamlit draws it. A click on it is watched once, however many channels there are.
 * @type {{ connection: string | undefined, script: string | undefined, click: (event: object) => void }}
 */
const page = { connection: undefined, script: undefined, click: () => {} };
Object.assign(globalThis, {
  HTMLAnchorElement: FakeLink,
  location: { href: "http://localhost/", pathname: "/" },
  document: {
    addEventListener: (/** @type {string} */ name, /** @type {(event: object) => void} */ act) => {
      if (name === "click") page.click = act;
    },
    querySelector: () => ({ dataset: { testConnectionState: page.connection, testScriptState: page.script } }),
  },
});

/** A view that chooses steps, its channel, and a source that is answered by hand. */
class Talk {
  host = { isConnected: true };
  /** @type {number | null} */
  step = null; // that was chosen in the view
  shown = 0; // the step that the view shows
  set = 0; // the step that the source has set
  /** @type {Request[]} */
  requests = [];
  /** @type {boolean[]} */
  lost = [];

  constructor({ yields = false, pause = 0, now = 1000 } = {}) {
    this.time = new FakeTime(now);
    Object.assign(page, { connection: "CONNECTED", script: "notRunning" });
    this.channel = new Channel({
      root: /** @type {ShadowRoot} */ (/** @type {unknown} */ ({ host: this.host })),
      choice: () => this.step === null ? null : { step: this.step },
      adopt: () => {
        this.step = null;
        this.shown = this.set;
      },
      pause: () => pause,
      lost: (whether) => this.lost.push(whether),
      yields,
    });
    this.answer(0, "a", 1);
  }

  [Symbol.dispose]() {
    this.time[Symbol.dispose]();
  }

  /** Choose a step in the view. @param {number} step @param {number} [after] */
  choose(step, after) {
    this.step = this.shown = step;
    this.channel.request(after);
  }

  /** Let the source answer. @param {number} [answered] @param {string} [version] @param {number} [set] the source's step */
  answer(answered = this.number, version = "a", set = 1) {
    this.set = set;
    this.channel.receive({ version, answered }, (request) => this.requests.push(request));
  }

  /** The number of the last request. */
  get number() {
    return this.requests.at(-1)?.number ?? 0;
  }

  /** The steps of all requests. */
  get steps() {
    return this.requests.map(({ choice }) => /** @type {{ step?: number }} */ (choice).step);
  }
}

Deno.test("what the source sets is shown once, and then the view leads", () => {
  using talk = new Talk();
  equal(talk.shown, 1);
  talk.choose(5);
  talk.answer(talk.number, "a", 1); // the source has not taken it over yet
  equal(talk.shown, 5);
});

Deno.test("one request is under way at most; the newest choice follows the answer", () => {
  using talk = new Talk();
  for (const step of [2, 3, 4]) talk.choose(step);
  deepEqual(talk.steps, [2]);
  talk.answer();
  deepEqual(talk.steps, [2, 4]);
  talk.answer();
  talk.choose(4);
  deepEqual(talk.steps, [2, 4], "nothing is sent twice");
});

Deno.test("a late answer undoes nothing, and is not taken for the newest", () => {
  using talk = new Talk();
  talk.choose(2);
  talk.answer();
  const before = talk.number;
  talk.choose(3);
  talk.answer(before);
  talk.choose(4);
  deepEqual([talk.shown, talk.steps], [4, [2, 3]]);
});

Deno.test("a choice of the source is adopted at once, and is never lost to one under way", () => {
  using talk = new Talk();
  talk.choose(2);
  talk.choose(3);
  talk.answer(0, "b", 9);
  deepEqual([talk.shown, talk.steps], [9, [2]], "what was chosen under the version before is void");
  talk.answer(talk.number, "b", 9);
  talk.choose(2);
  deepEqual(talk.requests.map(({ version }) => version), ["a", "b"], "the same choice under another version is sent");
  talk.answer(talk.number, "a", 7); // a source that counts anew
  equal(talk.shown, 7);
});

Deno.test("what a view keeps of its choice, whatever the source sets, is sent under the new version", () => {
  using talk = new Talk();
  talk.channel.view.adopt = () => {};
  talk.choose(5);
  talk.answer();
  talk.answer(talk.number, "b");
  talk.time.pass(1000);
  deepEqual(talk.requests.map(({ version }) => version), ["a", "b"]);
  talk.answer(talk.number, "b");
  equal(talk.channel.isSettled, true);
});

Deno.test("the same choice is sent once; an older choice is news again", () => {
  using talk = new Talk();
  talk.choose(5);
  talk.answer();
  talk.choose(5);
  deepEqual(talk.steps, [5]);
  talk.choose(1);
  talk.answer();
  talk.choose(5);
  deepEqual(talk.steps, [5, 1, 5]);
});

Deno.test("a source that is asked once more answers without any choice", () => {
  using talk = new Talk();
  talk.channel.ask();
  talk.answer();
  deepEqual(talk.requests.map(({ choice, version }) => [choice, version]), [[{}, "a"]]);
});

Deno.test("a request that is never answered is sent again with the newest choice, once nothing runs", () => {
  using talk = new Talk();
  talk.choose(2);
  talk.choose(3);
  page.script = "running";
  talk.time.pass(4500);
  deepEqual(talk.steps, [2]);
  page.script = "notRunning";
  talk.time.pass(500);
  deepEqual([talk.steps, talk.lost], [[2, 3], []]);
  talk.time.pass(2000);
  deepEqual([talk.steps, talk.lost], [[2, 3, 3], [true, true, true, true]]);
  talk.answer(talk.requests[1].number); // to the first that had this choice: as good as to the last
  talk.time.pass(60_000);
  deepEqual([talk.steps, talk.lost.at(-1), talk.time.waiting], [[2, 3, 3], false, 0]);
});

Deno.test("what was asked while the connection was lost is sent again as soon as it is back", () => {
  using talk = new Talk();
  talk.choose(2);
  page.connection = "DISCONNECTED";
  talk.time.pass(20_000);
  deepEqual([talk.steps, talk.lost.length > 0 && talk.lost.every(Boolean)], [[2], true]);
  page.connection = "CONNECTED";
  page.script = "running";
  talk.time.pass(500);
  deepEqual(talk.steps, [2, 2]);
  page.connection = "DISCONNECTED";
  talk.time.pass(500);
  page.connection = "CONNECTED";
  talk.answer();
  talk.choose(3);
  talk.time.pass(500);
  deepEqual(talk.steps, [2, 2, 3], "the next request was not under way when the connection was lost");
});

Deno.test("a view that is mounted anew does not take an older view's answer for its own", () => {
  using before = new Talk();
  before.choose(2);
  before.host.isConnected = false;
  using now = new Talk({ now: 2000 });
  now.choose(3);
  now.answer(before.number);
  now.choose(4);
  deepEqual(now.steps, [3]);
  now.answer();
  deepEqual(now.steps, [3, 4]);
});

Deno.test("a view that has left the page sends nothing more", () => {
  using talk = new Talk();
  talk.choose(2);
  talk.host.isConnected = false;
  talk.time.pass(60_000);
  talk.choose(3);
  deepEqual([talk.steps, talk.time.waiting], [[2], 0]);
});

Deno.test("a choice may wait, and the next one comes after a pause", () => {
  using talk = new Talk({ pause: 100 });
  talk.choose(2, 150);
  talk.time.pass(100);
  talk.choose(3, 150);
  talk.time.pass(149);
  deepEqual(talk.steps, []);
  talk.time.pass(1);
  talk.choose(4);
  talk.answer();
  talk.time.pass(99);
  deepEqual(talk.steps, [3]);
  talk.time.pass(1);
  deepEqual(talk.steps, [3, 4]);
});

Deno.test("a request waits for the run that a pressed button waits for, where it would end that run", () => {
  for (const yields of [true, false]) {
    using talk = new Talk({ yields });
    talk.time.pass(10_000); // since the clicks of other tests
    talk.choose(2);
    talk.time.pass(10);
    page.click({ composedPath: () => [] });
    page.script = "running";
    talk.choose(3);
    talk.answer(); // to step 2, while the script goes on
    talk.time.pass(1000);
    deepEqual(talk.steps, yields ? [2] : [2, 3]);
    page.script = "notRunning";
    talk.time.pass(50);
    talk.answer();
    page.script = "running";
    talk.choose(4); // without another click nothing waits
    deepEqual(talk.steps, [2, 3, 4]);
  }
});

Deno.test("a link waits until the page has answered; then nothing is sent while the page is being left", () => {
  /** @type {{ mergescopeUnheard?: Set<object> }} */ (globalThis).mergescopeUnheard?.clear(); // of other tests
  using talk = new Talk();
  let went = 0;
  const link = Object.assign(new FakeLink(), { click: () => press(), href: "http://localhost/train" });
  const press = () => {
    let isHeld = false;
    const hold = () => void (isHeld = true);
    page.click({ composedPath: () => [link], preventDefault: hold, stopImmediatePropagation: hold });
    went += Number(!isHeld);
  };
  talk.choose(2);
  press();
  talk.time.pass(400);
  equal(went, 0);
  talk.answer();
  talk.time.pass(60);
  equal(went, 1);
  talk.time.pass(4900);
  talk.choose(3);
  deepEqual(talk.steps, [2]);
  talk.time.pass(200);
  deepEqual(talk.steps, [2, 3]);
  press(); // of a server that does not answer
  talk.time.pass(1900);
  equal(went, 1);
  talk.time.pass(200);
  equal(went, 2);
});
