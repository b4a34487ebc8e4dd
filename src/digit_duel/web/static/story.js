/** How a reviewed game went: a graph of who was ahead, and the moves that decided it. */

import { h, press } from "./paint.js";

const [WIDTH, HEIGHT, LEFT, MIDDLE, REACH] = [600, 160, 20, 80, 50]; // of the graph

/** Draw a review; tell says what may be told of a move, and visit goes to one. */
export function story(review, names, { at, eyes, tell, visit }) {
  const { history, moves, turning, unit } = review;
  if (history.length < 2) return null;
  const turns = moves.filter((move) => turning.includes(move.at));
  const legend = unit === "chance" ? `Chance to win the round, as ${names[eyes]} could know it then.` : "";
  return h.section({ class: "story" }, h.h2("How it went"),
    graph(history, names, turns, at),
    h.p({ class: "soft" }, `${legend} ▲ ${names[0]} is ahead above the line, ▼ ${names[1]} below. ● Turning points${turns.length ? "" : ": none"}.`),
    h.ul({ class: "plain values" }, turns.map((move) => h.li({ key: move.at },
      press(`● Move ${move.at}, ${names[move.seat]}: ${move.words}. ${tell(move)}`, () => visit(move))))));
}

function graph(history, names, turns, at) {
  const x = (ply) => LEFT + (ply * (WIDTH - 2 * LEFT)) / (history.length - 1);
  const y = (value) => MIDDLE - value * REACH;
  return h.svg({ viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": `Who was ahead over the moves, ${names[0]} above the line and ${names[1]} below` },
    h.line({ key: "even", x1: LEFT, x2: WIDTH - LEFT, y1: MIDDLE, y2: MIDDLE }),
    at !== null && h.line({ key: "now", class: "now", x1: x(at), x2: x(at), y1: MIDDLE - REACH, y2: MIDDLE + REACH }),
    names.map((name, side) => h.text({ key: side, x: LEFT, y: side ? HEIGHT - 8 : 18 }, name)),
    h.polyline({ points: history.map((value, ply) => `${x(ply)},${y(value)}`).join(" ") }),
    turns.map((move) => h.circle({ key: `turn ${move.at}`, cx: x(move.at), cy: y(history[move.at]), r: 7 })));
}
