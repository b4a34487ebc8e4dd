/** The analysis board: values, history, lines to try out, mistakes to learn from. */

import { busy, capital, copy, entitle, pref, setGame, speak } from "./app.js";
import { unpack } from "./choose.js";
import { h, paint, press } from "./paint.js";
import { values } from "./panels.js";
import { get, post } from "./server.js";
import { steps, walk } from "./steps.js";
import { story } from "./story.js";
import "./table.js";

export function open(main, id, kind) {
  const page = new AnalysisPage(main, id, kind === "g");
  return () => page.close();
}

class AnalysisPage {
  #main;
  // The id of a finished game, where one is analysed.
  #game;
  #variant;
  #settings = {};
  #names = ["First", "Second"];
  // The reader's seat, if it is one.
  #mine = null;
  // The moves that were played, the line that is looked at, and how far.
  #played = null;
  #line = [];
  #at = 0;
  // Positions and their values, by line and sight.
  #known = {};
  // Reviews: of what the reader knew, and of both hands.
  #review = null;
  #openReview = null;
  #hidden = false;
  #revealed = false;
  // Whether draws or secrets were sealed.
  #sealed = false;
  // The mistake that is being mended: its number, and what was said about the try; and those that have been.
  #lesson = null;
  #mended = new Set();
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
    if (walk(event, this.#at, this.#line.length, (to) => this.#visit(to))) return;
    if (event.key === "Escape") board?.undo();
    else if (pref("letters") && board?.key(event.key.toLowerCase())) event.preventDefault();
  }

  // What comes in

  async #start() {
    const query = new URLSearchParams(location.search);
    if (this.#game && !(await this.#load())) return this.#draw();
    if (!this.#game) this.#settings = Object.fromEntries(query.getAll("set").map((pair) => pair.split("=")));
    this.#line = query.has("moves") ? query.get("moves").split(".").filter(Boolean) : this.#played ?? [];
    await this.#visit(+(query.get("at") ?? (this.#game ? 0 : this.#line.length)) || 0);
  }

  async #load() {
    const [view, proof, judged] = await Promise.all(["", "/proof", "/review"].map((more) => get(`/api/games/${this.#game}${more}`)));
    this.#problem = proof.message;
    if (this.#problem) return false;
    [this.#played, this.#variant, this.#settings] = [proof.moves, proof.variant, proof.settings];
    this.#names = view.players.map(({ name }) => name);
    if (view.seats.length === 1) [this.#mine] = view.seats;
    if (judged.moves) this.#review = judged;
    this.#hidden = view.variant.hidden;
    this.#sealed = view.result.sealed;
    return true;
  }

  #look(seat) {
    return post("/api/analysis", {
      variant: this.#variant, settings: this.#settings, seat, game: this.#game || null, moves: this.#line.slice(0, this.#at),
    });
  }

  /** In the eyes of the one to choose, but each side as its owner sees it: the game is over. */
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
    const judged = await get(`/api/games/${this.#game}/review?as=watcher`);
    if (judged.moves) this.#openReview = judged;
    this.#draw();
  }

  // Where the reader goes

  get #place() {
    return `${this.#line.slice(0, this.#at).join(".")} ${this.#revealed}`;
  }

  async #visit(to) {
    this.#at = Math.max(0, Math.min(this.#line.length, to));
    const here = this.#place;
    if (!this.#known[here]) {
      const found = await (this.#revealed ? this.#lookAtBoth() : this.#look(this.#mine));
      if (found.scene) this.#known[here] = { ...found, choices: unpack(found) };
      this.#problem = found.message;
    }
    if (!this.#main.isConnected || here !== this.#place) return;
    this.#showAddress();
    this.#draw();
  }

  #showAddress() {
    const address = new URLSearchParams(this.#line === this.#played ? {} : { moves: this.#line.join(".") });
    if (!this.#game) Object.entries(this.#settings).forEach((pair) => address.append("set", pair.join("=")));
    address.set("at", this.#at);
    history.replaceState(null, "", `?${address}`);
  }

  async #play(move) {
    if (this.#lesson && !this.#lesson.solved && !this.#try(move)) return;
    if (this.#line[this.#at] !== move) this.#line = [...this.#line.slice(0, this.#at), move];
    await this.#visit(this.#at + 1);
    const { over, symbol, text } = this.#known[this.#place] ?? {};
    speak(over ? over.closing : `${symbol ?? ""} ${text ?? ""}`);
  }

  #back(to) {
    this.#line = this.#played;
    this.#visit(to);
  }

  // Mistakes

  get #mistakes() {
    return this.#review?.moves.filter(({ mistake, seat }) => mistake && (this.#mine ?? seat) === seat) ?? [];
  }

  #learn(number) {
    this.#lesson = { number, said: "" };
    this.#back(this.#mistakes[number].at - 1);
  }

  /** Show a lesson as it stands now; what is solved may be told from now on. */
  #teach(lesson) {
    this.#lesson = lesson;
    if (lesson?.solved) this.#mended.add(this.#mistakes[lesson.number].at);
    this.#draw();
  }

  /** Whether a move mends the mistake; moves elsewhere are free. */
  #try(move) {
    const wrong = this.#mistakes[this.#lesson.number];
    if (this.#at !== wrong.at - 1) return true;
    const solved = wrong.better.includes(move) || this.#known[this.#place].options.some((option) => option.best && option.move === move);
    this.#teach({ ...this.#lesson, solved, said: solved ? `Right. ${wrong.reason ?? ""}` : "Not that one. Try another." });
    return solved;
  }

  /** What may be told of a move: nothing that answers a question still to be asked. */
  #told({ at, reason, text, truth }) {
    if (this.#mistakes.some((move) => move.at === at) && !this.#mended.has(at)) return "Find something better.";
    return [reason || text, this.#revealed && truth].filter(Boolean).join(" ");
  }

  /** Go to a turning point: to find something better, if it was the reader's mistake. */
  #turnTo({ at }) {
    const number = this.#mistakes.findIndex((move) => move.at === at);
    if (number >= 0 && !this.#mended.has(at)) this.#learn(number);
    else this.#back(at - 1);
  }

  // What is drawn

  #draw() {
    if (!this.#main.isConnected) return;
    const found = this.#known[this.#place];
    const title = `Analysis of ${capital(this.#variant)}`;
    entitle(title);
    setGame(this.#variant);
    paint(this.#main, h.div({ class: "game" },
      h.div({ class: "title" }, h.h1(title), this.#game && h.a({ class: "button", href: `/g/${this.#game}` }, this.#names.join(" – "))),
      h.p({ role: "alert", class: "problem" }, this.#problem),
      found && h.div({ class: "board" }, this.#bar(found), this.#table(found), this.#story()),
      found && h.aside({ "aria-label": "Values" }, this.#mistakes.length > 0 && this.#lessons(), (!this.#lesson || this.#lesson.solved) && this.#verdict(found))));
  }

  #table({ scene, to_move: mover, choices }) {
    return h["duel-table"]({ translate: "no", show: {
      scene, moves: choices, names: this.#names, play: ({ move }) => this.#play(move), seat: null, below: this.#mine ?? 0, acting: mover === null ? [] : [mover],
    } });
  }

  #bar({ scene: { drawn } }) {
    return steps(this.#at, this.#line.length, (to) => this.#visit(to),
      h.output(`${this.#at} of ${this.#line.length} `, h.b({ translate: "no" }, !drawn?.hidden && this.#line[this.#at - 1])),
      this.#hidden && press("Reveal both hands", () => this.#reveal(), { "aria-pressed": String(this.#revealed) }),
      this.#played && this.#line !== this.#played && press("Back to the game", () => this.#back(this.#at)));
  }

  #story() {
    const both = this.#revealed && this.#openReview;
    const review = both || this.#review;
    return review && story(review, this.#names, {
      at: this.#line === this.#played ? this.#at : null, eyes: both ? 0 : this.#mine ?? 0,
      tell: (move) => this.#told(move), visit: (move) => this.#turnTo(move),
    });
  }

  #verdict({ symbol, text, options, reason, line: best, over, to_move: mover }) {
    return [
      h.section({ key: "value" }, h.h2(over ? "The end" : mover === null ? "Chance" : `${this.#names[mover]} to choose`),
        h.p({ class: "verdict" }, over ? over.closing : `${symbol ?? ""} ${text ?? ""}`), h.p(reason),
        best.length > 0 && h.p({ class: "soft", translate: "no" }, `Best line: ${best.join(" ")}`)),
      options.length > 0 && h.section({ key: "options" }, h.h2("Every choice"), values(options, (move) => this.#play(move))),
      h.div({ class: "buttons", key: "more" }, press("Copy link", () => copy(location.href)), this.#game && this.#record()),
    ];
  }

  #record() {
    return this.#sealed ? h.a({ class: "button", href: `/verify/${this.#game}` }, "Fair play, record")
      : h.a({ class: "button", href: `/api/games/${this.#game}/record`, target: "_blank" }, "Record");
  }

  #lessons() {
    const all = this.#mistakes;
    if (!this.#lesson) return h.section({ key: "learn" }, h.h2("Learn from mistakes"), press(`Find what was better (${all.length})`, () => this.#learn(0), { class: "primary" }));
    const { number, said, solved } = this.#lesson;
    const { at, seat, words, better_words: better, reason } = all[number];
    return h.section({ key: "learn", class: "panel" }, h.h2(`Mistake ${number + 1} of ${all.length}`),
      h.p(`Move ${at}: ${this.#names[seat]} played ${words}. Find something better on the board.`),
      h.p({ role: "alert" }, said),
      h.div({ class: "buttons" },
        !solved && press("Show it", () => this.#teach({ number, solved: true, said: `Better: ${better.join(", ")}. ${reason ?? ""}` })),
        number + 1 < all.length && press("Next", () => this.#learn(number + 1), { class: "primary" }),
        press("Done", () => this.#teach(null))));
  }
}
