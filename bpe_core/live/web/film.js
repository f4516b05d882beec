// The film: it holds the step, draws it, and asks the server for what is not here yet.

import { Branches } from "./branches.js";
import { counted, element, grouped } from "./chips.js";
import { Clock } from "./clock.js";
import { Controls } from "./controls.js";
import { Corpus } from "./corpus.js";
import { Exchange } from "./exchange.js";
import { SKELETON, STYLE } from "./from_python.js";
import { Predict } from "./predict.js";
import { missingChunks, Record } from "./record.js";
import { Stage } from "./stage.js";
import { Timeline } from "./timeline.js";
import { sentence } from "./word_chips.js";

const REST_MILLISECONDS = 200; // without another step until the server learns of it
const PLACE_MILLISECONDS = 1000; // while it plays, between two steps that the page's address takes over
const FAST = 8; // steps a second from which on nothing moves within a step
const AHEAD = 6; // chunks, while it plays

class Film {
  constructor(root) {
    this.root = root;
    root.adoptedStyleSheets = [new CSSStyleSheet()];
    root.adoptedStyleSheets[0].replaceSync(STYLE);
    root.querySelector(".film").innerHTML = SKELETON; // the project's own, without anything of a user
    root.querySelector(".film").style.minHeight = "";
    Object.assign(this, { records: [], step: 0, settled: 0, pair: null, word: null, find: "", sort: "" });
    this.still = matchMedia("(prefers-reduced-motion: reduce)");
    const gone = () => !root.host.isConnected;
    this.exchange = new Exchange(
      (lost) => this.controls.status(lost ? "Connection lost: playing what is here." : ""),
      gone,
    );
    this.clock = new Clock({
      ready: (step) => this.records.every((record) => record.frame(Math.min(step, record.steps))),
      go: (step) => this.played(step),
      ended: () => this.rest(0),
      gone,
    });
    this.controls = new Controls(this);
    this.predict = new Predict(this);
    this.corpus = new Corpus(root.querySelector(".corpus .body"), (side, row, pair) => this.clicked(side, row, pair));
    const find = root.querySelector(".find"), sort = root.querySelector(".sort");
    find.addEventListener("input", () => this.look({ find: find.value }));
    sort.addEventListener("change", () => this.look({ sort: sort.value }));
    this.branches = new Branches(this, root.querySelector(".branch"));
  }

  // --- the server ---

  async receive({ data, setStateValue, setTriggerValue }) {
    this.exchange.set = setStateValue;
    this.trigger = setTriggerValue;
    this.data = data;
    if (data.run !== this.run || data.stages.some(({ window }, i) => window !== this.windows?.[i])) {
      await this.load(data);
    }
    if (data !== this.data || data.run !== this.run) return; // another answer came meanwhile, or is on its way
    if (this.isNew) this.begin();
    else if (data.version !== this.version) this.adopt();
    data.chunks.forEach(([side, number, chunk]) => this.records[side].addChunk(number, chunk));
    this.focus = data.focus;
    if (data.focus?.words) this.records[data.focus.side].addWords(data.focus.words);
    this.exchange.answered(data.answered);
    this.redraw(false);
  }

  /** Fetch what the data names by address: the facts of another run, another window of words. */
  async load(data, tries = 0) {
    const get = (url) => fetch(new URL(url, location.href)).then((answer) => answer.json());
    const pause = () => new Promise((resume) => setTimeout(resume, 300));
    const other = data.run !== this.run;
    const facts = other ? data.stages.map(({ facts }) => get(facts)) : [];
    let loaded;
    try {
      loaded = await Promise.all([...facts, ...data.stages.map(({ window }) => get(window))]);
    } catch {
      // Between two reruns an address may be gone for a moment; where the server has moved on, other data follows.
      if (data !== this.data) return;
      if (tries < 5) return pause().then(() => this.load(data, tries + 1));
      return this.controls.status("This training could not be loaded: reload the page.");
    }
    if (data !== this.data) return;
    if (tries) this.controls.status("");
    if (other) {
      this.records = data.stages.map(({ digest, steps }, i) => new Record(digest, steps, loaded[i]));
      Object.assign(this, { run: data.run, isNew: true });
    }
    this.windows = data.stages.map(({ window }) => window);
    const windows = loaded.slice(facts.length);
    windows.forEach(({ words }, side) => this.records[side].addWords(words));
    this.rows = windows.length === 1 ? windows[0].rows : windows[0].rows.map((row, i) => [row, windows[1].rows[i]]);
    if (!this.isNew) this.corpus.set(this.records, this.rows);
  }

