/** The numbered moves of a reviewed game, under the names of its rounds; each is a button that opens the position before it. */

import { capital } from "../app.js";
import { h, press } from "../paint.js";
import { ownWords } from "./mistakes.js";

const VERDICTS = { best: ["✓", "best"], fine: ["·", "not the best"], mistake: ["✗", "mistake"], forced: ["", "only choice"] };

/** eyes: the seat with the first colour; at: the number of moves made at the position on display, or null. */
export const moveList = (moves, names, eyes, at, visit) => h.ol({ class: "reviewed" }, moves.map((move, nth) => {
  const { at: ply, number, seat, verdict } = move;
  const [sign, word] = VERDICTS[verdict] ?? ["", ""];
  const part = move.part !== moves[nth - 1]?.part && move.part;
  return [part && h.li({ key: `part ${ply}`, class: "part" }, part), h.li({ key: ply, class: seat === eyes ? "one" : "two" }, press([
    h.b({ key: "number" }, number), h.span({ class: "who-did" }, `${names[seat]}: ${capital(ownWords(move, names))}`),
    word && h.span({ class: `verdict ${verdict}` }, `${sign} ${word}`),
  ], () => visit(ply - 1), { "aria-current": at === ply - 1 && "step" }))];
}));
