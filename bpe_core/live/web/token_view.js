// The tokens of a text, and a vocabulary that grows under the finger: every step follows from the server's one answer.

import { chipOf, counted, element, grouped, times } from "./chips.js";
import { Copies } from "./copies.js";
import { bytesOf, cutAt, isWhole, readAnswer, tokenOf } from "./cut.js";
import { Figures } from "./figures.js";
import { isLeaving } from "./leaving.js";
import { Merging } from "./merging.js";
import { Panel } from "./panel.js";
import { Pane } from "./panes.js";
import { parts, plainParts, tokenText } from "./text.js";
import { treeOf } from "./tree.js";

class TokenView {
  constructor(root) {
    this.root = root;
    this.$ = (id) => root.getElementById(id);
    this.hovered = this.selected = -1; // tokens
    this.untold = {}; // timers
    const look = () => this.data;
    this.merging = new Merging(
      root,
      (step) => this.recut(step),
      (step) => this.tell("step", { step, of: this.data.of }),
    );
    this.figures = new Figures(root, () => this.tellOptions());
    this.copies = new Copies(root, this);
    this.panel = new Panel(root, look, (words) => this.say(words));
    this.tokens = new Pane(this.$("tokens"), (into, a, b) => this.drawTokens(into, a, b), (c) => this.textOf(c));
    this.ids = new Pane(this.$("ids"), (into, a, b) => this.drawIds(into, a, b), (c) => this.textOf(c));
    this.listen();
  }

  // --- the server ---

  receive({ data, setStateValue }) {
    this.setStateValue = setStateValue;
    const other = data.key !== this.data?.key || data.version !== this.data?.version;
    const anew = other || data.of !== this.data?.of;
    const step = anew ? data.step : this.merging.atEnd ? data.steps : this.merging.step;
    if (other) this.adopt(data);
    if (anew) {
      this.merging.stop();
      this.at = data.at;
    }
    this.data = data;
    this.model = readAnswer(data);
    this.recut(this.merging.set(this.model, Math.min(step, data.steps)), true);
  }

