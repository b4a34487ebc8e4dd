/** Starts a game with one request, for a deal that the server has already committed to. */

import { go, pref, tab } from "../app.js";
import { get, sit } from "../server.js";

// The server commits to it before it knows this player's seed.
let deal = null;

export const setDeal = (found) => (deal = found);

/** Start a game, take the seat (on one device, both seats), and open its page. */
export async function begin(wish) {
  const [name, other] = ["name", "other"].map((each, at) => pref(each) || `Player ${at + 1}`);
  const { game, seal } = (deal ??= (await get("/api/me")).deal) ?? {};
  const started = await sit("/api/games", { ...wish, name, second_name: other, game });
  if (started.code !== "offline") deal = null;
  if (!started.game) return started;
  if (started.seal !== seal) return { message: "The server has changed the deal." };
  if (started.invite) tab(`invite ${started.game}`, started.invite);
  go(`/g/${started.game}`);
  return started;
}
