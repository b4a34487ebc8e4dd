/** A game's entries in the menu of the top bar. */

import { copy } from "../app.js";
import { h } from "../paint.js";
import { entry } from "../parts/bar.js";
import { ask } from "../parts/dialog.js";

export function entries(view, { send, toggle, hide, type, past, visit, openBeside }) {
  const { same_device: shared, players, clock, phase, seats, turn } = view;
  const apart = !shared && players.every(({ kind }) => kind === "person");
  const playing = phase === "playing" && seats.length > 0;
  const resign = async () => (await ask("Resign?", "The other player wins this game.", "Resign")) && send({ do: "resign" });
  return [
    playing && toggle && entry(hide ? "Show my hand" : "Hide my hand", toggle, { "aria-keyshortcuts": "h" }),
    playing && turn && entry("Type your move", type, { "aria-keyshortcuts": "/" }),
    entry("Moves and hints", openBeside, { class: "narrow" }),
    past.last > 0 && entry("Look back", () => visit(past.last - 1), { class: "narrow" }),
    playing && entry(apart ? "Ask to take back" : "Take back", () => send({ do: "takeback" })),
    playing && apart && !clock && entry("Ask for a clock", () => send({ do: "clock", minutes: 5 })),
    entry("Copy link to watch", () => copy(location.href)),
    playing && h.hr({ key: "end" }),
    playing && entry("Resign", resign),
  ];
}
