import { deepEqual, equal } from "node:assert/strict";

import { REST_MILLISECONDS, Stepping } from "../../../bpe_core/pictures/shared/stepping.js";
import { FakeTime } from "./fake_time.js";

/** Something with ten steps, at the third, that is played at ten a second; and what happened to it. */
function stepped() {
  const log = {
    at: 3,
    last: 10,
    shown: /** @type {string[]} */ ([]),
    rested: /** @type {number[]} */ ([]),
    redrawn: 0,
    played: /** @type {number[]} */ ([]), // how many positions each play has
  };
  const stepping = new Stepping({
    position: () => log.at,
    last: () => log.last,
    ready: () => true,
    speed: (positions) => {
      log.played.push(positions);
      return 10;
    },
    show: (position, mover) => {
      log.at = position;
      log.shown.push(`${mover} ${position}`);
    },
    redraw: () => log.redrawn++,
    rested: () => log.rested.push(log.at),
    gone: () => false,
  });
  return { stepping, log };
}

Deno.test("each button goes to its position, and nowhere beyond the ends", () => {
  using _ = new FakeTime();
  const { stepping, log } = stepped();
  for (const act of /** @type {const} */ (["next", "back", "start", "back", "end", "next"])) stepping.act(act);
  deepEqual(log.shown, ["hand 4", "hand 3", "hand 0", "hand 10"]);
  stepping.go(99);
  equal(log.at, 10);
});

Deno.test("it rests once, after the last of several steps", () => {
  using time = new FakeTime();
  const { stepping, log } = stepped();
  for (let press = 0; press < 3; press++) {
    stepping.act("next");
    time.pass(REST_MILLISECONDS - 1);
  }
  deepEqual(log.rested, []);
  time.pass(1);
  deepEqual(log.rested, [6]);
});

Deno.test("while the slider moves nothing rests, however slow it is; it rests when it is let go", () => {
  using time = new FakeTime();
  const { stepping, log } = stepped();
  for (let position = 0; position <= 10; position++) {
    stepping.slide(position);
    time.pass(10 * REST_MILLISECONDS);
  }
  deepEqual(log.rested, []);
  equal(log.shown.at(-1), "slider 10");
  stepping.rest();
  time.pass(REST_MILLISECONDS);
  deepEqual(log.rested, [10]);
});

Deno.test("it plays to the last position and rests there at once; then it plays from the first", () => {
  using time = new FakeTime();
  const { stepping, log } = stepped();
  stepping.act("play");
  equal(stepping.clock.playing, true);
  time.pass(650);
  deepEqual([log.shown.at(-1), stepping.clock.playing, log.rested], ["clock 9", true, []]);
  time.pass(200);
  deepEqual([log.shown.at(-1), stepping.clock.playing, log.rested], ["clock 10", false, [10]]);
  stepping.act("play");
  deepEqual([log.at, stepping.clock.playing], [0, true]);
  deepEqual(log.played, [7, 10]);
});

Deno.test("a hand stops it: the button, a step, the slider", () => {
  const hands = {
    "hand 6": (/** @type {Stepping} */ stepping) => stepping.act("next"),
    "slider 2": (/** @type {Stepping} */ stepping) => stepping.slide(2),
    "clock 5": (/** @type {Stepping} */ stepping) => stepping.act("play"),
  };
  for (const [shown, hand] of Object.entries(hands)) {
    using time = new FakeTime();
    const { stepping, log } = stepped();
    stepping.act("play");
    time.pass(250);
    hand(stepping);
    time.pass(5000);
    deepEqual([log.shown.at(-1), log.rested, stepping.clock.playing, time.waiting], [shown, [log.at], false, 0]);
  }
});

Deno.test("what was about to rest does not while it plays", () => {
  using time = new FakeTime();
  const { stepping, log } = stepped();
  stepping.act("back");
  stepping.act("play");
  time.pass(REST_MILLISECONDS + 50);
  deepEqual([log.rested, stepping.clock.playing], [[], true]);
});

Deno.test("where something else is shown it stops and does not rest", () => {
  using time = new FakeTime();
  const { stepping, log } = stepped();
  stepping.act("play");
  time.pass(250);
  stepping.stop();
  time.pass(5000);
  deepEqual([log.at, log.rested, time.waiting], [5, [], 0]);
});

Deno.test("without a step there is nothing to play", () => {
  using time = new FakeTime();
  const { stepping, log } = stepped();
  Object.assign(log, { at: 0, last: 0 });
  stepping.act("play");
  time.pass(1000);
  deepEqual([log.shown, stepping.clock.playing], [[], false]);
});

Deno.test("beyond the ends it goes on where something does, and nowhere else", () => {
  using _ = new FakeTime();
  const { stepping, log } = stepped();
  /** @type {number[]} */
  const left = [];
  stepping.steps.beyond = (position) => (position < 0 ? () => left.push(position) : null);
  for (const act of /** @type {const} */ (["start", "back", "end", "next"])) stepping.act(act);
  deepEqual(left, [-1]);
  deepEqual(log.shown, ["hand 0", "hand 10"]);
});
