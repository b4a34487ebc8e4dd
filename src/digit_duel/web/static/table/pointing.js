/** Marks that point at a move on the table: first at its digit, then at its place or its answer. */

import { traits } from "../choose.js";

/** The badges for a table; text tells screen readers what the mark means. */
export const pointing = (choices, move, text) => (pick) => {
  const wanted = choices.find((choice) => choice.move === move);
  if (!wanted) return {};
  const { digit, place, ...answers } = traits(wanted);
  const mark = { sign: "", tone: "point", text };
  if (digit !== null && pick.digit !== digit) return { digits: { [digit]: mark } };
  return place === null ? { answers: Object.fromEntries(Object.values(answers).map((answer) => [answer, mark])) } : { places: { [place]: mark } };
};
