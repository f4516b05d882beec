// The film: it knows the step and draws it, and asks for the frames, words and details that it lacks by itself
// (asking.js). What it may tell the page is `#choice()`: channel.js sends it, if it is news, 0.8 s after a rest or an
// answer, or at a press elsewhere.
//
//   a text is typed         take              shows its training, at step 0: `#found`, `#own`, and `#last` for the page
//   a step, then a rest     rested            tells nothing: `#choice()` is `#last`
//   (the text area tells the page the text after a second, or at a press outside of it: editor.js)
//   the page has the text   receive, #adopt   its step 0 moves nothing; now the film tells its own step
//   a step, then a rest     rested            tells it

import { Asking } from "./asking.js";
import { Behind } from "../shared/behind.js";
import { Blocks } from "./blocks.js";
import { Branches } from "./branches.js";
import { Channel, REST } from "../shared/channel.js";
import { Corpus } from "./corpus.js";
import { element, find } from "../shared/elements.js";
import { CHARTS_ALONG, SKELETON, STYLE } from "../shared/from_python.js";
import { counted, grouped } from "../shared/numbers.js";
import { Predict } from "./predict.js";
import { Record } from "./record.js";
import { sentenceNodes } from "../shared/sentence.js";
import { show } from "../shared/show.js";
import { Side } from "./side.js";
import { StepBar } from "../shared/step_bar.js";
import { REST_MILLISECONDS } from "../shared/stepping.js";
import { SourceStrip } from "./sources.js";
import { Timeline } from "./timeline.js";
import { tokenChip } from "./token_chip.js";

/** @import { Row } from "./corpus.js" */
/** @import { BarOptions } from "../shared/step_bar.js" */
/** @import { Mover, Steps } from "../shared/stepping.js" */
/** @import { Chunks, Component, FilmData, FirstData, Focus, Frame, Pair, Send, SidePair, SideWord, Timer, Window } from "../shared/types.js" */

const ADDRESS_MILLISECONDS = 1000; // between two steps in the page's address, while it plays
const ANNOUNCE_MILLISECONDS = 400; // without another step until a screen reader learns what the step did
const FAST = 8; // steps a second; at this speed and above, nothing moves within a step
const SECTIONS = ["timeline", "corpus", "find", "predict", "branch"]; // the sections whose elements are in film.html

export class Film {
  /** @type {Record[]} */
  records = []; // one for each side
  isTyped = false; // while the training of a typed text opens: its words are painted before its charts
  run = ""; // the digests of the trainings in `records`
  step = 0;
  /** @type {SidePair | null} */
  pair = null; // the chosen pair
  /** @type {SideWord | null} */
  word = null; // the chosen word
  /** @type {Side[]} */
  #sides = []; // none until the first run has arrived
  /** @type {Timeline[]} */
  #timelines = [];
  /** @type {SourceStrip[]} */
  #strips = []; // of trainings on several sources
  /** @type {Focus | null} */
  #focus = null;
  /** @type {Window} */
  #window = { sort: "", changed_first: false, sides: [] };
  /** @type {Row[]} */
  #rows = [];
  /** @type {Map<number, number[]>} */
  #walls = new Map(); // where walls stood until step 0: the row of a word → symbols
  #opens = false; // whether the next drawing is the first of its run
  /** @type {[side: number, step: number, left: number, right: number] | null} */
  #branch = null; // the pair to merge at a step instead of the training's own pair
  /** @type {[stage: number, step: number] | null} */
  #enter = null; // the stage to show instead
  #goesOn = false; // whether the film plays on in the stage `#enter`
  // Whether the film jumps to steps whose frames are missing. Then it fetches no chunks ahead: the next jump would have
  // to wait for them.
  #isJumping = false;
  #wordsAt = -1; // the step whose changed words the film has asked for
  #settled = 0; // the step at which the film came to rest: the page hears of this one, and `step` may be further on
  #behind = new Behind("behind-film"); // whether what the page draws below is of an earlier step
  /** @type {Send} */
  #send = () => {};
  /** @type {Pick<FilmData, "given" | "run" | "sides"> | null} */
  #found = null; // the training of a typed text that the page has not heard of
  /** @type {FilmData} */
  #page; // the page's last answer
  #own = ""; // the run of a typed text: when the page comes to that run, its step is not adopted
  /** @type {object | null} */
  #last = null; // what was chosen before the training `#found` came: all that the page may hear of meanwhile
  #asSet = ""; // what was chosen as text, while that is what the page has set; "" once something else was chosen
  #find = "";
  #sort = "";
  #addressedAt = -Infinity; // milliseconds
  #shownAt = -Infinity;
  /** @type {Timer | undefined} */
  #announcing;
  /** @type {number | null} */
  #frame = null; // the request of the next drawing
  #move = false; // whether tokens and bars move in the next drawing

