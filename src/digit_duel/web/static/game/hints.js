/** The hints, which a player against the computer can switch on. */

import { capital } from "../app.js";
import { h, press } from "../paint.js";
import { folded } from "../review/worth.js";

export const hints = ({ turn }, { hints: on, hint, wish, switchHints }) => h.section({ key: "hint", class: "hints" },
  h.div({ class: "wish" }, h.label({ class: "check" }, h.input({ type: "checkbox", checked: on, onchange: (event) => switchHints(event.target.checked) }), "Hints"),
    on && press("Show a hint", wish, { key: "show", disabled: !turn })),
  on && turn && hint && [h.p({ key: "why" }, hint.words && h.b(`${capital(hint.words)}. `), hint.reason ?? hint.message), values(hint.options ?? [])]);

/** The best three choices with their values, and the others folded. */
function values(options) {
  const [best, others] = [options.slice(0, 3), options.slice(3)];
  return [best.length > 0 && list(best), others.length > 0 && h.details({ key: "others" }, h.summary(folded(others)), list(others))];
}

const list = (options) => h.ul({ class: "values", key: "values" },
  options.map(({ move, words = move, symbol, text }) => h.li({ key: move }, `${symbol} ${words}: ${text}`)));
