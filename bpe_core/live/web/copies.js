// The tokens out of the page: copied, as a table, as JSON, as a picture. All of them, as they are shown.

import { grouped, inksOf } from "./chips.js";
import { bytesOf } from "./cut.js";
import { copied, csvOf, download, PICTURE, pictureOf, pngOf, svgText } from "./pictures.js";
import { hex, isText, rawText, tokenText } from "./text.js";

const COLUMNS = ["number", "id", "token", "bytes", "start", "end", "step"];
const NO_COPY = "The browser does not allow copying here.";

export class Copies {
  /** `view`: the `TokenView` whose tokens they are. */
  constructor(root, view) {
    Object.assign(this, { root, view, $: (id) => root.getElementById(id) });
    const on = (id, type, act) => this.$(id).addEventListener(type, act);
    on("copy-ids", "click", () => this.copy(`[${this.everyId().join(", ")}]`, "ids"));
    on("copy-tokens", "click", () => this.copy(this.everyToken().join("\n"), "tokens"));
    on(
      "copy-picture",
      "click",
      async () => this.view.say(await copied(pngOf(this.picture())) ? "Copied the picture." : NO_COPY),
    );
    on("csv", "click", () => download("tokens.csv", "text/csv", csvOf(COLUMNS, this.rows())));
    on("json", "click", () => download("tokens.json", "application/json", this.json()));
    on("svg", "click", () => download("tokens.svg", "image/svg+xml", svgText(this.picture())));
    on("png", "click", async () => download("tokens.png", "image/png", await pngOf(this.picture())));
  }

  everyId() {
    return Array.from({ length: this.view.cut.count }, (_, token) => this.view.idText(token));
  }

  /** Every token as one line: with marks where they are shown, else as it stands in the text. */
  everyToken() {
    const { cut, model, data } = this.view;
    const written = this.$("marks").checked ? tokenText : rawText;
    const bytes = (token) => bytesOf(model, cut.starts[token], cut.starts[token + 1]);
    return Array.from({ length: cut.count }, (_, token) => written(bytes(token), data.glyph, data.marks));
  }

  /** Every token: number, id, token (its text, "" where its bytes are no whole characters), bytes, start and end (in characters), step. */
  rows() {
    const { cut, model, data } = this.view;
    const character = charactersOf(model.text);
    return Array.from({ length: cut.count }, (_, token) => {
      const [start, end] = [cut.starts[token], cut.starts[token + 1]];
      const bytes = bytesOf(model, start, end);
      return {
        number: token + 1,
        id: cut.ids[token],
        token: isText(bytes, data.glyph) ? rawText(bytes, data.glyph) : "",
        bytes: Array.from(bytes, hex).join(" "),
        start: character[model.from[start]],
        end: character[model.to[end - 1]],
        step: cut.made[token],
      };
    });
  }

  json() {
    const { model, data, step } = this.view;
    return JSON.stringify(
      { text: model.text, tokenizer: data.title, step, steps: model.steps, tokens: this.rows() },
      null,
      1,
    );
  }

  picture() {
    const { cut, model } = this.view;
    const ink = inksOf(this.$("tokens"));
    const tokens = Array.from({ length: Math.min(cut.count, PICTURE.tokens) }, (_, token) => {
      const text = this.view.partsOf(token).map((part) => part.text).join("");
      const below = this.$("show").value === "no" ? "" : this.view.idText(token);
      const breaks = bytesOf(model, cut.starts[token], cut.starts[token + 1]).includes(10);
      return { text, below, breaks, ink: ink(cut.colours[token]) };
    });
    const style = getComputedStyle(this.root.host);
    return pictureOf(tokens, [style.getPropertyValue("--st-background-color"), ink(0)[2]]);
  }

  async copy(text, what) {
    this.view.say((await copied(text)) ? `Copied ${grouped(this.view.cut.count)} ${what}.` : NO_COPY);
  }
}

/** Which character begins at each UTF-16 unit of a text. */
function charactersOf(text) {
  const found = new Int32Array(text.length + 1);
  let character = 0;
  for (let unit = 0; unit < text.length; character++) {
    const wide = text.codePointAt(unit) > 0xffff;
    found[unit] = character;
    if (wide) found[unit + 1] = character;
    unit += wide ? 2 : 1;
  }
  found[text.length] = character;
  return found;
}
