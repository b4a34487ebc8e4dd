/** Which moves of a reviewed game are worth another look, and how they are named. */

/** The mistakes of a player, or of both players; if there are none, the player's move that gave away the most. */
export function mistakesOf(moves, seat) {
  const own = moves.filter((move) => seat === null || move.seat === seat);
  const wrong = own.filter(({ mistake }) => mistake);
  if (wrong.length || seat === null) return wrong;
  const [worst] = own.filter(({ cost, better }) => cost > 0 && better.length).sort((one, other) => other.cost - one.cost);
  return worst ? [worst] : [];
}

/** A move in words that do not repeat who made it: "6 in its units" rather than "6 in Computer's units". */
export const ownWords = ({ words, seat }, names) => words.replace(`${names[seat]}'s `, names[seat] === "Computer" ? "its " : "their ");
