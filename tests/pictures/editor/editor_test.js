import { deepEqual, equal } from "node:assert/strict";

import { FakeTime } from "../shared/fake_time.js";

/** @import { EditorData, Request } from "../../../bpe_core/pictures/shared/types.js" */

/** What an element of a page has that the editor uses. */
class FakeElement extends EventTarget {
  value = "";
  textContent = "";
  style = { setProperty() {} };
  classList = { toggle() {} };

  /** Type a text, as a person does. @param {string} text */
  type(text) {
    this.value = text;
    this.dispatchEvent(new Event("input"));
  }
}

/** @type {{ script: string, click: (event: object) => void }} */
const page = { script: "notRunning", click: () => {} };
const typed = /** @type {string[]} */ ([]); // what pictures of the page were told
const classes = /** @type {Set<string>} */ (new Set()); // of the document
Object.assign(globalThis, {
  HTMLElement: FakeElement,
  HTMLTextAreaElement: FakeElement,
  HTMLAnchorElement: class {},
  document: {
    addEventListener: (/** @type {string} */ name, /** @type {(event: object) => void} */ act) => {
      if (name === "click") page.click = act;
    },
    querySelector: () => ({ dataset: { testScriptState: page.script } }),
    dispatchEvent: (/** @type {CustomEvent<string>} */ event) => typed.push(event.detail),
    documentElement: {
      classList: {
        add: (/** @type {string} */ name) => classes.add(name),
        remove: (/** @type {string[]} */ ...names) => names.forEach((name) => classes.delete(name)),
        toggle: (/** @type {string} */ name, /** @type {boolean} */ is) =>
          is ? classes.add(name) : classes.delete(name),
      },
    },
  },
});

const { default: show } = await import("../../../bpe_core/pictures/editor/editor.js");

/** An editor, and a server that is answered by hand. @param {string} [early] typed before the script arrived */
function editing(early = "") {
  page.script = "notRunning";
  const area = new FakeElement();
  area.value = early;
  const label = new FakeElement();
  const host = { isConnected: true };
  const root = { host, querySelector: (/** @type {string} */ name) => name === "#editor" ? area : label };
  const parentElement = /** @type {ShadowRoot} */ (/** @type {unknown} */ (root));
  const requests = /** @type {Request[]} */ ([]);
  const facts = {
    text: "",
    version: 1,
    label: "",
    placeholder: "",
    height: 100,
    pause: 0,
    most_lines: 0,
    elsewhere: false,
    began: 1,
  };
  const data = /** @type {EditorData} */ ({ ...facts, in_tab: "", answered: 0 });
  /** @param {Partial<EditorData>} [other] */
  const answer = (other) => {
    Object.assign(data, { answered: requests.at(-1)?.number ?? 0 }, other);
    show({ parentElement, data: { ...data }, send: (request) => requests.push(request) });
  };
  answer();
  return { area, answer, texts: () => requests.map(({ choice }) => /** @type {{ text: string }} */ (choice).text) };
}

Deno.test("pictures hear each key at once, and the document says until when the page has an earlier text", () => {
  using time = new FakeTime();
  const { area, answer, texts } = editing();
  answer({ pause: 1000, in_tab: "keep" });
  typed.length = 0;
  area.type("a");
  area.type("ab");
  deepEqual(typed, ["a", "ab"]);
  deepEqual([...classes], ["behind-soon", "unheard"]);
  time.pass(600);
  deepEqual([...classes], ["behind-soon", "unheard", "behind"]);
  deepEqual(texts(), []);
  time.pass(600);
  deepEqual(texts(), ["ab"]);
  answer({ text: "ab", in_tab: "forget" });
  deepEqual([...classes], []);
  answer({ text: "", version: 2, elsewhere: true }); // a text that is too long for the area: it is no empty one
  deepEqual(typed.at(-1), null);
});

Deno.test("an area for another text than the page's own tells pictures nothing", () => {
  using time = new FakeTime();
  const { area, texts } = editing();
  typed.length = 0;
  area.type("held out");
  time.pass(600);
  deepEqual([typed, texts()], [[], ["held out"]]);
});

