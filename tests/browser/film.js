// What a film shows, read off the screen: used by film_frames.py and by the benchmarks.
{
  const seek = (node, selector) => {
    for (const element of node.querySelectorAll("*")) {
      const root = element.shadowRoot;
      const found = root && (root.querySelector(selector) ?? seek(root, selector));
      if (found) return found;
    }
    return null;
  };
  const texts = (parent, selector) => Array.from(parent.querySelectorAll(selector), (part) => part.textContent);
  const inSight = (element, box) => {
    const [one, all] = [element.getBoundingClientRect(), box.getBoundingClientRect()];
    return one.height > 0 && one.bottom > all.top && one.top < all.bottom;
  };
  /** The labels of the pairs, and their names: of a chart, or of a list where no Vega is. */
  const bars = (drawn) => {
    if (drawn?.querySelector(".listed")) return [texts(drawn, ".label"), texts(drawn, ".name")];
    return Array.from(drawn?.querySelectorAll("g.mark-text") ?? [], (group) => texts(group, "text"));
  };
  const frame = () => new Promise(requestAnimationFrame);

  window.film = {
    frame,
    find: (selector) => seek(document, selector),

    /** Move the slider to a step, as a finger does. */
    slide(step) {
      const slider = film.find(".film .slider") ?? film.find(".slider"); // the site has a view of tokens, too
      slider.value = step;
      slider.dispatchEvent(new InputEvent("input", { bubbles: true }));
    },

    /** Until the step and its frame are drawn; the chart follows within the same frame. */
    async drawn(step) {
      const there = () => {
        const box = film.find(".film");
        return box?.dataset.step === String(step) && box.querySelector(".pairs :is(svg, .listed)");
      };
      for (const begun = performance.now(); !there(); await frame())
        if (performance.now() - begun > 100_000) throw new Error(`step ${step} is not drawn`);
      await frame();
      await frame();
    },

    read() {
      const root = film.find(".film");
      const corpus = root.querySelector(".corpus .body"), merges = root.querySelector(".merges .body");
      return {
        sentence: root.querySelector(".sentence").textContent,
        words: Array.from(corpus.querySelectorAll(".line")).filter((line) => inSight(line, corpus)).map((line) => {
          const word = line.querySelector(".word");
          return [Number(word.dataset.row), line.querySelector(".count").textContent, texts(word, ".token"), texts(word, ".new").length];
        }),
        bars: bars(root.querySelector(".pairs .drawn:not([style*=hidden])")),
        merges: Array.from(merges.querySelectorAll(".merge")).filter((row) => !row.hidden && inSight(row, merges)).map((row) =>
          [row.querySelector(".k").textContent, texts(row, ".token"), row.querySelector(".ties").textContent, row.querySelector(".n").textContent]),
        current: root.querySelector(".merge.current .k")?.textContent ?? "",
      };
    },

    /** What the film shows at each of these steps, one after the other. */
    async readAll(steps) {
      const all = [];
      while (!film.find(".slider")) await film.frame();
      for (const step of steps) {
        film.slide(step);
        await film.drawn(step);
        all.push(film.read());
      }
      return all;
    },
  };
}
