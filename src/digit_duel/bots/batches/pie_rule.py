"""Many placing games with the pie rule at once: the first move, the offer to swap seats, and the rest.

Results and margins are those of the boards: positive if the first board wins. After a first move that is
worth 1 or -1 the second player takes the better side, by swapping or by keeping their seat. So the first
player loses with best play, unless there is a move worth 0.
"""

from __future__ import annotations

import numpy as np

from digit_duel.bots.batches import placing
from digit_duel.bots.batches.noisy_choices import (
    ERRORS,
    FIGURES,
    Flags,
    Floats,
    Numbers,
    dice,
    misses,
    noisy_scores,
)
from digit_duel.bots.batches.placing import Batch, Rules, States
from digit_duel.core.game import Pair, swap
from digit_duel.core.swap import SwapGame
from digit_duel.core.variant import AnyGame, AnyVariant
from digit_duel.games._placement import Placement


def can_batch(game: AnyGame) -> bool:
    """Whether games can be played in batches: without the pie rule they could be."""
    return isinstance(game, SwapGame) and placing.can_batch(game.game)


def play(variant: AnyVariant, pair: Pair[str], games: int, seed: str) -> Floats:
    """Play games between two levels; returns a row for each of FIGURES and a column for each game."""
    game = variant.rules_game
    assert isinstance(game, Placement)
    batch = _Games(Rules(game), pair, dice(pair, seed))
    return placing.in_parts(games, batch.figures)


class _Games:
    """Games that are played together, by a level for each seat."""

    def __init__(self, rules: Rules, pair: Pair[str], source: np.random.Generator) -> None:
        self.rules, self.pair, self.source = rules, pair, source
        start = rules.start(1)
        self.legal = rules.legal(start, 0).reshape(-1)
        self.likes = rules.likings(start, 0, rules.legal(start, 0)).reshape(-1)
        margins = rules.margins(start, 0).reshape(-1)
        self.results = rules.results(margins)  # of best play after each first move
        self.apart = np.abs(margins - rules.game.bonus)

    def figures(self, games: int) -> Floats:
        """A row for each of FIGURES, a column for each game."""
        hopes = np.where(self.legal, -np.abs(self.results), -2)  # what each first move brings its player
        best = hopes.max()
        move = self._first(hopes == best, games)
        states = self.rules.after(self.rules.start(games), 0, *np.divmod(move, self.rules.count))
        result = self.results[move]
        swapped = self._swaps(states, result)
        erred_first = hopes[move] != best
        erred_second = np.where(swapped, -result, result) != hopes[move]
        rest = np.empty((len(FIGURES), games))
        for answer, sides in ((False, self.pair), (True, swap(self.pair))):
            at = np.flatnonzero(swapped == answer)
            if len(at):
                rest[:, at] = Batch(self.rules, sides, self.source).figures(states[at], 1)
        wins, draws, length, changes, until, decisions, only = rest
        until = np.where(changes, until + 1, np.where(erred_second, 2, erred_first))
        return np.array(
            [
                np.where(swapped, 1 - wins - draws, wins),
                draws,
                length + 1,
                changes + erred_first + erred_second,
                until,
                decisions + (np.count_nonzero(self.legal) > 1) + 1,
                only + (np.count_nonzero(hopes == best) == 1) + (result != 0),
            ]
        )

    def _first(self, best: Flags, games: int) -> Numbers:
        """The number of the first move in each game."""
        level, shape = self.pair[0], (games, len(best))
        if level == "random":
            order = np.where(self.legal, self.source.random(shape), -1)
        elif level == "perfect":
            closest = best & (self.apart == self.apart[best].min())
            order = np.where(closest, self.source.random(shape), -1)
        else:
            errors = ERRORS[level]
            # Either swapping or keeping wins, unless best play is then a draw.
            sees = (1 - misses(errors, np.array(2))) * errors.follows(self.rules.count - 1)
            seen = np.where(self.results, sees, 0.0)
            order = noisy_scores(
                np.tile(self.likes, (games, 1)), errors, self.source, lambda games, moves: seen[moves]
            )
        return np.asarray(order.argmax(axis=1))

    def _swaps(self, states: States, result: Numbers) -> Flags:
        """In which games the second player swaps, given the results of best play by the boards."""
        level, games = self.pair[1], len(result)
        if level == "random":
            return self.source.random(games) < 1 / 2
        if level == "perfect":
            return np.asarray(result == 1)  # not in a draw: the opponent would move next, and might find it
        errors = ERRORS[level]
        # After a swap the opponent is to move. Otherwise the player is, perhaps in a lost position.
        answered = Batch(self.rules, self.pair, self.source).sees_an_answer(states, 1, errors)
        lost = np.where(result == 1, errors.follows(self.rules.count - 1), 0.0)
        seen = np.column_stack([answered, lost])
        order = noisy_scores(
            np.ones((games, 2)),
            errors,
            self.source,
            lambda games, moves: np.take_along_axis(seen[games], moves, axis=1),
        )
        return np.asarray(order.argmax(axis=1) == 0)
