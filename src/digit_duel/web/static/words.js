/** Small things that several pages say. */

export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** What a terminal's prompt says, without what only a typist needs. */
export const plainly = (prompt) => prompt.replace(/^[-\s]+|\s*\([^)]*\)|[:\s]+$/g, "");

/** Milliseconds as minutes and seconds. */
export const minutes = (left) => `${Math.floor(left / 60000)}:${String(Math.floor(left / 1000) % 60).padStart(2, "0")}`;

/** A long hash, short. */
export const short = (hash) => `${hash.slice(0, 4)}…${hash.slice(-4)}`;

/** Copy a text; whether it worked. */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false; // a page without TLS may not: the text is there to be copied by hand
  }
}
