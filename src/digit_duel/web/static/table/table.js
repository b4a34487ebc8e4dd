/** <duel-table>: the table of any game, drawn from a scene; taps and keys narrow the moves down to one.
 *
 * It fills its box, whatever the size. Set .show to plain data to draw it:
 *   scene     what lies on it (Scene of core/script.py, as JSON)
 *   names     of the two seats
 *   seat      the viewer's seat, or null: "Your hundreds", or "Ann's hundreds"
 *   below     the seat that is drawn below; 0 if left out
 *   tint      the seat with the first colour; the one below if left out
 *   acting    the seats to move
 *   tags      beside each name: level, presence, clock
 *   news      what happened last, and
 *   message   the status line; while there are moves to choose, it says what to do instead
 *   lead      the start of that sentence for the viewer; "Your turn: " if left out
 *   question  { text, buttons }: a question of the other player, shown in place of the message and the answers
 *   moves     as choose.js unpacks them, or [] for a table without choices
 *   play      called with the chosen move;  confirm: whether to ask for confirmation first
 *   pending   the move being sent: drawn as made, and marked
 *   mark      { row, cell, by, points, key }: where the last move appears, the seat that made it, the change of the row's meter
 *   hits      the latest marks with points: each is shown for HIT milliseconds, even if another move follows at once
 *   hide      whether the viewer's own cards are covered
 *   badges    (pick) => { digits, places, answers }: labels { sign, tone, text } by digit, "row/cell" and answer
 *   alert     an error, shown in place of the message
 *   foot      descriptions of more buttons in the row of the answers;  instead: what replaces that row
 *   verdict   { title, sentence, winner, goal, cheer, more }: compare the two sides, large, instead of drawing the table (climax.js)
 *   ended     { title, sentence, more }: the result of a game that ended early, shown in place of the message
 *   told      called when the words of a verdict appear after its animation
 *   still     draw without motion;  mini: a picture without buttons, for a card
 * Methods: focusChoice(), key(letter), undo().
 */

import { blip, speak } from "../app.js";
import { narrow, tap, traits } from "../choose.js";
import { h, paint } from "../paint.js";
import { Climax, LAST, TELLING } from "./climax.js";
import { foot } from "./foot.js";
import { middle } from "./middle.js";
import { deal, move, positions } from "./motion.js";
import { row } from "./rows.js";
import { told, verdict } from "./verdict.js";
import { advice, colour } from "./words.js";

const PLAIN = { below: 0, acting: [], moves: [], tags: [], seat: null, names: ["", ""], hits: [] };
const HIT = 900; // milliseconds

