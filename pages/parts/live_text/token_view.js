// The tokens of a text, and a vocabulary that grows under the finger: every step follows from the server's one answer.

const PLAY_SECONDS = 9;
const LINEAR = 2000; // up to so many merges the slider has a place for each

class TokenView {
  constructor(root) {
    this.root = root;
    this.$ = (id) => root.getElementById(id);
    this.active = -1;
    this.selected = -1;
    this.tokens = new Pane(this.$("tokens"), (into, a, b) => this.drawTokens(into, a, b), (c) => this.textOf(c));
    this.ids = new Pane(this.$("ids"), (into, a, b) => this.drawIds(into, a, b), (c) => this.textOf(c));
    this.listen();
  }

  // --- the server ---

  receive({ data, setStateValue }) {
    this.setStateValue = setStateValue;
    const other = data.key !== this.data?.key;
    const adopt = data.version !== this.data?.version;
    this.data = data;
    if (adopt) {
      this.$("show").value = data.options.ids;
      this.$("marks").checked = data.options.marks;
    }
    this.model = readAnswer(data);
    if (other || adopt) this.step = Math.min(data.step, data.steps);
    if (other) this.pause();
    this.setSlider();
    this.recut(true);
  }

  // --- the vocabulary ---

  /** The slider's places: one a merge for few merges; for many, most places go to the early merges, which do most. */
  places() {
    return this.model.steps <= LINEAR ? this.model.steps : LINEAR;
  }

  setSlider() {
    const { steps } = this.model;
    const slider = this.$("slider");
    slider.max = this.places();
    slider.value = steps <= LINEAR ? this.step : Math.round(LINEAR * Math.cbrt(this.step / steps));
    slider.disabled = !steps;
  }

  stepAt(place) {
    const { steps } = this.model;
    return steps <= LINEAR ? Math.round(place) : Math.round(steps * (place / LINEAR) ** 3);
  }