  /** Another run: everything from its beginning. */
  begin() {
    const { data, root } = this;
    this.isNew = false;
    this.clock.stop();
    this.exchange.reset();
    Object.assign(this, { pair: null, word: null, focus: null, find: data.find, sort: data.sort });
    if (!this.stages) this.build(data);
    this.stages.forEach((stage) => stage.set());
    this.corpus.set(this.records, this.rows);
    this.longest = this.records.reduce((a, b) => (b.steps > a.steps ? b : a));
    this.timeline?.set(this.longest);
    const { style } = root.querySelector(".film");
    style.setProperty("--bars", Math.max(1, ...this.records.map((record) => record.mostPairs)));
    style.setProperty("--merges", Math.max(1, this.last));
    root.querySelector(".find").value = data.find;
    root.querySelector(".sort").value = data.sorted;
    this.adopt();
  }

  /** Lay out the parts that are shown; once. */
  build(data) {
    const { root } = this;
    const shown = new Set(data.parts);
    root.querySelector(".film").dataset.sides = data.stages.length;
    for (const part of ["timeline", "corpus", "find", "predict", "branch"]) {
      root.querySelectorAll(`.${part}`).forEach((box) => (box.hidden = !shown.has(part)));
    }
    root.querySelector(".sort").replaceChildren(...data.sorts.map((name) => element("option", "", name)));
    root.querySelector(".sort").hidden = !data.sorts.length || !shown.has("find");
    if (shown.has("timeline")) {
      this.timeline = new Timeline(root.querySelector(".timeline .body"), this.records[0], data.vega, this);
    }
    this.stages = data.stages.map((_, side) => new Stage(this, side));
    root.querySelector(".film").dataset.columns = root.querySelectorAll(".columns > section:not([hidden])").length;
  }

  /** Take over the step that the server has set. */
  adopt() {
    this.clock.stop();
    this.version = this.data.version;
    this.step = this.settled = Math.min(this.data.step, this.last);
  }

  get last() {
    return this.longest?.steps ?? 0;
  }

  /** Ask the server for what is missing, and tell it what was done. */
  ask() {
    const ahead = this.clock.playing ? AHEAD : 1;
    this.exchange.tell(() => ({
      run: this.run,
      version: this.version,
      step: this.settled,
      pair: this.pair,
      word: this.word,
      find: this.find,
      sort: this.sort,
      ask: missingChunks(this.records, this.step, ahead),
    }));
  }

  // --- the step ---

  act(name) {
    if (name === "play") return this.clock.playing ? this.pause() : this.play();
    const to = { start: 0, back: this.step - 1, next: this.step + 1, end: this.last }[name];
    this.go(to);
  }

  play() {
    if (!this.last) return;
    if (this.step >= this.last) this.show(0);
    this.clock.start(this.step, this.last, this.controls.speed);
    this.redraw(false);
  }

  pause() {
    this.clock.stop();
    if (this.records.length) this.redraw(false);
  }

  /** Go to a step and stay there. */
  go(step) {
    const to = Math.max(0, Math.min(step, this.last));
    this.clock.stop();
    if (to !== this.step) this.show(to);
    else this.redraw(false);
    this.rest();
  }

  /** Under the finger. */
  scrub(step) {
    this.clock.stop();
    this.scrubbing = true;
    this.show(step);
    this.scrubbing = false;
  }

  /** Played to a step. A reload goes on from about there, and a page that follows is told. */
  played(step) {
    if (this.data.follows) this.settled = step;
    this.show(step);
    const now = performance.now();
    if (!this.data.place || now - (this.placedAt ?? 0) < PLACE_MILLISECONDS) return;
    this.placedAt = now;
    const url = new URL(location.href);
    url.searchParams.set(this.data.place, step);
    history.replaceState(history.state, "", url);
  }

