/** The tutorial of a game: a few lessons at its table. A learner who comes back continues where they left. */

import { blip, busy, capital, entitle, go, pref, setGame, setPref, speak } from "./app.js";
import { unpack } from "./choose.js";
import { begin } from "./home/begin.js";
import { h, paint, press } from "./paint.js";
import { entry, setBar } from "./parts/bar.js";
import { coach } from "./parts/coach.js";
import { missing } from "./parts/nowhere.js";
import { get } from "./server.js";
import { pointing } from "./table/pointing.js";
import "./table/table.js";

const [BACK, REPLY] = [900, 800]; // milliseconds until a wrong choice is undone, and between two steps

export function open(main, variant) {
  const page = new LearnPage(main, variant);
  return () => page.close();
}

class LearnPage {
  #main;
  #variant;
  #lessons = [];
  // The index of the lesson; past the last one, the number of lessons.
  #at = 0;
  // The reply to the last choice: { good, text }.
  #said = null;
  // The step on display after a good choice, and the wrong choice that is about to be undone.
  #step = null;
  #pending = null;
  // The answer that brought no lessons, and the reason why no game could be started.
  #refusal = null;
  #problem = "";
  #timer = 0;

  constructor(main, variant) {
    [this.#main, this.#variant] = [main, variant];
    addEventListener("keydown", this);
    this.#load();
  }

  close() {
    clearTimeout(this.#timer);
    removeEventListener("keydown", this);
  }

  handleEvent(event) {
    if (busy(event)) return;
    if (event.key === "Escape") this.#table?.undo();
    else if (pref("letters") && this.#table?.key(event.key.toLowerCase())) event.preventDefault();
  }

  async #load() {
    const answer = await get(`/api/tutorials/${encodeURIComponent(this.#variant)}`);
    if (!this.#main.isConnected) return;
    if (!answer.lessons) this.#refusal = answer;
    else this.#lessons = answer.lessons.map((lesson) => ({ ...lesson, choices: unpack(lesson) }));
    const left = pref("lessons")[this.#variant] ?? 0;
    this.#begin(left < this.#lessons.length ? left : 0, true);
  }

  get #table() {
    return this.#main.querySelector("duel-table");
  }

  get #lesson() {
    return this.#lessons[this.#at];
  }

  /** Begin a lesson, and remember it. */
  #begin(at, fresh) {
    clearTimeout(this.#timer);
    [this.#at, this.#said, this.#step, this.#pending] = [at, null, null, null];
    if (this.#lessons.length) setPref("lessons", { ...pref("lessons"), [this.#variant]: at % this.#lessons.length });
    this.#draw();
    speak(this.#lesson ? `Lesson ${at + 1} of ${this.#lessons.length}. ${this.#lesson.text}` : "That was the last lesson.");
    if (fresh) return; // on arrival, leave the focus at the start of the page
    if (this.#lesson) this.#focus();
    else this.#main.querySelector(".primary")?.focus();
  }

  #play(choice) {
    const { good, well, otherwise } = this.#lesson;
    const steps = good[choice.move];
    this.#said = { good: Boolean(steps), text: steps ? well : otherwise };
    if (steps) return this.#show(steps);
    this.#pending = choice;
    this.#draw();
    speak(otherwise);
    this.#later(BACK, () => {
      this.#pending = null;
      this.#draw();
      this.#focus();
    });
  }

  /** Focus the first choice, unless its focus ring could be taken for the answer. */
  #focus() {
    if (this.#lesson.point) this.#table.focusChoice();
    else this.#main.querySelector(".coach h2").focus({ preventScroll: true });
  }

  /** Show what a good choice causes, one step after the other. */
  #show([step, ...more]) {
    const first = !this.#step;
    this.#step = { ...step, more: more.length };
    if (step.seat !== null) blip(440, 554);
    this.#draw();
    if (first) speak(this.#said.text);
    if (more.length) this.#later(REPLY, () => this.#show(more));
    else this.#main.querySelector(".next")?.focus({ preventScroll: true });
  }

  #later(wait, act) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#main.isConnected && act(), wait);
  }

  // Drawing

  #draw() {
    const [game, count] = [capital(this.#variant), this.#lessons.length];
    entitle(`Learn ${game}`);
    setGame({ id: this.#variant });
    setBar({ title: this.#lesson ? game : `Learn ${game}`, note: this.#lesson && `Lesson ${this.#at + 1} of ${count}`, back: true, items: () => this.#menu() });
    if (this.#lesson) paint(this.#main, h.div({ class: "game learn" }, h.div({ class: "board" }, this.#card(), this.#drawTable())));
    else if (count) paint(this.#main, this.#end());
    else paint(this.#main, this.#refusal && missing("No tutorial here", this.#refusal));
  }

  #menu() {
    return this.#lesson && [entry("Skip this lesson", () => this.#begin(this.#at + 1)), this.#at > 0 && entry("Start again", () => this.#begin(0)),
      entry("Skip the tutorial and play", () => go(`/new/${this.#variant}`))];
  }

  /** The task, or the reply to the last choice. */
  #card() {
    const { good, text } = this.#said ?? { text: this.#lesson.text };
    return coach({
      label: `Lesson ${this.#at + 1} of ${this.#lessons.length}`, text, tone: good === undefined ? "" : good ? "good" : "again",
      before: h.p({ class: "pips one", "aria-hidden": "true" }, this.#lessons.map((_, at) => h.i({ key: at, class: at <= this.#at ? "on" : "" }))),
      after: this.#onward(),
    });
  }

  /** The way to the next lesson: past this one, or once it has been learnt. */
  #onward() {
    const next = () => this.#begin(this.#at + 1);
    if (!this.#step) return press("Skip", next, { class: "quiet", "aria-label": "Skip this lesson", key: "skip" });
    return !this.#step.more && press(this.#at + 1 < this.#lessons.length ? "Next" : "Finish", next, { class: "primary next", key: "next" });
  }

  #drawTable() {
    const { seat, names, scene, choices, point } = this.#lesson;
    const after = this.#step;
    return h["duel-table"]({ key: "table", translate: "no", show: {
      seat, names, below: seat, scene: after?.scene ?? scene, acting: after ? (after.more ? after.acting : []) : [seat], // where both choose, the computer does not wait
      moves: after ? [] : choices, pending: this.#pending, mark: after?.place, play: (choice) => this.#play(choice),
      badges: this.#said ? null : pointing(choices, point, "the lesson asks for this"),
      told: () => document.activeElement.matches("main, body") && this.#main.querySelector(".next")?.focus({ preventScroll: true }),
      verdict: after && !after.more ? this.#verdict(after) : undefined,
    } });
  }

  /** The comparison of both sides if the lesson ends a round or a game; the card says why. */
  #verdict({ ended, winner = null }) {
    if (!ended) return undefined;
    const [you, other] = [this.#lesson.seat, this.#lesson.names[1 - this.#lesson.seat]];
    const title = winner === null ? "A tie" : `${winner === you ? "You win" : `${other} wins`}${ended === "round" ? " the round" : ""}!`;
    return { title, winner, label: "The result" };
  }

  async #start() {
    const { message = "" } = await begin({ variant: this.#variant, settings: {}, opponent: "computer", level: pref("level") || null, start: pref("start") });
    this.#problem = message;
    if (this.#main.isConnected) this.#draw();
  }

  #end() {
    return h.section({ class: "panel lessons-done" }, h.h2(`You know how to play ${capital(this.#variant)}`), h.p("Now play a whole game against the computer."),
      h.p({ class: "problem", role: "alert" }, this.#problem),
      h.div({ class: "buttons" }, press("Play now", () => this.#start(), { class: "primary" }),
        press("Once more", () => this.#begin(0)), h.a({ class: "button", href: "/" }, "All games")));
  }
}
