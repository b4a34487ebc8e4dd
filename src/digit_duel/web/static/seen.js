/** Stores the last lists of a person's games, to show them offline; deleted when they leave the device.
 *
 * It stores only lists and results, never a position, so nothing hidden can be in it.
 */

const PREFIX = "digit-duel seen ";

/** Read what was stored, or null; with a value, store it. */
export function seen(key, value) {
  try {
    if (value === undefined) return JSON.parse(localStorage.getItem(PREFIX + key));
    localStorage.setItem(PREFIX + key, JSON.stringify(value));
  } catch {
    // Storage is blocked or full: the page works without it.
  }
  return null;
}

/** Delete the lists: they belong to somebody who is no longer signed in. */
export function forgetSeen() {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) localStorage.removeItem(key);
  } catch {
    // If storage is blocked, there is nothing to delete.
  }
}

/** Delete the lists and the caches of the service worker. */
export async function forget() {
  forgetSeen();
  try {
    for (const name of await caches.keys()) await caches.delete(name);
  } catch {
    // If storage is blocked, there is nothing to delete.
  }
}
