"""Games on arrays are the plain games, move for move, and the same for the same seed."""

from __future__ import annotations

import copy
import hashlib
import pickle
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from benchmarks.batch_equals_plain import Referee

from digit_duel import games
from digit_duel.adapters.batch import Batch, BattleBatch, CardsBatch, NoBatch, Rollout, batch_of
from digit_duel.adapters.batch.base import rerolled
from digit_duel.adapters.batch.packing import Packing
from digit_duel.core.game import Seat
from digit_duel.core.swap import SwapGame
from digit_duel.core.variant import AnyGame
from digit_duel.games._battle import Battle
from digit_duel.games._cards import Cards
from digit_duel.games._placement import Placement

# A hash of what games show after 100 random moves on 50 lanes with seed 7: only the dynamics change it.
GOLDEN = {
    "classic": "3514dcc559bf1035",
    "reverse": "f9448cb3c93b128d",
    "sabotage": "19fc460e4e275db1",
    "cards": "408dc0487214d811",
    "battle": "962570af3b282f20",
}

OTHERWISE: list[tuple[str, dict[str, str]]] = [
    ("classic", {"places": "1", "pool": "1-2"}),
    ("classic", {"places": "9", "pool": "0-9x9", "reach": "any"}),
    ("classic", {"pool": "1,3,5x2,8x3", "tie": "draw"}),
    ("classic", {"pool": "1-2x3", "tie": "first", "goal": "low"}),
    ("classic", {"pool": "0,9x5", "places": "2", "reach": "any", "tie": "draw"}),
    ("sabotage", {"places": "2", "goal": "high", "pool": "0-1x4"}),
    ("classic", {"bonus": "111", "tie": "draw"}),
    ("reverse", {"bonus": "999999", "places": "9", "pool": "0-9x2", "tie": "first"}),
    ("sabotage", {"bonus": "9", "places": "2", "pool": "1,3,8x4"}),
    ("classic", {"pick": "draw"}),
    ("reverse", {"pick": "draw", "pool": "0,4x3,9x2", "tie": "draw"}),
    ("sabotage", {"pick": "draw", "bonus": "75", "pool": "0-9x9"}),
    ("classic", {"swap": "yes"}),
    ("sabotage", {"swap": "yes", "places": "2"}),
    ("classic", {"swap": "yes", "places": "1", "pool": "1-2x2", "tie": "draw", "bonus": "1"}),
    ("reverse", {"swap": "yes", "pick": "draw"}),
    ("sabotage", {"swap": "yes", "pick": "draw", "pool": "0,4x3,9x2", "places": "2", "tie": "draw"}),
    ("battle", {"swap": "yes"}),
    ("battle", {"swap": "yes", "pool": "2x2", "sudden": "0-3", "standoff_limit": "2", "second_life": "12"}),
    ("battle", {"swap": "yes", "pool": "5x2", "sudden": "0-2", "standoff_limit": "none"}),
    ("battle", {"second_life": "14"}),
    ("battle", {"pool": "2x2", "sudden": "0-3", "standoff_limit": "2", "standoff": "draw"}),
    ("battle", {"swap": "yes", "pool": "2x2", "sudden": "1-2", "standoff_limit": "1", "standoff": "draw"}),
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


def shown(batch: Batch[Any], run: Rollout[Any]) -> str:
    """A hash of what the games show, however their states are stored."""
    seen = (batch.observe(run.state, seat) for seat in Seat)
    masks = (batch.legal(run.state), batch.mover(run.state))
    return fingerprint((*masks, *seen, run.dice, run.finished, run.balance))


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
    assert shown(batch, done) == GOLDEN[id]


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
def test_the_arguments_are_not_changed(id: str) -> None:
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

    for game in (House(), SwapGame(House())):
        with pytest.raises(
            NoBatch, match="there are batches for Battle, Cards and Placement, but not for House"
        ):
            batch_of(game)


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


def test_nothing_is_drawn_before_the_second_player_has_answered_the_offer() -> None:
    batch: Any = batch_of(game_of("classic", {"swap": "yes", "pick": "draw"}))
    state = batch.start(1_000, seed=1)
    state = batch.play(state, batch.random_move(state, batch.dice(1_000, seed=1).word()))
    assert {seated.state.drawn for seated in batch.plain(state)} == {None}
    assert set(batch.observe(state)[:, batch.features.index("digit drawn")].tolist()) == {-1}
    others = batch.start(1_000, seed=2).inner.dice
    answers = np.full(1_000, batch.moves - 1)
    draws = [
        [seated.state.drawn for seated in batch.plain(batch.play(before, answers))]
        for before in (state, rerolled(state, others))
    ]
    assert None not in draws[0]
    assert draws[0] != draws[1]


def test_the_first_seat_seals_its_digit_first_after_a_swap_too() -> None:
    batch: Any = batch_of(game_of("battle", {"swap": "yes", "pool": "1x2"}))
    state = batch.start(5)
    swap = batch.moves - 2
    for move in (0, swap, 0):  # an attack, the swap, and an attack of the other side
        state = batch.play(state, np.full(5, move))
    assert batch.mover(state).tolist() == [0] * 5
    before = batch.observe(state, Seat.SECOND)
    state = batch.play(state, np.arange(7, 12))  # b1 to b5: the first seat plays the second side
    assert [seated.state.picks for seated in batch.plain(state)] == [(None, digit) for digit in range(1, 6)]
    assert batch.mover(state).tolist() == [1] * 5
    after = batch.observe(state, Seat.SECOND)
    sealed = batch.features.index("other's digit is sealed")
    assert after[:, sealed].tolist() == [1] * 5
    after[:, sealed] = 0
    assert np.array_equal(before, after)
    shown = batch.plain(batch.play(state, np.full(5, 7)))  # a1
    assert [seated.state.last for seated in shown] == [(1, digit) for digit in range(1, 6)]
    assert [seated.state.life for seated in shown] == [(9 - more, 9 + more) for more in range(5)]


def test_battles_in_arrays_begin_with_the_second_players_life_points() -> None:
    batch = batch_of(games.variant("battle").customised({"second_life": "14"}).game)
    begun: Any = batch.plain(batch.begin(np.arange(3, dtype=np.uint32), 1))
    assert [state.life for state in begun] == [(10, 14)] * 3


def test_numbers_are_packed_with_the_first_in_the_highest_bits() -> None:
    packing = Packing(np, count=3, most=9)
    words = packing.pack([[9, 0], [7, 1], [2, 0]])
    assert [word.tolist() for word in words] == [[0x972, 0x010]]
    assert packing.unpack(words).tolist() == [[9, 0], [7, 1], [2, 0]]
    assert packing.present(words).tolist() == [[True, False], [True, True], [True, False]]
    assert [word.tolist() for word in packing.one(np.array([0, 2], np.uint8))] == [[0x100, 0x001]]


def test_numbers_that_do_not_fit_one_word_are_packed_into_more() -> None:
    packing = Packing(np, count=9, most=10)
    words = packing.pack([[number] for number in (10, 2, 3, 4, 5, 6, 7, 8, 9)])
    assert [word.tolist() for word in words] == [[0xA], [0x23456789]]
    assert packing.unpack(words).ravel().tolist() == [10, 2, 3, 4, 5, 6, 7, 8, 9]
    assert packing.present(words).all()
    ones = packing.one(np.array([0, 1, 8], np.uint8))
    assert [word.tolist() for word in ones] == [[1, 0, 0], [0, 0x10000000, 1]]


@pytest.mark.parametrize("id", GOLDEN)
def test_a_batch_can_be_pickled_and_copied(id: str) -> None:
    batch = batch_of(game_of(id), version=2, forced="skip")
    for twin in (pickle.loads(pickle.dumps(batch)), copy.deepcopy(batch)):
        assert twin.xp is np
        done, again = (one.rollout(one.start(20, seed=7), one.dice(20, seed=7), 30) for one in (batch, twin))
        assert fingerprint(done) == fingerprint(again)