  /** Show another step in the next frame. */
  scrub(step) {
    this.step = Math.max(0, Math.min(step, this.model.steps));
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.recut(false);
    });
  }

  /** Tell the server where the slider has come to rest. */
  rest() {
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.setStateValue("step", this.step), 150);
  }

  jump(direction) {
    const here = this.model.steps_here;
    const next = direction > 0 ? here.find((step) => step > this.step) : here.findLast((step) => step <= this.step);
    this.scrub(direction > 0 ? (next ?? this.model.steps) : (next ?? 1) - 1);
    this.setSlider();
    this.rest();
  }

  play() {
    if (this.playing) return this.pause();
    const places = this.places();
    let from = Number(this.$("slider").value);
    if (from >= places) from = 0;
    const begun = performance.now();
    const frame = (now) => {
      if (!this.playing || !this.root.host.isConnected) return;
      const place = Math.min(from + ((now - begun) / 1000 / PLAY_SECONDS) * places, places);
      this.step = this.stepAt(place);
      this.$("slider").value = place;
      this.recut(false);
      if (place >= places) this.pause();
      else requestAnimationFrame(frame);
    };
    this.playing = true;
    this.showPlay();
    requestAnimationFrame(frame);
  }

  pause() {
    if (this.playing) this.rest();
    this.playing = false;
    this.showPlay();
  }

  showPlay() {
    this.$("play").classList.toggle("playing", Boolean(this.playing));
    this.$("play").setAttribute("aria-label", this.playing ? "Pause" : "Play");
  }

  // --- what is on the screen ---

  recut(otherText) {
    const { model, data } = this;
    const kept = this.selected >= 0 ? this.cut?.starts[this.selected] : -1;
    this.cut = cutAt(model, this.step, data.hues);
    this.active = -1;
    this.selected = kept >= 0 && kept < model.size ? tokenOf(this.cut, kept) : -1;
    const list = this.$("show").value === "list";
    this.$("ids").hidden = !list;
    this.root.querySelector(".body").classList.toggle("two", list);
    this.$("tokens").classList.toggle("bare", !model.size);
    for (const pane of list ? [this.tokens, this.ids] : [this.tokens])
      if (otherText || pane.model !== model) pane.setModel(model, this.cut);
      else pane.setCut(this.cut);
    this.showWhere();
    this.showFigures();
    this.showDetail();
  }

  showWhere() {
    const { steps } = this.model;
    const words = steps ? `${this.step.toLocaleString("en")} of ${steps.toLocaleString("en")} merges` : "no merges";
    this.$("where").textContent = words;
    this.$("slider").setAttribute("aria-valuetext", words);
    this.$("back").disabled = !this.step;
    this.$("forward").disabled = this.step >= steps;
    this.$("play").disabled = !steps;
  }

  showFigures() {
    const { counts, figures } = this.data;
    const tokens = this.cut.count;
    const ratio = (one, other) => (other ? (one / other).toFixed(2) : "–");
    const values = {
      tokens: tokens.toLocaleString("en"),
      characters: counts.characters.toLocaleString("en"),
      bytes: counts.bytes.toLocaleString("en"),
      "bytes per token": ratio(counts.bytes, tokens),
      "tokens per word": ratio(tokens, counts.words),
    };
    const list = this.$("figures");
    if (!list.children.length)
      for (const [name, definition] of Object.entries(figures)) {
        const item = document.createElement("div");
        const term = item.appendChild(document.createElement("dt"));
        term.textContent = name;
        term.title = definition;
        item.appendChild(document.createElement("dd")).dataset.name = name;
        list.append(item);
      }
    for (const value of list.querySelectorAll("dd")) value.textContent = values[value.dataset.name];
  }

  textOf(c) {
    const { chunks, from, to, text, size } = this.model;
    return size ? text.slice(from[chunks[c]], to[chunks[c + 1] - 1]) : "";
  }

  partsOf(token) {
    const { starts } = this.cut;
    const bytes = bytesOf(this.model, starts[token], starts[token + 1]);
    const { glyph, marks } = this.data;
    return this.$("marks").checked ? parts(bytes, glyph, marks) : plainParts(bytes, glyph);
  }

  idText(token) {
    return this.cut.ids[token] < 0 ? "unknown" : String(this.cut.ids[token]);
  }

  chip(token, withId) {
    const { colours, made, step } = this.cut;
    const chip = document.createElement("span");
    const colour = colours[token];
    const fresh = made[token] === step && step && step < this.model.steps ? " new" : "";
    chip.className = `token t${colour >> 1} s${colour & 1}${fresh}`;
    for (const part of this.partsOf(token)) {
      if (part.kind === "text") chip.append(part.text);
      else {
        const mark = chip.appendChild(document.createElement("span"));
        mark.className = part.kind;
        mark.textContent = part.text;
      }
    }
    if (withId) chip.appendChild(document.createElement("sub")).textContent = this.idText(token);
    return chip;
  }

  option(element, token, prefix) {
    element.id = prefix + token;
    element.token = token;
    element.setAttribute("role", "option");
    element.setAttribute("aria-selected", token === this.selected);
    if (token === this.active) element.classList.add("active");
    return element;
  }

  drawTokens(into, first, last) {
    const { starts } = this.cut;
    const { model } = this;
    const underneath = this.$("show").value === "yes";
    let group = null;
    for (let token = first; token < last; token++) {
      this.drawDropped(into, starts[token]);
      const whole = isWhole(model, starts[token], starts[token + 1]);
      if (!whole && !group) {
        group = into.appendChild(document.createElement("span"));
        group.className = "whole";
        group.setAttribute("role", "presentation");
        group.start = starts[token];
      }
      const chip = this.option(this.chip(token, underneath), token, "t");
      (group ?? into).append(chip);
      const end = starts[token + 1];
      const breaks = bytesOf(model, starts[token], end).includes(10);
      if (group && (end === model.size || model.head[end])) {
        const of = group.appendChild(document.createElement("span"));
        of.className = "of";
        of.textContent = "= " + tokenText(bytesOf(model, group.start, end), this.data.glyph, this.data.marks);
        group = null;
      }
      if (breaks) into.append(document.createElement("br"));
    }
  }

  /** What the pretokenizer dropped before a symbol, as it stands in the text. */
  drawDropped(into, symbol) {
    const { from, to, text } = this.model;
    const since = symbol ? to[symbol - 1] : 0;
    if (from[symbol] <= since) return;
    const dropped = into.appendChild(document.createElement("span"));
    dropped.className = "dropped";
    dropped.title = "dropped by the pretokenizer";
    dropped.textContent = text.slice(since, from[symbol]);
  }

  drawIds(into, first, last) {
    for (let token = first; token < last; token++) {
      const id = document.createElement("span");
      id.className = "id";
      id.textContent = this.idText(token);
      into.append(this.option(id, token, "i"), " ");
    }
  }

  // --- one token ---

  /** Mark a token in both panes and describe it; -1: none. */
  activate(token, focused = false) {
    if (token === this.active) return;
    for (const prefix of "ti") {
      this.$(prefix + this.active)?.classList.remove("active");
      this.$(prefix + token)?.classList.add("active");
    }
    this.active = token;
    this.showDetail();
    if (!focused) return;
    for (const [prefix, pane] of [["t", this.tokens], ["i", this.ids]]) {
      if (pane.element.hidden || token < 0) continue;
      pane.show(token);
      const element = this.$(prefix + token);
      element?.classList.add("active");
      element?.scrollIntoView({ block: "nearest" });
      pane.element.setAttribute("aria-activedescendant", prefix + token);
    }
  }

  select(token) {
    for (const prefix of "ti") {
      this.$(prefix + this.selected)?.setAttribute("aria-selected", "false");
      this.$(prefix + token)?.setAttribute("aria-selected", "true");
    }
    this.selected = token;
    this.showDetail();
    const { starts, ids, step } = this.cut;
    const number = (this.clicks = (this.clicks ?? 0) + 1);
    this.setStateValue("selected", { number, id: ids[token], at: starts[token], step });
  }

  showDetail() {
    const box = this.$("detail");
    const token = this.active >= 0 ? this.active : this.selected;
    if (token < 0 || token >= this.cut.count) {
      box.textContent = this.cut.count ? "Point at a token to see its bytes; click it for its biography." : "";
      return;
    }
    const { starts, made } = this.cut;
    const [start, end] = [starts[token], starts[token + 1]];
    const bytes = bytesOf(this.model, start, end);
    const fact = (name, value) => {
      const fact = document.createElement("span");
      fact.append(Object.assign(document.createElement("b"), { textContent: name }), " ");
      fact.append(...[value].flat());
      return fact;
    };
    const facts = [fact("token", this.chip(token, false)), fact("id", this.idText(token))];
    facts.push(fact("bytes", Array.from(bytes.subarray(0, 40), hex).join(" ") + (bytes.length > 40 ? " …" : "")));
    facts.push(fact("made", made[token] ? this.origin(start, end, made[token]) : this.bornAs(token)));
    box.replaceChildren(...facts);
  }

  bornAs(token) {
    if (this.cut.ids[token] < 0) return "not in the alphabet";
    return this.data.special_ids.includes(this.cut.ids[token]) ? "a special token" : "in the base alphabet";
  }

  /** "at step 7 from A + B". */
  origin(start, end, step) {
    let seam = start + 1;
    while (this.model.mergedAt[seam] !== step) seam++;
    const half = (a, b) => {
      const chip = document.createElement("span");
      const bytes = bytesOf(this.model, a, b);
      chip.className = `token s0 t${hueOf(bytes, 0, bytes.length, this.data.hues)}`;
      chip.textContent = tokenText(bytes, this.data.glyph, this.data.marks);
      return chip;
    };
    return [`at step ${step.toLocaleString("en")} from `, half(start, seam), " + ", half(seam, end)];
  }

  // --- hands ---

  listen() {
    const on = (id, type, act) => this.$(id).addEventListener(type, act);
    on("slider", "input", () => {
      this.pause();
      this.scrub(this.stepAt(Number(this.$("slider").value)));
    });
    on("slider", "change", () => this.rest());
    on("play", "click", () => this.play());
    on("back", "click", () => this.jump(-1));
    on("forward", "click", () => this.jump(1));
    for (const id of ["show", "marks"])
      on(id, "change", () => {
        this.recut(true);
        this.setStateValue("options", { ids: this.$("show").value, marks: this.$("marks").checked });
      });
    for (const id of ["tokens", "ids"]) {
      const under = (event) => event.target.closest?.("[role=option]")?.token ?? -1;
      on(id, "pointerover", (event) => this.activate(under(event)));
      on(id, "pointerleave", () => this.activate(-1));
      on(id, "click", (event) => under(event) >= 0 && this.select(under(event)));
      on(id, "keydown", (event) => this.key(event));
      on(id, "focus", () => this.active < 0 && this.cut.count && this.activate(Math.max(this.selected, 0), true));
    }
    on("copy-ids", "click", () => this.copy(`[${this.everyId().join(", ")}]`, "ids"));
    on("copy-tokens", "click", () => this.copy(this.rows().map((row) => row.token).join("\n"), "tokens"));
    on("csv", "click", () => this.download("tokens.csv", "text/csv", csvOf(this.rows())));
    on("json", "click", () => this.download("tokens.json", "application/json", this.json()));
  }

  key(event) {
    const last = this.cut.count - 1;
    const moves = {
      ArrowRight: this.active + 1, ArrowDown: this.active + 1, ArrowLeft: this.active - 1, ArrowUp: this.active - 1,
      Home: 0, End: last,
    };
    if (event.key in moves && last >= 0) this.activate(Math.max(0, Math.min(moves[event.key], last)), true);
    else if ((event.key === "Enter" || event.key === " ") && this.active >= 0) this.select(this.active);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  // --- out of the page ---

  everyId() {
    return Array.from({ length: this.cut.count }, (_, token) => this.idText(token));
  }

  /** Every token: number, id, token, bytes, start and end (in characters), step. */
  rows() {
    const { model, cut } = this;
    let [unit, character] = [0, 0];
    const characters = (until) => {
      for (; unit < until; character++) unit += model.text.codePointAt(unit) > 0xffff ? 2 : 1;
      return character;
    };
    return Array.from({ length: cut.count }, (_, token) => {
      const [start, end] = [cut.starts[token], cut.starts[token + 1]];
      const bytes = bytesOf(model, start, end);
      if (model.from[start] < unit) [unit, character] = this.behind(model.from[start], unit, character);
      return {
        number: token + 1, id: cut.ids[token], token: tokenText(bytes, this.data.glyph, this.data.marks),
        bytes: Array.from(bytes, hex).join(" "), start: characters(model.from[start]),
        end: characters(model.to[end - 1]), step: cut.made[token],
      };
    });
  }

  /** One character back: the next token begins inside the one where the last token ended. */
  behind(from, unit, character) {
    return [from, character - 1];
  }

  json() {
    const { text, steps } = this.model;
    return JSON.stringify({ text, tokenizer: this.data.title, step: this.step, steps, tokens: this.rows() }, null, 1);
  }

  async copy(text, what) {
    const done = await navigator.clipboard.writeText(text).then(() => true, () => this.copyByHand(text));
    this.say(done ? `Copied ${this.cut.count.toLocaleString("en")} ${what}.` : "The browser does not allow copying here.");
  }

  /** For browsers that keep their clipboard from pages without https. */
  copyByHand(text) {
    const box = document.body.appendChild(Object.assign(document.createElement("textarea"), { value: text }));
    box.select();
    const done = document.execCommand("copy");
    box.remove();
    return done;
  }

  download(name, type, content) {
    const url = URL.createObjectURL(new Blob([content], { type }));
    Object.assign(document.createElement("a"), { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  }

  say(words) {
    this.$("said").textContent = words;
    clearTimeout(this.saying);
    this.saying = setTimeout(() => (this.$("said").textContent = ""), 4000);
  }
}

function csvOf(rows) {
  const names = ["number", "id", "token", "bytes", "start", "end", "step"];
  const cell = (value) => (/[",\r\n]/.test(value) ? `"${String(value).replaceAll('"', '""')}"` : value);
  return [names, ...rows.map((row) => names.map((name) => cell(row[name])))].map((row) => row.join(",")).join("\r\n") + "\r\n";
}

const views = new WeakMap();

export default function (component) {
  const root = component.parentElement;
  if (!views.has(root)) views.set(root, new TokenView(root));
  views.get(root).receive(component);
}

export { cutAt, hueOf, parts, readAnswer, tokenText };
