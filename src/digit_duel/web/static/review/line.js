/** The moves of a review and how many of them are made: the game itself, or a line that leaves it. Its values never change. */

export class Line {
  // The moves of the game; null on the analysis board.
  #played;
  moves;
  at;

  constructor(played, moves = played ?? [], at = 0) {
    [this.#played, this.moves, this.at] = [played, moves, Math.max(0, Math.min(moves.length, at))];
  }

  /** Whether this is the game itself. */
  get original() {
    return this.moves === this.#played;
  }

  /** Whether this line left a game, to which it can go back. */
  get left() {
    return this.#played !== null && !this.original;
  }

  /** How many moves the line shares with the game. */
  get shared() {
    const at = this.moves.findIndex((move, ply) => move !== this.#played?.[ply]);
    return at < 0 ? this.moves.length : at;
  }

  /** The moves made so far. */
  get made() {
    return this.moves.slice(0, this.at);
  }

  /** Other moves from the start, none of them made yet. */
  instead(moves) {
    return new Line(this.#played, moves);
  }

  to(at) {
    return new Line(this.#played, this.moves, at);
  }

  /** A position of the game itself, not of a line that left it. */
  game(at) {
    return new Line(this.#played, this.#played, at);
  }

  /** Make a move, which may leave the game. */
  play(move) {
    return new Line(this.#played, this.moves[this.at] === move ? this.moves : [...this.made, move], this.at + 1);
  }

  /** The positions to stop at: before every player's move, not before draws, and at the end. movers: who made each move of the game, null for a draw. */
  stations(movers) {
    const { moves: { length }, shared } = this;
    const all = [...this.moves.keys(), length];
    return movers ? all.filter((ply) => ply > shared || ply === length || movers[ply] !== null) : all;
  }
}