Deno.test("what was typed stays when the server is started anew, and pictures are told the text that a server has set", () => {
  using time = new FakeTime();
  const { area, answer, texts } = editing();
  answer({ text: "set\r\nby a file", version: 2, in_tab: "keep" });
  deepEqual(typed.at(-1), "set\r\nby a file");
  area.type("typed");
  time.pass(100);
  answer({ text: "an old text", version: 900, began: 2, answered: 0 });
  equal(area.value, "typed");
  time.pass(2000);
  equal(texts().at(-1), "typed");
  answer({ text: "typed", version: 901, in_tab: "forget" });
});

Deno.test("a text is sent at every key, or after a pause; what the server has set is not sent back", () => {
  using time = new FakeTime();
  const { area, answer, texts } = editing();
  answer({ text: "set", version: 2 });
  time.pass(5000);
  deepEqual([area.value, texts()], ["set", []]);
  area.type("set a");
  area.type("set ab");
  deepEqual(texts(), ["set a"]);
  answer({ pause: 600 });
  equal(area.value, "set ab", "an answer leaves what is typed alone");
  time.pass(599);
  deepEqual(texts(), ["set a"]);
  time.pass(1);
  deepEqual(texts(), ["set a", "set ab"]);
});

Deno.test("what was typed before the script arrived is sent; it gives way to a text that the server sets later", () => {
  using time = new FakeTime();
  const { area, answer, texts } = editing("early");
  time.pass(20);
  deepEqual([area.value, texts()], ["early", ["early"]]);
  answer({ text: "set", version: 2 });
  time.pass(5000);
  deepEqual([area.value, texts()], ["set", ["early"]]);
});

Deno.test("a text does not end the run that a pressed button waits for", () => {
  using time = new FakeTime();
  const { area, answer, texts } = editing();
  page.script = "running";
  area.type("a");
  area.type("ab");
  time.pass(10);
  page.click({ composedPath: () => [] });
  answer(); // to "a", while the script goes on
  time.pass(1000);
  deepEqual(texts(), ["a"]);
  page.script = "notRunning";
  time.pass(50);
  deepEqual(texts(), ["a", "ab"]);
  page.script = "running";
  answer();
  area.type("abc"); // without another click nothing waits
  deepEqual(texts(), ["a", "ab", "abc"]);
});

Deno.test("an answer makes the tab's copy a safe one, which is not sent again after a reload", () => {
  using time = new FakeTime();
  const first = editing();
  first.answer({ in_tab: "keep" });
  first.area.type("long text");
  first.answer();
  time.pass(1000);
  equal(JSON.parse(sessionStorage.getItem("mergescope.text") ?? "").unsaved, 0);
  const { area, answer, texts } = editing();
  answer({ in_tab: "keep", text: "long text, saved", version: 2 });
  time.pass(20);
  deepEqual([area.value, texts()], ["long text, saved", []]);
  answer({ in_tab: "forget", text: "an example", version: 3 });
  equal(sessionStorage.length, 0);
});

Deno.test("the tab's copy comes back once after a reload, and by no link; a text that the server sets soon after stays", () => {
  using time = new FakeTime();
  const opened = { type: "navigate" };
  performance.getEntriesByType = () => /** @type {any} */ ([opened]);
  const before = JSON.stringify({ text: "mine", unsaved: performance.timeOrigin - 1 }); // the server did not answer
  const copies = /** @type {Map<string, string>} */ (new Map([["mergescope.text", before]]));
  const sessionStorage = {
    getItem: (/** @type {string} */ key) => copies.get(key) ?? null,
    setItem: (/** @type {string} */ key, /** @type {string} */ copy) => copies.set(key, copy),
    removeItem: (/** @type {string} */ key) => copies.delete(key),
  };
  Object.defineProperty(globalThis, "sessionStorage", { value: sessionStorage, configurable: true });
  const byLink = editing();
  byLink.answer({ in_tab: "keep", text: "the link's", version: 2 });
  deepEqual([byLink.area.value, copies.get("mergescope.text")], ["the link's", '{"text":"the link\'s","unsaved":0}']);
  copies.set("mergescope.text", before);
  opened.type = "reload";
  const { area, answer, texts } = editing();
  answer({ in_tab: "keep", version: 2 });
  time.pass(20);
  deepEqual([area.value, texts()], ["mine", ["mine"]]);
  answer();
  answer({ text: "", in_tab: "forget", version: 3 }); // the visitor presses Clear before the copy is marked as saved
  time.pass(5000);
  deepEqual([area.value, texts(), copies.size], ["", ["mine"], 0]);
});
