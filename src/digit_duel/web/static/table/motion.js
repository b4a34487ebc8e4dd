/** Motion: tiles fly to their places, cards turn over; nothing moves with prefers-reduced-motion.
 *
 * Call positions(table) before drawing, and move(table, before, after, positions) after it; or deal(table, shown) after the
 * first drawing. Only transforms are animated, so the layout does not shift.
 */

import { dealt } from "./words.js";

const [FLIGHT, TURN] = [230, 260]; // milliseconds
const EASE = "cubic-bezier(.2, .8, .3, 1)";
const calm = matchMedia("(prefers-reduced-motion: reduce)");

const keyed = (table) => ({
  cells: [...table.querySelectorAll(".row")].map((row) => [...row.querySelectorAll(".place > :first-child")]),
  stock: table.querySelector(".stock"),
  drawn: table.querySelector(".drawn > *"),
  digits: Object.fromEntries([...table.querySelectorAll(".pool > *")].map((tile) => [tile.ariaLabel?.match(/\d/)?.[0], tile])),
});

/** The positions of all tiles on the screen. */
export function positions(table) {
  if (calm.matches) return null;
  const { cells, stock, drawn, digits } = keyed(table);
  const box = (element) => element?.getBoundingClientRect();
  return {
    cells: cells.map((row) => row.map(box)), stock: box(stock), drawn: box(drawn),
    digits: Object.fromEntries(Object.entries(digits).map(([digit, tile]) => [digit, box(tile)])),
  };
}

export function move(table, before, after, from) {
  if (calm.matches || after.verdict) return;
  if (before.verdict || before.below !== after.below) return deal(table, after);
  const now = keyed(table);
  const order = [1 - after.below, after.below]; // as the rows are drawn
  const faces = order.flatMap((seat, at) => now.cells[at].map((tile, cell) => ({ tile, at, cell, was: face(before, seat, cell), is: face(after, seat, cell) })));
  const opened = faces.some(({ was, is }) => was === "back" && is !== "back");
  faces.forEach(({ tile, at, cell, was, is }) => {
    if (was === is) return;
    if (is !== null && opened) turn(tile); // both sides at once
    else if (was === null) fly(tile, from.digits[is] ?? from.digits[before.pending?.spot?.digit] ?? from.drawn ?? from.stock);
    else if (is === null && before.pending) fly(now.digits[was] ?? now.drawn, from.cells[at]?.[cell]); // refused
  });
  if (now.drawn && drawnAnew(before, after)) draw(now, from.stock, after);
}

/** Let the drawn card come from the deck. */
export function deal(table, shown) {
  const now = keyed(table);
  if (now.drawn && now.stock && !calm.matches) draw(now, now.stock.getBoundingClientRect(), shown);
}

function draw({ drawn }, stock, { scene }) {
  if (stock) fly(drawn, stock);
  if (!scene.drawn.hidden) turn(drawn);
}

/** What lies in a cell: a digit, "back" or null; a choice being sent counts as made. */
function face({ scene, pending }, seat, cell) {
  const { digit, hidden } = scene.rows[seat].cells[cell] ?? { digit: null };
  const { spot } = pending ?? {};
  return hidden ? "back" : spot?.row === seat && spot.cell === cell ? spot.digit ?? dealt(scene) : digit;
}

const drawnAnew = ({ scene: old }, { scene }) =>
  !old.drawn || old.drawn.hidden !== scene.drawn.hidden || JSON.stringify([old.rows, old.facts]) !== JSON.stringify([scene.rows, scene.facts]);

/** Animate a tile from a box on the screen to its place. */
function fly(tile, box) {
  if (!tile || !box) return;
  const to = tile.getBoundingClientRect();
  const transform = `translate(${box.x - to.x + (box.width - to.width) / 2}px, ${box.y - to.y + (box.height - to.height) / 2}px) scale(${box.width / to.width})`;
  tile.animate([{ transform, zIndex: 3 }, { transform: "none", zIndex: 3 }], { duration: FLIGHT, easing: EASE });
}

const turn = (tile) => tile.animate([{ rotate: "y 90deg" }, { rotate: "y 0deg" }], { duration: TURN, easing: "ease-out" });
