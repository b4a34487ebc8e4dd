"""Rounds with open hands, played by one seat against an opponent who may err."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from digit_duel.solve.keep_or_give.opponents import Habits, erring_end_values, keep_shares, replayed_tie
from digit_duel.solve.keep_or_give.public_tree import (
    GIVE,
    KEEP,
    STARTER,
    AnyArray,
    Array,
    Tree,
    mover,
)
from digit_duel.solve.keep_or_give.solved_round import SolvedRound

Tables = Mapping[str, Array]  # by word, an axis per draw: the starter's wins times the draws' probability
Decide = Callable[[str, Array, Array], AnyArray]


@dataclass(frozen=True)
class OpenRound:
    """The value for one seat of each situation in a round with open hands."""

    solved: SolvedRound = field(repr=False)  # with end values against this opponent
    seat: int
    perfect: Tables = field(repr=False)  # values if both seats play perfectly
    against: Tables = field(repr=False)  # values if the other seat plays by its habits

    def worth(self, word: str, digits: tuple[int, ...]) -> tuple[float, float]:
        """The seat's value against the opponent, and under perfect play, after these draws.

        If there are more digits than letters, the seat has just drawn the last digit.
        """
        chance = float(self.solved.chances[len(digits)][digits])
        wins = [float(tables[word][digits].sum()) / chance for tables in (self.against, self.perfect)]
        against, perfect = wins if self.seat == STARTER else [1 - win for win in wins]
        return against, perfect


def open_against(solved: SolvedRound, habits: Habits, seat: int) -> OpenRound:
    """A round as one seat plays it with open hands; a tie has the value of the round to the seat."""
    tree = solved.round.tree
    perfect = _backwards(tree, solved.worth.payoff, lambda word, keep, give: _best(mover(word), keep, give))
    theirs = _keeps(solved, habits, 1 - seat, perfect)

    def decide(word: str, keep: Array, give: Array) -> AnyArray:
        return _best(seat, keep, give) if mover(word) == seat else give + theirs[word] * (keep - give)

    def round_value(tie: float) -> float:
        return float(_backwards(tree, erring_end_values(solved, habits, seat, tie).payoff, decide)[""])

    value = replayed_tie(solved.tie_value, round_value)
    worth = erring_end_values(solved, habits, seat, value)
    against = _backwards(tree, worth.payoff, decide)
    erring = replace(solved, worth=worth, tie_value=value, any_order=habits.any_order)
    return OpenRound(erring, seat, perfect, against)


def _backwards(tree: Tree, ends: Tables, decide: Decide) -> dict[str, Array]:
    """The tables of all words from those of the ends, by backward induction."""
    found = dict(ends)
    for word in reversed(tree.nodes):
        found[word] = decide(word, found[word + KEEP], found[word + GIVE]).sum(axis=-1)
    return found


def _best(seat: int, keep: Array, give: Array) -> AnyArray:
    return np.maximum(keep, give) if seat == STARTER else np.minimum(keep, give)


def _keeps(solved: SolvedRound, habits: Habits, seat: int, perfect: Tables) -> dict[str, AnyArray]:
    """The probability that an opponent in a seat keeps after each word, by all the draws."""
    tree = solved.round.tree
    if habits.blur or habits.tips:  # such opponents judge as they do with private hands
        shares = keep_shares(solved, habits, seat)
        return {word: tree.at(shares, word) for word in tree.seat_nodes(seat)}
    better = np.greater_equal if seat == STARTER else np.less_equal
    return {
        word: habits.coin / 2 + (1 - habits.coin) * better(perfect[word + KEEP], perfect[word + GIVE])
        for word in tree.seat_nodes(seat)
    }
