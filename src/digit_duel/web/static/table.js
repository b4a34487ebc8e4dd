/** <duel-table>: the table of any game, drawn from a scene; taps and keys narrow the moves to one. */

import { blip, capital, speak } from "./app.js";
import { narrow, tap } from "./choose.js";
import { h, paint, press } from "./paint.js";

/** A prompt without what only a typist needs. */
const plainly = (prompt) => prompt.replace(/^[-\s]+|\s*\([^)]*\)|[:\s]+$/g, "");

customElements.define("duel-table", class extends HTMLElement {
  #shown = {};
  #pick = {};
  #typed = "";
  #aim = null; // the row that letters point at
  #before = null; // the scene before

  set show(shown) {
    const changed = (part) => JSON.stringify(shown[part]) !== JSON.stringify(this.#shown[part]);
    if (changed("scene")) this.#before = this.#shown.scene;
    if (changed("moves")) this.#forget();
    this.#shown = shown;
    this.#draw();
  }

  #forget() {
    [this.#pick, this.#typed, this.#aim] = [{}, "", null];
  }

  undo() {
    this.#forget();
    this.#draw();
    if (document.activeElement === document.body) this.focusChoice();
  }

  /** Focus where the next choice begins; scroll only for those who see the focus. */
  focusChoice() {
    const first = this.querySelector(".pool button:enabled") ?? this.querySelector("button:enabled");
    first?.focus({ preventScroll: true });
    if (first?.matches(":focus-visible")) first.scrollIntoView({ block: "nearest" });
  }

  #tap(key, value) {
    const { moves, confirm, play } = this.#shown;
    blip(660);
    this.#typed = "";
    this.#pick = tap(moves, this.#pick, key, value);
    const { chosen } = narrow(moves, this.#pick);
    if (chosen && !confirm) return void play(chosen.move);
    this.#draw();
    if (chosen) this.querySelector(".hint .primary").focus(); // Enter confirms
  }

  /** Whether a key meant something here. */
  key(key) {
    const { moves, scene, names, seat } = this.#shown;
    const { digits, places, asks } = narrow(moves, this.#pick);
    if (/^\d$/.test(key) && digits.has(+key)) return !this.#tap("digit", +key);
    if (!/^[a-z]$/.test(key)) return false;
    const rows = [0, 1].filter((row) => [...places].some((place) => place?.startsWith(row)));
    const row = this.#aim ?? (rows.includes(seat) ? seat : rows[0]);
    if (key === "x" && rows.length > 1) return !speak(`${names[(this.#aim = 1 - row)]}'s side.`);
    const typed = this.#typed + key;
    const parts = [
      ...(scene.rows[row]?.cells ?? []).map(({ label }, cell) => [label, "place", `${row}/${cell}`]).filter(([, , place]) => places.has(place)),
      ...asks.flatMap(({ key: at, options }) => options.map(([answer, label]) => [label, at, answer])),
    ].filter(([label]) => label.startsWith(typed));
    this.#typed = parts.length > 1 ? typed : "";
    if (parts.length > 1) speak(`${parts.map(([label]) => label).join(" or ")}: one more letter, please.`);
    if (parts.length === 1) this.#tap(...parts[0].slice(1));
    return parts.length > 0;
  }

  #draw() {
    const { scene: { heading, facts }, below, moves } = this.#shown;
    const found = narrow(moves, this.#pick);
    paint(this,
      heading && h.h2({ class: "heading" }, heading),
      this.#row(1 - below, found),
      h.div({ class: "middle", key: "middle" }, this.#pool(found), this.#drawn(), facts.length > 0 && h.ul({ class: "facts" }, facts.map((fact) => h.li(fact)))),
      this.#row(below, found),
      h.div({ class: "asks", key: "asks" }, found.asks.map((ask) => this.#ask(ask))),
      moves.length > 0 && this.#hint(found),
      this.#counts());
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
    return h.div({ class: bar ? "meter bar" : "meter", key: label }, h.span(bar && "♥ ", `${capital(label)} `, h.b(value), ` of ${most}`), h.span({
      class: bar ? "track" : "pips", part: `${(100 * full) / most}%`, role: "meter", "aria-label": `${this.#whose(at)} ${label}`,
      "aria-valuenow": value, "aria-valuemin": 0, "aria-valuemax": most,
    }, !bar && "●".repeat(full) + "○".repeat(most - full)));
  }

  #cell(row, cell, { digit, hidden, label }, { places }) {
    const { hide, seat } = this.#shown;
    const place = `${row}/${cell}`;
    const covered = hidden || (hide && row === seat && digit !== null);
    const was = this.#before?.rows[row].cells[cell];
    const fresh = was && digit !== null && was.digit !== digit ? " fresh" : "";
    return h.span({ class: "place", key: cell },
      press(covered ? "" : digit, () => this.#tap("place", place), {
        class: (covered ? "back" : digit === null ? "slot" : "tile") + fresh,
        disabled: !places.has(place),
        "aria-pressed": places.has(place) && String(this.#pick.place === place),
        "aria-label": `${this.#whose(row)} ${label || `place ${cell + 1}`}, ${covered ? "face down" : digit ?? "empty"}`,
      }),
      h.span({ class: "label", "aria-hidden": "true" }, label));
  }

  #pool({ digits }) {
    const { pool } = this.#shown.scene;
    return pool.length > 0 && h.div({ class: "pool", role: "group", "aria-label": "Digits" }, pool.map(({ digit, left, most }) => {
      const open = left > 0 && digits.has(digit);
      return press([left ? digit : "·", left > 1 && h.sup(left)], () => this.#tap("digit", digit), {
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
    return drawn && h.div({ class: "drawn" }, capital(drawn.label || "drawn"),
      h.span({ class: covered ? "back" : "tile", role: "img", "aria-label": covered ? "a card face down" : `a ${drawn.digit}` }, covered ? "" : drawn.digit));
  }

  /** What this seat knows of the copies of each digit, for those who ask. */
  #counts() {
    const { scene: { counts }, hide } = this.#shown;
    if (!counts.length || hide) return null;
    const line = (name, value) => h.tr({ key: name }, h.th({ scope: "row" }, name), counts.map((count) => h.td({ key: count.digit }, value(count))));
    return h.details({ class: "counts", key: "counts" }, h.summary("Cards seen and unseen"), h.table(h.tbody(
      line("Digit", ({ digit }) => digit), line("Seen", ({ most, unseen }) => most - unseen),
      line("Discards", ({ discarded }) => discarded), line("Unseen", ({ unseen }) => unseen))));
  }

  #ask({ key, prompt, options }) {
    const { moves, confirm } = this.#shown;
    return h.fieldset({ key }, h.legend(plainly(prompt)), options.map(([answer, label]) => press(capital(label), () => this.#tap(key, answer), {
      key: answer, class: "answer", "aria-pressed": (confirm || moves[0].spot) && String(this.#pick[key] === answer),
    })));
  }

  #hint({ needs, places, chosen }) {
    const { digit } = this.#pick;
    const [needsDigit, needsPlace] = ["digit", "place"].map((key) => needs.includes(key));
    const advice = chosen ? "Ready." : needsDigit && needsPlace ? "Tap a digit and a place, in either order."
      : needsPlace ? `${digit} picked: tap one of ${places.size} open places.`
      : needsDigit ? (needs.length > 1 ? "Tap a digit, and what to do with it." : "Tap a digit.") : digit !== undefined && `${digit} picked: what to do with it?`;
    return h.p({ class: "hint" }, advice,
      chosen && press(`Play ${chosen.labels.join(" ")}`, () => this.#shown.play(chosen.move), { class: "primary", key: "play" }),
      Object.keys(this.#pick).length > 0 && press("Undo (Esc)", () => this.undo(), { key: "undo" }));
  }
});
