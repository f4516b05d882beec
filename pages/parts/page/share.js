// Copies the page's link, which carries the page's state. A note says which values the link cannot carry.
//
// The address of the page has nothing that was typed. So where a page is opened by its address, it asks this tab first
// for what the tab has kept of it: the link (`KEEP_LINK` in page_scripts.py), and the newest text (editor.js).

const drawn = new WeakMap();

const after = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/** Return the newest link of a page and what it lacks, as `address_bar.publish` wrote them; none while it is opened. */
function published(page) {
  const links = [...document.querySelectorAll(`[data-link][data-page="${page}"]`)].map((element) => element.dataset);
  return links.sort((one, other) => other.at - one.at)[0];
}

/**
 * Wait, for seven seconds at most, until the page has answered what was typed and chosen last: its link has it then.
 * The text area hears of its text while the page still runs, and the link comes at the end of the run. Between two runs
 * the page seems to have answered for a moment, so it has to be quiet for a while.
 */
async function answered(page) {
  const { classList } = document.documentElement;
  const isOlder = () => classList.contains("behind-soon") || !published(page); // the link is of an earlier text
  const isBusy = () => classList.contains("unheard") || document.querySelector("[data-test-script-state=running]");
  for (let i = 0; i < 100 && isOlder(); i++) await after(50);
  for (let i = 0, quiet = 0; i < 40 && quiet < 4; i++) {
    quiet = isOlder() || isBusy() ? 0 : quiet + 1;
    await after(50);
  }
  return !isOlder();
}

async function copy({ button, note, input }, page) {
  const has = await answered(page);
  const { link, leftOut } = has ? published(page) : {};
  const url = location.origin + location.pathname + (link ? `?${link}` : "");
  const rest = leftOut ? `, ${leftOut}.` : ".";
  try {
    if (has) await navigator.clipboard.writeText(url);
    note.textContent = has ? `Link copied${rest}` : "The page has not answered yet: press Share again in a moment.";
  } catch {
    input.hidden = false; // browsers allow copying only on https and localhost
    input.value = url;
    input.select();
    note.textContent = `The link is selected: copy it${rest}`;
  }
  clearTimeout(button.timer);
  button.timer = setTimeout(() => (note.textContent = ""), 6000);
}

/** Return what the tab has of a page. `text`: where the tab has the text in the box. */
function kept(page, text) {
  try {
    const link = sessionStorage.getItem(`mergescope.link ${page}`) ?? "";
    const typed = JSON.parse(sessionStorage.getItem(text) ?? "null");
    const isNewer = typed && (typed.unsaved || !new URLSearchParams(link).has("text"));
    return { link, text: isNewer ? typed.text : "" };
  } catch {
    return { link: "", text: "" }; // the storage is forbidden
  }
}

export default function ({ parentElement, data, setStateValue }) {
  const part = drawn.get(parentElement) ?? {
    button: parentElement.querySelector("button"),
    note: parentElement.querySelector("[role=status]"),
    input: parentElement.querySelector("input"),
    asked: 0,
  };
  drawn.set(parentElement, part);
  const { page, asked, text } = data;
  part.button.onclick = () => copy(part, page);
  if (asked && asked !== part.asked) setTimeout(() => setStateValue("tab", { asked, ...kept(page, text) }));
  part.asked = asked;
}
