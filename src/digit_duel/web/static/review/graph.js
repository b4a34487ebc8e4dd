/** A graph of how a game went: one half for each player, a point after each player's move, the mistakes, and lines between rounds. */

import { h } from "../paint.js";

const [WIDTH, HEIGHT, SIDE, MIDDLE, REACH] = [400, 176, 16, 88, 50];

/** called: the names, with "You" for the reader; eyes: the seat in the upper half; tint: the seat with the first colour; at: the number of moves made at the position on display, or null. */
export function graph({ history, movers, moves, unit }, names, called, eyes, at, tint) {
  const plies = [0, ...movers.flatMap((mover, ply) => (mover === null ? [] : [ply + 1]))];
  const x = (ply) => SIDE + (plies.findLastIndex((each) => each <= ply) * (WIDTH - 2 * SIDE)) / (plies.length - 1);
  const y = (ply) => MIDDLE - (eyes ? -1 : 1) * history[ply] * REACH;
  const colour = (seat) => (seat === tint ? "one" : "two");
  const wrong = moves.filter(({ mistake }) => mistake);
  const [above, below] = [names[eyes], names[1 - eyes]];
  return h.svg({ class: "graph", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": described(wrong, names, above, below, unit) },
    [0, 1].map((side) => h.rect({ key: `half ${side}`, class: `half ${colour(side)}`, x: 0, y: side === eyes ? 0 : MIDDLE, width: WIDTH, height: MIDDLE })),
    h.text({ key: "above", class: colour(eyes), x: WIDTH - SIDE, y: 22 }, `${called[eyes]} ahead`),
    h.text({ key: "below", class: colour(1 - eyes), x: WIDTH - SIDE, y: HEIGHT - 11 }, `${called[1 - eyes]} ahead`),
    moves.filter(({ part }, nth) => nth > 0 && part !== moves[nth - 1].part).map(({ at: ply }) => h.line({ key: `part ${ply}`, class: "part", x1: x(ply - 1), x2: x(ply - 1), y1: 0, y2: HEIGHT })),
    h.line({ key: "even", x1: 0, x2: WIDTH, y1: MIDDLE, y2: MIDDLE }),
    at !== null && h.line({ key: "now", class: "now", x1: x(at), x2: x(at), y1: 8, y2: HEIGHT - 8 }),
    h.polyline({ points: plies.map((ply) => `${x(ply)},${y(ply)}`).join(" ") }),
    wrong.map(({ at: ply, number }) => h.g({ key: `wrong ${ply}`, class: "wrong" }, h.circle({ cx: x(ply), cy: y(ply), r: 8 }),
      h.text({ x: x(ply), y: y(ply) + 4 }, "✗"), h.title(`Move ${number}`))));
}

function described(wrong, names, above, below, unit) {
  const what = unit === "chance" ? `${above}'s chance to win the round, over the moves` : `Who was ahead over the moves, ${above} above the line and ${below} below`;
  return wrong.length ? `${what}. Mistakes: ${wrong.map(({ number, seat }) => `move ${number} by ${names[seat]}`).join(", ")}.` : `${what}. No mistakes.`;
}
