/** The page of a game: follows it in the eyes of its reader, and sends what is chosen. */

import { entry, get } from "./api.js";
import { aside } from "./aside.js";
import { News } from "./news.js";
import { h, paint } from "./paint.js";
import { pref } from "./prefs.js";
import { go } from "./route.js";
import { result } from "./result.js";
import { blip } from "./sound.js";
import { hush, speak, speakSaving } from "./speak.js";
import { waiting } from "./waiting.js";
import { Wire } from "./wire.js";
import { capital, minutes } from "./words.js";
import "./table.js";

const MOVED = new Set(["stale_version", "not_your_turn", "illegal_move", "game_over"]);

export function open(main, id) {
  const page = new GamePage(main, id);
  return () => page.close();
}

class GamePage {
  #main; #id; #wire;
  #followed = null; // the view that the wire brings
  #own = null; // on one device: the view of the seat that was asked for
  #hidden = false; // whether hands must be covered when the device is passed on
  #holder = null; // on one device: the seat that looks at the screen
  #news; #state = { live: true, refused: null };
  #problem = "";
  #busy = false;
  #hide = false;
  #hint = null;
  #arrived = 0;

  constructor(main, id) {
    [this.#main, this.#id] = [main, id];
    this.#news = new News(id);
    this.keys = (event) => this.#key(event);
    this.wake = () => document.visibilityState === "visible" && this.#wire?.check();
    document.addEventListener("keydown", this.keys);
    document.addEventListener("visibilitychange", this.wake);
    addEventListener("online", this.wake);
    this.redraw = () => this.#draw();
    addEventListener("pref", this.redraw);
    this.ticks = setInterval(() => (this.#followed?.clock || this.#followed?.claim) && this.#draw(), 1000);
    this.#begin();
  }

  close() {
    this.closed = true;
    clearInterval(this.ticks);
    document.removeEventListener("keydown", this.keys);
    document.removeEventListener("visibilitychange", this.wake);
    removeEventListener("online", this.wake);
    removeEventListener("pref", this.redraw);
    this.#wire?.close();
  }

  /** One look as a stranger tells who we are here, before any hand has been asked for. */
  async #begin() {
    const seen = await get(`/api/games/${this.#id}?as=watcher`);
    if (this.closed) return;
    if (seen.code === "offline" || seen.code === "busy_retry") {
      this.#state.live = false;
      this.#draw();
      setTimeout(() => this.closed || this.#begin(), 2000);
      return;
    }
    if (seen.code !== "ok") {
      this.#state.refused = seen;
      return this.#draw();
    }
    this.#hidden = Boolean((await entry(seen.variant.id))?.hidden);
    if (this.closed) return;
    const query = seen.seats.length === 1 ? `seat=${seen.seats[0]}` : "as=watcher";
    this.#wire = new Wire(this.#id, query, (view) => this.#take(view), (state) => this.#note(state));
    const reply = await this.#wire.resend();
    if (reply) this.#answered(reply);
  }

  get #shared() {
    return this.#followed.seats.length > 1;
  }

  /** What is on the screen: the followed view, or on one device the holder's. */
  get #view() {
    return this.#own && this.#own.version >= this.#followed.version ? this.#own : this.#followed;
  }

  get #secretive() {
    return this.#hidden || (this.#own?.secret ?? false) || this.#followed.acting.length > 1;
  }

  async #take(view) {
    const first = this.#followed === null;
    const before = this.#followed;
    this.#followed = view;
    this.#state.refused = null;
    this.#arrived = Date.now();
    if (before && view.version > before.version) this.#hint = null;
    if (!first && view.next && !before.next && view.seats.length) return go(`/g/${view.next}`);
    if (this.#shared && view.phase === "playing") await this.#share(view);
    if (this.closed) return;
    const heard = this.#news.take(view);
    const focused = this.#main.contains(document.activeElement) ? document.activeElement : null;
    this.#draw();
    for (const text of heard) speak(text);
    if (view.version > (before?.version ?? 0)) this.#say(first, before, heard);
    if (!first) this.#refocus(focused, before);
  }

