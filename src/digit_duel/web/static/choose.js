/** From taps to a move: a pure narrowing of the legal moves, the same for every game. */

export const NOTHING = Object.freeze({ digit: null, row: null, cell: null, answers: Object.freeze({}) });

const spot = (move) => move.spot ?? { digit: null, row: null, cell: null };

/** Whether a move agrees with all that has been picked. */
export function fits(move, pick) {
  const { digit, row, cell } = spot(move);
  return (
    (pick.digit === null || pick.digit === digit) &&
    (pick.cell === null || (pick.row === row && pick.cell === cell)) &&
    Object.entries(pick.answers).every(([at, answer]) => move.answers[at] === answer)
  );
}

/** The questions that pointing at a digit and a place leaves open, by number. */
export function openQuestions(moves) {
  const open = new Set();
  const first = new Map(); // the first move at each spot
  for (const move of moves) {
    const { digit, row, cell } = spot(move);
    const key = `${digit}/${row}/${cell}`;
    const rival = first.get(key) ?? move;
    first.set(key, rival);
    move.answers.forEach((answer, at) => answer !== rival.answers[at] && open.add(at));
  }
  return [...open].sort();
}

/** The pick after one more tap: the same again takes it back, and what contradicts it is dropped. */
export function tap(moves, pick, part) {
  const undone = "digit" in part ? pick.digit === part.digit
    : "cell" in part ? pick.row === part.row && pick.cell === part.cell
    : pick.answers[part.at] === part.answer;
  let next;
  if ("digit" in part) next = { ...pick, digit: undone ? null : part.digit };
  else if ("cell" in part) next = { ...pick, row: undone ? null : part.row, cell: undone ? null : part.cell };
  else {
    const { [part.at]: _, ...others } = pick.answers;
    next = { ...pick, answers: undone ? others : { ...others, [part.at]: part.answer } };
  }
  return moves.some((move) => fits(move, next)) ? next : tap(moves, NOTHING, part);
}

/** What a pick leaves: the moves, the digits and places to point at, the buttons, and the move once it is clear. */
export function narrow(moves, pick) {
  const left = moves.filter((move) => fits(move, pick));
  const asks = openQuestions(moves).map((at) => ({ at, options: options(moves, pick, at), ...words(left, at) }));
  const needsDigit = left.some((move) => spot(move).digit !== null) && pick.digit === null;
  const needsPlace = left.some((move) => spot(move).cell !== null) && pick.cell === null;
  const needsAnswer = asks.some(({ at }) => !(at in pick.answers));
  return {
    left,
    asks,
    needsDigit,
    needsPlace,
    digits: new Set(moves.map((move) => spot(move).digit).filter((digit) => digit !== null)),
    places: new Set(places(moves, pick)),
    chosen: left.length && !(needsDigit || needsPlace || needsAnswer) ? left[0] : null,
  };
}

function places(moves, pick) {
  const anywhere = { ...pick, row: null, cell: null };
  const pointed = moves.filter((move) => spot(move).cell !== null && fits(move, anywhere));
  return pointed.map((move) => `${move.spot.row}/${move.spot.cell}`);
}

function words(left, at) {
  return { prompt: left.length ? left[0].prompts[at] : null };
}

function options(moves, pick, at) {
  const { [at]: _, ...others } = pick.answers;
  const found = new Map();
  for (const move of moves) {
    if (fits(move, { ...pick, answers: others })) found.set(move.answers[at], move.labels[at]);
  }
  return [...found].map(([answer, label]) => ({ answer, label }));
}
