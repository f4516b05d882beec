// One text under several tokenizers, a row each; what the first one splits in another way is marked.

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
    this.$("rows").replaceChildren(...data.rows.map((row) => this.row(row)));
  }

  row({ name, figures, tokens, more }) {
    const row = element("section", "row");
    const head = row.appendChild(element("div", "head"));
    head.append(element("h2", "", name), element("b", "", grouped(figures.tokens)), element("span", "", figures.words));
    const chips = row.appendChild(element("div", "tokens"));
    chips.setAttribute("tabindex", "0");
    chips.setAttribute("role", "region");
    chips.setAttribute("aria-label", `tokens of ${name}`);
    for (const { chip, breaks } of this.chips(tokens)) chips.append(chip, ...(breaks ? [element("br")] : []));
    if (more) chips.append(element("span", "more", ` … and ${grouped(more)} more`));
    return row;
  }

  /** Each token: [bytes in hex, id, whether the first tokenizer has none just here]. */
  chips(tokens) {
    const { glyph, marks, hues } = this.data;
    let before = -1;
    return tokens.map(([token, id, differs]) => {
      const bytes = fromHex(token);
      const hue = hueOf(bytes, 0, bytes.length, hues);
      const colour = before === 2 * hue ? 2 * hue + 1 : 2 * hue;
      before = colour;
      const chip = chipOf(parts(bytes, glyph, marks), colour, differs ? "differs" : "");
      chip.title = `${id < 0 ? "unknown" : `id ${id}`}${differs ? ", another split than the first" : ""}`;
      return { chip, colour, breaks: bytes.includes(10), text: tokenText(bytes, glyph, marks) };
    });
  }

  picture() {
    const ink = inksOf(this.$("rows"));
    const style = getComputedStyle(this.root.host);
    const lines = this.data.rows.flatMap(({ name, figures, tokens }) => {
      const title = { text: `${name}: ${grouped(figures.tokens)}, ${figures.words}`, heading: true, breaks: true };
      const chips = this.chips(tokens).map(({ colour, text, breaks }) => ({ text, breaks, ink: ink(colour) }));
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
