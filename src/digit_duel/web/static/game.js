/** The page of a game: follows it in the eyes of its reader, and sends what is chosen. */

import { ask, blip, busy, capital, copy, entitle, go, hush, pref, short, speak, speakSaving, tab } from "./app.js";
import { unpack } from "./choose.js";
import { begin } from "./home.js";
import { h, paint, press } from "./paint.js";
import { call, entry, get, post, randomHex, wire } from "./server.js";
import { steps, walk } from "./steps.js";
import "./table.js";

export function open(main, id) {
  const path = `/api/games/${id}`;
  const told = chronicle(id);
  const fresh = []; // news not yet said
  // The view of the wire, and the last one drawn.
  let [followed, drawn] = [null, null];
  // On one device: who holds it, and their view.
  let [own, holder] = [null, null];
  // Are there hands to hide?
  let hidden = false;
  // Earlier positions by version, asked for when somebody looks back.
  const been = {};
  // The one looked at; the last is now.
  let at = 0;
  let [eyes, line, live, sending, hide] = ["", null, true, false, false];
  let [saving, problem, refused, hint, arrived] = ["", "", "", null, 0];

  /** What led to each position; the game begins when the second sits down. */
  const moments = () => told.items.filter(({ kind }) => /sit|move|takeback/.test(kind)).slice(1);
  const last = () => moments().length - 1;
  const find = (selector) => main.querySelector(selector);
  const shared = () => followed.seats.length > 1;
  const view = () => (own?.version >= followed.version ? own : followed);
  const headline = () => view().headline.replace(/:$/, ".");
  const covered = () => shared() && followed.phase === "playing" && holder === null;
  const name = (seat) => followed.players[seat].name;
  const look = async (seat) => ({ ...followed, ...await get(`${path}?seat=${seat}&after=${followed.version}`) });

  /** Look as a stranger first: no hand is asked for before it may be seen. */
  async function meet() {
    const seen = await get(`${path}?as=watcher`);
    hidden = seen.variant && (await entry(seen.variant.id))?.hidden;
    if (!main.isConnected) return;
    live = seen.code !== "offline";
    refused = seen.message;
    draw();
    if (!live) setTimeout(meet, 2000);
    if (seen.code !== "ok") return;
    eyes = seen.seats.length === 1 ? `seat=${seen.seats[0]}` : "as=watcher";
    line = wire(id, eyes, take, note);
    const reply = await line.resend();
    if (reply) answered(reply);
  }

  async function take(next) {
    const focused = document.activeElement;
    followed = next;
    arrived = Date.now();
    const known = last();
    fresh.push(...told.take(next));
    // A new position is looked at, whatever was.
    if (last() !== known) at = last();
    if (shared()) await share();
    if (!main.isConnected || followed !== next) return;
    const before = drawn;
    drawn = next;
    if (before && next.next && !before.next && next.seats.length) return go(`/g/${next.next}`);
    if (before?.version === next.version) return draw();
    const heard = fresh.splice(0);
    hint = null;
    draw();
    if (!hide) heard.forEach(speak);
    announce(before, heard.length);
    if (before) refocus(focused, before);
  }

  async function visit(to) {
    at = to;
    const { version } = moments()[to];
    if (to < last() && !been[version]) {
      const { positions = [], message = "" } = await get(`${path}/past?${eyes}&after=${Math.max(0, version - 99)}`); // nearly always all
      for (const each of positions) been[each.version] = each;
      if (!been[version]) at = last();
      if (at !== to) return tell(message);
    }
    draw();
    speak(at < last() ? past() : `Now. ${headline()}`);
    if (document.activeElement === document.body) find(".headline").focus({ preventScroll: true });
  }

  const past = () => `The past, ${at + 1} of ${last() + 1}. ${(!hide && moments()[at].text) || ""}`;

  /** On one device: show the table to the one who is to choose, covered in between if need be. */
  async function share() {
    const [next] = followed.acting;
    if (holder !== null && !followed.acting.includes(holder)) {
      [own, holder] = [null, null];
      hush();
    }
    if (holder !== null) own = await look(holder);
    else if (!hidden && next !== undefined) {
      const seen = await look(next);
      if (!seen.secret) [own, holder] = [seen, next];
    }
  }

  function announce(before, any) {
    const { result, turn, seat, acting } = view();
    if (result) {
      if (!before?.result) speak(result.closing.replace(/\n+/g, " "));
      if (before) blip(392, result.winner === seat ? 784 : 262);
    } else if (covered()) speak(`Pass the device to ${name(acting[0])}.`);
    else if (turn || !before) speak(headline());
    if (turn && any) blip(523, 392);
  }

  /** The focus goes to the next useful control, unless somebody is busy elsewhere. */
  function refocus(was, before) {
    const now = document.activeElement;
    const lost = now.matches("main, body") || now.disabled;
    const { result, turn } = view();
    if (!lost && (!was.matches(".headline, duel-table *") || (turn && now.matches("duel-table *")))) return;
    if (turn && !covered()) return find("duel-table").focusChoice();
    find(result && !before.result ? ".result h2" : covered() ? ".cover button" : ".headline")?.focus({ preventScroll: true });
  }

  function note(state) {
    if (state.saving !== undefined) speakSaving((saving = state.saving));
    if (state.live === !live) {
      live = state.live;
      if (followed) speak(live ? "Connected again." : "Reconnecting…");
    }
    refused = state.refused;
    draw();
  }

  async function send(body) {
    // A double click is one click.
    if (sending) return null;
    sending = true;
    at = last();
    tell("");
    const reply = await line.send({ seat: holder ?? followed.seats[0], version: view().version, ...body });
    sending = false;
    if (reply) await answered(reply);
    return reply;
  }

  async function answered({ code, message }) {
    if (code.startsWith("ok")) blip(440, 554);
    else problem = message;
    await line.check();
    draw();
  }

  function key(event) {
    const table = find("duel-table");
    if (!table || busy(event)) return;
    if (walk(event, at, last(), visit)) return;
    if (event.key === "Escape" && at < last()) visit(last());
    else if (event.key === "Escape") table.undo();
    if (!pref("letters") || sending) return;
    const letter = event.key.toLowerCase();
    if (table.key(letter)) event.preventDefault();
    else if (letter === "h" && hidden) toggle();
  }

  function toggle() {
    hide = !hide;
    hush();
    draw();
  }

  function tell(message) {
    problem = message;
    draw();
  }

  async function uncover(seat) {
    holder = seat;
    own = await look(seat);
    draw();
    speak(headline());
    find("duel-table")?.focusChoice();
  }

  async function typed(event) {
    event.preventDefault();
    const field = event.target.elements.text;
    const reply = field.value.trim() && (await send({ do: "move", text: field.value.trim() }));
    if (reply?.code?.startsWith("ok")) field.value = "";
    else field.focus();
  }

  async function wish() {
    hint = await get(`${path}/hint?seat=${followed.seat}`);
    speak(hint.words ?? hint.message);
    draw();
  }

  function draw() {
    if (!main.isConnected) return;
    if (!followed) {
      return paint(main, live && refused ? [h.h1("No game here"), h.p({ role: "alert" }, refused), h.a({ class: "button", href: "/" }, "To the games")]
        : h.p({ class: "soft" }, live ? "One moment…" : "There is no connection. Trying again…"));
    }
    const now = view();
    const { seats, phase, watchers } = now;
    paint(main, h.div({ class: "game" }, heading(now),
      !live && h.p({ class: "banner", key: "live" }, `Reconnecting… your last choice is ${/^(Saved.*)?$/.test(saving) ? "saved ✓" : "not yet saved"}.`),
      !seats.length && phase !== "waiting" && h.p({ class: "banner calm", key: "watch" }, `You are watching${watchers > 1 ? ` · ${watchers - 1} others` : ""}. If a seat is yours, enter your resume code in the settings.`),
      problem && h.p({ class: "banner", key: "problem", role: "alert" }, problem, press("Close", () => tell(""))),
      offers(now, send),
      phase === "waiting" ? waiting(now, tell)
        : [board(now), news(now, hide ? [] : told.items, { send, hint, wish, hide, toggle: hidden && now.turn && toggle })]));
  }

  function board(now) {
    const { players, turn, acting, scene, result, secret } = now;
    const moves = unpack(now);
    const seat = shared() && !hidden && !secret ? null : now.seat;
    const show = {
      scene, seat, acting, hide, below: seat ?? 0, names: players.map((player) => player.name), tags: players.map((_, at) => tag(now, at)),
      moves: turn && !sending ? moves : [], confirm: pref("confirm"), play: (move) => send({ do: "move", move }),
    };
    const then = at < last() && !covered() && been[moments()[at].version];
    if (then) Object.assign(show, then, { seat: followed.seat, moves: [] });
    return h.div({ class: then ? "board then" : "board" },
      result && ending(now, shared(), send),
      h.p({ class: "headline", tabindex: "-1" }, covered() ? `${name(acting[0])} is next.` : then ? past() : headline()),
      covered() ? cover(acting[0]) : h["duel-table"]({ translate: "no", show }),
      turn && h.form({ class: "command", onsubmit: typed }, h.label("Type a choice", h.input({
        name: "text", autocomplete: "off", autocapitalize: "none", maxlength: 100, type: secret ? "password" : "text", placeholder: secret ? "" : moves[0].labels.join(" "),
      })), h.button("Play it")),
      last() > 0 && !covered() && steps(at, last(), visit, h.span(`${at + 1} of ${last() + 1}`), then && press("Back to now", () => visit(last()))));
  }

  const cover = (seat) => h.section({ class: "panel cover" }, h.h2(`Pass the device to ${name(seat)}`), h.p(`${name(1 - seat)}, please look away.`),
    press(`I am ${name(seat)}, show ${hidden ? "my hand" : "the digits"}`, () => uncover(seat), { class: "primary big" }));

  /** Beside a name: level or presence, and the clock. */
  function tag({ players, clock, seat }, at) {
    const { level, here } = players[at];
    const who = level ?? (shared() || at === seat ? "" : here ? "● here" : "○ away");
    const left = clock && Math.max(0, clock.left[at] - (clock.running === at ? Date.now() - arrived : 0)) / 1000;
    return clock ? `${who} ${Math.floor(left / 60)}:${String(Math.floor(left % 60)).padStart(2, "0")}` : who;
  }

  const wake = () => document.visibilityState === "visible" && line?.check();
  const heard = { keydown: key, visibilitychange: wake, online: wake, pref: draw };
  const tick = setInterval(() => followed?.clock && draw(), 1000);
  for (const event in heard) addEventListener(event, heard[event], true);
  meet();
  return () => {
    clearInterval(tick);
    for (const event in heard) removeEventListener(event, heard[event], true);
    line?.close();
  };
}

