import { deepEqual, equal } from "node:assert/strict";

import { Exchange } from "../../../bpe_core/live/web/exchange.js";
import { FakeTime } from "./fake_time.js";

/** An exchange, what it sent, and the connection as Streamlit tells it. */
function exchanging() {
  const log = {
    sent: /** @type {{ number: number, step?: number }[]} */ ([]),
    lost: /** @type {boolean[]} */ ([]),
    gone: false,
    connection: "CONNECTED",
  };
  const querySelector = () => ({ dataset: { testConnectionState: log.connection } });
  Object.assign(globalThis, { document: { querySelector } });
  const exchange = new Exchange({
    send: (value) => log.sent.push(value),
    lost: (whether) => log.lost.push(whether),
    gone: () => log.gone,
  });
  return { exchange, log, steps: () => log.sent.map(({ step }) => step), number: () => log.sent.at(-1)?.number ?? 0 };
}

Deno.test("one request is under way at most; the newest follows the answer", () => {
  using _ = new FakeTime();
  const { exchange, steps, number } = exchanging();
  for (const step of [1, 2, 3]) exchange.tell(() => ({ step }));
  deepEqual(steps(), [1]);
  exchange.answered(number());
  deepEqual(steps(), [1, 3]);
});

Deno.test("nothing is asked twice, and each request has a larger number", () => {
  using _ = new FakeTime();
  const { exchange, log, steps, number } = exchanging();
  for (const step of [1, 1, 2]) {
    exchange.tell(() => ({ step }));
    exchange.answered(number());
  }
  deepEqual(steps(), [1, 2]);
  equal(log.sent[1].number > log.sent[0].number, true);
});

Deno.test("an answer to an older request is none", () => {
  using _ = new FakeTime();
  const { exchange, steps, number } = exchanging();
  exchange.tell(() => ({ step: 1 }));
  exchange.answered(number());
  exchange.tell(() => ({ step: 2 }));
  exchange.answered(number() - 1);
  exchange.tell(() => ({ step: 3 }));
  deepEqual(steps(), [1, 2]);
});

Deno.test("what has no answer for five seconds is sent again, and said to be lost until it has one", () => {
  using time = new FakeTime();
  const { exchange, log, steps, number } = exchanging();
  exchange.tell(() => ({ step: 1 }));
  time.pass(5000);
  deepEqual([steps(), log.lost], [[1], []]);
  time.pass(500);
  deepEqual([steps(), log.lost], [[1, 1], [true]]);
  exchange.answered(number());
  time.pass(60_000);
  deepEqual([steps(), log.lost, time.waiting], [[1, 1], [true, false], 0]);
});

Deno.test("what was asked while the connection was lost is sent again as soon as it is back", () => {
  using time = new FakeTime();
  const { exchange, log, steps } = exchanging();
  exchange.tell(() => ({ step: 1 }));
  log.connection = "DISCONNECTED";
  time.pass(20_000);
  deepEqual([steps(), log.lost.every(Boolean)], [[1], true]);
  log.connection = "CONNECTED";
  time.pass(500);
  deepEqual(steps(), [1, 1]);
});

Deno.test("another run does not wait for an answer to the one before", () => {
  using time = new FakeTime();
  const { exchange, steps } = exchanging();
  exchange.tell(() => ({ step: 1 }));
  exchange.reset();
  equal(time.waiting, 0);
  exchange.tell(() => ({ step: 1 }));
  deepEqual(steps(), [1, 1]);
});

Deno.test("a film that has left the page sends nothing more", () => {
  using time = new FakeTime();
  const { exchange, log, steps } = exchanging();
  exchange.tell(() => ({ step: 1 }));
  log.gone = true;
  time.pass(60_000);
  exchange.tell(() => ({ step: 2 }));
  deepEqual([steps(), time.waiting], [[1], 0]);
});
