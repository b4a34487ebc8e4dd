"""Tabular Q-learning by self-play, measured against the truth until nothing is given away.

    python examples/q_learning.py            classic, about a minute
    python examples/q_learning.py --short    a smaller classic, a few seconds

The learner knows the rules and nothing else. There is no luck in the moves, so what one was found to be worth
can be believed at once (a learning rate of 1); all that has to be learned is which moves to try.

What is measured: let the learner sit on either side and play what it thinks best, and let the other side play
anything at all. In every position that can come about so, the oracle says how much the learner's move gives
away. The learner is done when the sum of these regrets is zero.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator
from random import Random

from digit_duel import solve
from digit_duel.core.game import Seat
from digit_duel.games._placement import Place, Placement, Position

EXPLORE = 0.5  # how often a move is tried that does not look best
LESSON = 10_000  # games between two measurements


class Learner:
    """A table of what each move was found to be worth to whoever makes it."""

    def __init__(self, game: Placement, rng: Random) -> None:
        self.game, self.rng = game, rng
        self.worth: defaultdict[Position, dict[Place, int]] = defaultdict(dict)

    def best(self, state: Position) -> Place:
        """The move that looks best; one that was never tried looks like a draw."""
        known = self.worth[state]
        return max(self.game.legal(state, state.to_move), key=lambda move: known.get(move, 0))

    def value(self, state: Position) -> int:
        """What the position looks like to the seat on turn."""
        if outcome := self.game.outcome(state):
            return outcome.score(state.to_move)
        return self.worth[state].get(self.best(state), 0)

    def play(self) -> None:
        """One game against itself, and what it teaches, from the end back to the start."""
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
    """Every position in which the learner may have to move, against any play of the other side."""
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
    """What the learner's moves give away in all positions it may meet, and how many these are."""
    lost = [
        int(solve.regret(game, state, seat, learner.best(state)))
        for seat in Seat
        for state in met(game, learner, seat)
    ]
    return sum(lost), len(lost)


def main() -> None:
    """Learn, measure, and learn on until there is nothing left to learn."""
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
