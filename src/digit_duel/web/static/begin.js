/** Opens a game and sits down. */

import { post, randomHex, session } from "./api.js";
import { pref, tab } from "./prefs.js";

/** Open a game as wished and take one seat, or on one device both; the answer has the game's id, or a message. */
export async function begin(wish) {
  const known = await session();
  if (known.code !== "ok") return known;
  const opened = await post("/api/games", wish);
  if (opened.code !== "ok") return opened;
  if (opened.invite) tab(`invite ${opened.game}`, opened.invite);
  const shared = wish.opponent === "same_device";
  const names = [pref("name") || "Player 1", pref("other") || "Player 2"];
  for (const [at, seat] of (shared ? [0, 1] : [opened.seat]).entries()) {
    const joined = await sit(opened.game, { name: names[at], seat, invite: null });
    if (joined.code !== "ok") return joined;
  }
  return opened;
}

/** Take a seat; the seed is this browser's part in the deal. */
export const sit = (game, wish) => post(`/api/games/${game}/join`, { seed: randomHex(), ...wish });
