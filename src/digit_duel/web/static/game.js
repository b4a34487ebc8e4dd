/** The page of a game: follows it as its reader may see it, and sends what is chosen. */

import { blip, busy, go, hush, pref, setGame, speak, speakSaving, tab } from "./app.js";
import { unpack } from "./choose.js";
import { h, paint, press } from "./paint.js";
import { ending, heading, news, offers, waiting } from "./panels.js";
import { firstView, get, Wire } from "./server.js";
import { steps, walk } from "./steps.js";
import "./table.js";

const EVENTS = ["keydown", "visibilitychange", "online", "pref"];

export function open(main, id) {
  const page = new GamePage(main, id);
  return () => page.close();
}

class GamePage {
  #main;
  #path;
  #wire;
  // The last version whose news this tab has said, and its name in the tab's memory.
  #heard;
  #mark;
  // The version that ended the last round whose result somebody has read, and its name in the tab's memory.
  #read;
  #readMark;
  // The view of the wire, and the last one drawn.
  #followed = null;
  #drawn = null;
  // On one device: the seat that holds it, and its view of a hidden hand.
  #holder = null;
  #hand = null;
  // Earlier positions by version, asked for when somebody looks back; and the one looked at: the last is now.
  #been = {};
  #at = 0;
  #state = { live: true, saving: "", refused: "" };
  #arrived = 0;
  // What is on its way to the server; a move among the choices is drawn as made.
  #sending = null;
  #hide = false;
  #problem = "";
  // Why a typed choice was refused.
  #refusal = "";
  #hint = null;
  // Whether hints are wanted; by default as the game was opened.
  #hints = null;
  #tick = setInterval(() => this.#pass(), 1000);

  constructor(main, id) {
    [this.#main, this.#path, this.#mark, this.#readMark] = [main, `/api/games/${id}`, `heard ${id}`, `read ${id}`];
    [this.#heard, this.#read] = [tab(this.#mark), tab(this.#readMark) ?? 0];
    for (const event of EVENTS) addEventListener(event, this, true);
    this.#wire = new Wire(id, firstView(id), (state) => this.#note(state));
    this.#wire.resend()?.then((reply) => this.#answered(reply));
    this.#draw();
  }

  close() {
    clearInterval(this.#tick);
    for (const event of EVENTS) removeEventListener(event, this, true);
    this.#wire.close();
  }

  handleEvent(event) {
    if (event.type === "keydown") this.#key(event);
    else if (event.type === "pref") this.#draw();
    else if (document.visibilityState === "visible" && this.#followed) this.#wire.check(); // somebody looks again
  }

  /** A second has passed: clocks go on, and when a game may be claimed the server is asked, for it counts. */
  #pass() {
    const { clock, claim } = this.#followed ?? {};
    if (!clock && !claim) return;
    if (claim?.seconds !== 0 && this.#claimIn(this.#view) === 0) this.#wire.check();
    this.#draw();
  }

  get #view() {
    const round = this.#round;
    if (round) return { ...this.#followed, scene: round.scene, headline: round.text, acting: [], turn: false, moves: [] };
    return this.#hand?.version >= this.#followed.version ? this.#hand : this.#followed;
  }

  /** The round that has ended, until somebody goes on: here, or by a choice made elsewhere. */
  get #round() {
    const { news, phase, seats } = this.#followed;
    const ended = news.findLast(({ scene }) => scene);
    if (phase !== "playing" || !ended || ended.version <= this.#read) return null;
    const later = news.filter(({ kind, version }) => kind === "move" && version > ended.version);
    return later.some(({ seat }) => !seats.length || seats.includes(seat)) ? null : ended;
  }

  get #shared() {
    return this.#followed.seats.length > 1;
  }

  get #hidden() {
    return this.#followed.variant.hidden;
  }

  get #covered() {
    return this.#shared && this.#followed.phase === "playing" && this.#holder === null && !this.#round;
  }

  /** What led to each position; the game begins when the second player joins. */
  get #moments() {
    return this.#followed.news.filter(({ kind }) => /sit|move|takeback/.test(kind)).slice(1);
  }

