"""A hunt with a limited number of discards: an exact look-ahead, and plans by a threshold."""

from __future__ import annotations

from itertools import combinations_with_replacement
from math import comb, fsum

import numpy as np

from digit_duel.solve.keep_or_give.hunt_beliefs import CardBeliefs, Scoring
from digit_duel.solve.keep_or_give.public_tree import Array, Ints

_CHOOSE = np.array([[comb(n, k) for k in range(8)] for n in range(200)], dtype=np.float64)
MOST_STATES = 300  # of an exact look-ahead, some 30 ms; more discards than fit are bounded from both sides


def look_ahead(scoring: Scoring, cards: CardBeliefs, discards: int) -> float:
    """The exact worth of the best plan with a number of discards left, before the next draw."""
    if not scoring.places(cards):
        return scoring.full(cards)
    cards = cards.explained()
    return _expected(scoring, cards, discards, {}) / float(cards.weight.sum())


def affordable(scoring: Scoring, cards: CardBeliefs, discards: int) -> bool:
    """Whether an exact look-ahead over this many discards answers in time."""
    kinds = cards.deck.shape[1]
    last = max(discards - 1, 0)  # the states after the last discard are the cheap ones
    return comb(last + kinds, kinds) * comb(scoring.places(cards) - 1 + kinds, kinds) <= MOST_STATES


def _expected(
    scoring: Scoring, cards: CardBeliefs, discards: int, memo: dict[tuple[object, ...], float]
) -> float:
    """The best expected score times the weight of all rows, so that the values of all draws add up."""
    cards = cards.refill()
    key = (cards.hand, discards, cards.run_outs, tuple(cards.pile[0]))
    if key in memo:
        return memo[key]
    digits = [int(digit) for digit in np.flatnonzero(cards.deck.any(axis=0))]
    if scoring.places(cards) == 1:
        scores = scoring.score((*cards.hand, np.arange(cards.deck.shape[1])), cards.theirs[:, None])
        likely = cards.deck * (cards.weight / cards.deck.sum(axis=1))[:, None]
        keeps = dict(enumerate((likely * scores).sum(axis=0).tolist()))
    else:
        keeps = {digit: _expected(scoring, cards.draw(digit).keep(digit), discards, memo) for digit in digits}
    worths = [keeps[digit] for digit in digits]
    if discards > 0 and cards.run_outs < 2:  # C4 ends the discarding as well
        gives = (_expected(scoring, cards.draw(digit).give(digit), discards - 1, memo) for digit in digits)
        worths = [max(keep, give) for keep, give in zip(worths, gives, strict=True)]
    # Rounded once, so that a sum of larger parts is never smaller: one discard more never counts as a loss.
    value = fsum(worths)
    memo[key] = value
    return value


def best_threshold(scoring: Scoring, cards: CardBeliefs, discards: int) -> float:
    """The exact worth of the best plan that keeps every digit from a threshold up and passes the rest."""
    cards, places = cards.refill().explained(), scoring.places(cards)
    if not places:
        return scoring.full(cards)
    kinds = cards.deck.shape[1]
    sets = np.array(list(combinations_with_replacement(range(kinds), places)))
    mine = scoring.number[(*cards.hand, *sets.T)]
    scores = scoring.compare(mine, cards.theirs[:, None])
    ways = np.ones(scores.shape)  # to choose each set of digits from the deck
    for digit in range(kinds):
        ways *= _CHOOSE[cards.deck[:, digit][:, None], (sets == digit).sum(axis=1)]
    best = 0.0
    for least in range(kinds):
        enough_high = cards.deck[:, least:].sum(axis=1) >= places
        if not (enough_high | (cards.deck.sum(axis=1) >= places + discards)).all():
            continue  # the deck could run out on the way
        chance = high_chances(cards.deck, least, places, discards)
        # Given how many of the kept digits are high, they are a random choice of the high cards and a random
        # choice of the low ones, because the cards are shuffled and the plan looks at nothing else.
        high = np.eye(places + 1)[(sets >= least).sum(axis=1)]
        mean = (ways * scores) @ high / np.maximum(ways @ high, 1)
        best = max(best, cards.mean((chance * mean).sum(axis=1)))
    return best


def high_chances(deck: Ints, least: int, places: int, discards: int) -> Array:
    """How likely each number of high digits ends in the hand, row by row, of a deck that does not run out."""
    size = deck.sum(axis=1).astype(np.float64)
    high = deck[:, least:].sum(axis=1).astype(np.float64)
    low = size - high
    chance = np.zeros((len(deck), places + 1))
    # The hand fills up with high digits after some low ones, fewer than all discards ...
    filled = np.ones(len(deck))
    for held in range(places):
        filled *= (high - held) / (size - held)
    for passed in range(discards):
        chance[:, places] += np.maximum(filled, 0)
        left = np.maximum(size - places - passed, 1)
        filled *= (places + passed) / (passed + 1) * np.maximum(low - passed, 0) / left
    # ... or the last discard is spent with some high ones in hand, and the next cards are kept as they come.
    spent = np.ones(len(deck))
    for passed in range(discards):
        spent *= np.maximum(low - passed, 0) / np.maximum(size - passed, 1)
    for held in range(places):
        more_high, rest = np.maximum(high - held, 0), places - held
        more_low = np.maximum(low - discards, 0)
        for more in range(rest + 1):
            pick = comb(rest, more) * _falling(more_high, more) * _falling(more_low, rest - more)
            chance[:, held + more] += spent * pick / np.maximum(_falling(more_high + more_low, rest), 1)
        left = np.maximum(size - discards - held, 1)
        spent = spent * (discards + held) / (held + 1) * np.maximum(high - held, 0) / left
    return chance


def _falling(numbers: Array, length: int) -> Array:
    out = np.ones_like(numbers)
    for step in range(length):
        out *= np.maximum(numbers - step, 0)
    return out
