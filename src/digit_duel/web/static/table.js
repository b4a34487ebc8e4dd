/** <duel-table>: the table of any game, drawn from a scene; taps and keys narrow the moves to one. */

import { NOTHING, narrow, tap } from "./choose.js";
import { h, paint, press } from "./paint.js";
import { blip, capital, speak } from "./speak.js";

/** What a terminal's prompt says, without what only a typist needs. */
const plainly = (prompt) => prompt.replace(/^[-\s]+|\s*\([^)]*\)|[:\s]+$/g, "");

customElements.define("duel-table", class extends HTMLElement {
  #shown = {};
  #pick = NOTHING;
  #typed = "";
  #aim = null; // the row that letters point at
  #before = null; // the scene before the last change

  /** Draw: scene, names, tags, seat, below, acting, moves, prompts, confirm, hide, play. */
  set show(shown) {
    if (JSON.stringify(shown.moves) !== JSON.stringify(this.#shown.moves)) this.#forget();
    if (JSON.stringify(shown.scene) !== JSON.stringify(this.#shown.scene)) this.#before = this.#shown.scene;
    this.#shown = shown;
    this.#draw();
  }

  /** Take the first half of a choice back. */
  undo() {
    const begun = this.#pick !== NOTHING;
    this.#forget();
    this.#draw();
    if (begun) this.focusChoice();
  }

  /** Move the focus to where the next choice begins, and the page only for those who see the focus. */
  focusChoice() {
    const first = this.querySelector(":is(.pool, .asks, .cells) button:enabled");
    first?.focus({ preventScroll: true });
    if (first?.matches(":focus-visible")) first.scrollIntoView({ block: "nearest" });
  }

  #forget() {
    [this.#pick, this.#typed, this.#aim] = [NOTHING, "", null];
  }

  #tap(part) {
    const { moves, confirm, play } = this.#shown;
    blip("tap");
    this.#pick = tap(moves, this.#pick, part);
    this.#typed = "";
    const { chosen } = narrow(moves, this.#pick);
    if (chosen && !confirm) play(chosen.move);
    else this.#draw();
  }

  /** Use a key of the keyboard; whether it meant something here. */
  key(key) {
    const { moves, scene, names, seat } = this.#shown;
    const { digits, places, asks } = narrow(moves, this.#pick);
    if (/^\d$/.test(key) && digits.has(+key)) return !this.#tap({ digit: +key });
    if (!/^[a-z]$/.test(key)) return false;
    const rows = [0, 1].filter((row) => [...places].some((place) => place.startsWith(row)));
    const row = this.#aim ?? (rows.includes(seat) ? seat : rows[0]);
    if (key === "x" && rows.length > 1) {
      this.#aim = 1 - row;
      speak(`${names[1 - row]}'s side.`);
      return true;
    }
    const typed = this.#typed + key;
    const parts = [
      ...(scene.rows[row]?.cells ?? []).map(({ label }, cell) => [label, { row, cell }]).filter(([, { cell }]) => places.has(`${row}/${cell}`)),
      ...asks.flatMap(({ at, options }) => options.map(({ answer, label }) => [label, { at, answer }])),
    ].filter(([label]) => label.startsWith(typed));
    this.#typed = parts.length > 1 ? typed : "";
    if (parts.length > 1) speak(`${parts.map(([label]) => label).join(" or ")}: one more letter, please.`);
    if (parts.length === 1) this.#tap(parts[0][1]);
    return parts.length > 0;
  }

  #draw() {
    const { scene, below, moves } = this.#shown;
    const found = narrow(moves, this.#pick);
    paint(this,
      scene.heading && h.h2({ class: "heading" }, scene.heading),
      this.#row(1 - below, found),
      h.div({ class: "middle", key: "middle" }, this.#pool(found), this.#drawn(),
        scene.facts.length > 0 && h.ul({ class: "facts" }, scene.facts.map((fact) => h.li(fact)))),
      this.#row(below, found),
      h.div({ class: "asks", key: "asks" }, found.asks.map((ask) => this.#ask(ask, found))),
      moves.length > 0 && this.#hint(found));
  }

  #whose(at) {
    return at === this.#shown.seat ? "Your" : `${this.#shown.names[at]}'s`;
  }

  #row(at, found) {
    const { scene, names, acting, tags } = this.#shown;
    const { cells, meters, note } = scene.rows[at];
    const turn = acting.includes(at);
    return h.section({ class: turn ? "row turn" : "row", key: at, "aria-label": `${this.#whose(at)} side` },
      h.h2(h.span({ class: "name" }, turn && "▸ ", h.bdi(names[at])), h.small(tags?.[at])),
      meters.map((meter) => this.#meter(at, meter)),
      h.div({ class: "cells" }, cells.map((cell, place) => this.#cell(at, place, cell, found))),
      h.p({ class: "note" }, note));
  }

  #meter(at, { label, value, most }) {
    const bar = most >= 10;
    const full = Math.min(most, Math.max(0, value));
    return h.div({ class: bar ? "meter bar" : "meter", key: label },
      h.span(bar && h.span({ class: "heart", "aria-hidden": "true" }, "♥ "), `${capital(label)} `, h.b(value), ` of ${most}`),
      h.span({
        class: bar ? "track" : "pips", part: `${(100 * full) / most}%`, role: "meter", "aria-label": `${this.#whose(at)} ${label}`,
        "aria-valuenow": value, "aria-valuemin": 0, "aria-valuemax": most,
      }, !bar && "●".repeat(full) + "○".repeat(most - full)));
  }

  #cell(row, cell, { digit, hidden, label }, found) {
    const { hide, seat } = this.#shown;
    const covered = hidden || (hide && row === seat && digit !== null);
    const was = this.#before?.rows[row].cells[cell];
    const fresh = was && was.digit !== digit && digit !== null;
    const open = found.places.has(`${row}/${cell}`);
    return h.span({ class: "place", key: cell },
      press(covered ? "" : digit, () => this.#tap({ row, cell }), {
        class: `${covered ? "back" : digit === null ? "slot" : "tile"}${fresh ? " fresh" : ""}`,
        disabled: !open,
        "aria-pressed": open && String(this.#pick.row === row && this.#pick.cell === cell),
        "aria-label": `${this.#whose(row)} ${label || `place ${cell + 1}`}, ${covered ? "face down" : digit ?? "empty"}`,
      }),
      h.span({ class: "label", "aria-hidden": "true" }, label));
  }

  #pool({ digits }) {
    const { pool } = this.#shown.scene;
    return pool.length > 0 && h.div({ class: "pool", role: "group", "aria-label": "Digits" }, pool.map(({ digit, left, most }) => {
      const open = left > 0 && digits.has(digit);
      return press([left ? digit : "·", left > 1 && h.sup(left)], () => this.#tap({ digit }), {
        key: digit,
        class: left ? "tile" : "gone",
        disabled: !open,
        "aria-pressed": open && String(this.#pick.digit === digit),
        "aria-label": `Digit ${digit}${left ? (most > 1 ? `, ${left} left` : "") : ", gone"}`,
      });
    }));
  }

  #drawn() {
    const { scene: { drawn }, hide } = this.#shown;
    const covered = drawn?.hidden || hide;
    return drawn && h.div({ class: "drawn" }, h.span(capital(drawn.label || "drawn")),
      h.span({ class: covered ? "back" : "tile", role: "img", "aria-label": covered ? "a card face down" : `a ${drawn.digit}` }, covered ? "" : drawn.digit));
  }

  #ask({ at, prompt, options }, { needsDigit, needsPlace }) {
    const { answers, digit, cell } = this.#pick;
    const half = needsDigit || needsPlace || digit !== null || cell !== null;
    return h.fieldset({ key: at }, h.legend(plainly(this.#shown.prompts[prompt])), options.map(({ answer, label }) =>
      press(capital(label), () => this.#tap({ at, answer }), { key: answer, class: "answer", "aria-pressed": half && String(answers[at] === answer) })));
  }

  #hint({ needsDigit, needsPlace, places, asks, chosen }) {
    const { digit } = this.#pick;
    const picked = digit === null ? "" : `${digit} picked: `;
    const advice = chosen ? "Ready." : needsDigit && needsPlace ? "Tap a digit and a place, in either order."
      : needsPlace ? `${picked}tap one of ${places.size} open places.`
      : needsDigit ? (asks.length ? "Tap a digit, and what to do with it." : "Tap a digit.") : picked && `${picked}what to do with it?`;
    return h.p({ class: "hint" }, h.span(advice),
      chosen && press(`Play ${chosen.labels.join(" ")}`, () => this.#shown.play(chosen.move), { class: "primary", key: "play" }),
      this.#pick !== NOTHING && press("Undo (Esc)", () => this.undo(), { key: "undo" }));
  }
});
