"""Rounds with open hands and a cap on discards, in which the hunter sees the full hand: solved exactly."""

from __future__ import annotations

from collections.abc import Iterator
from math import comb

import numpy as np

from digit_duel.solve.keep_or_give.capped.cap_bounds import HuntRows, hunts_with
from digit_duel.solve.keep_or_give.capped.multisets import (
    Multisets,
    digit_sets,
    multisets,
    number_of_sets,
    up_to,
)
from digit_duel.solve.keep_or_give.other_rules.open_hands import open_estimate
from digit_duel.solve.keep_or_give.payoffs import Payoffs, Round, draw_weights
from digit_duel.solve.keep_or_give.public_tree import STARTER, AnyArray, Array, Ints, hand_draws

# With open hands a hunt is a game against chance alone: draw by draw, keep or pass. Digits that always lead
# to the same results form a class. There are at most seven: one for each digit of the full hand, and one for
# each gap between and around them. So the dynamic programme has few states: the classes of the cards kept and
# passed. The highest class is always kept.

_AT_ONCE = 3 * 10**6  # numbers in the tables of one dynamic programme
_SETTLED = 1e-12
_FEWEST = 2  # classes: one that is always kept, and one to decide about

# By cards kept: the values and the chances to tie, by hunter, state and row. Where no tie is possible the
# chances are None, and both hunters have the same values.
Values = dict[tuple[int, ...], tuple[Array, Array | None]]


def open_capped_payoffs(round_: Round, tie_value: float) -> Payoffs:
    """The payoffs of a round with a cap, as probabilities, if hunters see the full hand and hunt perfectly.

    Raises ValueError if the deck could run out.
    """
    if sum(round_.deck) < 2 * round_.hand_size + round_.cap:
        raise ValueError("the deck could run out: this solver needs a deck that lasts the whole round")
    tree, win, tie = round_.tree, {}, {}
    tie_worths = np.array([tie_value, 1 - tie_value])  # to the starter and the second seat
    hunts = {places: hunts_with(round_, places) for places in range(1, round_.hand_size + 1)}
    results: dict[int, tuple[Array, Array]] = {}
    for end in tree.ends:
        hunter = tree.hunter(end)
        full, held = hand_draws(end, 1 - hunter), hand_draws(end, hunter)
        places = round_.hand_size - len(held)
        if places not in results:
            in_deck = sum(round_.deck) - len(end)
            results[places] = _best(hunts[places], in_deck, round_.cap, tie_worths)
        axes, rows = np.argsort(full + held), hunts[places].rows
        won, tied = (table[hunter][rows].transpose(axes) for table in results[places])
        weights = draw_weights(round_, len(end)) / round_.ways(0, len(end))
        win[end] = weights * (won if hunter == STARTER else 1 - won - tied)
        tie[end] = weights * tied
    return Payoffs(round_, 1, win, tie)


def open_capped_value(round_: Round) -> float:
    """The starter's chance to win a round with open hands and a cap, ties replayed; raises ValueError."""
    value, last = 0.5, 1.0
    while abs(value - last) > _SETTLED:  # hunts depend on the value of a tie, but only slightly
        value, last = open_estimate(open_capped_payoffs(round_, value)), value
    return value


def _best(hunts: HuntRows, in_deck: int, cap: int, tie_worths: Array) -> tuple[Array, Array]:
    """The best hunters' probabilities of winning and tying, by hunter and row."""
    kinds, places = hunts.deck.shape[1], hunts.sets.shape[1]
    win, tie = np.zeros((2, len(tie_worths), len(hunts.deck)))
    results = np.sign(hunts.mine - hunts.theirs[:, None])  # by row and set of further digits
    of_set = number_of_sets(kinds, places).reshape((kinds,) * places)
    for rows, digits, deck in _by_classes(hunts.deck, results[:, of_set.reshape(kinds, -1)], places, cap):
        ends: Values = {}
        for kept in digit_sets(digits.shape[1], places):
            result = results[rows, of_set[tuple(digits[:, one] for one in kept)]]
            won, tied = ((result == one).astype(np.float64)[None, None] for one in (1, 0))
            ends[kept] = (won + tie_worths[:, None, None] * tied, tied) if tied.any() else (won, None)
        worth, tie[:, rows] = _hunted(np.ascontiguousarray(deck.T), in_deck, cap, ends)
        win[:, rows] = worth - tie_worths[:, None] * tie[:, rows]
    return win, tie


