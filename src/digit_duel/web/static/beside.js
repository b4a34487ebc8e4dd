/** Around the table: the invitation before, news and menu during, and the result after a game. */

import { ask, capital, copy, go, pref, short, tab } from "./app.js";
import { begin } from "./home.js";
import { h, press } from "./paint.js";
import { call, post, randomHex } from "./server.js";

/** What has happened: items has every event once; take gives the sentences that this tab has not said yet. */
export function chronicle(game) {
  const key = `heard ${game}`;
  const items = [];
  let heard = tab(key) ?? -1;
  return {
    items,
    take({ news, version, seats }) {
      const known = items.at(-1)?.version ?? 0;
      items.push(...news.filter((item) => item.version > known));
      let fresh = items.filter((item) => item.version > heard);
      if (heard < 0) { // one who comes to a game hears what happened since their own last choice
        fresh = fresh.filter(({ kind }) => kind === "move");
        fresh = fresh.slice(seats.length ? fresh.findLastIndex(({ seat }) => seats.includes(seat)) + 1 : -1);
      }
      tab(key, (heard = Math.max(heard, version)));
      return fresh.map(({ text }) => text).filter(Boolean);
    },
  };
}

export function heading({ variant, match, turn, seat }) {
  document.title = `${turn && seat !== null ? "● Your turn – " : ""}${capital(variant.id)} – Digit Duel`;
  return h.div({ class: "title" }, h.h1(variant.title), h.p({ class: "soft" }, variant.summary,
    Object.entries(variant.settings).map((pair) => ` ${pair.join(" ")}.`), match.text && ` Match: ${match.text}, game ${match.number}, ${match.score.join(" – ")}.`));
}

/** What one player asks and the other may grant. */
export const offers = ({ seats, players, offers: { takeback, clock } }, send) => [
  [takeback, "takeback", "take the last choice back"],
  [clock?.seat ?? null, "clock", `play with a clock of ${clock?.minutes} minutes each`, { minutes: clock?.minutes }],
].map(([seat, what, text, more]) => seat !== null && seats.length > 0 && h.p({ class: "banner", key: what, role: "alert" },
  seats.includes(seat) ? `You asked to ${text}.` : [`${players[seat].name} asks to ${text}.`,
    press("Agree", () => send({ do: what, ...more })), press("Decline", () => send({ do: "decline", what }))]));

/** The side of the one who invites, until somebody has sat down. */
export function waiting({ game, owner, variant: { id, settings } }, told) {
  if (!owner) return h.p("This game has not begun. The invitation was sent to somebody else.");
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
      : h.p("The link was shown in another tab; a new one replaces it. ", press("Make a new link", () => tried(post(path), (answer) => tab(key, answer)))),
    h.p("○ Waiting. The first person who presses Join plays you. You can close this page; the game stays in “Your games”."),
    h.div({ class: "buttons" },
      press("Play the computer meanwhile", () => tried(begin({ variant: id, settings, opponent: "computer", level: pref("level") || null, start: "coin" }), () => {})),
      press("Cancel invitation", () => tried(call("DELETE", path), () => go("/")))));
}

/** A QR code from rows of bits: one path, one square a bit. */
function picture(rows) {
  const size = rows.length + 4;
  const path = rows.flatMap((row, y) => [...row].map((bit, x) => (bit === "1" ? `M${x + 2} ${y + 2}h1v1h-1z` : ""))).join("");
  return h.svg({ class: "qr", viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": "QR code of the link" }, h.path({ d: path }));
}

/** What happened, hints, and a menu. */
export const news = (view, items, { send, toggle, hide, hint, wish }) => h.aside({ "aria-label": "Beside the table" },
  view.hints && view.turn && h.section({ key: "hint" }, h.h2("Hint"), press("Show a hint", wish),
    hint && [h.p(h.b(hint.words), " ", hint.reason ?? hint.message), values(hint.options ?? [])]),
  h.section({ key: "news" }, h.h2("What happened"), h.ol({ class: "moves", tabindex: "0", "aria-label": "What happened, latest first" },
    items.filter(({ text }) => text).map(({ version, text }) => h.li({ key: version }, text)).reverse())),
  view.phase === "playing" && view.seats.length > 0 && menu(view, send, toggle, hide),
  view.seal.choices.length > 0 && h.section({ key: "seals" }, h.h2("Sealed choices"), h.ul({ class: "plain" }, view.seal.choices.slice(-4).map(({ version, seat, seal, at }) =>
    h.li({ key: version }, `${view.players[seat].name} sealed ✓ ${new Date(at).toLocaleTimeString()} `, h.code(short(seal)))))));

/** The value of every option: symbol, move and words. */
export const values = (options, play) => h.ul({ class: "plain values" }, options.map(({ move, words = move, symbol, text, best }) => h.li({ key: move },
  play ? press([`${symbol} `, h.b(words), text], () => play(move), { class: best ? "best" : "" }) : `${symbol} ${words}: ${text}`)));

function menu({ same_device, players, claim, clock }, send, toggle, hide) {
  const apart = !same_device && players.every(({ kind }) => kind === "person");
  const away = claim && Math.ceil(claim.seconds / 60);
  return h.section({ class: "menu", key: "menu" },
    toggle && press("Hide my hand (H)", toggle, { "aria-pressed": String(hide) }),
    press(apart ? "Ask to take back" : "Take back", () => send({ do: "takeback" })),
    apart && !clock && press("Ask for a clock", () => send({ do: "clock", minutes: 5 })),
    away > 0 && h.p(`The other player is away. You can claim the game in ${away} min.`),
    away === 0 && press("Claim the game", () => send({ do: "claim" }), { class: "primary" }),
    press("Copy link to watch", () => copy(location.href)),
    press("Resign", async () => (await ask("Resign?", "The other player wins this game.", "Resign")) && send({ do: "resign" })));
}

/** How a game ended, and what to do next. */
export function ending({ result: { winner, closing }, players, seats, seat, offers: { rematch }, match, next, game, scene, seal, variant }, shared, send) {
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
    scene && h.p({ class: "soft" }, `Sealed before the start with ${short(seal.deck)}. `, h.a({ href: `/verify/${game}` }, "Check that it was fair")));
}
