/** From taps to a move: taps narrow the legal moves, in the same way for every game. */

/** The value of move number n in a compressed column. */
const valueAt = ({ each, of }, n) => of[Math.floor(n / each) % of.length];

/** The choices of a view, one object per move. */
export const unpack = ({ moves, questions, spots }) => moves.map((move, n) => {
  const answers = questions.map((question) => valueAt(question.answers, n));
  return {
    move,
    answers,
    labels: questions.map(({ labels }) => valueAt(labels, n)),
    prompts: questions.map(({ prompts, fill }) => valueAt(prompts, n).replace("{}", (gap) => answers[fill] ?? gap)),
    spot: spots && { digit: valueAt(spots.digit, n), row: valueAt(spots.row, n), cell: valueAt(spots.cell, n), points: spots.points ? valueAt(spots.points, n) : null },
  };
});

/** The traits by which a move can be picked: its digit, its place, and its answer to each question. */
export function traits({ spot, answers }) {
  const { digit, row, cell } = spot ?? { digit: null, cell: null };
  return { digit, place: cell === null ? null : `${row}/${cell}`, ...answers };
}

const fits = (move, pick) => Object.entries(pick).every(([key, value]) => traits(move)[key] === value);

/** The pick after a tap: the same tap again undoes it, and a contradicting tap starts over. */
export function tap(moves, pick, key, value) {
  const { [key]: before, ...next } = pick;
  if (before !== value) next[key] = value;
  return moves.some((move) => fits(move, next)) ? next : { [key]: value };
}

/** The questions that a digit and a place do not answer. */
function openQuestions(moves) {
  const first = {};
  const open = moves.flatMap((move) => {
    const { digit, place } = traits(move);
    const rival = (first[[digit, place]] ??= move);
    return move.answers.map((answer, at) => answer !== rival.answers[at] && String(at));
  });
  return [...new Set(open)].filter(Boolean).sort();
}

/** What a pick still needs, what can be tapped or answered, and the move once only one fits. */
export function narrow(moves, pick) {
  const left = moves.filter((move) => fits(move, pick));
  const others = (key) => moves.filter((move) => fits(move, { ...pick, [key]: traits(move)[key] }));
  const pointing = ["digit", "place"].filter((key) => left.some((move) => traits(move)[key] !== null));
  const open = openQuestions(moves);
  if (left.length && !pointing.length && !open.length) open.push("0"); // even an only move needs a tap
  const asks = open.map((key) => ({
    key,
    prompt: left[0].prompts[key],
    options: [...new Map(others(key).map((move) => [move.answers[key], move.labels[key]]))],
  }));
  const needs = [...pointing, ...open].filter((key) => !(key in pick));
  return {
    needs,
    asks,
    digits: new Set(moves.map((move) => traits(move).digit)),
    places: new Set(others("place").map((move) => traits(move).place)),
    chosen: needs.length ? null : left[0],
  };
}