  /** On one device: show the table to the one who is to choose, and cover it in between if it must be. */
  async #share(view) {
    const next = view.acting.includes(this.#holder) ? this.#holder : null;
    if (next === null) {
      this.#own = null;
      if (this.#holder !== null && this.#secretive) hush();
      this.#holder = null;
    }
    if (!this.#secretive) this.#holder = view.acting[0] ?? null;
    if (this.#holder !== null) await this.#look();
  }

  async #look() {
    const found = await get(`/api/games/${this.#id}?seat=${this.#holder}&after=${this.#followed.version}`);
    if (found.code === "ok" && found.seat === this.#holder) this.#own = found;
    if (this.#own?.secret) this.#hide = false;
  }

  /** After the news: whose turn it is, or how it ended. */
  #say(first, before, heard) {
    const view = this.#view;
    if (view.result) {
      if (first || !before?.result) speak(view.result.closing.replace(/\n+/g, " "));
      if (!first) blip(view.result.winner === view.seat ? "win" : "over");
    } else if (view.turn || (this.#shared && this.#holder === null && view.acting.length)) {
      speak(this.#covered ? `Pass the device to ${this.#name(view.acting[0])}.` : view.headline);
      if (heard.length) blip("news");
    } else if (first) speak(view.headline);
    if (view.seats.length && view.turn) document.title = `● Your turn – ${document.title}`;
  }

  /** The focus goes to the next useful control, but is never taken from one who is busy elsewhere. */
  #refocus(focused, before) {
    const lost = !document.activeElement || document.activeElement === document.body || document.activeElement.disabled;
    const resting = focused?.matches(".headline, duel-table *");
    if (!(lost && (focused || before)) && !resting) return;
    const view = this.#view;
    if (view.result && !before?.result) return this.#main.querySelector(".result h2")?.focus();
    if (this.#covered) return this.#main.querySelector(".cover button")?.focus();
    if (view.turn) {
      if (!this.#main.querySelector("duel-table")?.contains(document.activeElement) || document.activeElement.disabled) {
        this.#main.querySelector("duel-table")?.focusChoice();
      }
    } else if (lost || resting) this.#main.querySelector(".headline")?.focus();
  }

  get #covered() {
    return this.#shared && this.#followed.phase === "playing" && this.#holder === null && this.#secretive;
  }

  #name(seat) {
    return this.#followed.players[seat].name;
  }

  #note(state) {
    if (state.saving !== undefined) {
      this.#state.saving = state.saving;
      speakSaving(state.saving);
    }
    if (state.live !== undefined && state.live !== this.#state.live) {
      this.#state.live = state.live;
      if (this.#followed) speak(state.live ? "Connected again." : "Reconnecting…");
    }
    if (state.refused) this.#state.refused = state.refused;
    this.#draw();
  }

  /** Send a command in the name of the seat that is looking. */
  async #send(body) {
    if (this.#busy) return null; // a double click is one click
    this.#busy = true;
    this.#problem = "";
    const seat = this.#holder ?? this.#followed.seat ?? this.#followed.seats[0];
    const version = this.#view.version;
    this.#draw();
    const reply = await this.#wire.send({ seat, version, ...body });
    this.#busy = false;
    if (reply && !this.closed) await this.#answered(reply);
    return reply;
  }

  async #answered(reply) {
    if (reply.code === "ok" || reply.code === "ok_repeat") blip("move");
    else this.#problem = MOVED.has(reply.code) && reply.code !== "illegal_move" ? `${reply.message} The table has been brought up to date.` : reply.message;
    if (reply.view && reply.view.seat === this.#followed?.seat) await this.#take(newest(reply.view, this.#followed));
    else await this.#wire.check();
    this.#draw();
  }

  #key(event) {
    const typing = event.target.matches("input, select, textarea") || document.querySelector("dialog[open]");
    const table = this.#main.querySelector("duel-table");
    if (!table || event.ctrlKey || event.metaKey || event.altKey || typing) return;
    if (event.key === "Escape" && table.undo()) event.preventDefault();
    if (!pref("letters") || this.#busy) return;
    const key = event.key.toLowerCase();
    if (table.key(key)) event.preventDefault();
    else if (key === "h" && this.#hidden) this.#toggle();
  }

  #toggle() {
    this.#hide = !this.#hide;
    this.#draw();
  }

  #draw() {
    if (this.closed) return;
    const { refused } = this.#state;
    const view = this.#followed && this.#view;
    if (!view) {
      paint(this.#main, refused
        ? [h("h1", null, "No game here"), h("p", { role: "alert" }, refused.message), h("p", null, h("a", { href: "/" }, "To the games"))]
        : h("p", { class: "soft" }, this.#state.live ? "One moment…" : "There is no connection. Trying again…"));
      return;
    }
    document.title = `${capital(view.variant.id)} – Digit Duel`;
    const body = view.phase === "waiting" ? waiting(view, (act) => this.#waitingActs(act)) : this.#table(view);
    paint(this.#main, h("div", { class: "game", key: this.#id }, this.#title(view), this.#banner(view), body));
  }

  async #waitingActs(reply) {
    if (reply && reply.code !== "ok") this.#problem = reply.message;
    this.#draw();
  }

  #title(view) {
    const settings = Object.entries(view.variant.settings).map(([name, value]) => `${name} ${value}`).join(", ");
    return h("div", { class: "title", key: "title" }, h("h1", null, capital(view.variant.id)),
      h("p", { class: "soft" }, view.variant.summary, settings && ` (${settings})`),
      view.match.text && h("p", { class: "soft" }, `Match: ${view.match.text}, game ${view.match.number}, ${view.match.score.join(" – ")}`));
  }

  #banner(view) {
    const saved = this.#state.saving && this.#state.saving !== "Saved ✓" ? "your last choice is not yet saved" : "your last choice is saved ✓";
    const others = view.watchers > 1 ? ` · ${view.watchers - 1} others` : "";
    return [
      !this.#state.live && h("p", { class: "banner", key: "live" }, `Reconnecting… ${saved}.`),
      !view.seats.length && view.phase !== "waiting" && h("p", { class: "banner calm", key: "watch" }, `You are watching${others}. `, view.phase === "playing" && "Is one of the seats yours? Enter your resume code in the settings."),
      this.#problem && h("p", { class: "banner", key: "problem", role: "alert" }, this.#problem, h("button", { type: "button", onclick: () => { this.#problem = ""; this.#draw(); } }, "Close")),
      ...this.#offers(view),
    ];
  }

  #offers(view) {
    const { takeback, clock } = view.offers;
    const me = view.seats[0];
    const asks = [
      takeback !== null && { what: "takeback", seat: takeback, text: "take the last choice back" },
      clock && { what: "clock", seat: clock.seat, text: `play with a clock of ${clock.minutes} minutes each`, minutes: clock.minutes },
    ].filter((ask) => ask && me !== undefined);
    return asks.map(({ what, seat, text, minutes: length }) => seat === me
      ? h("p", { class: "banner calm", key: what }, `You asked to ${text}.`)
      : h("p", { class: "banner", key: what, role: "alert" }, `${this.#name(seat)} asks to ${text}.`,
        h("button", { type: "button", onclick: () => this.#send(length ? { do: what, minutes: length } : { do: what }) }, "Agree"),
        h("button", { type: "button", onclick: () => this.#send({ do: "decline", what }) }, "Decline")));
  }

  #table(view) {
    const turn = view.turn && !this.#busy;
    const seat = this.#shared ? (this.#secretive ? this.#holder : null) : view.seat;
    const below = seat ?? (this.#shared || view.seat === null ? 0 : view.seat);
    const show = {
      scene: view.scene, names: view.players.map(({ name }) => name), tags: view.players.map((_, at) => this.#tag(view, at)),
      seat, below, acting: view.acting, turn: view.turn && seat !== null,
      moves: turn ? view.moves : [], prompts: view.prompts, confirm: pref("confirm"), hide: this.#hide,
      play: (move) => this.#send({ do: "move", move }),
    };
    return [
      h("div", { class: "board", key: "board" },
        view.result && result(view, (body) => this.#send(body), this.#shared),
        h("p", { class: "headline", key: "headline", tabindex: "-1" }, this.#covered ? `${this.#name(view.acting[0])} is next.` : view.headline),
        this.#covered ? this.#cover(view) : h("duel-table", { key: "table", translate: "no", show }),
        view.turn && this.#command(view)),
      aside(view, this.#news.items, {
        send: (body) => this.#send(body), toggle: this.#hidden && !view.result && seat !== null ? () => this.#toggle() : null,
        hide: this.#hide, hint: this.#hint, ask: () => this.#askHint(),
      }),
    ];
  }

  #cover(view) {
    const name = this.#name(view.acting[0]);
    return h("section", { class: "cover", key: "cover" },
      h("h2", null, `Pass the device to ${name}`),
      h("p", null, `${this.#name(1 - view.acting[0])}, please look away.`),
      h("button", { type: "button", class: "primary big", onclick: () => this.#uncover(view.acting[0]) }, `I am ${name}, show ${this.#hidden ? "my hand" : "the digits"}`));
  }

  async #uncover(seat) {
    this.#holder = seat;
    await this.#look();
    this.#draw();
    this.#main.querySelector("duel-table")?.focusChoice();
    speak(this.#view.headline);
  }

  #tag(view, at) {
    const { kind, level, here } = view.players[at];
    const who = kind === "computer" ? level : this.#shared || at === view.seat ? "" : here ? "● here" : "○ away";
    if (!view.clock) return who;
    const spent = view.clock.running === at ? Date.now() - this.#arrived : 0;
    return `${who} ${minutes(Math.max(0, view.clock.left[at] - spent))}`.trim();
  }

  #command(view) {
    return h("form", { class: "command", key: "command", onsubmit: (event) => this.#typed(event) },
      h("label", null, "Type a choice",
        h("input", { name: "text", autocomplete: "off", autocapitalize: "none", spellcheck: "false", placeholder: view.secret ? "" : view.moves[0]?.labels.join(" "), type: view.secret ? "password" : "text" })),
      h("button", { type: "submit" }, "Play it"));
  }

  async #typed(event) {
    event.preventDefault();
    const field = event.target.elements.text;
    const text = field.value.trim();
    if (!text) return;
    const reply = await this.#send({ do: "move", text });
    if (reply?.code?.startsWith("ok")) field.value = "";
    else field.focus();
  }

  async #askHint() {
    this.#hint = await get(`/api/games/${this.#id}/hint?seat=${this.#followed.seat}`);
    if (this.#hint.words) speak(`${this.#hint.words} ${this.#hint.reason ?? ""}`);
    this.#draw();
  }
}

/** A reply's view tells the same as a stream's; whichever is later counts. */
const newest = (one, other) => (other && other.version > one.version ? other : one);
