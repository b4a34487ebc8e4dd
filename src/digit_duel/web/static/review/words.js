/** What the coach says at a position. */

import { ownWords } from "./mistakes.js";
import { alike } from "./worth.js";

const TONES = { mistake: "bad", best: "good" };

/** found: the position; judged: the move that was made there in the game, or null; asked: whether to find a better one; truth: whether both hands are open. */
export function wordsAt({ found, judged, asked, truth, mine, names }) {
  if (found.over) return { text: found.over.closing.split("\n").findLast(Boolean) };
  if (!judged) return { text: standing(found, mine, names), detail: found.reason };
  const { number, seat, reason, verdict } = judged;
  const move = `Move ${number}, ${seat === mine ? "you" : names[seat]}: ${ownWords(judged, names)}.`;
  if (asked) return { text: `${move} Find something better.` };
  return { tone: TONES[verdict], text: move, detail: [reason, truth && judged.truth].filter(Boolean).join(" ") };
}

/** Whose turn it is, and the value for them. */
function standing({ to_move: mover, symbol, text, options }, mine, names) {
  if (mover === null) return "Chance decides: what is drawn?";
  if (alike(options)) return `${mover === mine ? "You" : names[mover]} to move: ${alike(options)}.`;
  return `${mover === mine ? "You" : names[mover]} to move: ${symbol} ${text}.`;
}
