/** The editions of a game as one choice: each is a named set of house rules, with a reason. */

import { capital } from "../app.js";
import { h } from "../paint.js";

const same = (one, other) => JSON.stringify(Object.entries(one).sort()) === JSON.stringify(Object.entries(other).sort());

/** The control, or null without editions; values are the house rules now, choose(rules) sets an edition's. */
export function editionChoice({ editions }, values, choose) {
  if (!editions.length) return null;
  const known = [{ name: "rulebook", label: "Rulebook", options: {} }, ...editions.map((edition) => ({ ...edition, label: `${capital(edition.name)} edition` }))];
  const own = known.some(({ options }) => same(options, values)) ? [] : [{ name: "own", label: "Your own", options: values }];
  return h.fieldset({ class: "chips", key: "editions" }, h.legend("Edition"),
    [...known, ...own].map(({ name, label, options }) => h.label({ key: name, class: "chip" },
      h.input({ type: "radio", name: "edition", value: name, checked: same(options, values), onchange: () => choose(options) }), h.span(label))),
    editions.map(({ name, summary }) => h.p({ key: `why ${name}`, class: "soft why" }, `${capital(name)}: ${summary}`)));
}
