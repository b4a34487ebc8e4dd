/** The words of a game's top bar: its title, the score of the match, and who plays. */

import { capital } from "../app.js";
import { h } from "../paint.js";
import { standing } from "./ending.js";

/** "Classic", or "Classic Fair". */
export const titled = ({ variant: { id, edition } }) => [id, edition].filter(Boolean).map(capital).join(" ");

/** What stands beside the title; shared: whether both play on this device. */
export function noted(view, shared) {
  const { variant, seat, phase, match, opener, seats, watchers } = view;
  const score = phase === "playing" && standing(match, shared ? opener : seat ?? opener);
  const watching = !seats.length && phase !== "waiting" && `Watching${watchers > 1 ? ` with ${watchers - 1} others` : ""}: `;
  const named = players(view);
  return [score && [h.span({ class: "hidden" }, "Match score: "), h.b(score), " · "], watching || (named.length === 1 && "vs "), named,
    !variant.edition && variant.changes.length > 0 && " · house rules"];
}

/** The names of the other players or, for a watcher and on one device, of both. */
function players({ players: all, seats, opener }) {
  const others = all.filter((_, at) => !seats.includes(at));
  const who = others.length === 1 ? others : [all[opener], all[1 - opener]];
  return who.filter(({ name }) => name).map(({ name, level }, at) => [at > 0 && " – ", level ? `${capital(level)} computer` : name]);
}
