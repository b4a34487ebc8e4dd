"""Rounds with open hands (visibility=open): perfect information with chance, solved by backward induction."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from digit_duel.solve.keep_or_give.payoffs import Payoffs
from digit_duel.solve.keep_or_give.public_tree import GIVE, KEEP, STARTER, AnyArray, mover
from digit_duel.solve.keep_or_give.solved_round import SolvedRound, narrow

MOST_STEPS = 100


def open_value(exact: Payoffs, tie_value: Fraction | None = None) -> Fraction:
    """The starter's exact chance to win a round with open hands; ties are replayed if tie_value is None."""
    # Open hands do not change the value of a hunt: with free discards it reaches the best result of every
    # deal anyway, and with must_keep nothing is left to decide.
    value = Fraction(1, 2) if tie_value is None else tie_value
    for _ in range(MOST_STEPS):
        wins, ties = _best_counts(exact, value)
        if tie_value is not None:
            return (wins + value * ties) / exact.total
        better = Fraction(wins, exact.total - ties)
        if better == value:
            return value  # a fixed point: play is optimal for exactly this value of a tie
        value = better
    raise ValueError("the value of a tie does not converge")


def _best_counts(exact: Payoffs, value: Fraction) -> tuple[int, int]:
    """The number of deals that the starter wins and ties under perfect open play, for a value of a tie."""
    tree, p, q = exact.round.tree, value.numerator, value.denominator
    counts: dict[str, AnyArray] = {end: np.stack([exact.win[end], exact.tie[end]]) for end in tree.ends}
    for word in reversed(tree.nodes):
        keep, give = counts[word + KEEP], counts[word + GIVE]
        # Python integers, because the products with a fraction's parts overflow 64 bits.
        gain = (keep[0] - give[0]).astype(object) * q + (keep[1] - give[1]).astype(object) * p
        keeps = (gain > 0 if mover(word) == STARTER else gain < 0).astype(bool)
        counts[word] = np.where(keeps, keep, give).sum(axis=-1)
    wins, ties = counts[""]
    return int(wins), int(ties)


def open_choices(solved: SolvedRound, word: str, digits: tuple[int, ...]) -> tuple[float, float]:
    """The mover's values of keeping and giving the last of these digits, if both see everything."""
    tree = solved.round.tree
    worth: dict[str, AnyArray] = {
        end: narrow(solved.worth.payoff[end], digits) for end in tree.ends if end.startswith(word)
    }
    for node in reversed(tree.nodes):
        if node.startswith(word) and node != word:
            better = np.maximum if mover(node) == STARTER else np.minimum
            worth[node] = better(worth[node + KEEP], worth[node + GIVE]).sum(axis=-1)
    chance = float(narrow(solved.chances[len(digits)], digits).item())
    keep, give = (float(worth[word + said].item()) / chance for said in (KEEP, GIVE))
    return (keep, give) if mover(word) == STARTER else (1 - keep, 1 - give)


def open_estimate(bound: Payoffs) -> float:
    """The starter's chance with open hands, ties replayed, from payoffs that are probabilities."""
    tree, value, last = bound.round.tree, 0.5, 1.0
    while abs(value - last) > 1e-12:
        worth: dict[str, AnyArray] = {end: bound.win[end] + value * bound.tie[end] for end in tree.ends}
        for word in reversed(tree.nodes):
            better = np.maximum if mover(word) == STARTER else np.minimum
            worth[word] = better(worth[word + KEEP], worth[word + GIVE]).sum(axis=-1)
        value, last = float(worth[""]) / bound.total, value
    return value
