"""Version 2: the same games with few actions, one encoding everywhere, and only real decisions."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest
from benchmarks.batch_equals_plain import Referee
from benchmarks.versions import compared
from tests.adapters.test_batch import GOLDEN, OTHERWISE, arrays, game_of

from digit_duel import games, solve
from digit_duel.adapters.batch import batch_of
from digit_duel.adapters.interface.alphabet import highest_number, ranked_alphabet
from digit_duel.adapters.interface.encoding import encoding
from digit_duel.core.decisions import Decisions, only_move
from digit_duel.core.game import Seat
from digit_duel.core.options import BadOption
from digit_duel.games._cards import Cards
from digit_duel.games._cards_table import Draw, Keep
from digit_duel.games._placement import Placement
from digit_duel.solve.families import solver


def cards_5() -> Any:
    return next(rung for rung in solve.ladder() if rung.name == "cards-5").variant.game


@pytest.mark.parametrize("id", GOLDEN)
def test_old_and_new_actions_play_the_same_games(id: str) -> None:
    assert compared(games.variant(id), 1_500) > 10


@pytest.mark.parametrize("id", GOLDEN)
def test_a_batch_is_the_plain_game_move_for_move(id: str) -> None:
    referee = Referee(game_of(id), np, lanes=30, seed=3, version=2)
    referee.moves(1_500)
    assert referee.finished > 30


@pytest.mark.parametrize("layout", ["ask", "highest"])
@pytest.mark.parametrize("options", [options for id, options in OTHERWISE if id == "cards"], ids=str)
def test_the_batch_of_cards_follows_every_option(options: dict[str, str], layout: str) -> None:
    Referee(game_of("cards", options), np, lanes=20, seed=5, version=2, layout=layout).moves(500)


def test_orders_by_rank_of_a_hand_by_hand() -> None:
    game: Any = Cards()
    table = game.start()
    for digit in (4, 9, 4, 0, 7, 1):  # the first seat keeps 4, 4 and 7, the second one 9, 0 and 1
        table = game.play(game.play(table, Draw(digit)), Keep())
    known = ranked_alphabet(Decisions(game))
    assert known.size == 8
    # 7 4 4: orders of ranks 1, 2, 3; those that exchange the two fours make the same numbers again.
    legal = known.legal(table, Seat.FIRST)
    assert [(at, game.text(known.move(table, Seat.FIRST, at))) for at in legal] == [
        (2, "a744"), (4, "a474"), (5, "a447"),
    ]  # fmt: skip
    second = [game.text(known.move(table, Seat.SECOND, at)) for at in known.legal(table, Seat.SECOND)]
    assert second == ["b910", "b901", "b190", "b109", "b091", "b019"]
    assert known.why_not(table, Seat.FIRST, 3).startswith("Two of your digits are equal")
    assert known.why_not(game.play(game.start(), Draw(1)), Seat.FIRST, 2) == (
        "Numbers are arranged when both hands are full."
    )


@pytest.mark.slow
def test_skipping_leaves_the_information_sets_that_have_a_choice() -> None:
    game = cards_5()

    def information_sets(rules: Any) -> int:
        return len({(node.seat, node.knows) for node in solve.nodes(rules) if node.seat is not None})

    assert information_sets(game) == 2_352
    assert information_sets(Decisions(game)) == 2_352
    assert information_sets(Decisions(game, (highest_number, only_move))) == 192  # as the ladder counts


def test_what_a_policy_is_worth_does_not_change() -> None:
    game = next(rung for rung in solve.ladder() if rung.name == "cards-2").variant.game
    reduced = Decisions(game, (highest_number, only_move))
    assert solve.equilibrium(reduced).value == solve.equilibrium(game).value
    assert solve.nash_conv(Decisions(game, (only_move,)), solve.uniform) == solve.nash_conv(
        game, solve.uniform
    )


@pytest.mark.parametrize(
    ("id", "options", "layout"),
    [
        ("cards", {"facing_full": "cap:1"}, "ask"),
        ("cards", {"facing_full": "must_keep"}, "highest"),
        ("cards", {"facing_full": "must_keep", "pool": "0-2x3", "hand_size": "2"}, "ask"),
        ("classic", {"places": "2", "pool": "1-2x2"}, "ask"),
        ("battle", {"pool": "5x2", "sudden": "3", "standoff_limit": "3"}, "ask"),
    ],
    ids=str,
)
def test_a_batch_that_skips_makes_exactly_the_forced_moves(
    id: str, options: dict[str, str], layout: str
) -> None:
    game, lanes = game_of(id, options), 40
    whole = batch_of(game, version=2, layout=layout)
    skips = batch_of(game, version=2, layout=layout, forced="skip")
    state, dice = skips.start(lanes, seed=4), skips.dice(lanes, seed=4)
    forced_moves = 0
    for _ in range(60):
        legal = skips.legal(state)
        assert (legal.sum(axis=1) > 1).all()
        ids = skips.random_move(state, dice.word())
        done, after = whole.step(state, ids), skips.step(state, ids)
        over, returns, now = done.over, done.returns, done.state
        while (forced := whole.legal(now).sum(axis=1) == 1).any():
            forced_moves += int(forced.sum())
            one = whole.step(now, whole.legal(now).argmax(axis=1))
            now = type(now)(*_where(forced, one.state, now))
            returns = np.where((forced & ~over)[:, None], one.returns, returns)
            over = over | (forced & one.over)
        assert all(np.array_equal(a, b) for a, b in zip(arrays(now), arrays(after.state), strict=True))
        assert np.array_equal(over, after.over)
        assert np.array_equal(returns, after.returns)
        state, dice = after.state, dice.next()
    assert forced_moves > 0


def _where(chosen: Any, new: Any, old: Any) -> Any:
    if not isinstance(new, tuple):
        return np.where(chosen, new, old)
    parts = [_where(chosen, *pair) for pair in zip(new, old, strict=True)]
    return type(new)(*parts) if hasattr(new, "_fields") else tuple(parts)


@pytest.mark.parametrize(("id", "options"), [*((id, {}) for id in GOLDEN), *OTHERWISE], ids=str)
def test_a_batch_shows_the_features_of_the_encoding(id: str, options: dict[str, str]) -> None:
    game = game_of(id, options)
    batch = batch_of(game, version=2)
    assert batch.features == encoding(game).columns
    low, high = encoding(game).bounds
    run = batch.rollout(batch.start(200, seed=1), batch.dice(200, seed=1), 12)
    for seat in (None, *Seat):
        seen = batch.observe(run.state, seat)
        assert seen.dtype == encoding(game).dtype
        assert (low <= seen).all()
        assert (seen <= high).all()


@pytest.mark.parametrize("id", GOLDEN)
def test_every_bound_of_an_encoding_is_reached(id: str) -> None:
    """In random games of both seats, but for what is rare: long hunts, and long stand-offs."""
    batch = batch_of(game_of(id), version=2)
    low, high = encoding(game_of(id)).bounds
    state, dice = batch.start(3_000, seed=1), batch.dice(3_000, seed=1)
    least, most = high.copy(), low.copy()
    for _ in range(60):
        after = batch.transition(state, batch.random_move(state, dice.word()))
        for seat in Seat:
            seen = batch.observe(after.last, seat)
            least, most = np.minimum(least, seen.min(axis=0)), np.maximum(most, seen.max(axis=0))
        state, dice = after.state, dice.next()
    rare = {"stand-offs", "run-outs", "cards thrown away", "cards in the deck"}
    for at, name in enumerate(batch.features):
        if name not in rare:
            assert (least[at], most[at]) == (low[at], high[at]), name


def test_flags_are_the_numbers_one_by_one() -> None:
    game = Placement(places=1, pool=(1, 3))
    plain, flags = encoding(game), encoding(game, one_hot=True)
    assert plain.columns == (
        "seat", "own turn", "copies of 1 in the pool", "copies of 3 in the pool",
        "own place 1", "other's place 1",
    )  # fmt: skip
    start = game.play(game.start(), game.legal(game.start(), Seat.FIRST)[1])  # 3 on the first board
    assert plain.numbers(start, Seat.SECOND, ()).tolist() == [1, 1, 1, 0, -1, 3]
    named = dict(zip(flags.columns, flags.numbers(start, Seat.SECOND, ()).tolist(), strict=True))
    assert [name for name, flag in named.items() if flag] == [
        "seat", "own turn", "copies of 1 in the pool", "own place 1: -1", "other's place 1: 3",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("id", "options"),
    [
        *((id, {}) for id in GOLDEN),
        *(case for at, case in enumerate(OTHERWISE) if at % 4 == 0 or "swap" in case[1]),
    ],
    ids=str,
)
def test_plain_states_become_a_batch_again(id: str, options: dict[str, str]) -> None:
    game, rng = game_of(id, options), Random(1)
    states: list[Any] = []
    while len(states) < 60:
        state = game.start()
        while True:
            if draws := game.chance(state):
                state = game.play(state, rng.choice([draw for draw, _ in draws]))
                continue
            acting = game.acting(state)
            if acting != (Seat.FIRST,) or len(states) % 3:
                states.append(state)
            if not acting:
                break
            state = game.play(state, rng.choice(game.legal(state, acting[0])))
    batch = batch_of(game, version=2)
    packed = batch.from_plain(states, seed=5)
    forget = Referee(game, np, 2, 1).known
    assert list(batch.plain(packed)) == [forget(state) for state in states]
    seats = np.asarray(batch.mover(packed))
    wanted = [
        encoding(game).numbers(game.view(state, Seat(seat)), Seat(seat), ()).tolist()
        for state, seat in zip(states, seats.tolist(), strict=True)
    ]
    assert batch.observe(packed).tolist() == wanted
    assert np.asarray(batch.over(packed)).tolist() == [game.outcome(state) is not None for state in states]


@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize("id", GOLDEN)
def test_no_states_are_no_games(id: str, version: int) -> None:
    batch = batch_of(game_of(id), version=version)
    none = batch.from_plain([])
    assert batch.legal(none).shape == (0, batch.moves)
    assert batch.observe(none).shape == (0, len(batch.features))
    assert list(batch.plain(none)) == []


def test_a_transition_shows_the_end_and_the_new_start() -> None:
    batch = batch_of(Placement(places=1, pool=(1, 2)), version=2)
    state = batch.step(batch.start(2), np.array([0, 1])).state
    last, after, over, returns = batch.transition(state, np.array([1, 0]))
    assert over.tolist() == [True, True]
    assert returns.tolist() == [[-1, 1], [1, -1]]
    assert batch.observe(last, Seat.FIRST)[:, -2:].tolist() == [[1, 2], [2, 1]]
    assert batch.observe(after, Seat.FIRST)[:, -2:].tolist() == [[-1, -1], [-1, -1]]


def test_wrong_options_and_seeds_are_refused() -> None:
    for given, reason in (
        ({"version": 3}, "version must be one of: 1, 2"),
        ({"layout": "highest"}, "layout and forced need version=2"),
        ({"version": 2, "layout": "highest"}, "layout is only for games in which a hand is laid out"),
        ({"version": 2, "forced": "never"}, "forced must be one of: ask, skip"),
        ({"version": 2, "forced": True}, "forced must be a string or an integer, not bool"),
        ({"version": 2, "layout": None}, "layout must be one of: ask, highest"),
    ):
        with pytest.raises(BadOption, match=reason):
            batch_of(Placement(), **given)
    with pytest.raises(ValueError, match="a seed must not be negative, but this one is -1"):
        batch_of(Cards()).start(3, seed=-1)


@pytest.mark.parametrize("id", GOLDEN)
def test_a_move_sampled_from_a_mask_is_legal_and_all_are_equally_likely(id: str) -> None:
    count = 40_000
    batch = batch_of(game_of(id), version=2)
    state = batch.start(count, seed=2)
    for round_ in range(3):
        word = batch.dice(count, seed=round_).word()
        ids, legal = batch.sample(state, batch.legal_rows(state), word)
        assert np.array_equal(legal, batch.legal_rows(state))
        assert legal[ids, np.arange(count)].all()
        # The move in the middle of its equals, by rank: uniform if every quarter of the mask is met as often.
        rank = (np.cumsum(legal, axis=0)[ids, np.arange(count)] - 0.5) / legal.sum(axis=0)
        assert abs(rank.mean() - 0.5) < 0.01
        state = batch.step(state, ids).state


@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize(
    ("id", "options", "moves", "why"),
    [
        ("cards", {}, "", "nature moves there"),
        ("classic", {"pick": "draw"}, "", "nature moves there"),
        ("battle", {"pool": "1x2"}, "+1 +1 b3", "the second seat has chosen first"),
        # After the swap the first seat plays the second side, and is asked first.
        ("battle", {"pool": "1x2", "swap": "yes"}, "+1 swap +1 a3", "the second seat has chosen first"),
        ("cards", {"pool": "0-3", "hand_size": "1"}, "d0 k d1 k b1", "the second seat has chosen first"),
    ],
    ids=str,
)
def test_states_that_no_batch_has_are_refused(
    version: int, id: str, options: dict[str, str], moves: str, why: str
) -> None:
    game = game_of(id, options)
    state = game.start()
    for text in moves.split():
        state = next(
            game.play(state, move)
            for move in [
                *(draw for draw, _ in game.chance(state)),
                *(move for seat in game.acting(state) for move in game.legal(state, seat)),
            ]
            if game.text(move) == text
        )
    with pytest.raises(ValueError, match=f"a batch has no such state, because {why}"):
        batch_of(game, version=version).from_plain([state])


def test_the_solver_refuses_a_round_of_cards_without_the_history_that_a_batch_does_not_keep() -> None:
    game: Any = Cards()
    begun = game.play(game.start(), Draw(5))
    later = game.play(game.play(begun, Keep()), Draw(3))
    batch: Any = batch_of(game)
    first, second = batch.plain(batch.from_plain([begun, later]))
    answer = solver(game).evaluate
    # Nothing has happened before the first choice, so nothing is missing.
    assert answer(game.view(first, Seat.FIRST), Seat.FIRST).moves
    assert answer(game.view(later, Seat.SECOND), Seat.SECOND).moves
    with pytest.raises(solve.Unsolved, match="the history of this round is missing"):
        answer(game.view(second, Seat.SECOND), Seat.SECOND)
