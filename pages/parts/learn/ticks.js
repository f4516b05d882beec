// Keeps the ticks of finished lessons in this browser, also those of other visits, but no name and no answer.

const KEY = "mergescope.done";

function stored(names) {
  try {
    const found = JSON.parse(localStorage.getItem(KEY));
    return Array.isArray(found) ? found.filter((name) => names.includes(name)) : [];
  } catch {
    return []; // the browser stores nothing, or something else is stored there
  }
}

export default function ({ data, setStateValue }) {
  const all = [...new Set([...data.done, ...stored(data.names)])];
  try {
    localStorage.setItem(KEY, JSON.stringify(all));
  } catch {
    // the browser stores nothing, so the ticks last only as long as the visit
  }
  if (all.length > data.done.length) setStateValue("done", all);
}
