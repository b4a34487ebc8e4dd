/** Navigation through the positions of a game, by buttons and keys. */

import { h, press } from "../paint.js";

/** Where each key leads, with the label and sign of its button. */
const WAYS = {
  Home: ["To the start", "«", () => 0],
  ArrowLeft: ["Previous move", "‹", (at) => at - 1],
  ArrowRight: ["Next move", "›", (at) => at + 1],
  End: ["To the end", "»", (_, last) => last],
};

/** The position that a key leads to, or null. */
function aim(key, at, last) {
  const to = WAYS[key]?.[2](at, last) ?? at;
  return to === at || to < 0 || to > last ? null : to;
}

export const steps = (at, last, visit, ...more) => h.div({ class: "buttons steps", role: "group", "aria-label": "Moves" },
  // aria-disabled, because a disabled button would lose the focus.
  Object.entries(WAYS).map(([key, [label, sign]]) => [label, sign, aim(key, at, last)]).map(([label, sign, to]) =>
    press(sign, () => to === null || visit(to), { "aria-label": label, "aria-disabled": to === null && "true" })),
  more);

/** Handle a key; returns whether it led to another position. */
export function walk(event, at, last, visit) {
  const to = aim(event.key, at, last);
  if (to === null) return false;
  event.preventDefault();
  visit(to);
  return true;
}
