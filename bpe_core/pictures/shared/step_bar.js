// The step bar of a film, and of a text that melts: buttons, a slider, the position, and sometimes a choice of speeds.

import { buttonOf, element, find, setAttributes, write } from "./elements.js";
import { ACTS, listenFor } from "./keys.js";
import { grouped } from "./numbers.js";
import { Stepping } from "./stepping.js";

/** @import { Act } from "./keys.js" */
/** @import { Steps } from "./stepping.js" */

/**
 * How a position is written. `stage`: the name of the stage, in a training of several stages. `more`: words that only
 * screen readers get.
 * @typedef {{ before: string, at: string, after: string, stage?: string, more?: string }} Position
 */

/**
 * The differences between step bars, besides their style sheets.
 *
 * @typedef {object} BarOptions
 * @property {Act[]} order of the buttons
 * @property {string} label of the slider
 * @property {() => Position} position how the position is written
 * @property {Partial<Record<Act, string>>} [titles] of the buttons
 * @property {(number: number) => number} [typed] the position for a typed number; nothing can be typed without it
 * @property {number[]} [speeds] that can be chosen, in positions a second
 */

let lastSpeed = 2; // positions a second, as chosen last in this tab

export class StepBar {
  /** @type {HTMLSelectElement | null} */
  #select = null;

