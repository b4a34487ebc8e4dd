/** Beside the table: what happened, how it ended, and the things one seldom does. */

import { randomHex } from "./api.js";
import { h, press } from "./paint.js";
import { ask } from "./settings.js";
import { capital, copy, short } from "./speak.js";

export const title = ({ variant, turn, seat }) => `${turn && seat !== null ? "● Your turn – " : ""}${capital(variant.id)} – Digit Duel`;

/** What happened, hints, and a menu. */
export const beside = (view, items, { send, toggle, hide, hint, ask: wish }) => h.aside({ "aria-label": "Beside the table" },
  view.hints && view.turn && h.section({ key: "hint" }, h.h2("Hint"), press("Show a hint", wish),
    hint && [h.p(h.b(hint.words), " ", hint.reason ?? hint.message), values(hint.options ?? [])]),
  h.section({ key: "news" }, h.h2("What happened"), h.ol({ class: "moves", tabindex: "0", "aria-label": "What happened, latest first" },
    items.filter(({ text }) => text).map(({ version, text }) => h.li({ key: version }, text)).reverse())),
  view.phase === "playing" && view.seats.length > 0 && menu(view, send, toggle, hide),
  view.seal.choices.length > 0 && h.section({ key: "seals" }, h.h2("Sealed choices"), h.ul({ class: "plain" }, view.seal.choices.slice(-4).map(({ version, seat, seal, at }) =>
    h.li({ key: version }, `${view.players[seat].name} sealed ✓ ${new Date(at).toLocaleTimeString()} `, h.code(short(seal)))))));

/** The value of every option: symbol, move and words. */
export const values = (options, play) => h.ul({ class: "plain values" }, options.map(({ move, symbol, text, best }) => h.li({ key: move },
  play ? press([`${symbol} `, h.b({ translate: "no" }, move), text], () => play(move), { class: best ? "best" : "" }) : `${symbol} ${move}: ${text}`)));

function menu({ same_device, players, claim, clock }, send, toggle, hide) {
  const apart = !same_device && players.every(({ kind }) => kind === "person");
  return h.section({ class: "menu", key: "menu" },
    toggle && press("Hide my hand (H)", toggle, { "aria-pressed": String(hide) }),
    press(apart ? "Ask to take back" : "Take back", () => send({ do: "takeback" })),
    apart && !clock && press("Ask for a clock", () => send({ do: "clock", minutes: 5 })),
    claim && (claim.seconds ? h.p(`The other player is away. You can claim the game in ${Math.ceil(claim.seconds / 60)} min.`)
      : press("Claim the game", () => send({ do: "claim" }), { class: "primary" })),
    press("Copy link to watch", () => copy(location.href)),
    press("Resign", async () => (await ask("Resign?", "The other player wins this game.", "Resign")) && send({ do: "resign" })));
}

/** How a game ended, and what to do next. */
export function ending({ result: { winner, closing }, players, seats, seat, offers, match, next, game, scene, seal, variant }, shared, send) {
  const me = shared ? null : seat;
  const heading = winner === null ? "A draw" : winner === me ? "You win!" : me === null ? `${players[winner].name} wins!` : "You lose";
  const share = () => {
    const text = `${variant.title}: ${closing.replace(/\n+/g, " ")} ${location.href}`;
    if (navigator.share) navigator.share({ text }).catch(() => {});
    else copy(text);
  };
  const rematch = offers.rematch === me && me !== null ? h.p("Rematch offered ●")
    : press(offers.rematch === null || shared ? "Rematch, seats swapped" : `Accept ${players[offers.rematch].name}'s rematch ●`, () => send({ do: "rematch", seed: randomHex() }), { class: "primary" });
  return h.section({ class: winner === me ? "panel result won" : "panel result" },
    h.h2({ tabindex: "-1" }, heading),
    h.p({ class: "closing" }, closing),
    match.number > 1 && h.p(`Before this game: ${players.map(({ name }, at) => `${name} ${match.score[at]}`).join(" – ")}`),
    h.div({ class: "buttons" },
      next ? h.a({ class: "button primary", href: `/g/${next}` }, "To the rematch") : scene && seats.length > 0 && rematch,
      scene && h.a({ class: "button", href: `/g/${game}/analysis` }, "Analyse"),
      press("Share result", share),
      h.a({ class: "button", href: "/" }, "Home")),
    scene && h.p({ class: "soft" }, `Sealed before the start with ${short(seal.deck)}. `, h.a({ href: `/verify/${game}` }, "Check that it was fair")));
}
