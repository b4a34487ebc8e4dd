/** <duel-table>: the table of any game, drawn from a scene; taps and keys narrow the moves to one. */

import { blip, capital, speak } from "./app.js";
import { narrow, tap, traits } from "./choose.js";
import { h, paint, press } from "./paint.js";

/** A prompt without what only a typist needs. */
const plainly = (prompt) => prompt.replace(/^[-\s]+|\s*\([^)]*\)|[:\s]+$/g, "");

customElements.define("duel-table", class extends HTMLElement {
  #shown = {};
  #pick = {};
  #typed = "";
  #aim = null; // the row that letters point at

  set show(shown) {
    const changed = (part) => JSON.stringify(shown[part]) !== JSON.stringify(this.#shown[part]);
    if (changed("moves") || changed("pending")) this.#forget();
    // A choice on its way is shown as picked, until the server has answered.
    if (shown.pending) this.#pick = traits(shown.pending);
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
    if (chosen && !confirm) return void play(chosen);
    this.#draw();
    speak(this.#advice(narrow(moves, this.#pick)));
    if (chosen) this.querySelector(".hint .primary").focus(); // Enter confirms
  }

  /** Whether a key meant something here. */
  key(key) {
    const { moves, scene, names, seat, pending } = this.#shown;
    if (pending) return false;
    const { digits, places, asks } = narrow(moves, this.#pick);
    if (/^\d$/.test(key) && digits.has(+key)) return !this.#tap("digit", +key);
    if (!/^[a-z]$/.test(key)) return false;
    const rows = [0, 1].filter((row) => [...places].some((place) => place?.startsWith(row)));
    const row = this.#aim ?? (rows.includes(seat) ? seat : rows[0]);
    if (key === "x" && rows.length > 1) return !speak(`${names[(this.#aim = 1 - row)]}'s side.`, true);
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

  #draw() {
    const { scene: { heading, facts }, below, moves } = this.#shown;
    const found = this.#found();
    paint(this,
      heading && h.h2({ class: "heading" }, heading),
      this.#row(1 - below, found),
      h.div({ class: "middle", key: "middle" }, this.#pool(found), this.#drawn(), facts.length > 0 && h.ul({ class: "facts" }, facts.map((fact) => h.li(fact)))),
      this.#row(below, found),
      h.div({ class: "asks", key: "asks" }, found.asks.map((ask) => this.#ask(ask))),
      moves.length > 0 && this.#hint(found),
      this.#counts());
  }

  /** What can be tapped: nothing more while a choice is on its way. */
  #found() {
    const { moves, pending } = this.#shown;
    const found = narrow(moves, this.#pick);
    return pending ? { ...found, digits: new Set(), places: new Set() } : found;
  }

  #whose(at) {
    return at === this.#shown.seat ? "Your" : `${this.#shown.names[at]}'s`;
  }

  #row(at, found) {
    const { scene, names, acting, tags, mark } = this.#shown;
    const { cells, meters, note } = scene.rows[at];
    const turn = acting.includes(at);
    const hit = mark?.row === at && mark.cell === null;
    return h.section({ class: `row${turn ? " turn" : ""}${hit ? " hit" : ""}`, key: at, "aria-label": `${this.#whose(at)} side` },
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
    const { hide, seat, mark, pending } = this.#shown;
    const place = `${row}/${cell}`;
    const coming = pending && this.#pick.place === place;
    const covered = hidden || (hide && row === seat && digit !== null);
    const fresh = mark?.row === row && mark.cell === cell ? " fresh" : coming ? " pending" : "";
    const shown = coming ? this.#pick.digit : digit;
    return h.span({ class: "place", key: cell },
      press(covered ? "" : shown, () => this.#tap("place", place), {
        class: (covered ? "back" : shown === null ? "slot" : "tile") + fresh,
        disabled: !places.has(place),
        "aria-pressed": places.has(place) && String(this.#pick.place === place),
        "aria-label": `${this.#whose(row)} ${label || `place ${cell + 1}`}, ${covered ? "face down" : shown ?? "empty"}${coming ? ", being sent" : ""}`,
      }),
      h.span({ class: "label", "aria-hidden": "true" }, label));
  }

  #pool({ digits }) {
    const { scene: { pool }, pending } = this.#shown;
    return pool.length > 0 && h.div({ class: "pool", role: "group", "aria-label": "Digits" }, pool.map(({ digit, left: there, most }) => {
      const left = there - (pending && this.#pick.place && this.#pick.digit === digit ? 1 : 0); // it is in its place
      const open = left > 0 && digits.has(digit);
      return press([left ? digit : "·", left > 1 && h.sup(left)], () => this.#tap("digit", digit), {
        key: digit,
        class: left ? "tile" : "gone",
        disabled: !open,
        "aria-pressed": (open || pending) && String(this.#pick.digit === digit),
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
    const { moves, confirm, pending } = this.#shown;
    return h.fieldset({ key }, h.legend(plainly(prompt)), options.map(([answer, label]) => press(capital(label), () => this.#tap(key, answer), {
      key: answer, class: "answer", disabled: Boolean(pending), "aria-pressed": (confirm || pending || moves[0].spot) && String(this.#pick[key] === answer),
    })));
  }

  /** What to do next, in a sentence. */
  #advice({ needs, places, chosen }) {
    const { digit } = this.#pick;
    const [needsDigit, needsPlace] = ["digit", "place"].map((key) => needs.includes(key));
    if (chosen) return "Ready.";
    if (needsDigit && needsPlace) return "Tap a digit and a place, in either order.";
    if (needsPlace) return `${digit} picked: tap one of ${places.size} open places.`;
    if (needsDigit) return needs.length > 1 ? "Tap a digit, and what to do with it." : "Tap a digit.";
    return digit === undefined ? "" : `${digit} picked: what to do with it?`;
  }

  #hint(found) {
    const { pending, play } = this.#shown;
    if (pending) return h.p({ class: "hint" });
    const { chosen } = found;
    return h.p({ class: "hint" }, this.#advice(found),
      chosen && press(`Play ${this.#inWords(chosen)}`, () => play(chosen), { class: "primary", key: "play" }),
      Object.keys(this.#pick).length > 0 && press("Undo (Esc)", () => this.undo(), { key: "undo" }));
  }

  #inWords({ spot, labels }) {
    const { cell, row, digit } = spot ?? {};
    return cell == null ? labels.join(" ") : `${digit} in ${this.#whose(row).replace("Your", "your")} ${this.#shown.scene.rows[row].cells[cell].label}`;
  }
});
