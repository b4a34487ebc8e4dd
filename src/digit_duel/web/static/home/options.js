/** The drawer with the options of a new game: who starts, names, a match, hints, house rules. */

import { capital, pref, setPref } from "../app.js";
import { h, press } from "../paint.js";
import { dialog } from "../parts/dialog.js";
import { editionChoice } from "./editions.js";
import { houseRules } from "./house_rules.js";

const STARTS = { coin: "Toss a coin", me: "Me", other: "Opponent" };
const MATCHES = { "": "Single games", "first to 2": "First to 2", "first to 3": "First to 3", "best of 3": "Best of 3", "best of 5": "Best of 5" };
const WAYS = [["computer", "Play the computer", "primary"], ["friend", "Invite a friend"], ["same_device", "Two on this device"]];
const chosen = {}; // the house rules by game, until the page is closed

/** The house rules that differ from the defaults. */
export const settingsOf = (game) => chosen[game] ?? {};

/** Open the drawer; start(opponent, match) starts the game and resolves to the server's answer. */
export function chooseOptions(game, start) {
  const state = { match: "", wrong: null, starting: "" };
  return dialog(`${capital(game.id)}: options`, (close, redraw) => {
    const changed = () => {
      state.wrong = null;
      redraw();
    };
    const set = (name, value) => {
      change(game, name, value);
      changed();
    };
    const choose = (rules) => {
      chosen[game.id] = rules;
      changed();
    };
    const attempt = async (opponent) => {
      [state.wrong, state.starting] = [null, opponent];
      redraw();
      state.wrong = await start(opponent, state.match);
      state.starting = "";
      if (state.wrong?.game) return close();
      redraw();
      document.querySelector("dialog [aria-invalid]")?.focus();
    };
    return [
      h.div({ class: "options" }, usual(state), h.h3("House rules"), editionChoice(game, settingsOf(game.id), choose), houseRules(game, settingsOf(game.id), set, state.wrong), links(game, close)),
      h.p({ class: "problem", role: "alert" }, !state.wrong?.field && state.wrong?.message),
      h.div({ class: "buttons" }, WAYS.map(([opponent, label, kind]) => press(state.starting === opponent ? "Starting…" : label, () => attempt(opponent), { key: opponent, class: kind }))),
    ];
  }, "drawer");
}

const links = ({ id }, close) => h.p(h.a({ href: `/rules/${id}`, onclick: () => close() }, "Rules"), " · ", h.a({ href: `/analysis/${id}`, onclick: () => close() }, "Analysis board"));

function change({ id, options }, name, value) {
  const { [name]: _, ...rest } = settingsOf(id);
  const usual = options.find((option) => option.name === name).default;
  chosen[id] = value === usual ? rest : { ...rest, [name]: value };
}

const usual = (state) => [
  h.fieldset({ class: "chips" }, h.legend("Who starts"), Object.entries(STARTS).map(([value, label]) => h.label({ key: value, class: "chip" },
    h.input({ type: "radio", name: "start", value, checked: pref("start") === value, onchange: () => setPref("start", value) }), h.span(label)))),
  h.label("Second player's name, if you share this device", h.input({ value: pref("other"), maxlength: 24, autocomplete: "off", placeholder: "Player 2", onchange: ({ target }) => setPref("other", target.value.trim()) })),
  h.label("Match", h.select({ onchange: ({ target }) => (state.match = target.value) }, Object.entries(MATCHES).map(([value, label]) => h.option({ key: value, value, selected: value === state.match }, label)))),
  h.label({ class: "check" }, h.input({ type: "checkbox", checked: Boolean(pref("hints")), onchange: ({ target }) => setPref("hints", target.checked) }), "Hints against the computer"),
];