customElements.define("duel-table", class extends HTMLElement {
  #shown = null;
  #pick = {};
  #typed = "";
  // The row that letters point at.
  #aim = null;
  #climax = new Climax((stage) => {
    this.#draw();
    if (stage === TELLING) this.#shown.told?.();
  });
  // The hits on display, and the key of the last one.
  #hits = [];
  #struck = 0;

  set show(given) {
    const shown = { ...PLAIN, ...given };
    const before = this.#shown;
    const changed = (part) => JSON.stringify(shown[part]) !== JSON.stringify(before?.[part]);
    if (changed("moves") || changed("pending")) this.#forget();
    // A choice being sent is shown as picked until the server answers.
    if (shown.pending) this.#pick = traits(shown.pending);
    this.#strike(shown.hits, before);
    this.#animated(() => {
      this.#climax.follow(before, shown);
      this.#shown = shown;
      this.#draw();
    });
  }

  /** What to draw: the last move comes before the verdict. */
  get #drawn() {
    return this.#shown?.verdict && this.#climax.stage === LAST ? { ...this.#shown, verdict: undefined, foot: null } : this.#shown;
  }

  /** Draw, and animate what has changed. */
  #animated(draw) {
    const before = this.#drawn;
    const from = before && positions(this);
    draw();
    const after = this.#drawn;
    if (after.still || after.mini && !before) return;
    if (from) move(this, before, after, from);
    else if (!before) queueMicrotask(() => deal(this, after));
  }

  /** Show new hits for HIT milliseconds at least. */
  #strike(hits, before) {
    const fresh = before ? hits.filter(({ key }) => key > this.#struck).map((hit) => ({ ...hit })) : [];
    this.#struck = hits.at(-1)?.key ?? this.#struck;
    if (!fresh.length) return;
    const live = ({ row }) => this.#hits.some((hit) => hit.row === row && !hit.spent);
    this.#hits = [...this.#hits.filter(live), ...fresh];
    setTimeout(() => {
      for (const hit of fresh) hit.spent = true;
      this.#draw();
    }, HIT);
  }

  /** The hits to show on a row. One that is over keeps its place beside a later one, so that nothing shifts. */
  #changes(row) {
    const { mark } = this.#shown;
    const found = this.#hits.filter((hit) => hit.row === row).map((hit) => ({ ...hit, spent: hit.spent && hit.key !== mark?.key }));
    if (mark?.points && mark.row === row && found.at(-1)?.key !== mark.key) found.push(mark);
    return found.slice(0, found.findLastIndex(({ spent }) => !spent) + 1);
  }

  #forget() {
    [this.#pick, this.#typed, this.#aim] = [{}, "", null];
  }

  undo() {
    this.#forget();
    this.#draw();
    if (document.activeElement === document.body) this.focusChoice();
  }

  /** Focus the next control for choosing; scroll only if the focus is visible. */
  focusChoice() {
    const first = this.querySelector(".command input, .pool button:enabled") ?? this.querySelector("button:enabled");
    first?.focus({ preventScroll: true });
    if (first?.matches(":focus-visible")) first.scrollIntoView({ block: "nearest" });
  }

  #tap(key, value) {
    const { moves, confirm, play } = this.#shown;
    blip(660);
    this.#typed = "";
    this.#pick = tap(moves, this.#pick, key, value);
    const { chosen } = narrow(moves, this.#pick);
    if (chosen && !confirm) return void play(chosen);
    this.#draw();
    const picked = this.#pick.digit === undefined || key !== "digit" ? "" : `${value} picked. `;
    speak(picked + advice(this.#context()));
    if (chosen) this.querySelector(".asks .primary").focus(); // Enter confirms
  }

  /** Handle a key; returns whether it had a meaning here. */
  key(key) {
    const { moves, pending } = this.#shown;
    if (pending || !moves.length) return false;
    const { digits } = narrow(moves, this.#pick);
    if (/^\d$/.test(key) && digits.has(+key)) return !this.#tap("digit", +key);
    return /^[a-z]$/.test(key) && this.#letter(key);
  }

  /** Letters spell a place or an answer; x switches to the other side. */
  #letter(key) {
    const { moves, scene, names, seat } = this.#shown;
    const { places, asks } = narrow(moves, this.#pick);
    const rows = [0, 1].filter((row) => [...places].some((place) => place?.startsWith(row)));
    const row = this.#aim ?? (rows.includes(seat) ? seat : rows[0]);
    if (key === "x" && rows.length > 1) return !speak(`${names[(this.#aim = 1 - row)]}: which place?`, true);
    const typed = this.#typed + key;
    const parts = [
      ...(scene.rows[row]?.cells ?? []).map(({ label }, cell) => [label, "place", `${row}/${cell}`]).filter(([, , place]) => places.has(place)),
      ...asks.flatMap(({ key: at, options }) => options.map(([answer, label]) => [label, at, answer])),
    ].filter(([label]) => label.startsWith(typed));
    this.#typed = parts.length > 1 ? typed : "";
    if (parts.length > 1) speak(`${parts.map(([label]) => label).join(" or ")}: one more letter, please.`, true);
    if (parts.length === 1) this.#tap(...parts[0].slice(1));
    return parts.length > 0;
  }

  /** The data that the parts of the table draw. */
  #context() {
    const shown = this.#drawn;
    const { moves, pending, badges } = shown;
    const found = narrow(moves, this.#pick);
    return {
      shown, pick: this.#pick, badges: badges?.(this.#pick) ?? {}, hits: (row) => this.#changes(row),
      stage: this.#climax.stage, was: this.#climax.was, live: this.#climax.live,
      tap: (key, value) => this.#tap(key, value), undo: () => this.undo(),
      // Nothing can be tapped while a choice is being sent.
      found: pending ? { ...found, digits: new Set(), places: new Set() } : found,
    };
  }

  #draw() {
    const context = this.#context();
    const { shown, stage } = context;
    const { below, mini, scene, acting, confirm, verdict: { winner = null } = {} } = shown;
    const most = Math.max(...scene.rows.map(({ cells }) => cells.length), 3);
    // There is nothing to tap but digits and places.
    const pointed = !confirm && scene.pool.length > 0 && scene.rows.every(({ cells, meters }) => cells.length && !meters.length);
    const second = acting.length === 1 && colour(shown, acting[0]) === "two"; // controls have the colour of the player to move
    paint(this, shown.verdict
      ? h.div({ class: `surface decided ${stage} ${winner === null || !told(stage) ? "" : colour(shown, winner)}`, key: "verdict", "--n": most }, verdict(context))
      : h.div({ class: `surface${pointed ? " pointed" : ""}${second ? " second" : ""}`, key: "table", "--n": most },
        row(context, 1 - below), middle(context), row(context, below), !mini && foot(context)));
  }
});