  /**
   * Fill the element `.bar` of a view. Elements that `.bar` already contains come after the position.
   *
   * @param {ShadowRoot} root
   * @param {Omit<Steps, "gone">} steps
   * @param {BarOptions} options
   */
  constructor(root, steps, options) {
    this.root = root;
    this.options = options;
    this.stepping = new Stepping({ ...steps, gone: () => !root.host.isConnected });
    this.box = find(root, ".bar", HTMLElement);
    /** @type {Map<Act, HTMLButtonElement>} */
    this.buttons = new Map(options.order.map((act) => [act, this.#button(act)]));
    this.where = element("output", "where");
    this.words = {
      before: element("span"),
      at: element("span", "at"),
      after: element("span"),
      stage: element("span", "stage"),
    };
    this.where.append(...Object.values(this.words));
    this.lost = element("span", "status");
    this.lost.setAttribute("role", "status");
    this.slider = element("input", "slider");
    setAttributes(this.slider, { type: "range", min: 0, "aria-label": options.label });
    this.slider.addEventListener("input", () => this.stepping.slide(Number(this.slider.value)));
    this.slider.addEventListener("change", () => this.stepping.rest());
    const row = element("div", "buttons");
    setAttributes(row, { role: "group", "aria-label": "Steps" });
    row.append(...this.buttons.values(), this.where, this.lost, ...this.box.childNodes);
    if (options.speeds) row.append(this.#speedOf(options.speeds));
    this.box.append(row, this.slider);
    if (options.typed) this.#takeTyping();
    listenFor(this);
  }

  /** @param {Act} act */
  #button(act) {
    const { name, key, hint } = ACTS[act];
    const button = buttonOf("");
    button.append(element("i"), element("span", "", name), ...(hint ? [element("kbd", "", hint)] : []));
    for (const drawn of button.querySelectorAll("i, kbd")) drawn.setAttribute("aria-hidden", "true");
    setAttributes(button, { "data-do": act, "aria-keyshortcuts": key === " " ? "Space" : key });
    turn(button, true); // until the first position is drawn
    if (this.options.titles?.[act]) button.title = this.options.titles[act];
    button.addEventListener("click", () => this.act(act));
    return button;
  }

  /** @param {number[]} speeds */
  #speedOf(speeds) {
    const label = element("label", "speed");
    const select = this.#select = element("select");
    label.append(select);
    select.setAttribute("aria-label", "Speed");
    for (const speed of speeds) {
      select.append(new Option(`${speed} a second`, String(speed), speed === lastSpeed, speed === lastSpeed));
    }
    select.addEventListener("change", () => {
      lastSpeed = this.speed;
      this.stepping.clock.setSpeed(lastSpeed);
    });
    return label;
  }

  /** The speed that is chosen, in positions a second. */
  get speed() {
    return Number(this.#select?.value);
  }

  #takeTyping() {
    const { at } = this.words;
    setAttributes(at, {
      role: "textbox",
      contenteditable: true,
      inputmode: "numeric",
      title: "Type a step, then Enter",
    });
    at.addEventListener("mousedown", (event) => {
      if (this.root.activeElement === at) return;
      event.preventDefault(); // Safari would set its caret after the focus, and the number would not be selected
      at.focus();
    });
    at.addEventListener("focus", () => getSelection()?.selectAllChildren(at));
    at.addEventListener("keydown", (event) => this.#typed(event));
    at.addEventListener("blur", () => this.draw()); // drops a number that was not entered
  }

  /** At Enter, go to the typed position. Refuse keys that type anything but digits. @param {KeyboardEvent} event */
  #typed(event) {
    const { words: { at }, options: { typed } } = this;
    if (event.key.length === 1 && !/\d/.test(event.key) && !event.ctrlKey && !event.metaKey) event.preventDefault();
    if (event.key !== "Enter" && event.key !== "Escape") return;
    event.preventDefault();
    const number = at.textContent.replace(/\D/g, "");
    at.blur();
    if (event.key === "Enter" && number && typed) this.go(typed(Number(number)));
  }

  /** Whether the step bar is on the screen. */
  get isShown() {
    return this.box.getClientRects().length > 0;
  }

  /** Do what a button or its key says. @param {Act} act */
  act(act) {
    this.stepping.act(act);
  }

  /** @param {number} position */
  go(position) {
    this.stepping.go(position);
  }

  /** Draw the position, and whether the bar plays. */
  draw() {
    const { slider, buttons, words, stepping: { steps, clock } } = this;
    const [position, last] = [steps.position(), steps.last()];
    const { before, at, after, stage: title, more = "" } = this.options.position();
    const stage = title ? `, ${title}` : "";
    slider.max = String(Math.max(last, 1));
    slider.value = String(position);
    slider.disabled = !last;
    slider.setAttribute("aria-valuetext", `${before}${at}${after}${stage}${more}`);
    write(words.before, before);
    write(words.after, after);
    write(words.stage, stage);
    if (this.root.activeElement !== words.at) write(words.at, at);
    if (this.options.typed) words.at.setAttribute("aria-label", `${before.trim()}, to be typed`);
    const digits = grouped(last).length;
    words.at.style.minWidth = `${digits}ch`; // so that the text after it does not move
    this.where.style.minWidth = `${2 * digits + 8}ch`;
    const isEnd = { back: !position && !steps.beyond?.(-1), next: position >= last && !steps.beyond?.(last + 1) };
    const off = { start: !position, ...isEnd, play: !last, end: position >= last };
    for (const [act, button] of buttons) turn(button, off[act]);
    const play = buttons.get("play");
    play?.classList.toggle("playing", clock.playing);
    if (play) write(find(play, "span", HTMLElement), clock.playing ? "Pause" : "Play");
  }

  /** Show the state of the connection with the server. @param {string} text */
  status(text) {
    this.lost.textContent = text;
  }
}

/**
 * Turn a button off or on. One that is `disabled` would lose the focus to the page.
 *
 * A button that stays as it is, is left alone: where it has the focus, as Play has while it plays, its `tabIndex` makes
 * the browser lay out the page at once, which took as long as all else that a film does for a frame.
 *
 * @param {HTMLButtonElement} button
 * @param {boolean} isOff
 */
function turn(button, isOff) {
  if (button.getAttribute("aria-disabled") === String(isOff)) return;
  button.setAttribute("aria-disabled", String(isOff));
  button.tabIndex = isOff ? -1 : 0;
}
