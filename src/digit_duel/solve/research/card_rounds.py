"""Bounds on a policy's exploitability in a full-size round of cards, whose tree would not fit into memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import lcm

import numpy as np

from digit_duel.core.game import Seat
from digit_duel.core.variant import AnyVariant
from digit_duel.games._cards import Cards
from digit_duel.games._cards_table import CardsMove, Draw, Give, Keep, Sight, Table
from digit_duel.solve.cards.rounds import fresh_round, is_shipped, shipped
from digit_duel.solve.errors import Unsolved
from digit_duel.solve.keep_or_give import (
    Certificate,
    RoundStrategy,
    Tree,
    certify,
    payoffs,
    quantise,
    seen_draws,
    solve,
)
from digit_duel.solve.keep_or_give import Profile as Keeps
from digit_duel.solve.keep_or_give.counterfactual import end_values
from digit_duel.solve.keep_or_give.strategy import FINE
from digit_duel.solve.research.exploration import refuse_variant
from digit_duel.solve.research.policies import Number, Policy, Profile, mixture, policy_of

CLOSE = 1e-13  # the tie value has converged when two iterations differ by less
NEAR, MOST_ITERATIONS = 1e-7, 400  # for rounds without a shipped table


@dataclass(frozen=True, slots=True)
class RoundBounds:
    """The starter's winning probability: what its policy guarantees, and what the other seat's concedes."""

    low: Number  # with the starter's policy, against a best response
    high: Number  # with the other seat's policy, against a best response

    @property
    def nash_conv(self) -> Number:
        """The sum of both seats' gains from a best response, in rounds won."""
        return self.high - self.low


def round_bounds(game: Cards, profile: Profile[Sight, CardsMove]) -> RoundBounds:
    """The bounds of a policy in one round from a fresh deck, with facing_full=must_keep.

    The policy is asked at every information set before a hand is full; hands are assumed to be laid out as
    the highest number, and ties to be replayed from a fresh deck. Exact if all probabilities have a common
    denominator of at most 65,535, otherwise in floats. Raises Unsolved for other rules.
    """
    refuse_variant(game)
    if not isinstance(game, Cards):
        raise Unsolved(f"this needs a game of cards, not {type(game).__name__}.")
    if game.facing_full.most != 0:
        raise Unsolved("this needs facing_full=must_keep: other rules leave choices after a hand is full.")
    if game.hand_size == 1:
        raise Unsolved("with one card each the other seat never chooses: use nash_conv instead.")
    round_ = fresh_round(game)
    paid, tree = payoffs(round_), round_.tree
    keeps = [list(_keeps(game, tree, policy_of(profile, seat), seat)) for seat in Seat]
    every = [keep for one in keeps for keep in one]
    exact = [Fraction(keep) for keep in every if not isinstance(keep, float)]
    whole = lcm(*(keep.denominator for keep in exact)) if len(exact) == len(every) else 0
    if 0 < whole <= FINE:
        first, second = (np.array([int(keep * whole) for keep in one], np.uint16) for one in keeps)
        proof = certify(paid, RoundStrategy(round_, whole, (first, second)))
        return RoundBounds(proof.low, proof.high)
    table = Keeps(tree, (np.array(keeps[0], np.float64), np.array(keeps[1], np.float64)))

    def against(seat: Seat) -> float:
        """The starter's value if a seat plays a best response; a tie has the same value."""
        value, before = 0.5, 2.0
        while abs(value - before) > CLOSE:
            value, before = end_values(paid, value).best_response(seat, table), value
        return value

    return RoundBounds(against(Seat.SECOND), against(Seat.FIRST))


KeepChance = tuple[int, Seat, Sight, Sequence[CardsMove], Fraction]
_Asked = tuple[int, Sight, Sequence[CardsMove]]  # the number of earlier choices, the view, the legal moves


def solved_round_sets(variant: AnyVariant) -> tuple[list[KeepChance], Certificate]:
    """An optimal strategy of a round from a fresh deck, and its certificate; raises Unsolved.

    The strategy has an entry for every information set before a hand is full: the number of earlier choices,
    the seat, its view, the legal moves, and the probability of keeping.
    """
    game = variant.game_as(Cards)
    round_ = fresh_round(game)
    paid = payoffs(round_)
    strategy = shipped(round_) if is_shipped(game) else None
    if strategy is None:
        strategy = quantise(round_, solve(paid, target=NEAR, limit=MOST_ITERATIONS).profile)
    entries = [
        (ply, seat, view, legal, Fraction(parts, strategy.scale))
        for seat in Seat
        for found, parts in zip(
            _information_sets(game, round_.tree, seat), strategy.keep[seat].tolist(), strict=True
        )
        if found is not None
        for ply, view, legal in [found]
    ]
    return entries, certify(paid, strategy)


def _keeps(game: Cards, tree: Tree, policy: Policy[Sight, CardsMove], seat: Seat) -> Iterator[Number]:
    """A policy's probability of keeping at every information set of a seat, in the solver's order."""
    for found in _information_sets(game, tree, seat):
        yield 0 if found is None else dict(mixture(game, policy, *found[1:])).get(Keep(), 0)


def _information_sets(game: Cards, tree: Tree, seat: Seat) -> Iterator[_Asked | None]:
    """Every information set of a seat in the solver's order; None if no deal leads there."""

    @cache
    def laid(word: str, draws: tuple[int, ...]) -> Table:
        if not word:
            return game.start()
        drawn = game.play(laid(word[:-1], draws[:-1]), Draw(draws[-1]))
        return game.play(drawn, Keep() if word[-1] == "k" else Give())

    for word in tree.seat_nodes(seat):
        seen = (*seen_draws(word, seat), len(word))
        for digits in np.ndindex(*tree.shape(word)):
            left = Counter(game.pool)
            left.subtract(digits[at] for at in seen)
            if min(left.values()) < 0:
                yield None  # more copies of a digit than exist
                continue
            hidden = iter(left.elements())  # any will do, because the seat does not see them
            draws = tuple(digits[at] if at in seen else next(hidden) for at in range(len(word) + 1))
            state = game.play(laid(word, draws[:-1]), Draw(draws[-1]))
            yield len(word), game.view(state, seat), game.legal(state, seat)
