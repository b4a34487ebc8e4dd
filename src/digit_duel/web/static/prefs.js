/** What this browser remembers: settings for good, the rest until the tab is closed. */

const DEFAULTS = { theme: "auto", sound: false, confirm: false, letters: true, name: "", other: "", level: "", start: "coin", game: "" };

function shelf(storage, key, value) {
  try {
    const place = window[storage];
    if (value === undefined) return JSON.parse(place.getItem(key));
    if (value === null) place.removeItem(key);
    else place.setItem(key, JSON.stringify(value));
  } catch {
    // Storage is blocked or full: the page works without a memory.
  }
  return null;
}

const prefs = { ...DEFAULTS, ...shelf("localStorage", "digit-duel") };

export const pref = (name) => prefs[name];

export function setPref(name, value) {
  prefs[name] = value;
  shelf("localStorage", "digit-duel", prefs);
  dispatchEvent(new CustomEvent("pref", { detail: name }));
}

/** Something of this tab alone: read it, keep it, or forget it with null. */
export const tab = (key, value) => shelf("sessionStorage", key, value);
