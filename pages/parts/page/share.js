// Copies the page's address, which carries the page's state. A note says which values the address cannot carry.

const drawn = new WeakMap();

const after = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/** Wait, for two seconds at most, until the page has answered what was typed and chosen last: its address has it then. */
async function allHeard() {
  const { classList } = document.documentElement;
  if (!classList.contains("unheard")) return;
  for (let i = 0; i < 40 && classList.contains("unheard"); i++) await after(50);
  await after(200); // `history.js` writes the address a moment later
}

async function copy(part) {
  await allHeard();
  const { button, note, link, left_out } = part;
  const rest = left_out ? `, ${left_out}.` : ".";
  try {
    await navigator.clipboard.writeText(location.href);
    note.textContent = `Link copied${rest}`;
  } catch {
    link.hidden = false; // browsers allow copying only on https and localhost
    link.value = location.href;
    link.select();
    note.textContent = `The link is selected: copy it${rest}`;
  }
  clearTimeout(button.timer);
  button.timer = setTimeout(() => (note.textContent = ""), 6000);
}

export default function ({ parentElement, data }) {
  const part = drawn.get(parentElement) ?? {
    button: parentElement.querySelector("button"),
    note: parentElement.querySelector("[role=status]"),
    link: parentElement.querySelector("input"),
  };
  drawn.set(parentElement, part);
  Object.assign(part, data);
  part.button.onclick = () => copy(part);
}
