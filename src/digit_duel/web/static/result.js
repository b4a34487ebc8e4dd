/** How a game ended, and what to do next. */

import { h } from "./paint.js";
import { go } from "./route.js";
import { speak } from "./speak.js";
import { capital, copy, short } from "./words.js";

export function result(view, send, shared) {
  const { winner, closing } = view.result;
  const me = shared ? null : view.seat;
  const won = winner === null ? "A draw" : winner === me ? "You win!" : me !== null ? "You lose" : `${view.players[winner].name} wins!`;
  const seated = view.seats.length > 0 && view.players.every(({ kind }) => kind !== "open");
  return h("section", { class: `result${winner !== null && winner === me ? " won" : ""}`, key: "result" },
    h("h2", { tabindex: "-1" }, won),
    h("p", { class: "closing" }, closing),
    view.match.number > 1 && h("p", null, `Before this game: ${view.players.map(({ name }, at) => `${name} ${view.match.score[at]}`).join(" – ")}`),
    h("div", { class: "buttons" },
      view.next ? h("a", { class: "button primary", href: `/g/${view.next}` }, "To the rematch") : seated && rematch(view, send, shared),
      view.scene && h("a", { class: "button", href: `/g/${view.game}/analysis` }, "Analyse"),
      h("button", { type: "button", onclick: () => share(view, closing) }, "Share result"),
      h("a", { class: "button", href: "/" }, "Home")),
    h("p", { class: "soft" }, `Fair play: sealed before the start with ${short(view.seal.deck)}. `, h("a", { href: `/verify/${view.game}` }, "Check it")));
}

function rematch(view, send, shared) {
  const offer = view.offers.rematch;
  if (!shared && offer === view.seat) return h("span", { class: "button calm" }, "Rematch offered ●");
  const them = view.players[1 - (view.seat ?? 0)].name;
  const label = offer !== null && !shared ? `Accept ${them}'s rematch ●` : "Rematch, seats swapped";
  return h("button", { type: "button", class: "primary", onclick: () => send({ do: "rematch" }) }, label);
}

async function share(view, closing) {
  const url = new URL(`/g/${view.game}`, location.href).href;
  const text = `Digit Duel, ${capital(view.variant.id)}: ${closing.replace(/\n+/g, " ")}`;
  if (navigator.share) return navigator.share({ title: "Digit Duel", text, url }).catch(() => {});
  speak((await copy(`${text} ${url}`)) ? "Copied." : `Copy this address: ${url}`);
}
