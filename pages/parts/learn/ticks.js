// Keeps the ticks of finished lessons in this browser, also those of other visits, but no name and no answer.

const KEY = "mergescope.done";

// The ticks of the link with which the page was opened. They may be another person's, so they are shown and not kept.
let ofLink;

function stored(names) {
  try {
    const found = JSON.parse(localStorage.getItem(KEY));
    return Array.isArray(found) ? found.filter((name) => names.includes(name)) : [];
  } catch {
    return []; // the browser stores nothing, or something else is stored there
  }
}

export default function ({ data, setStateValue }) {
  const known = stored(data.names);
  ofLink ??= data.done.filter((name) => !known.includes(name));
  const own = data.done.filter((name) => !ofLink.includes(name));
  const all = [...new Set([...data.done, ...known])];
  try {
    localStorage.setItem(KEY, JSON.stringify([...new Set([...known, ...own])]));
  } catch {
    // the browser stores nothing, so the ticks last only as long as the visit
  }
  if (all.length > data.done.length) setStateValue("done", all);
}
