"""Rounds with open hands as one seat plays them against an opponent who may err."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from digit_duel.solve.keep_or_give.opponents import Habits, erring_end_values, keep_shares
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

Tables = Mapping[str, Array]  # by word, an axis a draw: the starter's wins times the chance of the draws
Decide = Callable[[str, Array, Array], AnyArray]


@dataclass(frozen=True)
class OpenRound:
    """What each situation of a round with open hands is worth to one seat."""

    solved: SolvedRound = field(repr=False)  # its ends are worth what they are against this opponent
    seat: int
    perfect: Tables = field(repr=False)  # if both seats do their best
    against: Tables = field(repr=False)  # if the other one plays as the opponent does

    def worth(self, word: str, digits: tuple[int, ...]) -> tuple[float, float]:
        """What the seat wins against the opponent, and if both do their best, once these cards were drawn.

        The last digit is one that the seat has just drawn if there are more digits than letters.
        """
        chance = float(self.solved.chances[len(digits)][digits])
        wins = [float(tables[word][digits].sum()) / chance for tables in (self.against, self.perfect)]
        against, perfect = wins if self.seat == STARTER else [1 - win for win in wins]
        return against, perfect


def open_against(solved: SolvedRound, habits: Habits, seat: int) -> OpenRound:
    """A round as one seat plays it with open hands; a tie is worth what the seat wins of such a round."""
    tree = solved.round.tree
    perfect = _backwards(tree, solved.worth.payoff, lambda word, keep, give: _best(mover(word), keep, give))
    theirs = _keeps(solved, habits, 1 - seat, perfect)

    def decide(word: str, keep: Array, give: Array) -> AnyArray:
        return _best(seat, keep, give) if mover(word) == seat else give + theirs[word] * (keep - give)

    # What a round wins is nearly linear in what a tie is worth, so two passes show where they meet.
    values = [solved.tie_value]
    for _ in range(2):
        ends = erring_end_values(solved, habits, seat, values[-1]).payoff
        values.append(float(_backwards(tree, ends, decide)[""]))
    before, first, second = values
    bend = (second - first) - (first - before)
    value = second - (second - first) ** 2 / bend if bend else second
    worth = erring_end_values(solved, habits, seat, value)
    against = _backwards(tree, worth.payoff, decide)
    erring = replace(solved, worth=worth, tie_value=value, any_order=habits.any_order)
    return OpenRound(erring, seat, perfect, against)


def _backwards(tree: Tree, ends: Tables, decide: Decide) -> dict[str, Array]:
    """The tables of all words from those of the ends."""
    found = dict(ends)
    for word in reversed(tree.nodes):
        found[word] = decide(word, found[word + KEEP], found[word + GIVE]).sum(axis=-1)
    return found


def _best(seat: int, keep: Array, give: Array) -> AnyArray:
    return np.maximum(keep, give) if seat == STARTER else np.minimum(keep, give)


def _keeps(solved: SolvedRound, habits: Habits, seat: int, perfect: Tables) -> dict[str, AnyArray]:
    """How often an opponent in a seat keeps after each word, by all the draws."""
    tree = solved.round.tree
    if habits.blur or habits.tips:  # these judge as they do with private hands
        shares = keep_shares(solved, habits, seat)
        return {word: tree.at(shares, word) for word in tree.seat_nodes(seat)}
    better = np.greater_equal if seat == STARTER else np.less_equal
    return {
        word: habits.coin / 2 + (1 - habits.coin) * better(perfect[word + KEEP], perfect[word + GIVE])
        for word in tree.seat_nodes(seat)
    }
