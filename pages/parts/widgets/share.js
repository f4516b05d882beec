// Copies the page's own address, which is its state; says what the address cannot carry.

const drawn = new WeakMap();

async function copy({ button, note, link, left_out }) {
  const said = left_out ? `Link copied. ${left_out}` : "Link copied.";
  try {
    await navigator.clipboard.writeText(location.href);
    note.textContent = said;
  } catch {
    link.hidden = false; // a browser lets pages copy on https and localhost only
    link.value = location.href;
    link.select();
    note.textContent = left_out ? `Copy this link. ${left_out}` : "Copy this link.";
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
