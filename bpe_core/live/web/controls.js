// The step bar: buttons, slider, speed, keys. Of several films on a page the one used last has the keys.

import { grouped } from "./chips.js";

const KEYS = { Home: "start", ArrowLeft: "back", " ": "play", ArrowRight: "next", End: "end" };
const films = new Set();
let used;

/** Whether a key belongs to the element that has the focus. */
function takesKey(target, key) {
  const name = target?.tagName;
  if (target?.isContentEditable || name === "TEXTAREA" || name === "SELECT") return true;
  if (name === "INPUT" && target.type === "range") return key !== " ";
  if (name === "INPUT") return !["checkbox", "button", "radio"].includes(target.type) || key === " ";
  if (
    target?.closest?.(
      "[role=radiogroup], [role=listbox][aria-expanded], [role=menu], [role=slider], [role=tablist], [data-baseweb=select]",
    )
  ) return true;
  return key === " " &&
    (name === "BUTTON" || name === "A" || name === "SUMMARY" || target?.getAttribute?.("role") === "button");
}

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.defaultPrevented) return;
  for (const film of films) if (!film.root.host.isConnected) films.delete(film);
  const film = films.has(used) ? used : films.values().next().value;
  const act = film && KEYS[event.key];
  if (!act || takesKey(event.composedPath()[0], event.key)) return;
  event.preventDefault();
  film.act(act);
});

export class Controls {
  constructor(film) {
    this.film = film;
    const { root } = film;
    this.$ = (name) => root.querySelector(name);
    this.buttons = Object.fromEntries(
      Array.from(root.querySelectorAll("[data-do]"), (button) => [button.dataset.do, button]),
    );
    for (const [key, act] of Object.entries(KEYS)) {
      this.buttons[act].addEventListener("click", () => film.act(act));
      this.buttons[act].setAttribute("aria-keyshortcuts", key === " " ? "Space" : key);
    }
    this.$(".slider").addEventListener("input", (event) => film.scrub(Number(event.target.value)));
    this.$(".slider").addEventListener("change", () => film.rest());
    this.$(".at").addEventListener("focus", () => getSelection().selectAllChildren(this.$(".at")));
    this.$(".at").addEventListener("keydown", (event) => this.typed(event));
    this.$(".at").addEventListener("blur", () => film.redraw(false)); // a number that was not entered goes
    this.$(".speed select").addEventListener("change", () => film.clock.setSpeed(this.speed));
    root.addEventListener("pointerdown", () => (used = film));
    root.addEventListener("focusin", () => (used = film));
    films.add(film);
  }

  get speed() {
    return Number(this.$(".speed select").value);
  }

  /** Enter goes to the step that was typed; nothing but digits is typed. */
  typed(event) {
    if (event.key.length === 1 && !/\d/.test(event.key) && !event.ctrlKey && !event.metaKey) event.preventDefault();
    if (event.key !== "Enter" && event.key !== "Escape") return;
    event.preventDefault();
    const number = this.$(".at").textContent.replace(/\D/g, "");
    this.$(".at").blur();
    if (event.key === "Enter" && number) this.film.go(Number(number));
  }

  draw(step, last, playing) {
    const slider = this.$(".slider");
    slider.max = Math.max(last, 1);
    slider.value = step;
    slider.disabled = !last;
    const unit = this.film.records[0]?.unit ?? "step";
    slider.setAttribute("aria-valuetext", `${unit} ${step} of ${last}`);
    if (this.$(".at") !== this.$(".at").getRootNode().activeElement) this.$(".at").textContent = grouped(step);
    this.$(".at").setAttribute("aria-label", `${unit}, to be typed`);
    this.$(".unit-name").textContent = unit;
    this.$(".last").textContent = grouped(last);
    this.$(".at").style.minWidth = `${grouped(last).length}ch`; // what stands behind it does not move
    this.$(".where").style.minWidth = `${2 * grouped(last).length + 8}ch`;
    const off = { start: !step, back: !step, play: !last, next: step >= last, end: step >= last };
    // A disabled button would lose the focus to the page.
    for (const [act, button] of Object.entries(this.buttons)) button.setAttribute("aria-disabled", off[act]);
    this.buttons.play.firstElementChild.textContent = playing ? "Pause" : "Play";
  }

  /** Tell a screen reader what the step did, once it stands still for a moment. */
  announce(text) {
    clearTimeout(this.announcing);
    this.announcing = setTimeout(() => (this.$(".live").textContent = text), 400);
  }

  /** A word on the exchange with the server. */
  status(text) {
    this.$(".status").textContent = text;
  }
}
