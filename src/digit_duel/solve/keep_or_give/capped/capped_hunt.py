"""A hunt with a limited number of discards: exact look-ahead, and threshold plans."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations_with_replacement
from math import comb, fsum

import numpy as np

from digit_duel.solve.keep_or_give.capped.best_hunts import HuntSearch
from digit_duel.solve.keep_or_give.capped.high_chances import high_chances
from digit_duel.solve.keep_or_give.capped.multisets import digit_sets
from digit_duel.solve.keep_or_give.hunt_beliefs import CardBeliefs, Scoring
from digit_duel.solve.keep_or_give.public_tree import Array

_CHOOSE = np.array([[comb(n, k) for k in range(8)] for n in range(200)], dtype=np.float64)
# The limits of an exact look-ahead, about 30 ms; hunts with more discards are bounded from both sides.
MOST_STATES = 300  # if the deck can run out
MOST_NUMBERS = 4 * 10**5


def look_ahead(scoring: Scoring, cards: CardBeliefs, discards: int) -> float:
    """The exact value of the best plan with a number of discards left, before the next draw."""
    if not scoring.places(cards):
        return scoring.full(cards)
    cards = cards.explained()
    if _lasts(scoring, cards, discards):
        return _search(scoring, cards, discards)
    return _expected(scoring, cards, discards, {}) / float(cards.weight.sum())


def affordable(scoring: Scoring, cards: CardBeliefs, discards: int) -> bool:
    """Whether an exact look-ahead over this many discards is fast enough."""
    places, discards = scoring.places(cards), max(discards, 0)
    if not places:
        return True
    if not _lasts(scoring, cards, discards):
        kinds, last = cards.deck.shape[1], max(discards - 1, 0)  # the part after the last discard is cheap
        return comb(last + kinds, kinds) * comb(places - 1 + kinds, kinds) <= MOST_STATES
    cards = _likely(cards.explained())
    kinds = len(_classes(scoring, cards))
    numbers = comb(discards + kinds - 1, kinds - 1) * comb(places + kinds - 1, places)
    return numbers * len(cards.weight) <= MOST_NUMBERS


def _lasts(scoring: Scoring, cards: CardBeliefs, discards: int) -> bool:
    """Whether the deck cannot run out before the hand is full."""
    return int(cards.deck[0].sum()) >= scoring.places(cards) + discards


def _likely(cards: CardBeliefs) -> CardBeliefs:
    """The beliefs without impossible hands."""
    rows = cards.weight > 0
    return replace(cards, weight=cards.weight[rows], theirs=cards.theirs[rows], deck=cards.deck[rows])


def _scores(scoring: Scoring, cards: CardBeliefs) -> Array:
    """The hunter's score by the digits that it keeps, an axis each, and by the full hand."""
    kinds, places = cards.deck.shape[1], scoring.places(cards)
    kept = np.indices((kinds,) * places, sparse=True)
    mine = scoring.number[(*cards.hand, *kept)]
    return scoring.compare(mine[..., None], cards.theirs)


def _classes(scoring: Scoring, cards: CardBeliefs) -> list[list[int]]:
    """Group digits that are equally good against every hand and carry no information about it."""
    scores, told = _scores(scoring, cards), (cards.deck != cards.deck[0]).any(axis=0)
    found = [[0]]
    for digit in range(1, cards.deck.shape[1]):
        alike = not (told[digit] or told[digit - 1]) and bool((scores[digit] == scores[digit - 1]).all())
        if alike:
            found[-1].append(digit)
        else:
            found.append([digit])
    return found


def _search(scoring: Scoring, cards: CardBeliefs, discards: int) -> float:
    """The value of the best plan, by one dynamic programme over what is kept and passed."""
    cards = _likely(cards)
    classes, scores = _classes(scoring, cards), _scores(scoring, cards)
    kinds = len(classes)
    deck = np.stack([cards.deck[:, some].sum(axis=1) for some in classes])
    one = [some[0] for some in classes]
    kept_sets = digit_sets(kinds, scoring.places(cards))
    results = [scores[tuple(one[kind] for kind in kept)][None] for kept in kept_sets]
    size = int(cards.deck[0].sum())
    search = HuntSearch(
        deck[:, None], size, discards, scoring.places(cards), results, cards.weight[None, None]
    )
    return float(search.values()[0, 0]) / float(cards.weight.sum())


def _expected(
    scoring: Scoring, cards: CardBeliefs, discards: int, memo: dict[tuple[object, ...], float]
) -> float:
    """The best expected score times the total weight of the rows, so that the values of all draws add up."""
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
    # Rounded only once, so that a sum of larger terms is never smaller: an extra discard never looks worse.
    value = fsum(worths)
    memo[key] = value
    return value


def best_threshold(scoring: Scoring, cards: CardBeliefs, discards: int) -> float:
    """The exact value of the best plan that keeps every digit from a threshold up and passes the rest.

    The hunter may also pass a whole deck first, if the discards suffice.
    """
    cards, places = cards.refill().explained(), scoring.places(cards)
    if not places:
        return scoring.full(cards)
    kinds = cards.deck.shape[1]
    sets = np.array(list(combinations_with_replacement(range(kinds), places)))
    mine = scoring.number[(*cards.hand, *sets.T)]
    scores = scoring.compare(mine, cards.theirs[:, None])
    ways = np.ones(scores.shape)  # the number of ways to choose each set of digits from the deck
    for digit in range(kinds):
        ways *= _CHOOSE[cards.deck[:, digit][:, None], (sets == digit).sum(axis=1)]
    best = 0.0
    for least in range(kinds):
        enough_high = cards.deck[:, least:].sum(axis=1) >= places
        if not (enough_high | (cards.deck.sum(axis=1) >= places + discards)).all():
            continue  # the deck could run out on the way
        chance = high_chances(cards.deck, least, places, discards)
        # Given how many of the kept digits are high, they are a random sample of the high cards and a random
        # sample of the low ones, because the cards are shuffled and the plan depends on nothing else.
        high = np.eye(places + 1)[(sets >= least).sum(axis=1)]
        mean = (ways * scores) @ high / np.maximum(ways @ high, 1)
        best = max(best, cards.mean((chance * mean).sum(axis=1)))
    return max(best, _after_the_deck(scoring, cards, discards))


def _after_the_deck(scoring: Scoring, cards: CardBeliefs, discards: int) -> float:
    """The value of a plan that lets the deck run out; 0 if there is no such plan."""
    size = int(cards.deck[0].sum())
    if size <= discards and cards.run_outs == 0:  # then every card in no hand can be drawn again
        everything = cards.deck + cards.pile
        again = replace(cards, deck=everything, pile=np.zeros_like(everything), run_outs=1)
        return best_threshold(scoring, again, discards - size)
    return look_ahead(scoring, cards, 0) if size < scoring.places(cards) else 0.0
