/** The page of a game: follows the game as its viewer may see it, and sends choices. */

import { blip, busy, entitle, go, hush, pref, setGame, speak, speakSaving } from "./app.js";
import { unpack } from "./choose.js";
import { claimIn } from "./clock.js";
import { beside, happened } from "./game/beside.js";
import { Device } from "./game/device.js";
import { Memory } from "./game/memory.js";
import { entries } from "./game/menu.js";
import { Past } from "./game/past.js";
import { cover } from "./game/pieces.js";
import { tableOf } from "./game/show.js";
import { noted, titled } from "./game/title.js";
import { waiting } from "./game/waiting.js";
import { h, paint } from "./paint.js";
import { setBar } from "./parts/bar.js";
import { dialog } from "./parts/dialog.js";
import { nowhere } from "./parts/nowhere.js";
import { walk } from "./parts/steps.js";
import { bring, firstView, get, Wire } from "./server.js";
import "./table/table.js";

const EVENTS = ["keydown", "visibilitychange", "online", "pref"];

export function open(main, id) {
  const page = new GamePage(main, id);
  return () => page.close();
}

class GamePage {
  #main;
  #path;
  #wire;
  #memory;
  #past;
  #device;
  // The latest view from the server, when it arrived, and the last view drawn.
  #followed = null;
  #arrived = 0;
  #drawn = null;
  #state = { live: true, saving: "", refused: "" };
  // The choice being sent, if any; the table draws its move as made.
  #sending = null;
  #hide = false;
  // An error to show, and whether the field for typing is open.
  #problem = "";
  #typing = false;
  // Whether hints are on (null: as the game was opened), and the last hint.
  #hints = null;
  #hint = null;
  #redrawDrawer = () => {};
  #tick = setInterval(() => this.#pass(), 1000);

  constructor(main, id) {
    [this.#main, this.#path] = [main, `/api/games/${id}`];
    [this.#memory, this.#past, this.#device] = [new Memory(id), new Past(this.#path), new Device(this.#path)];
    for (const event of EVENTS) addEventListener(event, this, true);
    this.#wire = new Wire(id, firstView(id), (state) => this.#note(state));
    this.#resend();
    this.#draw();
  }

  close() {
    clearInterval(this.#tick);
    for (const event of EVENTS) removeEventListener(event, this, true);
    this.#wire.close();
    document.getElementById("bar").inert = false;
  }

  handleEvent(event) {
    if (event.type === "keydown") this.#key(event);
    else if (event.type === "pref") this.#draw();
    else if (document.visibilityState === "visible" && this.#followed) this.#wire.check(); // the page is visible again
  }

  /** Every second: update the clocks, and ask the server when a claim falls due, because its time counts. */
  #pass() {
    const { clock, claim } = this.#followed ?? {};
    if (!clock && !claim) return;
    if (claim?.seconds !== 0 && claimIn(this.#view, this.#arrived) === 0) this.#wire.check();
    this.#draw();
  }

  /** The view on the table: the current one, the end of a round, or the hand of the device's holder. */
  get #view() {
    const round = this.#round;
    if (round) return { ...this.#followed, scene: round.scene, headline: round.text, acting: [], turn: false, moves: [] };
    return this.#device.hand?.version >= this.#followed.version ? this.#device.hand : this.#followed;
  }

  get #round() {
    return this.#memory.round(this.#followed);
  }

  get #shared() {
    return this.#followed.seats.length > 1;
  }

  get #covered() {
    return this.#shared && this.#followed.phase === "playing" && this.#device.holder === null && !this.#round;
  }

  get #headline() {
    return this.#view.headline.replace(/:$/, ".");
  }

  #find(selector) {
    return this.#main.querySelector(selector);
  }

