import { deepEqual, equal } from "node:assert/strict";

import { Clock } from "../../../bpe_core/pictures/shared/clock.js";
import { FakeTime } from "./fake_time.js";

/** A clock, and what it did. */
function playing() {
  const log = { steps: /** @type {number[]} */ ([]), ended: 0, ready: Infinity, gone: false };
  const clock = new Clock({
    ready: (step) => step <= log.ready,
    go: (step) => log.steps.push(step),
    ended: () => log.ended++,
    gone: () => log.gone,
  });
  return { clock, log };
}

Deno.test("it plays every step to the last, and ends", () => {
  using time = new FakeTime();
  const { clock, log } = playing();
  clock.start(2, 7, 5);
  time.pass(500);
  deepEqual(log.steps, [3, 4]);
  time.pass(600);
  deepEqual(log.steps, [3, 4, 5, 6, 7]);
  deepEqual([log.ended, clock.playing, time.waiting], [1, false, 0]);
});

Deno.test("at a speed beyond the screen's frames it leaves steps out, and never the last", () => {
  using time = new FakeTime();
  const { clock, log } = playing();
  clock.start(0, 100, 200);
  time.pass(1000);
  equal(log.steps.at(-1), 100);
  equal(log.steps.length < 40, true);
});

Deno.test("it waits for a frame that has not arrived, and does not catch up", () => {
  using time = new FakeTime();
  const { clock, log } = playing();
  log.ready = 3;
  clock.start(0, 100, 10);
  time.pass(5000);
  deepEqual(log.steps, [1, 2, 3]);
  log.ready = Infinity;
  time.pass(1000);
  equal(log.steps.at(-1), 13);
});

Deno.test("another speed holds from the present step on", () => {
  using time = new FakeTime();
  const { clock, log } = playing();
  clock.start(0, 100, 10);
  time.pass(1050);
  clock.setSpeed(2);
  time.pass(1050);
  equal(log.steps.at(-1), 12);
});

Deno.test("it stops once, and with the film that leaves the page", () => {
  using time = new FakeTime();
  const { clock, log } = playing();
  clock.start(0, 100, 10);
  clock.stop();
  clock.stop();
  time.pass(1000);
  deepEqual([log.steps, log.ended, time.waiting], [[], 1, 0]);
  clock.start(0, 100, 10);
  log.gone = true;
  time.pass(1000);
  deepEqual([log.steps, time.waiting], [[], 0]);
});
