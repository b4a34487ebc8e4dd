/** The review of a game, and the analysis board: positions on the real table, values, and mistakes to correct. */

import { busy, capital, copy, entitle, pref, setGame, speak } from "./app.js";
import { unpack } from "./choose.js";
import { h, paint, press } from "./paint.js";
import { entry, setBar } from "./parts/bar.js";
import { coach } from "./parts/coach.js";
import { steps, walk } from "./parts/steps.js";
import { graph } from "./review/graph.js";
import { mistakesOf, ownWords } from "./review/mistakes.js";
import { moveList } from "./review/moves.js";
import { bestChoices, signs } from "./review/worth.js";
import { get, post } from "./server.js";
import "./table/table.js";

const [TRIES, PAUSE] = [12, 1500]; // attempts, and milliseconds between them
const BUSY = ["busy_retry", "offline"];

export function open(main, id, kind) {
  const page = new ReviewPage(main, id, kind === "g");
  return () => page.close();
}

class ReviewPage {
  #main;
  // The id of the reviewed game; false on the analysis board.
  #game;
  #variant;
  #settings = {};
  #names = ["First", "Second"];
  // The reader's seat; null for a watcher or for both seats.
  #mine = null;
  // The seat with the first colour, as in the game.
  #tint = 0;
  // The moves of the game, the line of moves on display, and the number of them made.
  #played = null;
  #line = [];
  #at = 0;
  // The line, the number of moves and whether both hands were revealed, as last drawn.
  #stood = null;
  // Analysed positions, by line and by whether both hands are revealed.
  #known = {};
  // The review by what the reader knew, and the one with both hands open.
  #review = null;
  #openReview = null;
  #hidden = false;
  #revealed = false;
  // Whether draws or secret choices were sealed.
  #sealed = false;
  // The mistakes that the reader corrected or had shown, and the reply to the last try.
  #mended = new Set();
  #said = null;
  #problem = "";

