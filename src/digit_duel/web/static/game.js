/** The page of a game: follows it in the eyes of its reader, and sends what is chosen. */

import { blip, busy, go, hush, pref, speak, speakSaving } from "./app.js";
import { chronicle, ending, heading, news, offers, waiting } from "./beside.js";
import { h, paint, press } from "./paint.js";
import { entry, get, wire } from "./server.js";
import "./table.js";

export function open(main, id) {
  const path = `/api/games/${id}`;
  const told = chronicle(id);
  let followed = null; // the view that the wire brings
  let [own, holder] = [null, null]; // on one device: the view of the seat that holds it
  let hidden = false; // whether this game has hands to hide
  let [line, live, sending, closed, hide] = [null, true, false, false, false];
  let [saving, problem, refused, hint, arrived] = ["", "", "", null, 0];

  const find = (selector) => main.querySelector(selector);
  const shared = () => followed.seats.length > 1;
  const view = () => (own?.version >= followed.version ? own : followed);
  const covered = () => shared() && followed.phase === "playing" && holder === null;
  const name = (seat) => followed.players[seat].name;
  const look = (seat) => get(`${path}?seat=${seat}&after=${followed.version}`);

  /** A look as a stranger tells who we are here, before any hand has been asked for. */
  async function begin() {
    const seen = await get(`${path}?as=watcher`);
    hidden = seen.variant && (await entry(seen.variant.id))?.hidden;
    if (closed) return;
    if (seen.code === "offline" || seen.code === "busy_retry") setTimeout(begin, 2000, (live = false));
    refused = seen.message;
    draw();
    if (seen.code !== "ok") return;
    line = wire(id, seen.seats.length === 1 ? `seat=${seen.seats[0]}` : "as=watcher", take, note);
    const reply = await line.resend();
    if (reply) answered(reply);
  }

  async function take(next) {
    const [before, focused] = [followed, document.activeElement];
    followed = next;
    arrived = Date.now();
    if (before && next.next && !before.next && next.seats.length) return go(`/g/${next.next}`);
    if (shared()) await share();
    if (closed || followed !== next) return;
    const heard = told.take(next);
    const same = before?.version === next.version;
    if (!same) hint = null;
    draw();
    if (same) return;
    heard.forEach(speak);
    announce(before, heard.length);
    if (before) refocus(focused, before);
  }

  /** On one device: show the table to the one who is to choose, covered in between where something is hidden. */
  async function share() {
    const [next] = followed.acting;
    if (holder !== null && !followed.acting.includes(holder)) hush([own, holder] = [null, null]);
    if (holder !== null) own = await look(holder);
    else if (!hidden && next !== undefined) {
      const seen = await look(next); // nothing is hidden in it, but what it asks for may be a secret
      if (!seen.secret) [own, holder] = [seen, next];
    }
  }

  /** After the news: whose turn it is, or how it ended. */
  function announce(before, any) {
    const { result, turn, headline, seat, acting } = view();
    if (result) {
      if (!before?.result) speak(result.closing.replace(/\n+/g, " "));
      if (before) blip(result.winner === seat ? "win" : "over");
    } else if (covered()) speak(`Pass the device to ${name(acting[0])}.`);
    else if (turn || !before) speak(headline);
    if (turn && any) blip("news");
  }

  /** The focus goes to the next useful control, but is never taken from one who is busy elsewhere. */
  function refocus(was, before) {
    const now = document.activeElement;
    const lost = now === document.body || now.disabled;
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
    draw((refused = state.refused));
  }

  /** Send a command in the name of the seat that is looking. */
  async function send(body) {
    if (sending) return null; // a double click is one click
    draw((sending = true), (problem = ""));
    const reply = await line.send({ seat: holder ?? followed.seats[0], version: view().version, ...body });
    sending = false;
    if (reply && !closed) await answered(reply);
    return reply;
  }

  async function answered({ code, message }) {
    if (code.startsWith("ok")) blip("move");
    else problem = code === "stale_version" ? `${message} The table has been brought up to date.` : message;
    await line.check();
    draw();
  }

  function key(event) {
    const table = find("duel-table");
    if (!table || busy(event)) return;
    if (event.key === "Escape") table.undo();
    if (!pref("letters") || sending) return;
    const letter = event.key.toLowerCase();
    if (table.key(letter)) event.preventDefault();
    else if (letter === "h" && hidden) toggle();
  }

  const toggle = () => draw((hide = !hide));

  async function uncover(seat) {
    own = await look((holder = seat));
    draw();
    speak(view().headline);
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
    if (closed) return;
    if (!followed) {
      return paint(main, live && refused ? [h.h1("No game here"), h.p({ role: "alert" }, refused), h.a({ href: "/" }, "To the games")]
        : h.p({ class: "soft" }, live ? "One moment…" : "There is no connection. Trying again…"));
    }
    const now = view();
    const { seats, phase, watchers } = now;
    paint(main, h.div({ class: "game" }, heading(now),
      !live && h.p({ class: "banner", key: "live" }, `Reconnecting… your last choice is ${/^(Saved.*)?$/.test(saving) ? "saved ✓" : "not yet saved"}.`),
      !seats.length && phase !== "waiting" && h.p({ class: "banner calm", key: "watch" }, `You are watching${watchers > 1 ? ` · ${watchers - 1} others` : ""}. If one of the seats is yours, enter your resume code in the settings.`),
      problem && h.p({ class: "banner", key: "problem", role: "alert" }, problem, press("Close", () => draw((problem = "")))),
      offers(now, send),
      phase === "waiting" ? waiting(now, (message) => draw((problem = message)))
        : [board(now), news(now, told.items, { send, hint, wish, hide, toggle: hidden && now.turn && toggle })]));
  }

  function board(now) {
    const { players, turn, acting, prompts, scene, result, headline, secret } = now;
    const seat = shared() && !hidden && !secret ? null : now.seat;
    const show = {
      scene, seat, acting, prompts, hide, below: seat ?? 0, names: players.map((player) => player.name), tags: players.map((_, at) => tag(now, at)),
      moves: turn && !sending ? now.moves : [], confirm: pref("confirm"), play: (move) => send({ do: "move", move }),
    };
    return h.div({ class: "board" },
      result && ending(now, shared(), send),
      h.p({ class: "headline", tabindex: "-1" }, covered() ? `${name(acting[0])} is next.` : headline),
      covered() ? cover(acting[0]) : h["duel-table"]({ translate: "no", show }),
      turn && h.form({ class: "command", onsubmit: typed }, h.label("Type a choice", h.input({
        name: "text", autocomplete: "off", autocapitalize: "none", maxlength: 100, type: secret ? "password" : "text", placeholder: secret ? "" : now.moves[0].labels.join(" "),
      })), h.button("Play it")));
  }

  const cover = (seat) => h.section({ class: "panel cover" }, h.h2(`Pass the device to ${name(seat)}`), h.p(`${name(1 - seat)}, please look away.`),
    press(`I am ${name(seat)}, show ${hidden ? "my hand" : "the digits"}`, () => uncover(seat), { class: "primary big" }));

  /** Beside a name: the computer's level or whether somebody is here, and the clock. */
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
  begin();
  return () => {
    closed = true;
    clearInterval(tick);
    for (const event in heard) removeEventListener(event, heard[event], true);
    line?.close();
  };
}