  /** @param {Component<FilmData>} component */
  constructor({ parentElement: root, data }) {
    this.root = root;
    this.data = this.#page = data;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    root.adoptedStyleSheets = [sheet];
    this.box = find(root, ".film", HTMLElement);
    this.box.innerHTML = SKELETON; // safe: no part of it comes from a user
    this.box.style.minHeight = "";
    this.still = matchMedia("(prefers-reduced-motion: reduce)");
    this.channel = new Channel({
      root,
      choice: () => this.#choice(),
      adopt: () => this.#adopt(),
      pause: () => this.#pause,
      skipsTabs: true,
      lost: (lost) => this.asking.showLost("page", lost),
    });
    this.asking = new Asking(this);
    this.controls = new StepBar(root, this.#steps(), this.#barOptions());
    this.blocks = new Blocks(this);
    this.live = find(root, ".live", HTMLElement);
    this.predict = new Predict(this);
    const corpus = find(root, ".corpus .body", HTMLElement);
    this.corpus = new Corpus(corpus, (side, row, pair) => this.#clicked(side, row, pair));
    this.note = find(root, ".corpus .note", HTMLElement);
    this.find = find(root, ".find", HTMLInputElement);
    this.sort = find(root, ".sort", HTMLSelectElement);
    this.find.addEventListener("input", () => {
      this.#find = this.find.value;
      this.asking.forWords();
      this.#tell();
    });
    this.sort.addEventListener("change", () => {
      this.#sort = this.sort.value;
      this.asking.forWords();
      this.#tell();
    });
    this.branches = new Branches(this, find(root, ".branch", HTMLSelectElement));
  }

  // --- the page ---

  /** Take in an answer of the page. @param {Component<FilmData>} component */
  receive({ data, send }) {
    const before = this.data.asks?.handle;
    const isAhead = this.asking.isAhead(data);
    if (!isAhead) this.#found = null;
    this.#page = data;
    this.data = { ...data, ...this.#found };
    this.#send = send;
    if (isAhead && data.asks?.handle !== before) this.asking.typed.ask(true);
    if (this.#found) return this.#hear();
    if (data.run !== this.run) {
      if (data.first) this.#open(data.first);
      else this.asking.forWhole();
      return;
    }
    if (data.asks?.handle !== before) { // the page shows other words of the training, or has heard of a typed text
      this.#wordsAt = -1;
      if (data.first) this.showWords(data.first.window);
      else this.asking.forWords();
    }
    this.blocks.set();
    this.#hear();
    this.redraw(false);
  }

  /** Show the training of a typed text, before the page hears of the text. @param {FirstData} first @param {string} given */
  take(first, given) {
    const { run, sides } = first;
    const isAhead = this.asking.isAhead(this.#page); // else the text is the page's own again
    this.#last = this.#choice();
    this.#found = isAhead ? { given, run, sides } : null;
    this.data = { ...this.#page, ...this.#found };
    this.#own = isAhead ? run : ""; // also where the training is the same: the page begins it anew, and the film goes on
    if (run !== this.run) this.#open(first, true);
  }

  /** Adopt what the page has set, if the film does not know that yet. */
  #hear() {
    this.channel.receive(this.data, this.#send);
    if (this.channel.isSettled) this.#behind.end();
    else this.#tell();
  }

  /**
   * Show another training.
   *
   * @param {FirstData} first
   * @param {boolean} isTyped whether it is of a typed text: then it begins with its first step
   */
  #open({ run, sides, facts, window, chunks }, isTyped = false) {
    this.asking.drop();
    this.isTyped = isTyped;
    this.records = sides.map(({ digest, begin, steps }, side) => new Record(digest, steps, facts[side], begin));
    this.run = run;
    this.#setWords(window);
    this.#begin(isTyped);
    this.blocks.set();
    for (const [side, number, chunk] of chunks) this.records[side].addChunk(number, chunk);
    if (isTyped) {
      this.#start(this.begin);
      this.controls.stepping.rest();
    } else this.#hear();
    this.#draw(false); // at once: the next frame has enough to do with the layout and the painting
    this.isTyped = false;
    this.asking.forFrames();
    if (this.#goesOn) this.controls.act("play");
    this.#goesOn = false;
  }

  /** @param {Window} window */
  #setWords(window) {
    this.#window = window;
    this.#walls = new Map(window.sides.flatMap(({ walls }) => walls));
    window.sides.forEach(({ words }, side) => this.records[side].addWords(words));
    const { rows, counts } = window.sides[0];
    this.#rows = rows.map((_, i) => ({ sides: window.sides.map(({ rows }) => rows[i]), count: counts?.[i] }));
  }

  /** Show another run from its beginning. @param {boolean} isTyped whether the search of the words stays */
  #begin(isTyped) {
    const { data } = this;
    this.#opens = true;
    this.#wordsAt = -1;
    this.clock.stop();
    this.pair = this.word = this.#focus = null;
    if (!isTyped) {
      this.find.value = this.#find = data.find;
      this.#sort = data.sort;
    }
    if (!this.#sides.length) this.#build(data);
    for (const side of this.#sides) side.set();
    this.corpus.set(this.records, this.#rows, this.#walls);
    for (const timeline of [...this.#strips, ...this.#timelines]) timeline.set();
    this.predict.set();
    this.sort.value = this.#window.sort;
  }

  /** Lay out the sections that are shown; once. @param {FilmData} data */
  #build(data) {
    const { root, box } = this;
    const shown = new Set(data.sections);
    for (const part of SECTIONS) {
      for (const found of root.querySelectorAll(`.${part}`)) found.toggleAttribute("hidden", !shown.has(part));
    }
    this.sort.replaceChildren(...data.sorts.map((name) => element("option", "", name)));
    this.sort.hidden = !data.sorts.length || !shown.has("find");
    if (shown.has("timeline")) {
      const into = find(root, ".timeline", HTMLElement);
      this.#strips = data.sides.map((_, side) => new SourceStrip(into, side, this));
      this.#timelines = Object.entries(CHARTS_ALONG).flatMap(([name, drawing]) =>
        data.sides.map((_, side) => new Timeline(into, name, drawing, side, data.vega, this))
      );
    }
    this.#sides = data.sides.map((_, side) => new Side(this, side));
    box.dataset.sides = String(data.sides.length);
    box.dataset.columns = String(root.querySelectorAll(".columns > section:not([hidden])").length);
  }

  /** Go to the step that the page has set, unless the film was in that training before the page. */
  #adopt() {
    this.#last = null;
    if (this.#found) return;
    const isOwn = this.run === this.#own;
    this.#own = "";
    if (!isOwn) this.#start(this.data.step);
    const { step, find, sort } = this.data;
    const isSet = step === this.begin + this.#settled && find === this.#find && sort === this.#sort;
    if (isSet) this.#asSet = JSON.stringify(this.#chosen());
  }

  /** Show a step of a training that is new here, or was set. @param {number} step */
  #start(step) {
    this.clock.stop();
    this.#isJumping = false;
    this.#branch = this.#enter = null;
    this.step = this.#settled = Math.max(0, Math.min(step - this.begin, this.last));
    this.#asSet = "";
  }

  /** The last step. Steps count from 0 here; the film shows and reports them from `begin` on. */
  get last() {
    return Math.max(0, ...this.records.map((record) => record.steps));
  }

  /** The most pairs that a frame of either side has. */
  get mostPairs() {
    return Math.max(...this.records.map((record) => record.mostPairs));
  }

  /** How many steps of the training were made before the stage that is shown. */
  get begin() {
    return this.records[0]?.begin ?? 0;
  }

  /**
   * Return what was chosen since the page has set the step; null for nothing. Until the page knows a typed text, it hears
   * of nothing that was chosen in the text's film.
   */
  #choice() {
    if (this.#found) return this.#last;
    const chosen = this.#chosen();
    return JSON.stringify(chosen) === this.#asSet ? null : chosen;
  }

  #chosen() {
    return {
      step: this.begin + this.#settled,
      find: this.#find,
      sort: this.#sort,
      branch: this.#branch,
      enter: this.#enter,
    };
  }

  /** Milliseconds until the page hears of a choice. What a page follows step by step, it hears at once. */
  get #pause() {
    return this.data.alone || this.data.follows ? 0 : REST - REST_MILLISECONDS; // the step bar has rested already
  }

  /** Tell the page what is chosen, after a rest; until then what it draws is marked. */
  #tell() {
    if (JSON.stringify(this.#chosen()) !== this.#asSet) this.#asSet = "";
    this.channel.request(this.#pause);
    if (this.channel.isSettled) this.#behind.end();
    else this.#behind.begin();
  }

  // --- what the film has asked for ---

  /** Show the training that the page shows. @param {FirstData} first */
  arrived(first) {
    if (first.run === this.data.run) this.#open(first);
  }

  /** @param {Chunks} chunks */
  addChunks(chunks) {
    for (const [side, number, chunk] of chunks) this.records[side].addChunk(number, chunk);
    this.redraw(false);
    if (this.motion === "resting" && this.#settled === this.step) this.#askForChanged();
  }

  /** @param {Window} window */
  showWords(window) {
    this.#setWords(window);
    this.corpus.set(this.records, this.#rows, this.#walls);
    this.redraw(false);
  }

  /** @param {Focus} focus */
  showDetails(focus) {
    this.#focus = focus;
    if (focus.words) this.records[focus.side].addWords(focus.words);
    this.redraw(false);
  }

  /** The search and the order of words. */
  get search() {
    return { find: this.#find, sort: this.#sort };
  }

  /** The typed text of the training, until the page has heard of it. */
  get text() {
    return this.#found?.given;
  }

  // --- the step ---

  /** Return what the step bar moves. @returns {Omit<Steps, "gone">} */
  #steps() {
    return {
      position: () => this.step,
      last: () => this.last,
      ready: (step) => this.#isReady(step),
      speed: () => this.controls.speed,
      show: (step, mover) => this.#show(step, mover),
      redraw: () => this.redraw(false),
      beyond: (step) => {
        const to = this.blocks.leads(step);
        return to && (() => this.enter(to.stage, to.step));
      },
      rested: () => {
        this.#settled = this.step;
        this.#isJumping = false;
        this.asking.forFrames();
        this.asking.forDetails();
        this.#askForChanged();
        this.#tell();
      },
    };
  }

  /** At a rest, ask for all words that the step changed, if the screen lacks some. A saved page has no others. */
  #askForChanged() {
    const changed = this.records[0]?.frame(this.step)?.changed ?? 0;
    if (this.data.alone || !this.#isChangedFirst || this.#wordsAt === this.step) return;
    if (this.corpus.changed >= changed) return;
    this.#wordsAt = this.step;
    this.asking.forWords();
  }

  get #isChangedFirst() {
    return this.#window.changed_first && this.records.length === 1;
  }

  /** @returns {BarOptions} */
  #barOptions() {
    return {
      order: ["start", "back", "play", "next", "end"],
      label: "Step",
      typed: (number) => number - this.begin,
      speeds: [1, 2, 5, 20, 60],
      position: () => ({
        before: `${this.records[0]?.unit ?? "step"} `,
        at: grouped(this.begin + this.step),
        after: ` of ${grouped(this.begin + this.last)}`,
        stage: this.data.sides[0].timeline?.title,
      }),
    };
  }

  get clock() {
    return this.controls.stepping.clock;
  }

  /** Go to a step and stay there. @param {number} step */
  go(step) {
    this.controls.go(step);
  }

  pause() {
    this.controls.stepping.pause();
  }

  /** @param {number} step @param {Mover} mover */
  #show(step, mover) {
    const now = performance.now();
    const slow = now - this.#shownAt > 1000 / FAST;
    this.#shownAt = now;
    this.step = step;
    this.#enter = null;
    this.#goesOn = false;
    this.#behind.begin();
    if (mover === "clock") this.#played(now);
    else this.#isJumping ||= !this.#isReady(step);
    this.redraw(slow && mover !== "slider" && !this.still.matches);
  }

  /** Whether the frames of a step are here. @param {number} step */
  #isReady(step) {
    return this.records.every((record) => record.frame(Math.min(step, record.steps)));
  }

  /**
   * How the film moves, for what it asks ahead: nothing while it jumps, nor at rest of a typed text, since another may
   * follow.
   * @returns {"playing" | "jumping" | "resting"}
   */
  get motion() {
    if (this.clock.playing) return "playing";
    return this.#isJumping || this.#found ? "jumping" : "resting";
  }

  /**
   * Now and then, write the step into the page's address, so that a reload finds it. If the page follows the film,
   * report the step. At the last step of a stage, go on into the next stage.
   *
   * @param {number} now milliseconds
   */
  #played(now) {
    const { follows, step_name } = this.data;
    if (follows) {
      this.#settled = this.step;
      this.#tell();
    }
    const next = this.step === this.last ? this.blocks.leads(this.last + 1) : null;
    if (next) {
      this.enter(next.stage, next.step);
      this.#goesOn = true;
    }
    if (!step_name || now - this.#addressedAt < ADDRESS_MILLISECONDS) return;
    this.#addressedAt = now;
    const url = new URL(location.href);
    url.searchParams.set(step_name, String(this.begin + this.step));
    history.replaceState(history.state, "", url);
  }

  /** Tell a screen reader what the step did, once the film rests for a moment. @param {string} text */
  #announce(text) {
    clearTimeout(this.#announcing);
    this.#announcing = setTimeout(() => this.live.textContent = text, ANNOUNCE_MILLISECONDS);
  }

  // --- the chosen pair or word ---

  /**
   * Take a picked pair as a guess if the reader guesses. Otherwise mark the pair, or unmark it if it is marked.
   *
   * @param {number} side
   * @param {Pair} pair
   */
  picked(side, pair) {
    if (this.predict.on) return this.predict.guess(pair);
    const isSame = this.pair?.join() === [side, ...pair].join();
    this.choose(isSame ? {} : { pair: [side, ...pair] });
  }

  /**
   * Choose the clicked word, and ask for its pairs. On a saved page, mark the clicked pair instead.
   *
   * @param {number} side @param {number} row @param {Pair | null} pair
   */
  #clicked(side, row, pair) {
    if (this.predict.on) return pair && this.predict.guess(pair);
    if (this.data.alone) return pair && this.picked(side, pair);
    const isSame = this.word?.join() === [side, row].join();
    this.choose(isSame ? {} : { word: [side, row] });
  }

  /** Choose a pair, a word, or nothing. The page hears nothing of it. @param {{ pair?: SidePair, word?: SideWord }} chosen */
  choose({ pair, word }) {
    this.pair = pair ?? null;
    this.word = word ?? null;
    this.#focus = null;
    this.asking.focus.drop();
    this.asking.forDetails();
    this.redraw(false);
  }

  /** Ask for another training, which merges `pair` after the present step. @param {Pair} pair */
  branch(pair) {
    this.#branch = [0, this.begin + this.step, ...pair];
    this.channel.request();
  }

  /** Ask for another stage of the training, at one of its steps. @param {number} stage @param {number} step */
  enter(stage, step) {
    this.clock.stop();
    this.#enter = [stage, step];
    this.channel.request();
  }

  // --- the picture ---

  /** Draw in the next frame of the screen. @param {boolean} move whether tokens and bars move */
  redraw(move) {
    this.#move = this.#frame === null ? move : this.#move && move;
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = null;
      this.#draw(this.#move);
    });
    this.asking.forFrames();
  }

  /** Return whether the merge of a step is still to be guessed. @param {number} step */
  hides(step) {
    const { on, shown } = this.predict;
    return on && step > Math.max(this.step, shown);
  }

  /** @param {boolean} move */
  #draw(move) {
    if (!this.#sides.length) return;
    const { step, pair, predict } = this;
    const steps = this.records.map((record) => Math.min(step, record.steps));
    const frames = this.records.map((record, side) => record.frame(steps[side]));
    const hidden = step < this.last && this.hides(step + 1);
    predict.stepped(step);
    const focus = this.#focus && this.#focus.step === steps[this.#focus.side] ? this.#focus : null;
    this.#sides.forEach((side, number) => side.scroll(steps[number], hidden));
    this.controls.draw();
    for (const timeline of [...this.#strips, ...this.#timelines]) timeline.draw(step);
    const falls = this.#opens && !step && this.#walls.size > 0 && !this.still.matches; // whether walls fall
    this.#opens = false;
    this.corpus.draw({ steps, ...this.#firstRows(frames, focus), pair: hidden ? null : pair, move: move || falls });
    this.#sides.forEach((side, number) => {
      side.draw(steps[number], { hidden, move, focus: focus?.side === number ? focus : null });
    });
    this.#drawNote(frames, focus);
    this.branches.draw(steps[0], frames[0], hidden);
    this.box.dataset.step = frames.every(Boolean) ? String(this.begin + step) : "";
    if (!this.clock.playing || this.controls.speed <= 1) this.#announce(this.#sides[0].sentence.title);
  }

  /**
   * Return which words come first: the words with the chosen pair, or the words that the step changed.
   *
   * @param {(Frame | undefined)[]} frames
   * @param {Focus | null} focus
   */
  #firstRows(frames, focus) {
    if (focus?.rows) return { first: focus.rows, side: focus.side, changedFirst: false };
    const changedFirst = this.#isChangedFirst;
    const named = this.#find ? [] : (frames[0]?.parts ?? []); // a search shows no other words
    return { first: changedFirst ? named : [], side: 0, changedFirst };
  }

  /** @param {(Frame | undefined)[]} frames @param {Focus | null} focus */
  #drawNote(frames, focus) {
    const { unit } = this.data.sides[0];
    const { note } = this.#window.sides[0];
    const [frame] = frames;
    if (focus?.sentence) {
      const record = this.records[focus.side];
      this.note.replaceChildren(...sentenceNodes(focus.sentence, (token, kind) => tokenChip(record, token, kind)));
    } else if (frames.length > 1) this.note.textContent = note;
    else if (frame) {
      const shown = this.corpus.changed;
      const here = shown < frame.changed ? `, ${shown ? `${grouped(shown)} of them` : "none of them"} shown` : "";
      const changed = this.step ? ` This step changed ${counted(frame.changed, unit)}${here}.` : "";
      this.note.textContent = `${note} ${counted(frame.tokens, "token")}.${changed}`;
    }
  }
}

/** Show an answer of the source. @param {Component<FilmData>} component */
export default function (component) {
  show(component, () => new Film(component));
}
