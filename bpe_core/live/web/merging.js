// "Watch your text being merged": five buttons and a slider whose positions are the merges that change this text.

const PLAY = { least: 2.5, most: 9, each: 0.25 }; // seconds

/**
 * Position 0 is before any merge; position `i` is after the `i`-th merge that changes the text; the last one is the whole
 * vocabulary. `show(step)` shows a step; `rest(step)` is told where it came to rest.
 */
export class Merging {
  constructor(root, show, rest) {
    this.$ = (id) => root.getElementById(id);
    Object.assign(this, { root, show, settled: rest });
    const on = (id, type, act) => this.$(id).addEventListener(type, act);
    on("slider", "input", () => this.by(Number(this.$("slider").value)));
    on("first", "click", () => this.by(0));
    on("back", "click", () => this.by(this.position - 1));
    on("play", "click", () => (this.playing ? this.pause() : this.play()));
    on("next", "click", () => this.by(this.position + 1));
    on("last", "click", () => this.by(this.most));
  }

  /** Another text, vocabulary or step; a step between two positions counts as the earlier one. */
  set(model, step) {
    this.model = model;
    this.most = model.steps_here.length;
    const after = model.steps_here.findIndex((one) => one > step);
    this.position = after < 0 ? this.most : after;
    if (this.playing && !this.most) this.pause();
    this.draw();
    return this.step;
  }

  get atEnd() {
    return this.position >= this.most;
  }

  get step() {
    return this.atEnd ? this.model.steps : this.position ? this.model.steps_here[this.position - 1] : 0;
  }

  /** The step that led to the position: that of the last merge, also where the whole vocabulary is shown. */
  get merge() {
    return this.position ? this.model.steps_here[this.position - 1] : 0;
  }

  /** By a person's hand. */
  by(position) {
    this.pause();
    this.to(position);
    this.rest();
  }

  to(position) {
    const bounded = Math.max(0, Math.min(position, this.most));
    if (bounded === this.position) return;
    this.position = bounded;
    this.draw();
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.show(this.step);
    });
  }

  rest() {
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.settled(this.step), 150);
  }

  play() {
    const from = this.atEnd ? 0 : this.position;
    const seconds = Math.min(PLAY.most, Math.max(PLAY.least, PLAY.each * (this.most - from)));
    let begun = null;
    const frame = (now) => {
      if (!this.playing || !this.root.host.isConnected) return;
      begun ??= now;
      const passed = (now - begun) / 1000 / seconds;
      this.to(from + Math.floor(passed * (this.most - from)));
      if (passed >= 1) this.pause();
      else requestAnimationFrame(frame);
    };
    this.to(from);
    this.playing = true;
    this.draw();
    requestAnimationFrame(frame);
  }

  pause() {
    if (!this.playing) return;
    this.playing = false;
    this.draw();
    this.rest();
  }

  /** Another text is shown: what was done to the one before is no longer told. */
  stop() {
    this.playing = false;
    clearTimeout(this.resting);
  }

  draw() {
    const { position, most, model } = this;
    const slider = this.$("slider");
    slider.max = most;
    slider.value = position;
    const words = most
      ? `${position.toLocaleString("en")} of the ${most.toLocaleString("en")} merges in this text`
      : "no merges";
    slider.setAttribute(
      "aria-valuetext",
      `${words}, step ${this.step.toLocaleString("en")} of ${model.steps.toLocaleString("en")}`,
    );
    this.$("where").textContent = words;
    this.$("play").querySelector("span").textContent = this.playing ? "Pause" : "Play";
    this.$("play").classList.toggle("playing", Boolean(this.playing));
    // aria-disabled keeps the focus where it is, on a button that has nothing to do any more
    for (const id of ["first", "back"]) this.$(id).setAttribute("aria-disabled", !position);
    for (const id of ["next", "last"]) this.$(id).setAttribute("aria-disabled", position >= most);
    slider.disabled = this.$("play").disabled = !most;
  }
}
