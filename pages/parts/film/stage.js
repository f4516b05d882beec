// One side on the screen but for its words: the sentence, the bars, the merges.

class Stage {
  constructor(film, side) {
    Object.assign(this, { film, side });
    const { root, data } = film;
    const shown = new Set(data.parts);
    this.said = root.querySelector(".saids").appendChild(element("div", "sentence"));
    this.said.hidden = !shown.has("said");
    if (shown.has("pairs")) this.addPairs(root.querySelector(".columns"), data);
    if (shown.has("merges")) this.addMerges(root.querySelector(".columns"));
  }

  addPairs(columns, data) {
    const column = columns.appendChild(element("section", "column pairs"));
    const head = column.appendChild(element("header"));
    this.pairsTitle = head.appendChild(element("h3", "", "Pair counts"));
    this.clear = head.appendChild(element("button", "quiet", "Show all pairs"));
    this.clear.type = "button";
    this.clear.hidden = true;
    this.clear.addEventListener("click", () => this.film.choose({}));
    const save = head.appendChild(element("span", "save"));
    for (const kind of ["svg", "png"]) {
      const button = save.appendChild(element("button", "quiet", kind.toUpperCase()));
      button.type = "button";
      button.title = `Save the chart as ${kind.toUpperCase()}`;
      button.addEventListener("click", () => this.bars.chart.save(`pairs-step-${this.film.step}`, kind));
    }
    const box = column.appendChild(element("div", "body"));
    this.bars = new Bars(box, this.record, data.vega, (pair) => this.film.picked(this.side, pair));
    this.pairsNote = column.appendChild(element("p", "note"));
  }

  addMerges(columns) {
    const column = columns.appendChild(element("section", "column merges"));
    const head = column.appendChild(element("header"));
    head.append(element("h3", "", "Merge history"));
    const box = column.appendChild(element("div", "body"));
    box.tabIndex = 0;
    box.setAttribute("role", "group");
    box.setAttribute("aria-label", "Merges in their order; a click goes to the step");
    this.merges = new Merges(box, this.record, (step) => this.film.go(step));
    this.mergesNote = column.appendChild(element("p", "note"));
  }

  get record() {
    return this.film.records[this.side];
  }

  set() {
    if (this.bars) Object.assign(this.bars, { record: this.record, now: new Map() });
    this.merges?.set(this.record);
  }

  /** Show a step. `hidden`: the next merge is to be guessed. */
  draw(step, { hidden, move, focus }) {
    const { record } = this;
    const frame = record.frame(step);
    this.say(step, frame, hidden);
    this.drawPairs(step, frame, { hidden, move, focus });
    if (!this.merges) return;
    this.mergesNote.textContent = step ? `${grouped(step)} of ${grouped(record.steps)} merges made` : "No merge yet. Click one to go to its step.";
  }

  say(step, frame, hidden) {
    const { record } = this;
    const pieces = frame ? [...frame.said] : this.inShort(step);
    if (frame && !hidden) pieces.push(" ", ...frame.ahead);
    this.said.classList.toggle("short", !frame);
    const said = JSON.stringify(pieces);
    if (said === this.saidNow) return;
    this.saidNow = said;
    this.said.replaceChildren(...sentence(record, pieces));
    this.said.title = plainSentence(record, pieces);
  }

  /** What is known of a step without its frame. */
  inShort(step) {
    if (!step) return [""];
    const { left, right, made, count } = this.record.merge(step);
    return [`Step ${grouped(step)} joined `, [left], " + ", [right], " → ", [made, "new"], `, seen ${grouped(count)} times …`];
  }

  drawPairs(step, frame, { hidden, move, focus }) {
    if (!this.bars) return;
    const word = focus?.bars && focus.step === step ? focus : null;
    this.bars.box.classList.toggle("stale", !frame);
    this.pairsTitle.textContent = word ? "Pairs of the word" : "Pair counts";
    this.clear.hidden = !this.film.pair && !this.film.word;
    this.clear.textContent = this.film.word ? "Show all pairs" : "Unmark";
    if (!frame) return;
    const chosen = this.film.pair?.[0] === this.side ? this.film.pair.slice(1) : null;
    this.bars.draw(word && !hidden ? word.bars : frame.bars, { chosen, hidden, move });
    const pairs = word ? word.pairs : frame.pairs;
    const counted = `${grouped(pairs)} different pair${pairs === 1 ? "" : "s"}`;
    this.pairsNote.textContent = !pairs ? "No pair is left." : counted + (pairs > frame.bars.length && !word ? `; the ${frame.bars.length} most frequent are shown` : "");
  }
}
