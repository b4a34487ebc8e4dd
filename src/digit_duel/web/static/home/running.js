/** Your running games: the first one large, with its table, the others as one line each. */

import { capital } from "../app.js";
import { h } from "../paint.js";

/** Sorts games where it is your turn first, then by the latest change. */
export const running = (games) => games.filter(({ phase }) => phase !== "over")
  .sort((one, other) => other.your_turn - one.your_turn || other.changed - one.changed);

/** The opponent: a name, the computer with its level, or both players on one device. */
export function opponent({ names, seat, level, phase }) {
  if (level) return `the computer (${level})`;
  if (seat === null) return names.filter(Boolean).length > 1 ? names.join(" and ") : "two on this device";
  return names[1 - seat] || (phase === "waiting" ? "a friend" : "nobody");
}

export const standing = ({ phase, your_turn: turn, seat }) =>
  phase === "waiting" ? "Waiting for your friend" : seat === null ? "On this device" : turn ? "Your turn" : "Their turn";

/** The cards; table has the game that it is of, and what its table shows. */
export function runningCards(games, table) {
  const [first, ...others] = running(games);
  if (!first) return null;
  return h.section({ class: "running", "aria-label": "Your running games", key: "running" },
    h.a({ class: "card large", href: `/g/${first.game}`, key: first.game },
      h.span({ class: "mini", "aria-hidden": "true" }, table?.game === first.game && h["duel-table"]({ show: table.show })),
      h.span({ class: "words" },
        h.span({ class: first.your_turn ? "badge on" : "badge" }, standing(first)),
        h.b(capital(first.variant)), h.span({ class: "soft" }, first.seat !== null && "against ", h.bdi(opponent(first))),
        h.span({ class: "button primary" }, first.your_turn ? "Continue" : "Open"))),
    others.length > 0 && h.ul({ class: "others" }, others.slice(0, 3).map((game) => h.li({ key: game.game }, h.a({ href: `/g/${game.game}` },
      h.b(capital(game.variant)), h.bdi(opponent(game)), h.span({ class: game.your_turn ? "badge on" : "badge" }, standing(game)))))));
}