  get #last() {
    return this.#moments.length - 1;
  }

  get #headline() {
    return this.#view.headline.replace(/:$/, ".");
  }

  get #past() {
    return `The past, ${this.#at + 1} of ${this.#last + 1}. ${(!this.#hide && this.#moments[this.#at].text) || ""}`;
  }

  #name(seat) {
    return this.#followed.players[seat].name;
  }

  #find(selector) {
    return this.#main.querySelector(selector);
  }

  // What comes in

  #note({ view, ...state }) {
    if (view) return void this.#take(view);
    const { live } = this.#state;
    Object.assign(this.#state, state);
    if (state.saving !== undefined) speakSaving(state.saving);
    if (state.live === !live && this.#followed) speak(live ? "Reconnecting…" : "Connected again.");
    this.#draw();
  }

  async #take(next) {
    const focused = document.activeElement;
    const known = this.#followed && this.#last;
    this.#followed = next;
    this.#arrived = Date.now();
    // A new position is looked at, whatever was.
    if (this.#last !== known) this.#at = this.#last;
    if (this.#shared) await this.#share();
    if (!this.#main.isConnected || this.#followed !== next) return;
    const before = this.#drawn;
    this.#drawn = next;
    if (before && next.next && !before.next && next.seats.length) return go(`/g/${next.next}`);
    setGame(next.variant.id);
    if (before?.version === next.version) return this.#draw();
    // What was refused before this is of no use now.
    [this.#problem, this.#refusal] = ["", ""];
    const fresh = this.#unheard();
    this.#hint = null;
    this.#draw();
    if (!this.#hide) fresh.forEach(({ text }) => speak(text));
    this.#announce(before, fresh.length);
    if (before) this.#refocus(focused, before);
  }

  /** The sentences that this tab has not said yet. */
  #unheard() {
    const { news, version, seats } = this.#followed;
    let fresh = news.filter((item) => item.version > this.#heard);
    if (this.#heard === null) { // who comes to a game hears what happened since their own last choice
      fresh = news.filter(({ kind }) => kind === "move");
      fresh = fresh.slice(seats.length ? fresh.findLastIndex(({ seat }) => seats.includes(seat)) + 1 : -1);
    }
    tab(this.#mark, (this.#heard = version));
    return this.#untilRound(fresh).filter(({ text }) => text);
  }

  /** What happened up to the end of the round that is shown. */
  #untilRound(items) {
    const round = this.#round;
    return round ? items.filter(({ version }) => version <= round.version) : items;
  }

  /** On one device: whoever is to choose holds it, and takes it in hand where something is hidden. */
  async #share() {
    const { acting, seat, secret } = this.#followed;
    if (this.#holder !== null && (this.#round || !acting.includes(this.#holder))) {
      [this.#hand, this.#holder] = [null, null];
      hush();
    }
    if (this.#holder !== null) await this.#look();
    else if (!this.#hidden && !secret && acting.length) this.#holder = seat;
  }

  /** Ask for a hidden hand, once it may be seen. */
  async #look() {
    const { seat, version } = this.#followed;
    if (seat === this.#holder || this.#hand?.version === version) return;
    const found = await get(`${this.#path}?seat=${this.#holder}&after=${version}`);
    this.#hand = found.scene ? { ...this.#followed, ...found } : null;
    if (!this.#hand) [this.#holder, this.#problem] = [null, found.message];
  }

  #announce(before, any) {
    const { result, turn, seat, acting } = this.#view;
    if (this.#round) return;
    if (result) {
      if (!before?.result) speak(result.closing.replace(/\n+/g, " "));
      if (before) blip(392, result.winner === seat ? 784 : 262);
    } else if (this.#covered) speak(`Pass the device to ${this.#name(acting[0])}.`);
    else if (turn || !before) speak(this.#headline);
    if (turn && any) blip(523, 392);
  }

  /** The focus goes to the next useful control, unless somebody is busy elsewhere. */
  #refocus(was, before) {
    const now = document.activeElement;
    const lost = now.matches("main, body") || now.disabled;
    const { result, turn } = this.#view;
    if (!lost && (!was.matches(".headline, duel-table *") || (turn && now.matches("duel-table *")))) return;
    if (this.#round) return this.#find(".next-round").focus({ preventScroll: true });
    if (turn && !this.#covered) return this.#find("duel-table").focusChoice();
    if (!this.#followed.seats.length) return; // who watches is left alone
    this.#find(result && !before.result ? ".result h2" : this.#covered ? ".cover button" : ".headline")?.focus({ preventScroll: true });
  }

  // What goes out

  async #send(body, choice = {}) {
    // A double click is one click.
    if (this.#sending) return null;
    this.#sending = choice;
    this.#at = this.#last;
    this.#refusal = "";
    this.#tell("");
    const reply = await this.#wire.send({ seat: this.#holder ?? this.#followed.seats[0], version: this.#view.version, ...body });
    this.#sending = null;
    this.#answered(reply, body.text);
    return reply;
  }

  #answered({ code, message }, typed) {
    if (code.startsWith("ok")) blip(440, 554);
    else if (code === "stale_version") speak("The game had moved on: this choice was not made.", true);
    else if (typed) this.#refusal = message;
    else this.#problem = message;
    this.#draw();
  }

  #tell(message) {
    this.#problem = message;
    this.#draw();
  }

  #key(event) {
    const table = this.#find("duel-table");
    if (!table || busy(event)) return;
    if (walk(event, this.#at, this.#last, (to) => this.#visit(to))) return;
    if (event.key === "Escape" && this.#at < this.#last) this.#visit(this.#last);
    else if (event.key === "Escape") table.undo();
    if (!pref("letters") || this.#sending) return;
    const letter = event.key.toLowerCase();
    if (table.key(letter)) event.preventDefault();
    else if (letter === "h" && this.#hidden) this.#toggle();
  }

  async #typed(event) {
    event.preventDefault();
    const field = event.target.elements.text;
    const reply = field.value.trim() && (await this.#send({ do: "move", text: field.value.trim() }));
    if (reply?.code?.startsWith("ok")) field.value = "";
    else field.focus();
  }

  #toggle() {
    this.#hide = !this.#hide;
    hush();
    this.#draw();
  }

  async #uncover(seat) {
    this.#holder = seat;
    await this.#look();
    this.#draw();
    speak(this.#headline);
    this.#find("duel-table")?.focusChoice();
  }

  /** Go on from the result of a round: only now is the next hand covered, or shown. */
  #goOn() {
    const { version } = this.#round;
    tab(this.#readMark, (this.#read = version));
    hush();
    this.#draw();
    for (const item of this.#followed.news) if (item.version > version) speak(item.text);
    this.#announce(null, false);
    if (this.#covered) this.#find(".cover button").focus();
    else this.#find("duel-table").focusChoice();
  }

  async #wish() {
    this.#hint = await get(`${this.#path}/hint`);
    speak(this.#hint.words ?? this.#hint.message);
    this.#draw();
  }

  #switchHints(on) {
    [this.#hints, this.#hint] = [on, null];
    this.#draw();
  }

  async #visit(to) {
    this.#at = to;
    const { version } = this.#moments[to];
    if (to < this.#last && !this.#been[version]) {
      const { positions = [], message = "" } = await get(`${this.#path}/past?after=${Math.max(0, version - 99)}`); // nearly always all
      for (const each of positions) this.#been[each.version] = each;
      if (!this.#been[version]) this.#at = this.#last;
      if (this.#at !== to) return this.#tell(message);
    }
    this.#draw();
    speak(this.#at < this.#last ? this.#past : `Now. ${this.#headline}`);
    if (document.activeElement === document.body) this.#find(".headline").focus({ preventScroll: true });
  }

  // What is drawn

  #draw() {
    const { live, saving, refused } = this.#state;
    if (!this.#main.isConnected) return;
    if (!this.#followed) {
      return paint(this.#main, refused ? [h.h1("No game here"), h.p({ role: "alert" }, refused), h.a({ class: "button", href: "/" }, "To the games")]
        : h.p({ class: "soft" }, live ? "One moment…" : "There is no connection. Trying again…"));
    }
    const now = this.#view;
    const { seats, phase, watchers, turn } = now;
    const send = (body, choice) => this.#send(body, choice);
    const aside = {
      send, hint: this.#hint, hints: this.#hints ?? now.hints, wish: () => this.#wish(), switchHints: (on) => this.#switchHints(on),
      hide: this.#hide, toggle: this.#hidden && turn && (() => this.#toggle()), claim: now.claim?.seconds === 0 ? 0 : Math.ceil(this.#claimIn(now) ?? 0) || null,
    };
    paint(this.#main, h.div({ class: "game" }, heading(now),
      !live && h.p({ class: "banner", key: "live" }, `Reconnecting… your last choice is ${/^(Saved.*)?$/.test(saving) ? "saved ✓" : "not yet saved"}.`),
      !seats.length && phase !== "waiting" && h.p({ class: "banner calm", key: "watch" }, `You are watching${watchers > 1 ? ` · ${watchers - 1} others` : ""}. If a seat is yours, enter your resume code in the settings.`),
      this.#problem && h.p({ class: "banner", key: "problem", role: "alert" }, this.#problem, press("Close", () => this.#tell(""))),
      offers(now, send),
      phase === "waiting" ? waiting(now, (message) => this.#tell(message)) : [this.#board(now, send), news(now, this.#untilRound(this.#followed.news), aside)]));
  }

  #board(now, send) {
    const { players, turn, acting, scene, result, secret } = now;
    const seat = this.#shared && !this.#hidden && !secret ? null : now.seat;
    const moves = unpack(now);
    const [last, covered] = [this.#last, this.#covered];
    const pending = this.#sending && moves.find(({ move }) => move === this.#sending.move);
    const show = {
      scene, seat, acting, hide: this.#hide, below: seat ?? 0, names: players.map((player) => player.name), tags: players.map((_, at) => this.#tag(now, at)),
      moves: turn && (pending || !this.#sending) ? moves : [], pending, mark: !pending && !this.#round && this.#moments[this.#at]?.place,
      confirm: pref("confirm"), play: (choice) => send({ do: "move", move: choice.move }, choice),
    };
    const then = this.#at < last && !covered && this.#been[this.#moments[this.#at].version];
    if (then) Object.assign(show, then, { seat: this.#shared ? null : now.seat, moves: [] });
    return h.div({ class: then ? "board then" : "board" },
      result && ending(now, this.#shared, send),
      this.#message(covered ? `${this.#name(acting[0])} is next.` : then ? this.#past : this.#headline),
      covered ? this.#cover(acting[0]) : h["duel-table"]({ translate: "no", show }),
      this.#round && press("Next round", () => this.#goOn(), { class: "primary big next-round" }),
      turn && !covered && this.#command(secret ? "" : moves[0].labels.join(" "), secret),
      last > 0 && !covered && steps(this.#at, last, (to) => this.#visit(to), h.span(`${this.#at + 1} of ${last + 1}`), then && press("Back to now", () => this.#visit(last))));
  }

  /** The one line that says how things stand; whoever waits for the server reads that first. */
  #message(text) {
    const { saving } = this.#state;
    const going = this.#sending && !/^(Saved.*)?$/.test(saving);
    // The live region says what is saved to those who cannot see it.
    return h.div({ class: "message" }, h.p({ class: "headline", tabindex: "-1" }, going ? saving : text), h.p({ class: "soft", "aria-hidden": "true" }, !going && saving));
  }

  #command(example, secret) {
    return h.form({ class: "command", onsubmit: (event) => this.#typed(event) }, h.label("Type a choice", h.input({
      name: "text", autocomplete: "off", autocapitalize: "none", maxlength: 100, type: secret ? "password" : "text", placeholder: example,
      "aria-invalid": Boolean(this.#refusal) && "true", "aria-describedby": "refusal",
    })), h.button("Play it"), h.p({ id: "refusal", class: "problem", role: "alert" }, this.#refusal));
  }

  #cover(seat) {
    return h.section({ class: "panel cover" }, h.h2(`Pass the device to ${this.#name(seat)}`), h.p(`${this.#name(1 - seat)}, please look away.`),
      press(`I am ${this.#name(seat)}, show ${this.#hidden ? "my hand" : "the digits"}`, () => this.#uncover(seat), { class: "primary big" }));
  }

  /** The seconds left on a seat's clock. */
  #left({ left, running }, at) {
    return Math.max(0, left[at] - (running === at ? Date.now() - this.#arrived : 0)) / 1000;
  }

  /** In how many seconds the game can be claimed; null while nobody is kept waiting. */
  #claimIn({ claim, clock, seat }) {
    if (clock && seat !== null && clock.running === 1 - seat && this.#left(clock, 1 - seat) === 0) return 0;
    return claim && Math.max(0, claim.seconds - (Date.now() - this.#arrived) / 1000);
  }

  /** Beside a name: level or presence, and the clock. */
  #tag({ players, clock, seat }, at) {
    const { level, here } = players[at];
    const who = level ?? (this.#shared || at === seat ? "" : here ? "● here" : "○ away");
    const left = clock && this.#left(clock, at);
    return clock ? `${who} ${Math.floor(left / 60)}:${String(Math.floor(left % 60)).padStart(2, "0")}` : who;
  }
}
