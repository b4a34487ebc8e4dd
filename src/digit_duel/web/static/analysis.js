/** The review of a game, and the analysis board: positions on the real table, values, and mistakes to correct. */

import { busy, capital, copy, entitle, pref, setGame, speak } from "./app.js";
import { unpack } from "./choose.js";
import { h, paint, press } from "./paint.js";
import { entry, setBar } from "./parts/bar.js";
import { coach } from "./parts/coach.js";
import { steps, walk } from "./parts/steps.js";
import { lookAtBoth, patiently } from "./review/ask.js";
import { graph } from "./review/graph.js";
import { Line } from "./review/line.js";
import { mistakesOf } from "./review/mistakes.js";
import { moveList } from "./review/moves.js";
import { wordsAt } from "./review/words.js";
import { alike, bestChoices, signs } from "./review/worth.js";
import { get, post } from "./server.js";
import "./table/table.js";

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
  // The seat that won the game; null for a draw.
  #winner = null;
  // The seat with the first colour, as in the game.
  #tint = 0;
  // The moves on display, and the number of them made.
  #line = new Line(null);
  // The line and whether both hands were revealed, as last drawn.
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
    if (walk(event, stations.indexOf(this.#line.at), stations.length - 1, (to) => this.#go(stations[to]))) return;
    if (event.key === "Escape") board?.undo();
    else if (pref("letters") && board?.key(event.key.toLowerCase())) event.preventDefault();
  }

  // Loading

  async #start() {
    const query = new URLSearchParams(location.search);
    if (this.#game && !(await this.#load())) return this.#draw();
    if (!this.#game) this.#settings = Object.fromEntries(query.getAll("set").map((pair) => pair.split("=")));
    if (query.has("moves")) this.#line = this.#line.instead(query.get("moves").split(".").filter(Boolean));
    await this.#go(query.has("at") ? +query.get("at") || 0 : this.#game ? this.#beginning : this.#line.moves.length);
  }

  async #load() {
    const path = `/api/games/${this.#game}`;
    const [view, proof, judged] = await Promise.all([get(path), get(`${path}/proof`), this.#judge(`${path}/review`)]);
    this.#problem = proof.message;
    if (this.#problem) return false;
    [this.#line, this.#variant, this.#settings] = [new Line(proof.moves), proof.variant, proof.settings];
    this.#names = view.players.map(({ name }) => name);
    if (view.seats.length === 1) [this.#mine] = view.seats;
    this.#tint = view.opener;
    this.#review = judged;
    this.#hidden = view.variant.hidden;
    this.#sealed = view.result.sealed;
    this.#winner = view.result.winner;
    return true;
  }

  #patiently(ask) {
    return patiently(ask, (code) => {
      if (!this.#stood) paint(this.#main, h.p({ class: "soft busy", role: "status" }, code === "offline" ? "No connection. Trying again…" : "Judging the moves…"));
      return this.#main.isConnected;
    });
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
    const asked = { variant: this.#variant, settings: this.#settings, seat, game: this.#game || null, moves: this.#line.made };
    return this.#patiently(() => post("/api/analysis", asked));
  }

  async #reveal() {
    this.#revealed = !this.#revealed;
    this.#visit(this.#line);
    if (!this.#review || this.#openReview) return;
    this.#openReview = await this.#judge(`/api/games/${this.#game}/review?as=watcher`);
    this.#draw();
  }

  // Moving through the game

  get #stations() {
    return this.#line.stations(this.#review?.movers);
  }

  get #place() {
    return `${this.#line.made.join(".")} ${this.#revealed}`;
  }

  get #found() {
    return this.#known[this.#place];
  }

  #go(at) {
    return this.#visit(this.#line.to(at));
  }

  async #visit(line) {
    if (line.at !== this.#line.at) this.#said = null;
    this.#line = line;
    const here = this.#place;
    this.#problem = "";
    if (!this.#known[here]) {
      this.#wait();
      const found = await (this.#revealed ? lookAtBoth((seat) => this.#look(seat)) : this.#look(this.#mine));
      if (found.scene) this.#known[here] = { ...found, choices: unpack(found) };
      if (!this.#main.isConnected || here !== this.#place) return;
      this.#problem = found.message;
      if (!found.scene && this.#stood) [this.#line, this.#revealed] = this.#stood; // stay at the last position
    }
    if (this.#found) this.#stood = [this.#line, this.#revealed];
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
    const address = new URLSearchParams(this.#line.original ? {} : { moves: this.#line.moves.join(".") });
    if (!this.#game) Object.entries(this.#settings).forEach((pair) => address.append("set", pair.join("=")));
    address.set("at", this.#line.at);
    history.replaceState(null, "", `?${address}`);
  }

  async #play(move) {
    if (!this.#found) return; // another position is loading
    if (this.#asked) return this.#try(move);
    await this.#visit(this.#line.play(move));
  }

  // Mistakes

  get #mistakes() {
    return mistakesOf(this.#review?.moves ?? [], this.#mine);
  }

  /** The move that was made at this position in the game, judged. */
  get #judged() {
    const { moves = [] } = (this.#revealed && this.#openReview) || this.#review || {};
    return this.#line.original ? moves.find(({ at }) => at === this.#line.at + 1) : null;
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
    const { words } = this.#found.options.find((option) => option.move === move) ?? { words: "that one" };
    this.#said = { tone: "again", text: `${move === this.#judged.move ? "That is what was played" : `Not ${words}`}. Try another.` };
    this.#draw();
    this.#main.querySelector("duel-table").undo();
    speak(this.#said.text);
  }

  /** Mark the mistake as corrected or shown, and explain it. */
  #mend(tone, text, detail) {
    this.#mended.add(this.#line.at + 1);
    this.#said = { tone, text, detail };
    this.#draw();
    speak(`${text} ${detail}`);
  }

  /** What the coach says here: about the last try, the move played, or the position. */
  get #words() {
    if (this.#said) return this.#said;
    if (!this.#found) return { text: this.#problem };
    return wordsAt({ found: this.#found, judged: this.#judged, asked: this.#asked, truth: this.#revealed, mine: this.#mine, names: this.#names });
  }

  // Drawing

  #draw() {
    if (!this.#main.isConnected || (this.#stood && !this.#found)) return; // the requested position is still loading
    const [found, title] = [this.#found, `${this.#game ? "Review of" : "Analysis of"} ${capital(this.#variant)}`];
    entitle(title);
    setGame({ id: this.#variant });
    setBar({ title, note: this.#game && found ? this.#ended : "", back: true, items: () => this.#menu() });
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
    const next = this.#mistakes.find(({ at }) => at !== this.#line.at + 1 && !this.#mended.has(at));
    const [asked, line] = [this.#asked, this.#line];
    const { text } = this.#words;
    const free = !this.#judged && this.#found.options.length > 0;
    return coach({ ...this.#words, text: free ? [text, h.span({ class: "try", key: "try" }, " Try it on the table.")] : text, label: "What the coach says", after: [
      asked && press("Show me", () => this.#mend("", `Better: ${asked.better_words.join(", ")}.`, asked.reason), { key: "show" }),
      !asked && line.left && press("Back to the game", () => this.#visit(line.game(line.shared)), { key: "back" }),
      !asked && line.original && next && press(next.mistake ? `${this.#mine === null ? `${this.#names[next.seat]}'s` : "Your"} next mistake` : "Your costliest move", () => this.#go(next.at - 1), { key: "next", class: "primary" }),
    ].filter(Boolean) });
  }

  /** The names, with "You" for the reader. */
  get #called() {
    return this.#names.map((name, at) => (at === this.#mine ? "You" : name));
  }

  /** Who beat whom. */
  get #ended() {
    const called = this.#called;
    if (this.#winner === null) return `${called.join(" – ")}: a draw`;
    return `${called[this.#winner]} beat ${1 - this.#winner === this.#mine ? "you" : called[1 - this.#winner]}`;
  }

  #table({ scene, to_move: mover, choices, options }) {
    const last = this.#line.original && this.#review?.moves.find(({ at }) => at === this.#line.at);
    return h["duel-table"]({ key: "table", translate: "no", show: {
      scene: { ...scene, leads: null }, // the values show it better
      moves: choices, seat: this.#mine, below: this.#mine ?? 0, tint: this.#tint, acting: mover === null ? [] : [mover], mark: last?.place,
      names: this.#called, lead: mover === this.#mine ? "Try it: " : `Try it for ${this.#names[mover] ?? "chance"}: `,
      badges: this.#asked ? null : signs(options, choices), play: ({ move }) => this.#play(move),
    } });
  }

  #bar() {
    const [stations, { number, over }, { numbers }] = [this.#stations, this.#found, this.#review ?? {}];
    const now = over ? "The end" : `Move ${(this.#line.original && numbers?.[this.#line.at]) || number}`;
    return steps(stations.indexOf(this.#line.at), stations.length - 1, (to) => this.#go(stations[to]), h.output(now));
  }

  #choices({ options, to_move: mover, line, symbol, text }) {
    if (this.#asked) return h.section({ key: "choices" }, h.h2("The choices"), h.p({ class: "soft" }, "Their values appear after your try."));
    if (!options.length) return null;
    // Where the best choice says the same, it is said once.
    const known = options[0].text === text && !alike(options);
    return h.section({ key: "choices" }, h.h2(`${mover === this.#mine ? "Your" : `${this.#names[mover]}'s`} choices, best first`), !known && h.p({ class: "soft" }, alike(options) ? `${capital(alike(options))}.` : `${symbol} ${capital(text)}`),
      bestChoices(options, (move) => this.#play(move), line));
  }

  #story() {
    const both = this.#revealed && this.#openReview;
    const review = both || this.#review;
    const eyes = both ? 0 : this.#mine ?? 0;
    const at = this.#line.original ? this.#line.at : null;
    return review && h.section({ key: "story", class: "story" }, h.h2("How it went"),
      review.history.length > 1 && graph(review, this.#names, this.#called, eyes, at, this.#tint),
      review.unit === "chance" && h.p({ class: "soft" }, `${eyes === this.#mine ? "Your" : `${this.#names[eyes]}'s`} chance to win the round, as known then.`),
      moveList(review.moves, this.#called, this.#tint, at, (to) => this.#visit(this.#line.game(to))));
  }

  #buttons() {
    return h.div({ class: "buttons", key: "more" },
      this.#hidden && press("Reveal both hands", () => this.#reveal(), { "aria-pressed": String(this.#revealed) }),
      this.#game && (this.#sealed ? h.a({ class: "button", href: `/verify/${this.#game}` }, "Fair play, record")
        : h.a({ class: "button", href: `/api/games/${this.#game}/record`, target: "_blank" }, "Moves as text")));
  }
}
