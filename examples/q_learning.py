"""Tabular Q-learning by self-play, until the exact regret is zero.

    python examples/q_learning.py            classic, about a minute
    python examples/q_learning.py --short    a smaller classic, a few seconds

The learner knows only the rules. The game is deterministic, so the learning rate is 1; the learner only has
to find out which moves to try.

To measure it, let the learner play its best move from either seat while the other side may play anything. In
every position that can arise, the solver computes the regret of the learner's move. The learner is done when
the sum of these regrets is zero.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator
from random import Random

from digit_duel import solve
from digit_duel.core.game import Seat
from digit_duel.games._placement import Place, Placement, Position

EXPLORE = 0.5  # the probability of an exploratory move
LESSON = 10_000  # games between two measurements


class Learner:
    """A table with the learned value of each move for the player who makes it."""

    def __init__(self, game: Placement, rng: Random) -> None:
        self.game, self.rng = game, rng
        self.worth: defaultdict[Position, dict[Place, int]] = defaultdict(dict)

    def best(self, state: Position) -> Place:
        """The move that looks best; one that was never tried looks like a draw."""
        known = self.worth[state]
        return max(self.game.legal(state, state.to_move), key=lambda move: known.get(move, 0))

    def value(self, state: Position) -> int:
        """The learned value of a position for the seat to move."""
        if outcome := self.game.outcome(state):
            return outcome.score(state.to_move)
        return self.worth[state].get(self.best(state), 0)

    def play(self) -> None:
        """Play one game against itself, then update the values from the end back to the start."""
        state, path = self.game.start(), []
        while not self.game.outcome(state):
            move = self.best(state)
            if self.rng.random() < EXPLORE:
                legal = self.game.legal(state, state.to_move)
                untried = [move for move in legal if move not in self.worth[state]]
                move = self.rng.choice(untried or legal)
            path.append((state, move))
            state = self.game.play(state, move)
        for before, move in reversed(path):
            self.worth[before][move] = -self.value(self.game.play(before, move))


def met(game: Placement, learner: Learner, seat: Seat) -> Iterator[Position]:
    """Every position in which the learner may have to move, whatever the other side plays."""
    waiting, seen = [game.start()], set()
    while waiting:
        state = waiting.pop()
        if state in seen or game.outcome(state):
            continue
        seen.add(state)
        mine = state.to_move is seat
        if mine:
            yield state
        moves = [learner.best(state)] if mine else game.legal(state, state.to_move)
        waiting.extend(game.play(state, move) for move in moves)


def total_regret(game: Placement, learner: Learner) -> tuple[int, int]:
    """The total regret over all positions that the learner may meet, and the number of these positions."""
    lost = [
        int(solve.regret(game, state, seat, learner.best(state)))
        for seat in Seat
        for state in met(game, learner, seat)
    ]
    return sum(lost), len(lost)


def main() -> None:
    """Alternate learning and measuring until the regret is zero."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--short", action="store_true", help="a smaller game")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    rung = next(
        rung for rung in solve.ladder() if rung.name == ("classic-4" if chosen.short else "classic-7")
    )
    game = rung.variant.game_as(Placement)
    learner = Learner(game, Random(chosen.seed))
    print(f"{rung.name}: {rung.size:,} states")
    print("   games   positions   regret")
    lesson = LESSON // 10 if chosen.short else LESSON
    for games in range(0, 100 * lesson, lesson):
        regret, positions = total_regret(game, learner)
        print(f"{games:8,} {positions:11,} {regret:8,}")
        if regret == 0:
            break
        for _ in range(lesson):
            learner.play()
    assert regret == 0, "the learner still gives something away"
    opening = game.text(learner.best(game.start()))
    assert (opening,) == rung.openings, "the only winning opening is another one"
    print(f"Nothing is given away. The opening that was learned: {opening}")


if __name__ == "__main__":
    main()
