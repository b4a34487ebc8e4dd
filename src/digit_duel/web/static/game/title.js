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
  const between = score ? [" ", h.span({ class: "hidden" }, "Match score: "), h.b(score), " "] : " – ";
  const watching = !seats.length && phase !== "waiting" && `Watching${watchers > 1 ? ` with ${watchers - 1} others` : ""}: `;
  const [one, other] = players(view);
  return [watching, other ? [one, between, other] : one && (score ? ["You", between, one] : ["vs ", one]),
    !variant.edition && variant.changes.length > 0 && " · house rules"];
}

/** The name of the other player or, for a watcher and on one device, both names, in the order of the score. */
function players({ players: all, seats, opener }) {
  const others = all.filter((_, at) => !seats.includes(at));
  const who = others.length === 1 ? others : [all[opener], all[1 - opener]];
  return who.filter(({ name }) => name).map(({ name, level }) => (level ? `${capital(level)} computer` : name));
}
