/** From taps to a move: a pure narrowing of the legal moves, the same for every game. */

export const NOTHING = { digit: null, row: null, cell: null, answers: {} };

const spot = (move) => move.spot ?? NOTHING;
const without = (answers, at) => Object.fromEntries(Object.entries(answers).filter(([key]) => key !== String(at)));

/** Whether a move agrees with all that has been picked. */
export function fits(move, pick) {
  const { digit, row, cell } = spot(move);
  return (pick.digit === null || pick.digit === digit) &&
    (pick.cell === null || (pick.row === row && pick.cell === cell)) &&
    Object.entries(pick.answers).every(([at, answer]) => move.answers[at] === answer);
}

/** The questions, by number, that pointing at a digit and a place leaves open. */
export function openQuestions(moves) {
  const open = new Set();
  const first = {}; // the first move at each spot
  for (const move of moves) {
    const { digit, row, cell } = spot(move);
    const rival = (first[[digit, row, cell]] ??= move);
    move.answers.forEach((answer, at) => answer !== rival.answers[at] && open.add(at));
  }
  return [...open].sort();
}

/** The pick after one more tap, {digit}, {row, cell} or {at, answer}: the same again takes it back, what contradicts it goes. */
export function tap(moves, pick, part) {
  const { digit, row, cell, at, answer } = part;
  let next;
  if (digit !== undefined) next = { ...pick, digit: pick.digit === digit ? null : digit };
  else if (cell !== undefined) next = pick.row === row && pick.cell === cell ? { ...pick, row: null, cell: null } : { ...pick, row, cell };
  else next = { ...pick, answers: { ...without(pick.answers, at), ...(pick.answers[at] === answer ? {} : { [at]: answer }) } };
  return moves.some((move) => fits(move, next)) ? next : tap(moves, NOTHING, part);
}

/** What a pick leaves: moves, digits and places to point at, questions to ask, and the move once it is clear. */
export function narrow(moves, pick) {
  const left = moves.filter((move) => fits(move, pick));
  const elsewhere = moves.filter((move) => spot(move).cell !== null && fits(move, { ...pick, row: null, cell: null }));
  const asks = openQuestions(moves).map((at) => ({ at, prompt: left[0].prompts[at], options: options(moves, pick, at) }));
  const needsDigit = pick.digit === null && left.some((move) => spot(move).digit !== null);
  const needsPlace = pick.cell === null && left.some((move) => spot(move).cell !== null);
  return {
    asks,
    needsDigit,
    needsPlace,
    digits: new Set(moves.map((move) => spot(move).digit)),
    places: new Set(elsewhere.map(({ spot: { row, cell } }) => `${row}/${cell}`)),
    chosen: needsDigit || needsPlace || asks.some(({ at }) => !(at in pick.answers)) ? null : left[0] ?? null,
  };
}

/** The answers to a question, each once, that go with the rest of the pick. */
function options(moves, pick, at) {
  const others = { ...pick, answers: without(pick.answers, at) };
  const found = new Map(moves.filter((move) => fits(move, others)).map((move) => [move.answers[at], move.labels[at]]));
  return [...found].map(([answer, label]) => ({ answer, label }));
}
