/** Animated miniatures: the table of each game steps through a few positions, one card at a time. */

import "../table/table.js";

const BEAT = 900; // milliseconds between two changes on the whole page
const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** Draw a scene in a box. */
export function picture(box, scene, still = true) {
  const table = box.firstElementChild ?? box.appendChild(document.createElement("duel-table"));
  table.show = { scene, mini: true, still };
}

/** Animate the games' demos in their boxes; returns a function that stops it. */
export function live(boxes, games) {
  const shown = games.filter(({ id, demo }) => boxes[id] && demo.length).map(({ id, demo }) => ({ box: boxes[id], demo, at: Math.floor(demo.length / 2) }));
  for (const { box, demo, at } of shown) picture(box, demo[at]);
  let turn = 0;
  const clock = setInterval(() => {
    if (calm.matches || document.hidden || !shown.length) return;
    const each = shown[turn++ % shown.length];
    each.at = (each.at + 1) % each.demo.length;
    picture(each.box, each.demo[each.at], each.at === 0);
  }, BEAT);
  return () => clearInterval(clock);
}