  constructor(main, id, finished) {
    [this.#main, this.#game, this.#variant] = [main, finished && id, id];
    addEventListener("keydown", this);
    this.#start();
  }

  close() {
    removeEventListener("keydown", this);
  }

  handleEvent(event) {
    if (busy(event)) return;
    const board = this.#main.querySelector("duel-table");
    const stations = this.#stations;
    if (walk(event, stations.indexOf(this.#at), stations.length - 1, (to) => this.#visit(stations[to]))) return;
    if (event.key === "Escape") board?.undo();
    else if (pref("letters") && board?.key(event.key.toLowerCase())) event.preventDefault();
  }

  // Loading

  async #start() {
    const query = new URLSearchParams(location.search);
    if (this.#game && !(await this.#load())) return this.#draw();
    if (!this.#game) this.#settings = Object.fromEntries(query.getAll("set").map((pair) => pair.split("=")));
    this.#line = query.has("moves") ? query.get("moves").split(".").filter(Boolean) : this.#played ?? [];
    await this.#visit(query.has("at") ? +query.get("at") || 0 : this.#game ? this.#beginning : this.#line.length);
  }

  async #load() {
    const path = `/api/games/${this.#game}`;
    const [view, proof, judged] = await Promise.all([get(path), get(`${path}/proof`), this.#judge(`${path}/review`)]);
    this.#problem = proof.message;
    if (this.#problem) return false;
    [this.#played, this.#variant, this.#settings] = [proof.moves, proof.variant, proof.settings];
    this.#names = view.players.map(({ name }) => name);
    if (view.seats.length === 1) [this.#mine] = view.seats;
    this.#tint = view.opener;
    this.#review = judged;
    this.#hidden = view.variant.hidden;
    this.#sealed = view.result.sealed;
    return true;
  }

  /** Ask the server again and again while it is busy: solving takes time. */
  async #patiently(ask) {
    let found = await ask();
    for (let tries = 1; tries < TRIES && BUSY.includes(found.code) && this.#main.isConnected; tries += 1) {
      if (!this.#stood) paint(this.#main, h.p({ class: "soft busy", role: "status" }, "Judging the moves…"));
      await new Promise((done) => setTimeout(done, PAUSE));
      found = await ask();
    }
    return found;
  }

  async #judge(path) {
    const judged = await this.#patiently(() => get(path));
    if (judged.moves) return judged;
    speak(`The moves cannot be judged: ${judged.message}`, true);
    return null;
  }

  /** A review opens before the first decisive mistake: the reader's own, if they played. */
  get #beginning() {
    const { turning = [] } = this.#review ?? {};
    const first = this.#mistakes.find(({ at }) => turning.includes(at)) ?? this.#mistakes[0];
    return first ? first.at - 1 : this.#stations[0];
  }

  #look(seat) {
    const asked = { variant: this.#variant, settings: this.#settings, seat, game: this.#game || null, moves: this.#line.slice(0, this.#at) };
    return this.#patiently(() => post("/api/analysis", asked));
  }

  /** The position as the player to move sees it, but with both hands open: the game is over. */
  async #lookAtBoth() {
    const seen = await Promise.all([this.#look(0), this.#look(1)]);
    const wrong = seen.find(({ scene }) => !scene);
    if (wrong) return wrong;
    const [{ scene }, { scene: other }] = seen;
    const found = seen[seen[0].to_move ?? 0];
    return { ...found, scene: { ...found.scene, counts: [], rows: [scene.rows[0], other.rows[1]], drawn: scene.drawn?.hidden ? other.drawn : scene.drawn } };
  }

  async #reveal() {
    this.#revealed = !this.#revealed;
    this.#visit(this.#at);
    if (!this.#review || this.#openReview) return;
    this.#openReview = await this.#judge(`/api/games/${this.#game}/review?as=watcher`);
    this.#draw();
  }

  // Moving through the game

  /** Whether the line on display is the game itself. */
  get #original() {
    return this.#line === this.#played;
  }

  /** The positions to stop at: before every player's move, not before draws, and at the end. */
  get #stations() {
    const { movers } = this.#review ?? {};
    const same = this.#original ? this.#line.length : this.#line.findIndex((move, ply) => move !== this.#played?.[ply]);
    const all = [...this.#line.keys(), this.#line.length];
    return movers ? all.filter((ply) => ply > same || ply === this.#line.length || movers[ply] !== null) : all;
  }

  get #place() {
    return `${this.#line.slice(0, this.#at).join(".")} ${this.#revealed}`;
  }

  get #found() {
    return this.#known[this.#place];
  }

  async #visit(to) {
    const at = Math.max(0, Math.min(this.#line.length, to));
    if (at !== this.#at) this.#said = null;
    this.#at = at;
    const here = this.#place;
    this.#problem = "";
    if (!this.#known[here]) {
      this.#wait();
      const found = await (this.#revealed ? this.#lookAtBoth() : this.#look(this.#mine));
      if (found.scene) this.#known[here] = { ...found, choices: unpack(found) };
      if (!this.#main.isConnected || here !== this.#place) return;
      this.#problem = found.message;
      if (!found.scene && this.#stood) [this.#line, this.#at, this.#revealed] = this.#stood; // stay at the last position
    }
    if (this.#found) this.#stood = [this.#line, this.#at, this.#revealed];
    this.#showAddress();
    this.#draw();
    const { text, detail } = this.#words;
    speak(`${text} ${detail ?? ""}`);
  }

  /** Mark the last position as busy until the requested one arrives. */
  #wait() {
    this.#main.querySelector(".reviewing")?.setAttribute("aria-busy", "true");
  }

  #showAddress() {
    const address = new URLSearchParams(this.#original ? {} : { moves: this.#line.join(".") });
    if (!this.#game) Object.entries(this.#settings).forEach((pair) => address.append("set", pair.join("=")));
    address.set("at", this.#at);
    history.replaceState(null, "", `?${address}`);
  }

  async #play(move) {
    if (!this.#found) return; // another position is loading
    if (this.#asked) return this.#try(move);
    if (this.#line[this.#at] !== move) this.#line = [...this.#line.slice(0, this.#at), move];
    await this.#visit(this.#at + 1);
  }

  #back(to) {
    this.#line = this.#played;
    return this.#visit(to);
  }

  // Mistakes

  get #mistakes() {
    return mistakesOf(this.#review?.moves ?? [], this.#mine);
  }

  /** The move that was made at this position in the game, judged. */
  get #judged() {
    const { moves = [] } = (this.#revealed && this.#openReview) || this.#review || {};
    return this.#original ? moves.find(({ at }) => at === this.#at + 1) : null;
  }

  /** The mistake that the reader is asked to correct here; until then nothing may give the answer away. */
  get #asked() {
    const { at } = this.#judged ?? {};
    return (!this.#mended.has(at) && this.#mistakes.find((move) => move.at === at)) || null;
  }

  #try(move) {
    const { better, reason } = this.#asked;
    const good = better.includes(move) || this.#found.options.some((option) => option.best && option.move === move);
    if (good) return this.#mend("good", "Right!", reason);
    this.#said = { tone: "again", text: move === this.#judged.move ? "That is what was played. Try another." : "Not that one. Try another." };
    this.#draw();
    this.#main.querySelector("duel-table").undo();
    speak(this.#said.text);
  }

  /** Mark the mistake as corrected or shown, and explain it. */
  #mend(tone, text, detail) {
    this.#mended.add(this.#at + 1);
    this.#said = { tone, text, detail };
    this.#draw();
    speak(`${text} ${detail}`);
  }

  /** What the coach says here: about the last try, the move played, or the position. */
  get #words() {
    const [judged, found] = [this.#judged, this.#found];
    if (this.#said) return this.#said;
    if (!found) return { text: this.#problem };
    if (found.over) return { text: found.over.closing.split("\n").findLast(Boolean) };
    if (!judged) return { text: this.#standing(found) };
    const { number, seat, reason, truth, verdict } = judged;
    const move = `Move ${number}, ${seat === this.#mine ? "you" : this.#names[seat]}: ${ownWords(judged, this.#names)}.`;
    if (this.#asked) return { text: `${move} Find something better.` };
    const tone = { mistake: "bad", best: "good" }[verdict] ?? "";
    return { tone, text: move, detail: [reason, this.#revealed && truth].filter(Boolean).join(" ") };
  }

  /** Whose turn it is, and the value for them. */
  #standing({ to_move: mover, symbol, text }) {
    if (mover === null) return "Chance decides: what is drawn?";
    return `${mover === this.#mine ? "You" : this.#names[mover]} to move: ${symbol} ${text}.`;
  }

  // Drawing

  #draw() {
    if (!this.#main.isConnected || (this.#stood && !this.#found)) return; // the requested position is still loading
    const [found, title] = [this.#found, `${this.#game ? "Review of" : "Analysis of"} ${capital(this.#variant)}`];
    entitle(title);
    setGame({ id: this.#variant });
    setBar({ title, note: this.#game ? this.#called.join(" – ") : "", back: true, items: () => this.#menu() });
    paint(this.#main, !found && h.h2({ key: "title" }, "No review here"),
      this.#problem && h.p({ role: "alert", class: "problem banner", key: "problem" }, this.#problem),
      found && h.div({ class: "review", key: "review" },
        h.div({ class: "reviewing" }, this.#coach(), this.#table(found), this.#bar()),
        h.aside({ "aria-label": "Review" }, this.#choices(found), this.#story(), this.#buttons())));
    this.#main.querySelector(".reviewing")?.removeAttribute("aria-busy");
  }

  #menu() {
    return [this.#game && entry("Back to the game", () => (location.href = `/g/${this.#game}`)), entry("Copy link", () => copy(location.href))];
  }

  #coach() {
    const next = this.#mistakes.find(({ at }) => at !== this.#at + 1 && !this.#mended.has(at));
    const asked = this.#asked;
    return coach({ ...this.#words, label: "What the coach says", after: [
      asked && press("Show me", () => this.#mend("bad", `Better: ${asked.better_words.join(", ")}.`, asked.reason), { key: "show" }),
      !asked && !this.#original && this.#played && press("Back to the game", () => this.#back(this.#branch), { key: "back" }),
      !asked && this.#original && next && press(next.mistake ? "Next mistake" : "Your costliest move", () => this.#back(next.at - 1), { key: "next", class: "primary" }),
    ].filter(Boolean) });
  }

  /** How many moves the line shares with the game. */
  get #branch() {
    const at = this.#line.findIndex((move, ply) => move !== this.#played[ply]);
    return at < 0 ? this.#line.length : at;
  }

  /** The names, with "You" for the reader. */
  get #called() {
    return this.#names.map((name, at) => (at === this.#mine ? "You" : name));
  }

  #table({ scene, to_move: mover, choices, options }) {
    const last = this.#original && this.#review?.moves.find(({ at }) => at === this.#at);
    return h["duel-table"]({ key: "table", translate: "no", show: {
      scene: { ...scene, leads: null }, // the values show it better
      moves: choices, seat: this.#mine, below: this.#mine ?? 0, tint: this.#tint, acting: mover === null ? [] : [mover], mark: last?.place,
      names: this.#called, lead: mover === this.#mine ? "Try it: " : `Try it for ${this.#names[mover] ?? "chance"}: `,
      badges: this.#asked ? null : signs(options, choices), play: ({ move }) => this.#play(move),
    } });
  }

  #bar() {
    const [stations, { number, over }, { numbers }] = [this.#stations, this.#found, this.#review ?? {}];
    const now = over ? "The end" : `Move ${(this.#original && numbers?.[this.#at]) || number}`;
    return steps(stations.indexOf(this.#at), stations.length - 1, (to) => this.#visit(stations[to]), h.output(now));
  }

  #choices({ options, to_move: mover, line, symbol, text }) {
    if (this.#asked) return h.section({ key: "choices" }, h.h2("The choices"), h.p({ class: "soft" }, "Their values appear after your try."));
    if (!options.length) return null;
    // Where the best choice says the same, it is said once.
    const known = options[0].text === text;
    return h.section({ key: "choices" }, h.h2(`${mover === this.#mine ? "Your" : `${this.#names[mover]}'s`} choices, best first`), !known && h.p({ class: "soft" }, `${symbol} ${capital(text)}`),
      bestChoices(options, (move) => this.#play(move), line));
  }

  #story() {
    const both = this.#revealed && this.#openReview;
    const review = both || this.#review;
    const eyes = both ? 0 : this.#mine ?? 0;
    const at = this.#original ? this.#at : null;
    return review && h.section({ key: "story", class: "story" }, h.h2("How it went"),
      review.history.length > 1 && graph(review, this.#names, this.#called, eyes, at, this.#tint),
      review.unit === "chance" && h.p({ class: "soft" }, `${eyes === this.#mine ? "Your" : `${this.#names[eyes]}'s`} chance to win the round, as known then.`),
      moveList(review.moves, this.#called, this.#tint, at, (to) => this.#back(to)));
  }

  #buttons() {
    return h.div({ class: "buttons", key: "more" },
      this.#hidden && press("Reveal both hands", () => this.#reveal(), { "aria-pressed": String(this.#revealed) }),
      this.#game && (this.#sealed ? h.a({ class: "button", href: `/verify/${this.#game}` }, "Fair play, record")
        : h.a({ class: "button", href: `/api/games/${this.#game}/record`, target: "_blank" }, "Moves as text")));
  }
}
