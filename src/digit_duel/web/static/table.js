/** <duel-table>: the table of any game, drawn from a scene; taps and keys narrow the moves to one. */

import { h, paint } from "./paint.js";
import { NOTHING, narrow, tap } from "./choose.js";
import { blip } from "./sound.js";
import { speak } from "./speak.js";
import { capital, plainly } from "./words.js";

class DuelTable extends HTMLElement {
  #shown = null;
  #pick = NOTHING;
  #typed = "";
  #aim = null; // the row that letters point at
  #before = null;

  /** Draw: scene, names, tags, seat, below, acting, turn, moves, prompts, confirm, hide, play. */
  set show(shown) {
    const changed = JSON.stringify(shown.moves) !== JSON.stringify(this.#shown?.moves);
    if (this.#shown && shown.scene !== this.#shown.scene) this.#before = this.#shown.scene;
    this.#shown = shown;
    if (changed) this.#forget();
    this.#draw();
  }

  /** Take the first half of a choice back; whether there was one. */
  undo() {
    const any = this.#pick !== NOTHING || this.#typed;
    this.#forget();
    this.#draw();
    return Boolean(any);
  }

  /** Move the focus to where the next choice begins. */
  focusChoice() {
    this.querySelector(".pool button:enabled, .asks button:enabled, .cells button:enabled")?.focus();
  }

  #forget() {
    [this.#pick, this.#typed, this.#aim] = [NOTHING, "", null];
  }

  #tap(part) {
    blip("tap");
    this.#pick = tap(this.#shown.moves, this.#pick, part);
    this.#typed = "";
    const { chosen } = narrow(this.#shown.moves, this.#pick);
    if (chosen && !this.#shown.confirm) this.#play(chosen);
    else this.#draw();
  }

  #play(move) {
    this.#shown.play(move.move);
  }

  /** One key of the keyboard; whether it meant something here. */
  key(key) {
    const { moves } = this.#shown;
    if (!moves.length) return false;
    const found = narrow(moves, this.#pick);
    if (/^[0-9]$/.test(key) && found.digits.has(Number(key))) return this.#tap({ digit: Number(key) }) ?? true;
    if (!/^[a-z]$/.test(key)) return false;
    const rows = [...new Set([...found.places].map((place) => Number(place[0])))];
    if (key === "x" && rows.length > 1 && !this.#typed) return this.#turn(rows);
    const row = this.#aim ?? (rows.includes(this.#shown.seat) ? this.#shown.seat : rows[0]);
    return this.#letter(key, row, found);
  }

  #turn(rows) {
    const { seat, names } = this.#shown;
    this.#aim = rows.find((row) => row !== (this.#aim ?? seat));
    speak(this.#aim === seat ? "Your side." : `${names[this.#aim]}'s side.`);
    return true;
  }

  #letter(key, row, found) {
    const { scene } = this.#shown;
    const typed = this.#typed + key;
    const fit = (label) => label.toLowerCase().startsWith(typed);
    const parts = scene.rows.flatMap(({ cells }, at) => cells.flatMap(({ label }, cell) =>
      at === row && label && fit(label) && found.places.has(`${at}/${cell}`) ? { label, part: { row: at, cell } } : []));
    for (const { at, options } of found.asks) {
      parts.push(...options.filter(({ label }) => fit(label)).map(({ answer, label }) => ({ label, part: { at, answer } })));
    }
    this.#typed = parts.length > 1 ? typed : "";
    if (parts.length === 1) this.#tap(parts[0].part);
    if (parts.length > 1) speak(`${parts.map(({ label }) => label).join(" or ")}: type one more letter.`);
    return parts.length > 0;
  }

  #draw() {
    const { scene, below, moves } = this.#shown;
    const found = narrow(moves, this.#pick);
    const above = 1 - below;
    paint(
      this,
      scene.heading && h("h2", { class: "heading" }, scene.heading),
      this.#row(above, found),
      h("div", { class: "middle", key: "middle" }, this.#pool(found), this.#drawn(), this.#facts()),
      this.#row(below, found),
      this.#asks(found),
      moves.length > 0 && this.#hint(found),
    );
  }

  #whose(at) {
    return at === this.#shown.seat ? "Your" : `${this.#shown.names[at]}'s`;
  }

  #row(at, found) {
    const { scene, names, seat, acting, tags } = this.#shown;
    const { cells, meters, note } = scene.rows[at];
    const turn = acting.includes(at);
    return h("section", { class: `row${turn ? " turn" : ""}`, key: `row${at}`, "aria-label": at === seat ? `Your side, ${names[at]}` : `${names[at]}'s side` },
      h("h3", null, turn && h("span", { class: "mark", "aria-label": "on turn:", role: "img" }, "▸"), h("bdi", null, names[at]), tags?.[at] && h("small", null, tags[at])),
      meters.map((meter) => this.#meter(at, meter)),
      cells.length > 0 && h("div", { class: "cells" }, cells.map((cell, place) => this.#cell(at, place, cell, found))),
      note && h("p", { class: "note" }, note));
  }

  #meter(at, { label, value, most }) {
    const bar = most >= 10;
    const name = `${this.#whose(at)} ${label}`;
    const pips = "●".repeat(Math.max(0, Math.min(value, most))) + "○".repeat(Math.max(0, most - value));
    return h("div", { class: bar ? "meter bar" : "meter", key: label },
      h("span", { class: "count" }, bar && h("span", { class: "heart", "aria-hidden": "true" }, "♥ "), `${capital(label)} `, h("b", null, value), ` of ${most}`),
      h("span", { class: bar ? "track" : "pips", role: "meter", "aria-label": name, "aria-valuenow": value, "aria-valuemin": 0, "aria-valuemax": most, vars: { "--part": `${Math.max(0, 100 * value / most)}%` } }, !bar && pips));
  }

  #cell(row, cell, { digit, hidden, label }, found) {
    const covered = hidden || (this.#shown.hide && row === this.#shown.seat && digit !== null);
    const what = covered ? "face down" : digit === null ? "empty" : digit;
    const picked = this.#pick.row === row && this.#pick.cell === cell;
    const was = this.#before?.rows[row]?.cells[cell];
    const fresh = was && (was.digit !== digit || was.hidden !== hidden) && (digit !== null || hidden);
    const kind = covered ? "back" : digit === null ? "slot" : "tile";
    return h("span", { class: "place", key: cell },
      h("button", {
        type: "button",
        class: `${kind}${fresh ? " fresh" : ""}`,
        disabled: !found.places.has(`${row}/${cell}`),
        "aria-pressed": found.places.has(`${row}/${cell}`) ? String(picked) : undefined,
        "aria-label": `${this.#whose(row)} ${label || `place ${cell + 1}`}, ${what}`,
        onclick: () => this.#tap({ row, cell }),
      }, covered || digit === null ? "" : digit),
      label && h("span", { class: "label", "aria-hidden": "true" }, label));
  }

  #pool(found) {
    const { pool } = this.#shown.scene;
    return pool.length > 0 && h("div", { class: "pool", key: "pool", role: "group", "aria-label": "Digits" },
      pool.map(({ digit, left, most }) => h("button", {
        key: digit,
        type: "button",
        class: left ? "tile" : "gone",
        disabled: !left || !found.digits.has(digit),
        "aria-pressed": left && found.digits.has(digit) ? String(this.#pick.digit === digit) : undefined,
        "aria-label": `Digit ${digit}${left === 0 ? ", gone" : most > 1 ? `, ${left} left` : ""}`,
        onclick: () => this.#tap({ digit }),
      }, left ? digit : "·", left > 1 && h("sup", null, left))));
  }

  #drawn() {
    const { scene: { drawn }, hide, turn } = this.#shown;
    if (!drawn) return null;
    const covered = drawn.hidden || hide;
    return h("div", { class: "drawn", key: "drawn" },
      h("span", { class: "soft" }, turn ? "You drew" : capital(drawn.label || "drawn")),
      h("span", { class: covered ? "back" : "tile", role: "img", "aria-label": covered ? "a card face down" : `a ${drawn.digit}` }, covered ? "" : drawn.digit));
  }

  #facts() {
    const { facts } = this.#shown.scene;
    return facts.length > 0 && h("ul", { class: "facts", key: "facts" }, facts.map((fact) => h("li", null, fact)));
  }

  #asks(found) {
    return h("div", { class: "asks", key: "asks" }, found.asks.map(({ at, prompt, options }) =>
      h("fieldset", { key: at },
        prompt !== null && h("legend", null, plainly(this.#shown.prompts[prompt])),
        options.map(({ answer, label }) => h("button", {
          key: answer,
          type: "button",
          class: "answer",
          "aria-pressed": found.left.some((move) => move.spot) ? String(this.#pick.answers[at] === answer) : undefined,
          onclick: () => this.#tap({ at, answer }),
        }, capital(label))))));
  }

  #hint(found) {
    const { confirm } = this.#shown;
    const begun = this.#pick !== NOTHING;
    return h("p", { class: "hint", key: "hint" },
      h("span", null, this.#advice(found)),
      confirm && found.chosen && h("button", { type: "button", class: "primary", key: "play", onclick: () => this.#play(found.chosen) }, `Play ${found.chosen.labels.join(" ")}`),
      begun && h("button", { type: "button", key: "undo", onclick: () => { this.undo(); this.focusChoice(); } }, "Undo (Esc)"));
  }

  #advice({ needsDigit, needsPlace, places, chosen, left }) {
    const { digit } = this.#pick;
    if (chosen) return "Ready.";
    if (needsDigit && needsPlace) return "Tap a digit and a place, in either order.";
    if (needsPlace) return `${digit === null ? "" : `${digit} picked: `}tap one of ${places.size} open places.`;
    if (needsDigit) return this.#pick === NOTHING && left[0].prompts.length > 1 ? "Tap a digit, and what to do with it." : "Now tap a digit.";
    return digit === null ? "" : `${digit} picked: what to do with it?`;
  }
}

customElements.define("duel-table", DuelTable);
