/** The parts of a game's page around its table. */

import { capital, copy, entitle, go, pref, short, tab } from "./app.js";
import { ask } from "./dialog.js";
import { begin } from "./home.js";
import { h, press } from "./paint.js";
import { call, post, randomHex } from "./server.js";

export function heading({ variant, match, turn, seat }) {
  entitle(`${turn && seat !== null ? "● Your turn – " : ""}${capital(variant.id)}`);
  return h.div({ class: "title" }, h.h1(variant.title), h.p({ class: "soft" }, variant.summary,
    Object.entries(variant.settings).map((pair) => ` ${pair.join(" ")}.`), match.text && ` Match: ${match.text}, game ${match.number}, ${match.score.join(" – ")}.`));
}

export const offers = ({ seats, players, offers: { takeback, clock } }, send) => [
  [takeback, "takeback", "take the last choice back"],
  [clock?.seat ?? null, "clock", `play with a clock of ${clock?.minutes} minutes each`, { minutes: clock?.minutes }],
].map(([seat, what, text, more]) => seat !== null && seats.length > 0 && h.p({ class: "banner", key: what, role: "alert" },
  seats.includes(seat) ? `You asked to ${text}.` : [`${players[seat].name} asks to ${text}.`,
    press("Agree", () => send({ do: what, ...more })), press("Decline", () => send({ do: "decline", what }))]));

export function waiting({ game, owner, variant: { id, settings } }, told) {
  if (!owner) return h.p("This game has not begun.");
  const [key, path] = [`invite ${game}`, `/api/games/${game}/invite`];
  const { url, qr } = tab(key) ?? {};
  const tried = async (asked, then) => {
    const answer = await asked;
    if (answer.code === "ok") then(answer);
    told(answer.message);
  };
  return h.section({ class: "panel invite" }, h.h2("Invite a friend"),
    url ? [h.label("Send this link", h.input({ readonly: true, value: url, onfocus: (event) => event.target.select() })),
      h.div({ class: "buttons" }, press("Copy link", () => copy(url), { class: "primary" }),
        navigator.share && press("Share…", () => navigator.share({ url }).catch(() => {}))),
      picture(qr)]
      : h.p("A new link replaces the old one. ", press("Make a new link", () => tried(post(path), (answer) => tab(key, answer)))),
    h.p("○ Waiting. Whoever presses Join first plays you. You can close this page; the game stays in “Your games”."),
    h.div({ class: "buttons" },
      press("Play the computer meanwhile", () => tried(begin({ variant: id, settings, opponent: "computer", level: pref("level") || null, start: "coin" }), () => {})),
      press("Cancel invitation", () => tried(call("DELETE", path), () => go("/")))));
}

/** A QR code: one path, one square a bit. */
function picture(rows) {
  const size = rows.length + 4;
  const path = rows.flatMap((row, y) => [...row].map((bit, x) => (bit === "1" ? `M${x + 2} ${y + 2}h1v1h-1z` : ""))).join("");
  return h.svg({ class: "qr", viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": "QR code of the link" }, h.path({ d: path }));
}

export const news = (view, items, { send, toggle, hide, claim, ...hints }) => h.aside({ "aria-label": "Beside the table" },
  view.phase === "playing" && view.seats.length > 0 && view.players.some(({ kind }) => kind === "computer") && hinting(view, hints),
  h.section({ key: "news" }, h.h2("What happened"), h.ol({ class: "moves", tabindex: "0", "aria-label": "What happened, latest first" },
    items.filter(({ text }) => text && !hide).map(({ version, text }) => h.li({ key: version }, text)).reverse())),
  view.phase === "playing" && view.seats.length > 0 && menu(view, { send, toggle, hide, claim }),
  sealed(items.filter(({ seal }) => seal), view.players));

/** Hints, which anybody who plays the computer can switch on. */
const hinting = ({ turn }, { hints, hint, wish, switchHints }) => h.section({ key: "hint" },
  h.label({ class: "check" }, h.input({ type: "checkbox", checked: hints, onchange: (event) => switchHints(event.target.checked) }), "Hints"),
  hints && turn && press("Show a hint", wish),
  hints && turn && hint && [h.p(hint.words && h.b(`${capital(hint.words)}. `), hint.reason ?? hint.message), values(hint.options ?? [])]);

const sealed = (items, players) => items.length > 0 && h.section({ key: "seals" }, h.h2("Sealed choices"), h.ul({ class: "plain" }, items.slice(-4).map(({ version, seat, seal, at }) =>
  h.li({ key: version }, `${players[seat].name} sealed ✓ ${new Date(at).toLocaleTimeString()} `, h.code(short(seal))))));

export const values = (options, play) => h.ul({ class: "plain values" }, options.map(({ move, words = move, symbol, text, best }) => h.li({ key: move },
  play ? press(h.span(`${symbol} `, h.b(words), `: ${text}`), () => play(move), { class: best ? "best" : "" }) : `${symbol} ${words}: ${text}`)));

const duration = (seconds) => (seconds > 90 ? `${Math.ceil(seconds / 60)} minutes` : `${Math.ceil(seconds)} seconds`);

function menu({ same_device, players, clock }, { send, toggle, hide, claim }) {
  const apart = !same_device && players.every(({ kind }) => kind === "person");
  return h.section({ class: "menu", key: "menu" },
    toggle && press("Hide my hand (H)", toggle, { "aria-pressed": String(hide) }),
    press(apart ? "Ask to take back" : "Take back", () => send({ do: "takeback" })),
    apart && !clock && press("Ask for a clock", () => send({ do: "clock", minutes: 5 })),
    claim > 0 && h.p({ key: "away" }, `The other player is away. You can claim the game in ${duration(claim)}.`),
    claim === 0 && press("Claim the game", () => send({ do: "claim" }), { class: "primary" }),
    press("Copy link to watch", () => copy(location.href)),
    press("Resign", async () => (await ask("Resign?", "The other player wins this game.", "Resign")) && send({ do: "resign" })));
}

export function ending({ result: { winner, closing, sealed }, players, seats, seat, offers: { rematch }, match, next, game, scene, seal, variant }, shared, send) {
  const me = shared ? null : seat;
  const share = () => {
    const text = `${variant.title}: ${closing.replace(/\n+/g, " ")} ${location.href}`;
    return navigator.share ? navigator.share({ text }).catch(() => {}) : copy(text);
  };
  const again = rematch !== null && rematch === me ? h.p("Rematch offered ●")
    : press(rematch === null ? "Rematch, seats swapped" : `Accept ${players[rematch].name}'s rematch ●`, () => send({ do: "rematch", seed: randomHex() }), { class: "primary" });
  return h.section({ class: winner === me ? "panel result won" : "panel result" },
    h.h2({ tabindex: "-1" }, winner === null ? "A draw" : winner === me ? "You win!" : me === null ? `${players[winner].name} wins!` : "You lose"),
    h.p({ class: "closing" }, closing),
    match.number > 1 && h.p(`Before this game: ${players.map(({ name }, at) => `${name} ${match.score[at]}`).join(" – ")}`),
    h.div({ class: "buttons" },
      next ? h.a({ class: "button primary", href: `/g/${next}` }, "To the rematch") : scene && seats.length > 0 && again,
      scene && h.a({ class: "button", href: `/g/${game}/analysis` }, "Analyse"),
      press("Share result", share),
      h.a({ class: "button", href: "/" }, "Home")),
    sealed && h.p({ class: "soft" }, `Sealed before the start with ${short(seal)}. `, h.a({ href: `/verify/${game}` }, "Check that it was fair")));
}