def _hunted(deck: Ints, in_deck: int, cap: int, ends: Values) -> tuple[Array, Array]:
    """The best hunter's values and chances to tie, from those with a full hand; decks by class and row."""
    classes, passed = len(deck), multisets(len(deck) - 1, cap)
    gone = np.pad(passed.counts, ((0, 0), (0, 1)))  # the highest class is never passed
    after, places = ends, len(next(iter(ends)))
    # By class, state and row, after keeping so many cards of the class.
    left = [np.maximum(deck[:, None] - gone.T[..., None] - kept, 0.0) for kept in range(places)]
    for size in reversed(range(places)):
        cards = in_deck - size - gone.sum(axis=1)
        here: Values = {}
        for kept in digit_sets(classes, size):
            then = [after[tuple(sorted((*kept, digit)))] for digit in range(classes)]
            certain = then[0][0][:, :1]  # if the result does not depend on the cards to come
            if all(tie is None and np.array_equal(value, certain) for value, tie in then):
                here[kept] = then[0]  # the result is certain already
                continue
            draws = [left[kept.count(digit)][digit] for digit in range(classes)]
            here[kept] = _before_draw(passed, draws, cards, then)
        after = here
    value, tie = after[()]
    return value[:, 0], np.zeros(1) if tie is None else tie[:, 0]


def _before_draw(
    passed: Multisets, draws: list[Array], cards: Ints, then: list[tuple[Array, Array | None]]
) -> tuple[Array, Array | None]:
    """The values and chances to tie before a draw, from those after keeping each class."""
    value = np.empty((max(len(value) for value, _tie in then), *draws[0].shape))
    values = [np.broadcast_to(value_then, value.shape) for value_then, _tie in then]
    tie = None if all(tie is None for _value, tie in then) else np.empty(value.shape)
    ties = [np.broadcast_to(0.0 if tie_then is None else tie_then, value.shape) for _value, tie_then in then]
    for size in reversed(range(passed.most + 1)):  # the values after passing a card come first
        level = passed.level(size)
        total, tied = np.zeros((2, *value[:, level].shape))
        for digit, draw in enumerate(draws):
            best, even = values[digit][:, level], ties[digit][:, level]
            if size < passed.most and digit < len(draws) - 1:
                to = passed.more[level, digit]
                given = value.take(to, axis=1)  # three times as fast as an index
                if tie is not None:
                    even = np.where(best >= given, even, tie.take(to, axis=1))
                best = np.maximum(best, given, out=given)
            total += draw[level] * best
            if tie is not None:
                tied += draw[level] * even
        value[:, level] = total / cards[level, None]
        if tie is not None:
            tie[:, level] = tied / cards[level, None]
    return value, tie


def _by_classes(decks: Ints, results: AnyArray, places: int, cap: int) -> Iterator[tuple[Ints, Ints, Ints]]:
    """Rows of hunts with equally many classes of digits: a digit of each class, and its cards in the deck.

    The results are by row, digit, and the digits that may be kept besides.
    """
    new = (results[:, 1:] != results[:, :-1]).any(axis=2)
    number = np.pad(np.cumsum(new, axis=1), ((0, 0), (1, 0)))  # the class of each digit
    many = np.maximum(number[:, -1] + 1, _FEWEST)
    for classes in sorted(set(many.tolist())):  # np.unique would import numpy.ma
        alike = np.flatnonzero(many == classes)
        each = up_to(classes - 1, cap) * comb(places + classes - 1, places)
        for rows in np.array_split(alike, max(len(alike) * each // _AT_ONCE, 1)):
            member = number[rows][:, :, None] == np.arange(classes)  # by row, digit and class
            deck = (decks[rows][:, :, None] * member).sum(axis=1)
            yield rows, member.argmax(axis=1), deck
