// Keeps the ticks of finished lessons in this browser: every tick that it ever received, but no name and no answer.

const KEY = "mergescope.done";

function stored(names) {
  try {
    const found = JSON.parse(localStorage.getItem(KEY));
    return Array.isArray(found) ? found.filter((name) => names.includes(name)) : [];
  } catch {
    return []; // no ticks yet, or a browser that stores nothing
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
