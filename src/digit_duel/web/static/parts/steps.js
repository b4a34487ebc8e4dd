/** The way through the positions of a game, by buttons and by keys. */

import { h, press } from "../paint.js";

/** Ways through the positions of a game, by key. */
const WAYS = {
  Home: ["To the start", "«", () => 0],
  ArrowLeft: ["One move back", "‹", (at) => at - 1],
  ArrowRight: ["One move forth", "›", (at) => at + 1],
  End: ["To the end", "»", (_, last) => last],
};

/** Where a key leads; null is nowhere. */
function aim(key, at, last) {
  const to = WAYS[key]?.[2](at, last) ?? at;
  return to === at || to < 0 || to > last ? null : to;
}

export const steps = (at, last, visit, ...more) => h.div({ class: "buttons steps", role: "group", "aria-label": "Moves" },
  // Not disabled, for that would lose the focus.
  Object.entries(WAYS).map(([key, [label, sign]]) => [label, sign, aim(key, at, last)]).map(([label, sign, to]) =>
    press(sign, () => to === null || visit(to), { "aria-label": label, "aria-disabled": to === null && "true" })),
  more);

/** Whether a key led anywhere. */
export function walk(event, at, last, visit) {
  const to = aim(event.key, at, last);
  if (to === null) return false;
  event.preventDefault();
  visit(to);
  return true;
}
