// A token as an element of the page, coloured by its bytes. Text goes in as text, never as markup.

/** `parts`: as `parts` and `plainParts` give them; `colour`: 2 · hue + shade; `kind`: more classes. */
export function chipOf(parts, colour, kind = "") {
  const chip = document.createElement("span");
  chip.className = `token t${colour >> 1} s${colour & 1} ${kind}`.trimEnd();
  for (const part of parts) {
    if (part.kind === "text") chip.append(part.text);
    else chip.append(element("span", part.kind, part.text));
  }
  return chip;
}

export function element(name, kind = "", text = "") {
  const made = document.createElement(name);
  if (kind) made.className = kind;
  if (text) made.textContent = text;
  return made;
}

export const svgElement = (name, attributes, text = "") => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.textContent = text;
  return made;
};

/** What shades look like in the theme of the moment, for pictures: a colour to [paper, ink, the quiet ink]. */
export function inksOf(root) {
  const known = new Map();
  const look = (colour) => {
    const probe = root.appendChild(chipOf([], colour));
    const quiet = probe.appendChild(element("sub"));
    const found = [
      getComputedStyle(probe).backgroundColor,
      getComputedStyle(probe).color,
      getComputedStyle(quiet).color,
    ];
    probe.remove();
    return found;
  };
  return (colour) => known.get(colour) ?? known.set(colour, look(colour)).get(colour);
}

const thousands = new Intl.NumberFormat("en");
export const grouped = (number) => thousands.format(number);
export const counted = (number, one) => `${grouped(number)} ${one}${number === 1 ? "" : "s"}`;
export const times = (number) => (number === 1 ? "once" : `${grouped(number)} times`);
export const fromHex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
