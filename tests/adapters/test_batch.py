"""Games on arrays are the plain games, move for move; chance is fair, and the same for the same seed."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from benchmarks.batch_equals_plain import Referee

from digit_duel import games
from digit_duel.adapters.batch import BattleBatch, CardsBatch, NoBatch, batch_of
from digit_duel.core.game import Seat
from digit_duel.core.variant import AnyGame
from digit_duel.games._battle import Battle
from digit_duel.games._cards import Cards
from digit_duel.games._placement import Placement

# A hash of the arrays after 100 random moves on 50 lanes with seed 7: it changes with the dynamics alone.
GOLDEN = {
    "classic": "41603dc31871d0ef",
    "reverse": "784f08be6d2ca58a",
    "sabotage": "7c29718e9eed2c12",
    "cards": "2a2ab6e231d9878c",
    "battle": "777c2b20c6e42e04",
}

OTHERWISE: list[tuple[str, dict[str, str]]] = [
    ("classic", {"places": "1", "pool": "1-2"}),
    ("classic", {"places": "9", "pool": "0-9x9", "reach": "any"}),
    ("classic", {"pool": "1,3,5x2,8x3", "tie": "draw"}),
    ("classic", {"pool": "1-2x3", "tie": "first", "goal": "low"}),
    ("classic", {"pool": "0,9x5", "places": "2", "reach": "any", "tie": "draw"}),
    ("sabotage", {"places": "2", "goal": "high", "pool": "0-1x4"}),
    ("battle", {"start_life": "500", "max_life": "999"}),
    ("battle", {"start_life": "1", "max_life": "1"}),
    ("battle", {"start_life": "118", "max_life": "118", "pool": "1-9x2"}),
    ("battle", {"start_life": "100", "max_life": "119", "pool": "1,4x3,9"}),
    ("battle", {"pool": "2x2", "sudden": "0-3", "standoff_limit": "none"}),
    ("battle", {"pool": "5x2", "sudden": "3", "standoff_limit": "3"}),
    ("cards", {"visibility": "open"}),
    ("cards", {"full_turn": "alternate", "pool": "0-9", "next_starter": "same"}),
    ("cards", {"facing_full": "must_keep", "next_starter": "loser"}),
    ("cards", {"facing_full": "cap:1", "next_starter": "winner", "hand_size": "2"}),
    ("cards", {"facing_full": "cap:1000", "pool": "2,5x3,7", "hand_size": "1"}),
    ("cards", {"deck": "persistent", "pool": "0-3x3", "wins_needed": "3"}),
    ("cards", {"deck": "persistent", "pool": "0-1x4", "hand_size": "4", "full_turn": "alternate"}),
    ("cards", {"pool": "0-9x9", "hand_size": "4", "wins_needed": "1"}),
]


def game_of(id: str, options: dict[str, str] | None = None) -> AnyGame:
    return games.variant(id).customised(options or {}).game


def arrays(state: Any) -> Iterator[np.ndarray[Any, Any]]:
    """All arrays of a state, in order."""
    if isinstance(state, tuple):
        for part in state:
            yield from arrays(part)
    else:
        yield np.asarray(state)


def fingerprint(state: Any) -> str:
    """A hash of all arrays of a state."""
    return hashlib.sha256(b"".join(rows.astype("<i8").tobytes() for rows in arrays(state))).hexdigest()[:16]


@pytest.mark.parametrize("id", GOLDEN)
def test_a_batch_is_the_plain_game_move_for_move(id: str) -> None:
    referee = Referee(game_of(id), np, lanes=30, seed=3)
    referee.moves(2_700)
    assert referee.finished > 30


@pytest.mark.slow
@pytest.mark.parametrize("id", GOLDEN)
def test_a_batch_is_the_plain_game_over_many_moves(id: str) -> None:
    Referee(game_of(id), np, lanes=500, seed=4).moves(30_000)


@pytest.mark.parametrize(("id", "options"), OTHERWISE, ids=lambda value: str(value))
def test_a_batch_follows_every_option(id: str, options: dict[str, str]) -> None:
    Referee(game_of(id, options), np, lanes=20, seed=5).moves(1_000)


def test_a_thousand_stand_offs_are_counted() -> None:
    batch = BattleBatch(Battle(pool=(1, 1), sudden=(2,), standoff_limit=1000))
    state = batch.start(8)
    attack, secret = np.zeros(8, np.int64), np.full(8, 2)
    for _ in range(2):
        state = batch.play(state, attack)
    for _ in range(1999):
        state = batch.play(state, secret)
    assert [fight.standoffs for fight in batch.plain(state)] == [999] * 8
    assert not batch.over(state).any()
    assert batch.returns(batch.play(state, secret)).tolist() == [[-1, 1]] * 8


def test_decks_run_out_twice_and_then_everything_must_be_kept() -> None:
    referee = Referee(game_of("cards", {"pool": "0-2x2", "hand_size": "2"}), np, lanes=40, seed=6)
    most, tied = 0, False
    for _ in range(60):
        referee.move()
        most = max(most, *(table.run_outs for table in referee.plain))
        tied |= any(table.discards and not any(table.hands) for table in referee.plain)
    assert most == 2
    assert tied


@pytest.mark.parametrize("id", GOLDEN)
def test_the_same_seed_gives_the_same_games_for_ever(id: str) -> None:
    batch = batch_of(game_of(id))
    done = batch.rollout(batch.start(50, seed=7), batch.dice(50, seed=7), 100)
    assert fingerprint(done) == GOLDEN[id]


def test_another_seed_gives_other_games() -> None:
    batch = batch_of(Cards())
    prints = {fingerprint(batch.start(50, seed=seed)) for seed in (0, 1, 2**32, 2**64 + 1)}
    assert len(prints) == 4


@pytest.mark.parametrize("id", GOLDEN)
def test_a_batch_can_be_cut_in_parts(id: str) -> None:
    batch = batch_of(game_of(id))
    whole = batch.rollout(batch.start(60, seed=2), batch.dice(60, seed=2), 50)
    part = batch.rollout(batch.start(20, seed=2, first=40), batch.dice(20, seed=2, first=40), 50)
    for of_all, of_some in zip(arrays(whole), arrays(part), strict=True):
        assert np.array_equal(of_all[..., 40:], of_some)


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
    batch = batch_of(game_of(id))
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


def test_games_that_are_over_stay_as_they_are() -> None:
    batch = batch_of(Placement(places=1, pool=(1, 2)))
    state = batch.start(2)
    state = batch.play(state, np.array([0, 1]))
    state = batch.play(state, np.array([1, 0]))
    assert batch.over(state).tolist() == [True, True]
    assert batch.returns(state).tolist() == [[-1, 1], [1, -1]]
    assert not batch.legal(state).any()
    after = batch.play(state, np.array([0, 0]))
    assert all(np.array_equal(old, new) for old, new in zip(arrays(state), arrays(after), strict=True))


def test_a_step_tells_the_result_and_starts_anew() -> None:
    batch = batch_of(Placement(places=1, pool=(1, 2)))
    start = batch.start(2)
    first = batch.step(start, np.array([0, 1]))
    assert first.over.tolist() == [False, False]
    assert first.returns.tolist() == [[0, 0], [0, 0]]
    second = batch.step(first.state, np.array([1, 0]))
    assert second.over.tolist() == [True, True]
    assert second.returns.tolist() == [[-1, 1], [1, -1]]
    assert batch.plain(second.state) == batch.plain(start)


@pytest.mark.parametrize("id", GOLDEN)
def test_what_goes_in_is_not_changed(id: str) -> None:
    batch = batch_of(game_of(id))
    run = batch.rollout(batch.start(200, seed=1), batch.dice(200, seed=1), 5)
    for rows in arrays(run):
        rows.flags.writeable = False  # to write would raise
    ids = batch.random_move(run.state, run.dice.word())
    before = fingerprint(run)
    for result in (
        batch.play(run.state, ids),
        batch.step(run.state, ids),
        batch.rollout(run.state, run.dice, 20),
    ):
        assert fingerprint(result) != before
    assert fingerprint(run) == before


@pytest.mark.parametrize("id", GOLDEN)
def test_an_id_means_the_same_to_either_seat(id: str) -> None:
    """The index in the alphabet of the seat: a move, and the same move seen from the other side."""
    game = game_of(id)
    first, second = (list(game.moves(seat)) for seat in Seat)
    assert len(first) == len(second) == batch_of(game).moves
    swapped = str.maketrans("ab", "ba")
    assert [game.text(move).translate(swapped) for move in first] == [game.text(move) for move in second]


def test_a_sealed_digit_is_not_in_the_other_seats_observation() -> None:
    batch = batch_of(Battle(pool=(1, 1)))
    state = batch.start(5)
    for _ in range(2):
        state = batch.play(state, np.zeros(5, np.int64))
    before = batch.observe(state, Seat.SECOND)
    state = batch.play(state, np.arange(2, 7))
    after = batch.observe(state, Seat.SECOND)
    sealed = batch.features.index("other's digit is sealed")
    assert after[:, sealed].tolist() == [1] * 5
    after[:, sealed] = 0
    assert np.array_equal(before, after)
    assert batch.mover(state).tolist() == [1] * 5


def test_a_kept_card_is_not_in_the_other_seats_observation_but_a_gift_is() -> None:
    batch = CardsBatch(Cards())
    start = batch.start(1_000, seed=1)
    drawn = [table.drawn for table in batch.plain(start)]
    at = batch.features.index("other's card 1")
    kept = batch.play(start, np.zeros(1_000, np.int64))
    assert set(batch.observe(kept, Seat.SECOND)[:, at].tolist()) == {-1}
    given = batch.play(start, np.ones(1_000, np.int64))
    assert batch.observe(given, Seat.FIRST)[:, at].tolist() == drawn
    number = batch.features.index("card drawn")
    assert set(batch.observe(start, Seat.SECOND)[:, number].tolist()) == {-1}


def test_a_number_laid_out_is_not_in_the_other_seats_observation() -> None:
    batch = batch_of(Cards(pool=(1, 2, 3) * 4))
    state = batch.start(1_000, seed=1)
    for _ in range(6):
        state = batch.play(state, np.zeros(1_000, np.int64))
    legal = batch.legal(state)
    lowest, highest = legal.argmax(axis=1), batch.moves - 1 - legal[:, ::-1].argmax(axis=1)
    assert (lowest != highest).any()
    low, high = batch.play(state, lowest), batch.play(state, highest)
    assert np.array_equal(batch.observe(low), batch.observe(high))
    assert batch.mover(low).tolist() == [1] * 1_000


def test_a_game_without_a_batch_is_refused() -> None:
    class House(Placement):
        """Rules of its own."""

    with pytest.raises(NoBatch, match="there are batches for Battle, Cards and Placement, but not for House"):
        batch_of(House())


@pytest.mark.parametrize(
    ("game", "reason"),
    [
        (Placement(pool=(1,) * 128), "at most 127 digits in a pool, but this game has 128"),
        (Battle(max_life=40_000), "at most 32758 life points, but this game has 40000"),
        (Battle(standoff_limit=70_000), "at most 65535 stand-offs, but this game has 70000"),
        (Cards(hand_size=5), "at most 65534 moves, but this game has 100002"),
        (Cards(pool=(0, 1) * 64), "at most 127 cards, but this game has 128"),
        (Cards(wins_needed=256), "at most 255 rounds to win, but this game has 256"),
    ],
)
def test_a_game_too_large_for_its_arrays_is_refused(game: AnyGame, reason: str) -> None:
    with pytest.raises(NoBatch, match=reason):
        batch_of(game)


def test_every_feature_has_a_name_of_its_own() -> None:
    for id in GOLDEN:
        batch = batch_of(game_of(id))
        assert len(set(batch.features)) == len(batch.features) == batch.observe(batch.start(3)).shape[1]


def test_jax_is_not_loaded_unless_asked_for() -> None:
    check = "import sys, digit_duel.adapters.batch; sys.exit('jax' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", check], timeout=60).returncode == 0


def test_the_batch_of_cards_knows_its_discards() -> None:
    batch = CardsBatch(Cards(hand_size=1, pool=(3, 3, 7, 7, 7)))
    state = batch.start(100, seed=1)
    state = batch.play(state, np.zeros(100, np.int64))  # the first seat keeps, and is full
    thrown = [table.drawn for table in batch.plain(state)]
    state = batch.play(state, np.ones(100, np.int64))  # the second gives, which throws away
    assert [table.discards for table in batch.plain(state)] == [(digit,) for digit in thrown]
