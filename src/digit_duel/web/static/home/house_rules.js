/** House rules as controls, built from each option's description: chips, a list, a stepper, or a text field. */

import { capital } from "../app.js";
import { h, press } from "../paint.js";

const FEW = 4; // choices that fit as chips
const OTHER = "other …";
const plain = (value) => value.replaceAll("_", " ").replace(":", " ");

/** The controls for a game's options; values holds the choices, change(name, value) is called on a change. */
export function houseRules({ options }, values, change, wrong) {
  return options.map((option) => {
    const value = values[option.name] ?? option.default;
    const problem = wrong?.field === option.name && wrong.message;
    return h.div({ class: "rule", key: option.name },
      control(option, value, (chosen) => change(option.name, chosen), problem),
      problem && h.p({ class: "problem", id: `wrong-${option.name}`, role: "alert" }, capital(problem)));
  });
}

function control(option, value, change, problem) {
  const { name, choices, bounds, free, help } = option;
  const noted = problem ? { "aria-invalid": "true", "aria-describedby": `wrong-${name}` } : {};
  const title = capital(help || name);
  if (bounds) return stepper(title, value, bounds, change, noted);
  if (!choices.length) return h.label(title, field(value, change, noted));
  const odd = !choices.includes(value);
  if (!free && choices.length <= FEW) return chips(title, name, choices, value, change);
  return [h.label({ key: "list" }, title, h.select({ onchange: ({ target }) => change(target.value === OTHER ? "" : target.value), ...(odd ? {} : noted) },
    [...choices, ...(free ? [OTHER] : [])].map((each) => h.option({ key: each, value: each, selected: each === (odd ? OTHER : value) }, capital(plain(each)))))),
  odd && h.label({ key: "other" }, h.span({ class: "hidden" }, `${title}: other`), field(value, change, noted))];
}

const field = (value, change, noted) => h.input({ value, maxlength: 100, autocomplete: "off", onchange: ({ target }) => change(target.value.trim()), ...noted });

const chips = (title, name, choices, value, change) => h.fieldset({ class: "chips" }, h.legend(title), choices.map((each) => h.label({ key: each, class: "chip" },
  h.input({ type: "radio", name: `rule ${name}`, value: each, checked: each === value, onchange: () => change(each) }), h.span(capital(plain(each))))));

function stepper(title, value, [low, high], change, noted) {
  const step = (by) => change(String(Math.min(high, Math.max(low, (Number(value) || low) + by))));
  return h.div({ class: "stepper", role: "group", "aria-label": title }, h.label(title,
    h.input({ type: "number", inputmode: "numeric", min: low, max: high, value, onchange: ({ target }) => change(target.value), ...noted })),
  press("−", () => step(-1), { "aria-label": "One less", disabled: Number(value) <= low }), press("+", () => step(1), { "aria-label": "One more", disabled: Number(value) >= high }));
}
