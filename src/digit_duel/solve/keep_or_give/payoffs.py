"""The chance weights of a round, and the payoff of every end of its first phase, as integers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import lru_cache
from types import MappingProxyType

import numpy as np

from digit_duel.solve.keep_or_give.public_tree import STARTER, AnyArray, Ints, Tree, hand_draws, tree_of

Draws = tuple[int, ...]

FRESH_DECK = (4,) * 10
_SMALL = 10**5  # tables with up to this many cells are cached
_EXACT = 2**53  # below this float64 represents every integer, and int64 sums of weights cannot overflow


class FullHandRule(Enum):
    """What a player facing a full hand may do (C3)."""

    DISCARD = "discard"
    MUST_KEEP = "must_keep"


@dataclass(frozen=True)
class Round:
    """The rules and the cards of one round, with the starter to draw."""

    deck: tuple[int, ...] = FRESH_DECK  # copies of each digit in the deck
    pile: tuple[int, ...] = ()  # copies of each digit face up in the discard pile; empty means none
    hand_size: int = 3
    facing_full: FullHandRule = FullHandRule.DISCARD
    cap: int = 0  # with must_keep, the number of discards that are still allowed (C3)

    def __post_init__(self) -> None:
        if self.pile and len(self.pile) != len(self.deck):
            raise ValueError("deck and pile must have counts for the same digits")
        if min(self.deck + self.pile) < 0:
            raise ValueError("a count cannot be negative")
        if sum(self.deck) + sum(self.pile) < 2 * self.hand_size:
            raise ValueError("there are not enough cards to fill both hands")
        if self.cap and self.facing_full is FullHandRule.DISCARD:
            raise ValueError("a round with free discards has no cap")

    @property
    def tree(self) -> Tree:
        """The public tree of this round."""
        return tree_of(len(self.deck), self.hand_size)

    @property
    def cards(self) -> tuple[int, ...]:
        """The number of copies of each digit in deck and pile together."""
        return tuple(a + b for a, b in zip(self.deck, self.pile or (0,) * len(self.deck), strict=True))

    def source(self, draw: int) -> tuple[tuple[int, ...], int]:
        """The counts that a draw comes from, and the first draw that comes from them."""
        # The pile is reshuffled when a draw is due and the deck is empty (C5); no card is discarded in this
        # phase.
        in_deck = sum(self.deck)
        return (self.deck, 0) if draw < in_deck else (self.pile, in_deck)

    def ways(self, start: int, stop: int) -> int:
        """The number of ways to make the draws from start to stop, whatever was drawn before."""
        ways = 1
        for draw in range(start, stop):
            counts, first = self.source(draw)
            ways *= sum(counts) - (draw - first)
        return ways


@dataclass(frozen=True)
class Payoffs:
    """The number of equally likely deals that the starter wins, and ties, at every end."""

    # Integers if they come from payoffs(); those of cap_bounds.py are probabilities, with a total of 1.

    round: Round
    total: int
    win: Mapping[str, AnyArray] = field(repr=False)
    tie: Mapping[str, AnyArray] = field(repr=False)


def numbers(kinds: int, hand_size: int) -> Ints:
    """The highest number that each ordered hand can form, in a base larger than every digit."""
    digits = np.indices((kinds,) * hand_size).reshape(hand_size, -1)
    digits.sort(axis=0)
    place = kinds ** np.arange(hand_size, dtype=np.int64)
    found: Ints = (place[:, None] * digits).sum(axis=0).reshape((kinds,) * hand_size)
    return found


def spread(values: AnyArray, axes: tuple[int, ...], ndim: int) -> AnyArray:
    """A table over some draws as one that broadcasts over ndim draws."""
    order = np.argsort(axes)
    shape = [1] * ndim
    for position in order:
        shape[axes[position]] = values.shape[position]
    return values.transpose(order).reshape(shape)


def draw_weights(round_: Round, length: int) -> Ints:
    """The number of ways to draw each sequence of digits; the array is shared, do not modify it."""
    plain = replace(round_, facing_full=FullHandRule.DISCARD, cap=0)  # the rules do not matter here
    small = len(round_.deck) ** length <= _SMALL
    return _small_weights(plain, length) if small else _weights(plain, length)


@lru_cache(maxsize=16)  # a round asks for the same ones again and again
def _small_weights(round_: Round, length: int) -> Ints:
    return _weights(round_, length)


def _weights(round_: Round, length: int) -> Ints:
    kinds = len(round_.deck)
    weights = np.ones((), dtype=np.int64)
    same = np.eye(kinds, dtype=np.int64)
    for draw in range(length):
        counts, first = round_.source(draw)
        left = np.array(counts, dtype=np.int64).reshape((1,) * draw + (kinds,))
        for earlier in range(first, draw):
            left = left - spread(same, (earlier, draw), draw + 1)
        # A digit drawn more often than it exists has a factor of 0, so negative factors do no harm.
        weights = weights[..., None] * left
    weights.setflags(write=False)
    return weights


def best_left(round_: Round, length: int, places: int) -> list[Ints]:
    """The highest digits that are in no hand after each sequence of draws, best first."""
    kinds = len(round_.deck)
    shape = (kinds,) * length
    left = np.empty((kinds, *shape), dtype=np.int64)
    left[...] = np.array(round_.cards).reshape((kinds,) + (1,) * length)
    for draw in range(length):
        left -= spread(np.eye(kinds, dtype=np.int64), (0, draw + 1), length + 1)
    found = []
    for _ in range(places):
        best = kinds - 1 - np.argmax(left[::-1] > 0, axis=0)
        found.append(best)
        np.put_along_axis(left, best[None], np.take_along_axis(left, best[None], axis=0) - 1, axis=0)
    return found


# Why a hunt is a fixed payoff (facing_full=discard). Let m be the number of the hunter's empty places, and P
# the multiset of all cards in no hand when the other hand becomes full: the deck and the pile.
#  1. Upper bound. Every card that the hunter can still keep comes from P, so the final hand is the present
#     digits and m cards of P. Replacing a digit by a higher one never lowers the highest number that a hand
#     can form. Hence the present digits with the m highest cards of P are at least as good, digit for digit,
#     as any other completion.
#  2. The bound is attained, whatever the hidden hand and the order of the cards. Pass every card until the
#     deck runs out: passed cards are face up and go back in, so the reshuffled deck is exactly P, and the
#     hunter knows all of it. This is the first run-out, which C4 allows. Go through P once more and keep each
#     card that belongs to the m highest (counted with copies). All m have turned up at the latest with the
#     last card of P, so the second run-out never happens. One pass collects all m, also for two or three
#     empty places, because only wanted cards are kept and passed ones stay in P.
#  3. So the hunter reaches its best result in every single deal, without any belief about the hidden hand.
#     Since a win is at least as good as a tie, and a tie as a loss, for every tie value in [0, 1], this is
#     optimal for all of them at once.
def _hunt_by_discarding(round_: Round, word: str, full: Draws, held: Draws) -> tuple[Ints, Ints]:
    length, ranks = len(word), numbers(len(round_.deck), round_.hand_size)
    digits = np.indices((len(round_.deck),) * length, sparse=True)
    hand = [digits[i] for i in held] + best_left(round_, length, round_.hand_size - len(held))
    mine, theirs = ranks[tuple(hand)], ranks[tuple(digits[i] for i in full)]
    weights = draw_weights(round_, length) * round_.ways(length, round_.tree.draws)
    return weights * (mine > theirs), weights * (mine == theirs)


def _hunt_by_keeping(round_: Round, word: str, full: Draws, held: Draws) -> tuple[Ints, Ints]:
    draws, ranks = 2 * round_.hand_size, numbers(len(round_.deck), round_.hand_size)
    rest = tuple(range(len(word), draws))
    mine, theirs = spread(ranks, held + rest, draws), spread(ranks, full, draws)
    weights = draw_weights(round_, draws)
    return (weights * (mine > theirs)).sum(axis=rest), (weights * (mine == theirs)).sum(axis=rest)


def _hunts_by_keeping(round_: Round) -> dict[str | int, tuple[Ints, Ints]]:
    """The hunts of a round whose draws come from one source, by the number of digits that the hunter held."""
    size, ranks = round_.hand_size, numbers(len(round_.deck), round_.hand_size)
    theirs, mine = (spread(ranks, tuple(range(at, at + size)), 2 * size) for at in (0, size))
    weights = draw_weights(round_, 2 * size)
    won, tied = weights * (mine > theirs), weights * (mine == theirs)
    hunts: dict[str | int, tuple[Ints, Ints]] = {}
    for held in reversed(range(size)):
        won, tied = won.sum(axis=-1), tied.sum(axis=-1)
        hunts[held] = won, tied
    return hunts


@lru_cache(maxsize=4)  # odds use the same rounds in several places
def payoffs(round_: Round) -> Payoffs:
    """The exact payoffs of a round."""
    if round_.cap:
        raise ValueError("with a cap, the payoff of an end depends on the hunter's beliefs")
    tree = round_.tree
    must_keep = round_.facing_full is FullHandRule.MUST_KEEP
    draws = tree.draws + must_keep
    total = round_.ways(0, draws)
    if total >= _EXACT:
        raise ValueError(f"{total} deals are too many for exact arithmetic in 64 bits")
    # If all draws come from one source, the weight of a deal does not depend on the order of its draws. So
    # ends with the same hand sizes share one table, and each end is a transposed view of it.
    alike = sum(round_.deck) >= draws
    shared = _hunts_by_keeping(round_) if alike and must_keep else {}
    win, tie = {}, {}
    for word in tree.ends:
        hunter = tree.hunter(word)
        full, held = hand_draws(word, 1 - hunter), hand_draws(word, hunter)
        if alike:
            order = full + held
            first = tuple(range(len(full))), tuple(range(len(full), len(word)))
            key: str | int = len(held)
        else:
            order = tuple(range(len(word)))
            first, key = (full, held), word
        if key not in shared:
            hunt = _hunt_by_keeping if must_keep else _hunt_by_discarding
            shared[key] = hunt(round_, word, *first)
        won, tied = (table.transpose(np.argsort(order)) for table in shared[key])
        if hunter != STARTER:
            weights = draw_weights(round_, len(word)) * round_.ways(len(word), draws)
            won = weights - won - tied
        win[word], tie[word] = won, tied
    return Payoffs(round_, total, MappingProxyType(win), MappingProxyType(tie))
