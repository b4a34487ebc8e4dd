/** Beside the table: what happened, hints, and the things one seldom does. */

import { ask } from "./dialog.js";
import { h } from "./paint.js";
import { speak } from "./speak.js";
import { copy, short } from "./words.js";

export function aside(view, items, acts) {
  const told = items.filter(({ text }) => text);
  return h("aside", { key: "aside", "aria-label": "Beside the table" },
    view.hints && view.turn && hints(acts),
    h("section", { key: "moves" }, h("h2", null, "What happened"),
      h("ol", { class: "moves" }, told.map(({ version, text }) => h("li", { key: version }, text)).reverse())),
    view.phase === "playing" && view.seats.length > 0 && menu(view, acts),
    view.seal.choices.length > 0 && h("section", { key: "seals" }, h("h2", null, "Sealed choices"),
      h("ul", { class: "seals" }, view.seal.choices.slice(-4).map(({ version, seat, seal, at }) => h("li", { key: version },
        `${view.players[seat].name} sealed ✓ ${new Date(at).toLocaleTimeString()} `, h("code", null, short(seal)))))));
}

function menu(view, { send, toggle, hide }) {
  const apart = !view.same_device && view.players.every(({ kind }) => kind === "person");
  const resign = async () => (await ask("Resign?", "The other player wins this game.", "Resign")) && send({ do: "resign" });
  return h("section", { key: "menu", class: "menu" },
    toggle && h("button", { type: "button", "aria-pressed": String(hide), onclick: toggle }, "Hide my hand (H)"),
    h("button", { type: "button", onclick: () => send({ do: "takeback" }) }, apart ? "Ask to take back" : "Take back"),
    apart && !view.clock && h("button", { type: "button", onclick: () => send({ do: "clock", minutes: 5 }) }, "Ask for a clock"),
    view.claim && (view.claim.seconds > 0
      ? h("p", { class: "soft" }, `The other player is away. You can claim the game in ${Math.ceil(view.claim.seconds / 60)} min.`)
      : h("button", { type: "button", class: "primary", onclick: () => send({ do: "claim" }) }, "Claim the game")),
    h("button", { type: "button", onclick: async () => speak((await copy(location.href)) ? "Link copied: whoever opens it can watch." : location.href) }, "Copy link to watch"),
    h("button", { type: "button", onclick: resign }, "Resign"));
}

function hints({ ask: wish, hint }) {
  return h("section", { key: "hints" }, h("h2", null, "Hint"),
    h("button", { type: "button", onclick: wish }, "Show a hint"),
    hint?.message && h("p", { role: "alert" }, hint.message),
    hint?.words && h("p", null, h("b", null, hint.words), " ", hint.reason),
    hint?.options && h("ul", { class: "values" }, hint.options.map(({ move, symbol, text }) => h("li", { key: move }, `${symbol} ${move}: ${text}`))));
}