  // Receiving

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
    this.#followed = next;
    this.#arrived = Date.now();
    this.#past.follow(next.news);
    if (this.#shared) await this.#share();
    if (!this.#main.isConnected || this.#followed !== next) return;
    const before = this.#drawn;
    this.#drawn = next;
    if (before && next.next && !before.next && next.seats.length) return this.#playAgain(next.next);
    setGame(next.variant);
    if (before?.version === next.version) return this.#draw();
    [this.#problem, this.#hint] = ["", null]; // they were about the previous version
    const fresh = this.#memory.unheard(next);
    this.#draw();
    if (!this.#hide) fresh.forEach(({ text }) => speak(text));
    this.#announce(before, fresh.length);
    if (before) this.#refocus(focused, before);
  }

  async #share() {
    const { holder } = this.#device;
    this.#problem ||= await this.#device.pass(this.#followed, Boolean(this.#round));
    if (holder !== null && this.#device.holder === null) hush(); // they may tell the next player what is hidden
  }

  /** Fetch the rematch before going there, so that no empty page is shown in between. */
  async #playAgain(id) {
    const view = await get(`/api/games/${id}`);
    if (view.code === "ok") bring(view);
    if (this.#main.isConnected) go(`/g/${id}`);
  }

  #announce(before, any) {
    const { result, turn, seat, acting, players } = this.#view;
    if (this.#round) return;
    if (result) {
      if (!before?.result) speak(result.closing.replace(/\n+/g, " "));
      if (before) blip(392, result.winner === seat ? 784 : 262);
    } else if (this.#covered) speak(`Pass the device to ${players[acting[0]].name}.`);
    else if (turn || !before) speak(this.#headline);
    if (turn && any) blip(523, 392);
  }

  /** Move the focus to the next useful control, unless the player is using another one. */
  #refocus(was, before) {
    const now = document.activeElement;
    const lost = now.matches("main, body") || now.disabled;
    const { result, turn } = this.#view;
    if (!lost && (!was.matches(".headline, duel-table *") || (turn && now.matches("duel-table *")))) return;
    if (this.#round) return this.#find(".next-round")?.focus({ preventScroll: true });
    if (turn && !this.#covered) return this.#find("duel-table").focusChoice();
    if (!this.#followed.seats.length) return; // a watcher keeps the focus
    this.#find(result && !before.result ? ":is(.result, .ended) h2" : this.#covered ? ".cover button" : ".headline")?.focus({ preventScroll: true });
  }

  /** Move a lost focus to the verdict, whose words have just appeared. */
  #told() {
    if (document.activeElement.matches("main, body")) this.#refocus(document.body, {});
  }

  // Sending

  async #send(body, choice = {}) {
    // Ignore the second click of a double click.
    if (this.#sending) return null;
    this.#sending = choice;
    this.#past.at = this.#past.last;
    this.#tell("");
    const reply = await this.#wire.send({ seat: this.#device.holder ?? this.#followed.seats[0], version: this.#view.version, ...body });
    this.#sending = null;
    this.#answered(reply);
    return reply;
  }

  /** Resend a command that got no answer before this tab was reloaded, and show it as being sent. */
  async #resend() {
    const { unsent } = this.#wire;
    if (!unsent) return;
    this.#sending = unsent;
    const reply = await this.#wire.resend();
    this.#sending = null;
    this.#answered(reply);
  }

  #answered({ code, message }) {
    if (code.startsWith("ok")) blip(440, 554);
    else if (code === "stale_version") speak("The game moved on: your choice was not played.", true);
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
    if (walk(event, this.#past.at, this.#past.last, (to) => this.#visit(to))) return;
    if (event.key === "Escape" && this.#past.then) this.#visit(this.#past.last);
    else if (event.key === "Escape") table.undo();
    if (!pref("letters") || this.#sending) return;
    const letter = event.key.toLowerCase();
    if (letter === "/" ? this.#type() : table.key(letter)) event.preventDefault();
    else if (letter === "h" && this.#followed.variant.hidden) this.#toggle();
  }

  /** Open or close the field for typing moves. */
  #type(open = true) {
    if (open && !this.#view.turn) return false;
    this.#typing = open;
    this.#tell("");
    if (open) this.#find(".command input").focus();
    else this.#find("duel-table").focusChoice();
    return true;
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
    this.#device.holder = seat;
    this.#problem ||= await this.#device.look(this.#followed);
    this.#draw();
    speak(this.#headline);
    this.#find("duel-table")?.focusChoice();
  }

  /** Continue after the result of a round: only now cover or show the next hand. */
  #goOn() {
    const round = this.#round;
    this.#memory.goOn(round);
    hush();
    this.#draw();
    for (const item of this.#followed.news) if (item.version > round.version) speak(item.text);
    this.#announce(null, false);
    if (this.#covered) this.#find(".cover button").focus();
    else this.#find("duel-table").focusChoice();
  }

  async #wish() {
    const { version } = this.#followed;
    this.#hint = { message: "Thinking…" };
    this.#draw();
    const found = await get(`${this.#path}/hint`);
    if (version !== this.#followed.version) return; // it is about a position that has passed
    this.#hint = found;
    speak(this.#hint.words ?? this.#hint.message);
    this.#draw();
  }

  #switchHints(on) {
    [this.#hints, this.#hint] = [on, null];
    this.#draw();
  }

  async #visit(to) {
    const message = await this.#past.visit(to);
    if (message) return this.#tell(message);
    this.#draw();
    speak(this.#past.then ? this.#past.words(this.#hide) : `Now. ${this.#headline}`);
    if (document.activeElement === document.body) this.#find(".headline")?.focus({ preventScroll: true });
  }

  // Drawing

  #draw() {
    if (!this.#main.isConnected) return;
    if (!this.#followed) return this.#drawNothing();
    const now = this.#view;
    this.#drawBar(now);
    document.getElementById("bar").inert = this.#covered;
    if (now.phase === "waiting") return paint(this.#main, h.div({ class: "prose", key: "waiting" }, h.p({ class: "problem", role: "alert" }, this.#problem), waiting(now, (message) => this.#tell(message))));
    if (!now.scene) return paint(this.#main, h.div({ class: "prose", key: "none" }, h.h1(now.result?.closing ?? "This game has not begun."), h.a({ class: "button", href: "/" }, "All games")));
    const page = this.#parts(now);
    const items = this.#memory.untilRound(this.#followed);
    const covered = this.#covered;
    paint(this.#main, h.div({ class: "game", key: "game" },
      covered ? cover(this.#followed, (seat) => this.#uncover(seat)) : h.div({ class: this.#past.then ? "board then" : "board", key: "board" },
        h["duel-table"]({ translate: "no", show: page.show })),
      h.aside({ class: "beside", key: "beside", "aria-label": "Beside the table", inert: covered && "" }, covered ? happened(items, page) : beside(now, items, page))));
    this.#redrawDrawer();
  }

  #drawNothing() {
    const { live, refused } = this.#state;
    paint(this.#main, refused ? nowhere("No game here", refused)
      : h.p({ class: "soft busy" }, live ? "One moment…" : "No connection. Trying again…"));
  }

  #drawBar(now) {
    const title = titled(now);
    entitle(`${now.turn && now.seat !== null ? "● Your turn – " : ""}${title}`);
    setBar({ title, back: true, then: this.#past.then, note: this.#past.then ? "An earlier position" : noted(now, this.#shared), items: () => entries(this.#view, this.#parts(this.#view)) });
  }

  /** The data that the parts of the page draw, and the actions they may call. */
  #parts(now) {
    const { variant, turn, hints } = now;
    const page = {
      past: this.#past, hide: this.#hide, hint: this.#hint, hints: this.#hints ?? hints, sending: this.#sending, problem: this.#problem, state: this.#state,
      shared: this.#shared, holder: this.#device.holder, told: () => this.#told(), round: this.#round, headline: this.#headline, moves: unpack(now), arrived: this.#arrived,
      items: this.#memory.untilRound(this.#followed), typing: this.#typing && turn,
      send: (body, choice) => this.#send(body, choice), visit: (to) => this.#visit(to), wish: () => this.#wish(), switchHints: (on) => this.#switchHints(on),
      toggle: variant.hidden && turn && (() => this.#toggle()), goOn: () => this.#goOn(), type: (open) => this.#type(open !== false), typed: (event) => this.#typed(event),
      openBeside: () => this.#openBeside(),
    };
    return now.scene ? { ...page, show: tableOf(now, page) } : page;
  }

  /** On a small screen, open the side panel over the table. */
  async #openBeside() {
    await dialog("Moves and hints", (close, redraw) => {
      this.#redrawDrawer = redraw;
      const now = this.#view;
      return [h.div({ class: "prose" }, beside(now, this.#memory.untilRound(this.#followed), this.#parts(now), true)), h.button({ class: "primary", onclick: () => close() }, "Back to the game")];
    }, "drawer");
    this.#redrawDrawer = () => {};
  }
}
