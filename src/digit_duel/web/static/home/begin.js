/** Starts a game: one request, with a deal to which the server is committed already. */

import { go, pref, tab } from "../app.js";
import { get, sit } from "../server.js";

// The server commits itself to it before it knows our seed.
let deal = null;

export const setDeal = (found) => (deal = found);

/** Start a game with a seat, or on one device with both, and go there. */
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
