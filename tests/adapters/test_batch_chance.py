"""Chance on arrays is fair: draws follow the generator, and cards, moves and numbers come equally often."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from digit_duel import games
from digit_duel.adapters.batch import CardsBatch, batch_of
from digit_duel.games._cards import Cards
from digit_duel.games._placement import Placement


def test_draws_are_those_of_the_generator_on_paper() -> None:
    """The generator once more, in plain numbers: every draw of a few games in which every card is kept."""

    def mix(x: int) -> int:
        x ^= x >> 16
        x = x * 0x7FEB352D % 2**32
        x ^= x >> 15
        x = x * 0x846CA68B % 2**32
        return x ^ x >> 16

    seed, lanes = 11, 20
    batch = CardsBatch(Cards())
    state = batch.start(lanes, seed)
    salt = mix(mix(1) ^ seed)
    at = [mix(lane ^ salt) for lane in range(lanes)]
    stride = [mix((lane + mix(salt ^ 0x9E3779B9)) % 2**32) | 1 for lane in range(lanes)]
    decks = [sorted([*range(10)] * 4) for _ in range(lanes)]
    for count in range(6):
        words = [mix((start + count * by) % 2**32) for start, by in zip(at, stride, strict=True)]
        drawn = [deck.pop((word >> 8) * len(deck) // 2**24) for deck, word in zip(decks, words, strict=True)]
        assert [table.drawn for table in batch.plain(state)] == drawn
        state = batch.play(state, np.zeros(lanes, np.int64))


def spread(counts: list[int]) -> float:
    """By how many standard deviations counts differ from equal ones, as a chi-square statistic does."""
    mean = sum(counts) / len(counts)
    square = sum((count - mean) ** 2 for count in counts) / mean
    return float((square - (len(counts) - 1)) / (2 * (len(counts) - 1)) ** 0.5)


def test_every_card_is_drawn_as_often() -> None:
    batch = batch_of(Cards())
    state = batch.start(100_000, seed=1)
    assert abs(spread(list(Counter(np.asarray(state.drawn).tolist()).values()))) < 4
    state = batch.play(state, np.zeros(100_000, np.int64))
    first, second = np.asarray(state.hands[0][0]), np.asarray(state.drawn)
    assert abs(spread(list(Counter(second.tolist()).values()))) < 4
    # Three of 39 cards equal the first one.
    equal = int((first == second).sum())
    assert abs(equal - 100_000 * 3 / 39) < 4 * (100_000 * 3 / 39 * 36 / 39) ** 0.5


@pytest.mark.parametrize(("id", "openings"), [("classic", 27), ("sabotage", 80), ("battle", 18)])
def test_every_move_is_chosen_as_often(id: str, openings: int) -> None:
    batch = batch_of(games.variant(id).game)
    chosen = batch.random_move(batch.start(200_000), batch.dice(200_000, seed=1).word())
    counts = Counter(chosen.tolist())
    assert len(counts) == openings
    assert abs(spread(list(counts.values()))) < 4


def test_every_number_is_laid_out_as_often() -> None:
    batch = batch_of(Cards())
    count = 200_000
    state = batch.start(count, seed=1)
    for _ in range(6):
        state = batch.play(state, np.zeros(count, np.int64))
    chosen = np.asarray(batch.random_move(state, batch.dice(count, seed=1).word())) - 2
    hands = np.sort(np.asarray(state.hands[0]) - 1, axis=0)
    places = np.stack([chosen // 100, chosen // 10 % 10, chosen % 10])
    assert np.array_equal(np.sort(places, axis=0), hands)
    # Three different cards make six numbers; a pair and a third card make three.
    distinct = (hands[0] < hands[1]) & (hands[1] < hands[2])
    paired = (hands[0] == hands[1]) & (hands[1] < hands[2])
    ranks = [(places[place] == hands[rank]) for rank in (0, 2) for place in (0, 1, 2)]
    orders = Counter(zip(*(rows[distinct].tolist() for rows in ranks), strict=True))
    thirds = Counter(zip(*(rows[paired].tolist() for rows in ranks[3:]), strict=True))
    assert (len(orders), len(thirds)) == (6, 3)
    assert abs(spread(list(orders.values()))) < 4
    assert abs(spread(list(thirds.values()))) < 4


def test_at_random_both_seats_of_classic_win_as_often() -> None:
    batch = batch_of(Placement())
    done = batch.rollout(batch.start(10_000), batch.dice(10_000, seed=1), 60)
    assert done.finished.tolist() == [10] * 10_000
    assert abs(int(done.balance.sum())) < 4 * 100_000**0.5
