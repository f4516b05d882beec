// Copying and saving all tokens, as the view shows them: as text, a table, JSON or a picture.

import { spacedHex } from "../shared/bytes.js";
import { inksOf } from "../shared/chips.js";
import { bytesOf, isLost, lettersOf, opensLetter, tokenBytes } from "../shared/cut.js";
import { closeOnChoice, find } from "../shared/elements.js";
import { PICTURE } from "../shared/from_python.js";
import { pictureChip, rowsOf } from "../shared/layout.js";
import { counted, grouped } from "../shared/numbers.js";
import { copied, csvOf, download, downloadPicture, pictureOf, pngOf } from "../shared/pictures.js";
import { rawText, textBytes } from "../shared/token_text.js";

/** @import { TokenView } from "./token_view.js" */

const COLUMNS = ["number", "id", "token", "bytes", "start", "end", "step", "lost"];
const NO_COPY = "The browser does not allow copying here.";

export class CopyAndSave {
  /** @param {ShadowRoot} root @param {TokenView} view the view of the tokens */
  constructor(root, view) {
    this.root = root;
    this.view = view;
    closeOnChoice(find(root, "#export", HTMLDetailsElement));
    /** @param {string} id @param {() => unknown} act */
    const on = (id, act) => find(root, `#${id}`, HTMLButtonElement).addEventListener("click", act);
    on("copy-ids", () => this.#copy(`[${this.#everyId().join(", ")}]`, "ids"));
    on("copy-tokens", () => this.#copy(JSON.stringify(this.#everyToken()), "tokens"));
    on("copy-picture", async () => view.say(await copied(pngOf(this.#picture())) ? "Copied the picture." : NO_COPY));
    on("csv", () => download("tokens.csv", "text/csv", csvOf(COLUMNS, this.#rows())));
    on("json", () => download("tokens.json", "application/json", this.#json()));
    on("svg", () => downloadPicture("tokens", "svg", this.#picture()));
    on("png", () => downloadPicture("tokens", "png", this.#picture()));
    on("tree-copy", async () => view.say(await copied(pngOf(view.panel.picture())) ? "Copied the tree." : NO_COPY));
    on("tree-svg", () => downloadPicture("tree", "svg", view.panel.picture()));
    on("tree-png", () => downloadPicture("tree", "png", view.panel.picture()));
  }

  #everyId() {
    return Array.from({ length: this.view.cut.count }, (_, token) => this.view.idText(token));
  }

  /** Return every token as it is in the text, without marks. */
  #everyToken() {
    const { cut, model, data: { glyph } } = this.view;
    return Array.from({ length: cut.count }, (_, token) => rawText(tokenBytes(model, cut, token), glyph));
  }

  /**
   * Return a row for every token, with the columns `COLUMNS`. `token`: as it is in the text (`rawText`);
   * `start` and `end` count characters; `lost` is 1 for text that the vocabulary cannot write.
   */
  #rows() {
    const { cut, model, data: { glyph } } = this.view;
    const character = charactersOf(model.text);
    return Array.from({ length: cut.count }, (_, token) => {
      const [start, end] = [cut.starts[token], cut.starts[token + 1]];
      const bytes = bytesOf(model, start, end);
      return {
        number: token + 1,
        id: cut.ids[token],
        token: rawText(bytes, glyph),
        bytes: spacedHex(textBytes(bytes, glyph)),
        start: character[model.from[start]],
        end: character[model.to[end - 1]],
        step: cut.made[token],
        lost: model.lost[start],
      };
    });
  }

  #json() {
    const { model, data, step } = this.view;
    const facts = { text: model.text, tokenizer: data.title, step, steps: model.steps };
    return JSON.stringify({ ...facts, tokens: this.#rows() }, null, 1);
  }

  #picture() {
    const { cut, model, merging, data, show, step, lists: { tokens: { box } } } = this.view;
    const partsOf = (/** @type {Uint8Array} */ shown) => this.view.partsOf(shown);
    const chips = Array.from({ length: Math.min(cut.count, PICTURE.most_tokens) }, (_, token) => {
      const bytes = tokenBytes(model, cut, token);
      const chip = pictureChip(bytes, cut.colours[token], partsOf, PICTURE);
      const id = show.value === "no" ? "" : this.view.idText(token);
      const below = [id, this.#letters(token)].filter((words) => words).join("  ");
      return isLost(model, cut, token) ? { ...chip, lost: true, below: this.view.lostText(below) } : { ...chip, below };
    });
    const paper = getComputedStyle(this.root.host).getPropertyValue("--st-background-color");
    const when = merging.atEnd ? "" : `, after ${grouped(step)} of ${counted(model.steps, "merge")}`;
    const title = `${counted(cut.count, "token")}, ${data.title}${when}`;
    return pictureOf(title, [[title], ...rowsOf(chips, cut.count, partsOf, PICTURE)], inksOf(box), paper);
  }

  /** Return a token's letters as a text; "" if letters are hidden or one is shared. @param {number} token */
  #letters(token) {
    const { cut: { starts }, model, spelling } = this.view;
    const [start, end] = [starts[token], starts[token + 1]];
    if (!spelling.isOn || !opensLetter(model, start) || !opensLetter(model, end)) return "";
    return lettersOf(model, start, end).join(" ").trim();
  }

  /** @param {string} text @param {string} what */
  async #copy(text, what) {
    this.view.say((await copied(text)) ? `Copied ${grouped(this.view.cut.count)} ${what}.` : NO_COPY);
  }
}

/** Return for each UTF-16 unit of a text the index of its character. @param {string} text */
function charactersOf(text) {
  const found = new Int32Array(text.length + 1);
  let unit = 0;
  let character = 0;
  for (const one of text) {
    found.fill(character, unit, unit + one.length);
    unit += one.length;
    character += 1;
  }
  found[text.length] = character;
  return found;
}
