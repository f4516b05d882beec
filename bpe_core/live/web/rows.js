// One text under several tokenizers, a row each; what the first one splits in another way is marked.

import { chipOf, element, fromHex, grouped, inksOf } from "./chips.js";
import { csvOf, download, pictureOf, pngOf, svgText } from "./pictures.js";
import { hueOf, parts, tokenText } from "./text.js";

class Rows {
  constructor(root) {
    this.root = root;
    this.$ = (id) => root.getElementById(id);
    const on = (id, act) => this.$(id).addEventListener("click", act);
    on("csv", () => download("side-by-side.csv", "text/csv", csvOf(this.data.columns, this.data.table)));
    on("svg", () => download("side-by-side.svg", "image/svg+xml", svgText(this.picture())));
    on("png", async () => download("side-by-side.png", "image/png", await pngOf(this.picture())));
  }

  receive({ data }) {
    this.data = data;
    const page = this.$("rows");
    while (page.children.length > data.rows.length) page.lastChild.remove();
    while (page.children.length < data.rows.length) page.append(this.newRow());
    data.rows.forEach((row, i) => this.showRow(page.children[i], row));
  }

  newRow() {
    const row = element("section", "row");
    row.appendChild(element("div", "head")).append(element("h2"), element("b"), element("span"));
    const box = row.appendChild(element("div", "tokens"));
    box.setAttribute("tabindex", "0");
    box.setAttribute("role", "region");
    box.append(element("span", "more"));
    box.shown = []; // of each token: what it looks like, and its elements
    return row;
  }

  showRow(row, { name, figures, tokens, more }) {
    const [head, box] = row.children;
    [name, grouped(figures.tokens), figures.words].forEach((words, i) => (head.children[i].textContent = words));
    box.setAttribute("aria-label", `tokens of ${name}`);
    box.lastChild.textContent = more ? ` … and ${grouped(more)} more` : "";
    this.showTokens(box, this.looks(tokens));
  }

  /** Draw the tokens that changed: most keys leave those before and after as they are. */
  showTokens(box, looks) {
    const { shown } = box;
    const most = Math.min(shown.length, looks.length);
    const stays = (i, j) => shown[i].key === looks[j].key;
    let before = 0;
    while (before < most && stays(before, before)) before++;
    let after = 0;
    while (after < most - before && stays(shown.length - 1 - after, looks.length - 1 - after)) after++;
    const drawn = looks.slice(before, looks.length - after).map((look) => ({
      key: look.key,
      elements: this.draw(look),
    }));
    const gone = shown.splice(before, shown.length - before - after, ...drawn);
    for (const token of gone) for (const old of token.elements) old.remove();
    const next = shown[before + drawn.length]?.elements[0] ?? box.lastChild;
    next.before(...drawn.flatMap((token) => token.elements));
  }

  /** What each token looks like; given as [bytes in hex, id, whether the first tokenizer has none just here]. */
  looks(tokens) {
    const { glyph, hues } = this.data;
    let before = -1;
    return tokens.map(([token, id, differs]) => {
      const bytes = fromHex(token);
      const hue = hueOf(bytes, 0, bytes.length, hues);
      const colour = before === 2 * hue ? 2 * hue + 1 : 2 * hue;
      before = colour;
      return {
        bytes,
        id,
        differs,
        colour,
        breaks: bytes.includes(10),
        key: `${token} ${id} ${differs} ${colour} ${glyph}`,
      };
    });
  }

  draw({ bytes, id, differs, colour, breaks }) {
    const { glyph, marks } = this.data;
    const chip = chipOf(parts(bytes, glyph, marks), colour, differs ? "differs" : "");
    chip.title = `${id < 0 ? "unknown" : `id ${id}`}${differs ? ", another split than the first" : ""}`;
    return breaks ? [chip, element("br")] : [chip];
  }

  picture() {
    const ink = inksOf(this.$("rows"));
    const style = getComputedStyle(this.root.host);
    const { glyph, marks } = this.data;
    const lines = this.data.rows.flatMap(({ name, figures, tokens }) => {
      const title = { text: `${name}: ${grouped(figures.tokens)}, ${figures.words}`, heading: true, breaks: true };
      const chips = this.looks(tokens).map(({ bytes, colour, breaks }) => ({
        text: tokenText(bytes, glyph, marks),
        breaks,
        ink: ink(colour),
      }));
      if (chips.length) chips[chips.length - 1].breaks = true;
      return [title, ...chips];
    });
    return pictureOf(lines, [style.getPropertyValue("--st-background-color"), ink(0)[2]]);
  }
}

const shown = new WeakMap();

export default function (component) {
  const root = component.parentElement;
  if (!shown.has(root)) shown.set(root, new Rows(root));
  shown.get(root).receive(component);
}