/** Every event once; take gives the sentences that this tab has not said yet. */
function chronicle(game) {
  const key = `heard ${game}`;
  const items = [];
  let heard = tab(key) ?? -1;
  return {
    items,
    take({ news, version, seats }) {
      const known = items.at(-1)?.version ?? 0;
      items.push(...news.filter((item) => item.version > known));
      let fresh = items.filter((item) => item.version > heard);
      if (heard < 0) { // who comes to a game hears what happened since their own last choice
        fresh = fresh.filter(({ kind }) => kind === "move");
        fresh = fresh.slice(seats.length ? fresh.findLastIndex(({ seat }) => seats.includes(seat)) + 1 : -1);
      }
      heard = Math.max(heard, version);
      tab(key, heard);
      return fresh.map(({ text }) => text).filter(Boolean);
    },
  };
}

function heading({ variant, match, turn, seat }) {
  entitle(`${turn && seat !== null ? "● Your turn – " : ""}${capital(variant.id)}`);
  return h.div({ class: "title" }, h.h1(variant.title), h.p({ class: "soft" }, variant.summary,
    Object.entries(variant.settings).map((pair) => ` ${pair.join(" ")}.`), match.text && ` Match: ${match.text}, game ${match.number}, ${match.score.join(" – ")}.`));
}