  /** Another vocabulary or another text that the server has set: its options. */
  adopt({ options, shows, title }) {
    this.$("show").value = options.ids;
    this.$("marks").checked = options.marks;
    this.$("window").value = options.window;
    this.$("price").value = options.price;
    for (const part of ["numbers", "costs", "merging", "panel", "tools"]) this.$(part).hidden = !shows.includes(part);
    const alone = !shows.includes("panel");
    this.$("merging-title").textContent = `Watch your text being merged${
      alone ? ` with ${title.split(" (")[0]}'s tokenizer` : ""
    }`;
    this.$("body").classList.toggle("alone", alone);
  }

  /** Tell the server; where the page seems to be left, once it is clear that it is not. */
  tell(name, value) {
    clearTimeout(this.untold[name]);
    if (!isLeaving()) this.setStateValue(name, value);
    else if (this.root.host.isConnected) this.untold[name] = setTimeout(() => this.tell(name, value), 500);
  }

  tellOptions() {
    clearTimeout(this.telling);
    const options = () => ({
      ids: this.$("show").value,
      marks: this.$("marks").checked,
      window: this.$("window").value,
      price: this.$("price").value,
    });
    this.telling = setTimeout(() => this.tell("options", options()), 150);
  }

  // --- what is on the screen ---

  /** Show the tokens after `step` merges. The chosen token is the one that holds the chosen symbol. */
  recut(step, otherText = false) {
    const { model, data } = this;
    this.step = step;
    this.cut = cutAt(model, step, data.hues);
    this.hovered = -1;
    const has = (at) => at >= 0 && at < model.size;
    if (!has(this.at)) this.at = data.at; // the text has become shorter
    this.selected = has(this.at) ? tokenOf(this.cut, this.at) : -1;
    const list = this.$("show").value === "list";
    this.$("ids").hidden = !list;
    this.$("body").classList.toggle("two", list);
    for (const pane of list ? [this.tokens, this.ids] : [this.tokens]) {
      if (otherText || pane.model !== model) pane.setModel(model, this.cut);
      else pane.setCut(this.cut);
    }
    this.figures.show(data, this.cut.count, this.merging);
    this.showSentence();
    this.showPanel();
  }

  /** What the last merge did to this text, and which one comes next. */
  showSentence() {
    const { data, model, merging } = this;
    const words = [];
    const at = merging.merge ? model.mergedAt.indexOf(merging.merge) : -1;
    if (at >= 0) {
      const [start, seam, end] = seamOf(model, at, merging.merge);
      const count = model.mergedAt.reduce((sum, one) => sum + (one === merging.merge), 0);
      const chip = (a, b) => this.panel.chip(bytesOf(model, a, b));
      const whose = data.title.replace(/ \(.*\)$/, "");
      words.push(
        `Step ${grouped(merging.merge)} of ${whose}'s ${grouped(model.steps)} joined `,
        chip(start, seam),
        " + ",
        chip(seam, end),
        " → ",
        chip(start, end),
      );
      words.push(count > 1 ? `, ${times(count)} here. ` : ". ");
    } else words.push(model.size ? `Before any merge: ${counted(model.size, "symbol")}. ` : "");
    const next = model.steps_here[merging.position];
    if (next) words.push(`Next: step ${grouped(next)}.`);
    else if (merging.most) {
      words.push(`${grouped(merging.most)} of its merges ${merging.most === 1 ? "changes" : "change"} this text.`);
    } else if (model.size) words.push("No merge of this vocabulary changes this text.");
    this.$("sentence").replaceChildren(...words);
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

  drawTokens(into, first, last) {
    const { starts, colours, made } = this.cut;
    const { model, merging } = this;
    const underneath = this.$("show").value === "yes";
    const fresh = merging.position < merging.most ? merging.merge : 0;
    let group = null;
    for (let token = first; token < last; token++) {
      this.drawDropped(into, starts[token]);
      const end = starts[token + 1];
      if (!group && !isWhole(model, starts[token], end)) {
        group = into.appendChild(element("span", "whole"));
        group.setAttribute("role", "presentation");
        group.start = starts[token];
      }
      const chip = chipOf(this.partsOf(token), colours[token], fresh && made[token] === fresh ? "new" : "");
      if (underneath) chip.append(element("sub", "", this.idText(token)));
      (group ?? into).append(this.option(chip, token, "t"));
      if (group && (end === model.size || model.head[end])) {
        const text = tokenText(bytesOf(model, group.start, end), this.data.glyph, this.data.marks);
        group.append(element("span", "of", `= ${text}`));
        group = null;
      }
      if (bytesOf(model, starts[token], end).includes(10)) into.append(element("br"));
    }
  }

  /** What the pretokenizer dropped before a symbol, as it stands in the text. */
  drawDropped(into, symbol) {
    const { from, to, text } = this.model;
    const since = symbol ? to[symbol - 1] : 0;
    if (from[symbol] <= since) return;
    const dropped = into.appendChild(element("span", "dropped", text.slice(since, from[symbol])));
    dropped.title = "thrown away when the text is split";
  }

  drawIds(into, first, last) {
    for (let token = first; token < last; token++) {
      into.append(this.option(element("span", "id", this.idText(token)), token, "i"), " ");
    }
  }

  option(element, token, prefix) {
    element.id = prefix + token;
    element.token = token;
    element.setAttribute("role", "option");
    element.setAttribute("aria-selected", token === this.selected);
    if (token === this.current) element.classList.add("active");
    return element;
  }

  // --- one token: the ring, the line and the biography are always of the same one ---

  get current() {
    return this.hovered >= 0 ? this.hovered : this.selected;
  }

  ring(before) {
    for (const prefix of "ti") {
      this.$(prefix + before)?.classList.remove("active");
      this.$(prefix + this.current)?.classList.add("active");
    }
    if (this.$("panel").hidden) this.showLine();
    else this.showPanel();
  }

  /** Where there is no panel: the token that is pointed at, in one line in place of the last merge. */
  showLine() {
    const { current: token, cut, model } = this;
    if (token < 0 || token >= cut.count) return this.showSentence();
    const bytes = bytesOf(model, cut.starts[token], cut.starts[token + 1]);
    this.$("sentence").replaceChildren(this.panel.chip(bytes), ` id ${this.idText(token)}: ${this.bornOf(token)}.`);
  }

  hover(token) {
    if (token === this.hovered) return;
    const before = this.current;
    this.hovered = token;
    this.ring(before);
  }

  select(token, focused = false) {
    const before = this.current;
    for (const prefix of "ti") {
      this.$(prefix + this.selected)?.setAttribute("aria-selected", "false");
      this.$(prefix + token)?.setAttribute("aria-selected", "true");
    }
    this.selected = token;
    this.hovered = -1;
    this.at = this.cut.starts[token];
    this.ring(before);
    const selected = { at: this.at, version: this.data.version, key: this.data.key };
    clearTimeout(this.choosing);
    this.choosing = setTimeout(() => this.tell("selected", selected), focused ? 150 : 0);
    if (focused) this.reveal(token);
  }

  reveal(token) {
    for (const [prefix, pane] of [["t", this.tokens], ["i", this.ids]]) {
      if (pane.element.hidden) continue;
      pane.show(token);
      this.$(prefix + token)?.classList.add("active");
      this.$(prefix + token)?.scrollIntoView({ block: "nearest" });
      pane.element.setAttribute("aria-activedescendant", prefix + token);
    }
  }

  showPanel() {
    const { current, cut, model, data } = this;
    if (this.$("panel").hidden) return;
    if (current < 0 || current >= cut.count) return this.panel.show(null);
    const [start, end] = [cut.starts[current], cut.starts[current + 1]];
    const { root, whole } = treeOf(model, start, end, cut.made[current]);
    const nodes = [root];
    for (const node of nodes) nodes.push(...node.halves);
    for (const node of nodes) node.bytes = bytesOf(model, node.start, node.end);
    const token = { bytes: root.bytes, id: this.idText(current), born: this.bornOf(current), tree: root, whole };
    const told = data.facts && data.facts.at === start && data.facts.end === end && data.facts.step === this.step;
    this.panel.show(token, told ? data.facts : null);
  }

  bornOf(token) {
    const [id, step] = [this.cut.ids[token], this.cut.made[token]];
    if (id < 0) return "not in the alphabet";
    if (step) return `made at step ${grouped(step)} of ${grouped(this.model.steps)}`;
    return this.data.special_ids.includes(id) ? "a special token" : "made by no merge";
  }

  // --- hands ---

  listen() {
    const on = (id, type, act) => this.$(id).addEventListener(type, act);
    for (const id of ["show", "marks"]) {
      on(id, "change", () => {
        this.recut(this.step, true);
        this.tellOptions();
      });
    }
    for (const id of ["tokens", "ids"]) {
      const under = (event) => event.target.closest?.("[role=option]")?.token ?? -1;
      on(id, "pointerover", (event) => event.pointerType !== "touch" && this.hover(under(event)));
      on(id, "pointerleave", () => this.hover(-1));
      on(id, "click", (event) => under(event) >= 0 && this.select(under(event)));
      on(id, "keydown", (event) => this.key(event));
    }
  }

  key(event) {
    const last = this.cut.count - 1;
    const from = this.selected;
    const moves = {
      ArrowRight: from + 1,
      ArrowDown: from + 1,
      ArrowLeft: from - 1,
      ArrowUp: from - 1,
      Home: 0,
      End: last,
    };
    if (!(event.key in moves) || last < 0) return;
    this.select(Math.max(0, Math.min(moves[event.key], last)), true);
    event.preventDefault();
    event.stopPropagation();
  }

  say(words) {
    this.$("said").textContent = words;
    clearTimeout(this.saying);
    this.saying = setTimeout(() => (this.$("said").textContent = ""), 4000);
  }
}

/** Where the token that `step` made around the boundary `seam` starts, was joined, and ends. */
function seamOf({ mergedAt, size }, seam, step) {
  let [start, end] = [seam - 1, seam + 1];
  while (mergedAt[start] <= step) start--;
  while (end < size && mergedAt[end] <= step) end++;
  return [start, seam, end];
}

const views = new WeakMap();

export default function (component) {
  const root = component.parentElement;
  if (!views.has(root)) views.set(root, new TokenView(root));
  views.get(root).receive(component);
}
