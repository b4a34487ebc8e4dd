/** What this browser saw last of a person's games, to be shown without a connection; gone when they leave the device.
 *
 * Only lists and results are kept here, never a position: nothing hidden can be in it.
 */

const PREFIX = "digit-duel seen ";

/** What was seen last, or null; with a value, remember that. */
export function seen(key, value) {
  try {
    if (value === undefined) return JSON.parse(localStorage.getItem(PREFIX + key));
    localStorage.setItem(PREFIX + key, JSON.stringify(value));
  } catch {
    // Blocked or full: the page works without a memory.
  }
  return null;
}

/** Forget what was seen: it belongs to somebody who is signed in no more. */
export function forgetSeen() {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) localStorage.removeItem(key);
  } catch {
    // Nothing is kept where that is blocked.
  }
}

/** Forget all that was seen, and what the service worker keeps. */
export async function forget() {
  forgetSeen();
  try {
    for (const name of await caches.keys()) await caches.delete(name);
  } catch {
    // Nothing is kept where that is blocked.
  }
}