const offers = ({ seats, players, offers: { takeback, clock } }, send) => [
  [takeback, "takeback", "take the last choice back"],
  [clock?.seat ?? null, "clock", `play with a clock of ${clock?.minutes} minutes each`, { minutes: clock?.minutes }],
].map(([seat, what, text, more]) => seat !== null && seats.length > 0 && h.p({ class: "banner", key: what, role: "alert" },
  seats.includes(seat) ? `You asked to ${text}.` : [`${players[seat].name} asks to ${text}.`,
    press("Agree", () => send({ do: what, ...more })), press("Decline", () => send({ do: "decline", what }))]));

function waiting({ game, owner, variant: { id, settings } }, told) {
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

const news = (view, items, { send, toggle, hide, hint, wish }) => h.aside({ "aria-label": "Beside the table" },
  view.hints && view.turn && h.section({ key: "hint" }, h.h2("Hint"), press("Show a hint", wish),
    hint && [h.p(h.b(hint.words), " ", hint.reason ?? hint.message), values(hint.options ?? [])]),
  h.section({ key: "news" }, h.h2("What happened"), h.ol({ class: "moves", tabindex: "0", "aria-label": "What happened, latest first" },
    items.filter(({ text }) => text).map(({ version, text }) => h.li({ key: version }, text)).reverse())),
  view.phase === "playing" && view.seats.length > 0 && menu(view, send, toggle, hide),
  items.some(({ seal }) => seal) && h.section({ key: "seals" }, h.h2("Sealed choices"), h.ul({ class: "plain" }, items.filter(({ seal }) => seal).slice(-4).map(({ version, seat, seal, at }) =>
    h.li({ key: version }, `${view.players[seat].name} sealed ✓ ${new Date(at).toLocaleTimeString()} `, h.code(short(seal)))))));

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

function ending({ result: { winner, closing }, players, seats, seat, offers: { rematch }, match, next, game, scene, seal, variant }, shared, send) {
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
    scene && h.p({ class: "soft" }, `Sealed before the start with ${short(seal)}. `, h.a({ href: `/verify/${game}` }, "Check that it was fair")));
}