  show(step) {
    const slow = performance.now() - (this.shownAt ?? 0) > 1000 / FAST;
    this.shownAt = performance.now();
    this.step = step;
    this.redraw(slow && !this.scrubbing && !this.still.matches);
  }

  /** Let the server know where the film has settled. */
  rest(wait = REST_MILLISECONDS) {
    clearTimeout(this.resting);
    this.resting = setTimeout(() => {
      if (this.clock.playing) return;
      this.settled = this.step;
      this.ask();
    }, wait);
  }

  // --- what is chosen ---

  /** A pair was picked: as a guess, or to be marked; picked again it is let go. */
  picked(side, pair) {
    if (this.predict.on) return this.predict.guess(pair);
    const same = this.pair && this.pair.join() === [side, ...pair].join();
    this.choose(same ? {} : { pair: [side, ...pair] });
  }

  clicked(side, row, pair) {
    if (this.predict.on) return pair && this.predict.guess(pair);
    const same = this.word && this.word.join() === [side, row].join();
    this.choose(same ? {} : { word: [side, row] });
  }

  choose({ pair = null, word = null }) {
    Object.assign(this, { pair, word, focus: null, settled: this.step });
    this.redraw(false);
  }

  look(wanted) {
    Object.assign(this, wanted);
    this.ask();
  }

  // --- the picture ---

  /** Draw in the next frame. */
  redraw(move) {
    this.move = this.frame ? this.move && move : move;
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.draw(this.move);
    });
    this.ask();
  }

  /** Whether the merge of a step is still to be guessed. */
  hides(step) {
    return this.predict.on && step > this.step;
  }

  draw(move) {
    if (!this.stages) return;
    const { step, pair, predict } = this;
    const steps = this.records.map((record) => Math.min(step, record.steps));
    const frames = this.records.map((record, side) => record.frame(steps[side]));
    const hidden = step < this.last && this.hides(step + 1);
    predict.stepped(step);
    const focus = this.focus?.step === steps[this.focus?.side] ? this.focus : null;
    // First what scrolls: nothing has changed yet in this frame, so that the browser need not lay it out twice.
    this.stages.forEach(({ merges }, side) => merges?.draw(steps[side], { later: !hidden }));
    this.controls.draw(step, this.last, this.clock.playing);
    this.timeline?.draw(step);
    const changedFirst = this.data.changed_first && this.records.length === 1;
    const named = this.data.find ? [] : (frames[0]?.parts ?? []); // words that were looked for come alone
    const first = focus?.rows ?? (changedFirst ? named : null);
    this.corpus.draw({ steps, first, changedFirst: changedFirst && !focus?.rows, pair: hidden ? null : pair, move });
    this.stages.forEach((stage, side) =>
      stage.draw(steps[side], { hidden, move, focus: focus?.side === side ? focus : null })
    );
    this.drawNote(frames, focus);
    this.branches.draw(steps[0], frames[0], hidden);
    this.root.querySelector(".film").dataset.step = frames.every(Boolean) ? step : "";
    if (!this.clock.playing || this.controls.speed <= 1) this.controls.announce(this.stages[0].said.title);
  }

  drawNote(frames, focus) {
    const note = this.root.querySelector(".corpus .note");
    const [frame] = frames;
    if (focus?.said) note.replaceChildren(...sentence(this.records[focus.side], focus.said));
    else if (frames.length > 1) note.textContent = this.data.stages[0].note;
    else if (frame) {
      const shown = this.corpus.changedRows(this.corpus.order).length;
      const here = shown < frame.changed ? `, ${shown ? `${grouped(shown)} of them` : "none of them"} shown` : "";
      const changed = this.step ? ` This step changed ${counted(frame.changed, "word")}${here}.` : "";
      note.textContent = `${this.data.stages[0].note} ${counted(frame.tokens, "token")}.${changed}`;
    }
  }
}

const shownFilms = new WeakMap();

/** Called by the loader with every answer of the server. */
export default function (component) {
  const root = component.parentElement;
  if (!shownFilms.has(root)) shownFilms.set(root, new Film(root));
  shownFilms.get(root).receive(component);
}
