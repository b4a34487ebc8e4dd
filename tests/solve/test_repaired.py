"""The values of the options that repair a game, compared with a plain minimax."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from random import Random
from typing import Any

import pytest

from digit_duel.core.game import Seat
from digit_duel.core.variant import AnyVariant
from digit_duel.games import variant
from digit_duel.games._battle import Battle
from digit_duel.games._placement import Placement
from digit_duel.solve.battle import reachable, table
from digit_duel.solve.battle.solver import BattleOracle
from digit_duel.solve.errors import TooBig
from digit_duel.solve.families import oracle, solver
from digit_duel.solve.general.tablebase import Tablebase
from digit_duel.solve.placing import drawn


def a(id: str, settings: str = "") -> AnyVariant:
    return variant(id).customised(dict(setting.split("=") for setting in settings.split()))


def value(id: str, settings: str) -> Any:
    game = a(id, settings).game
    return oracle(game).value(game.start()).score


def openings(id: str, settings: str) -> list[str]:
    game = a(id, settings).game
    return list(solver(game).report(lambda *told, **more: None).openings)


# What is known.


@pytest.mark.parametrize(
    ("id", "settings", "expected"),
    [
        ("classic", "pick=draw", 2 * Fraction(179, 360) - 1),
        ("classic", "pick=draw places=2", 2 * Fraction(31, 63) - 1),
        ("classic", "bonus=110 tie=draw", 1),
        ("classic", "bonus=111 tie=draw", 0),
        ("classic", "bonus=112 tie=draw", -1),
        ("sabotage", "tie=draw", 0),
        ("battle", "second_life=14", 1),
        ("battle", "second_life=15", -1),
        ("battle", "second_life=15 standoff=draw", 0),
        ("battle", "second_life=16 standoff=draw", -1),
    ],
)
def test_the_known_results_come_out(id: str, settings: str, expected: Fraction | int) -> None:
    assert value(id, settings) == expected


def test_two_openings_win_against_fourteen_life_points() -> None:
    assert openings("battle", "second_life=14") == ["x9", "+9"]
    assert [value("battle", f"second_life={life}") for life in (1, 9, 13, 16, 20)] == [1, 1, 1, -1, -1]


# Placing games, by positions written as strings.


def plain_placing(game: Placement) -> Any:
    """The first seat's expected result from a position: two boards, "." for an empty place, and the rest."""
    size, high, tie = game.places, game.goal == "high", {"first": 1, "second": -1, "draw": 0}[game.tie]

    @cache
    def worth(boards: str, pool: str) -> Fraction:
        if "." not in boards:
            one, other = int(boards[:size]), int(boards[size:])
            other += game.bonus if high else -game.bonus
            return Fraction(tie if one == other else 1 if (one > other) == high else -1)
        mover = (2 * size - boards.count(".")) % 2
        reach = range(2 * size) if game.reach == "any" else range(mover * size, mover * size + size)
        free = [at for at in reach if boards[at] == "."]
        best = min if mover else max

        def placed(digit: str) -> Fraction:
            rest = pool.replace(digit, "", 1)
            return best(worth(boards[:at] + digit + boards[at + 1 :], rest) for at in free)

        if game.pick == "draw":
            return sum(map(placed, pool), Fraction(0)) / len(pool)
        return best(map(placed, set(pool)))

    return worth


def small_placing_games() -> Iterator[str]:
    pools = ["0-2", "1x2,2", "0-3", "1,2x2,3", "0-4"]
    for places, pool, goal, reach, tie, pick, bonus in product(
        "12", pools, ["high", "low"], ["own", "any"], ["second", "first", "draw"], ["choose", "draw"], "013"
    ):
        if int(places) * 2 <= {"0-2": 3, "1x2,2": 3, "0-3": 4, "1,2x2,3": 4, "0-4": 5}[pool]:
            yield f"places={places} pool={pool} goal={goal} reach={reach} tie={tie} pick={pick} bonus={bonus}"


def test_every_small_placing_game_agrees_with_plain_minimax() -> None:
    compared = 0
    for settings in small_placing_games():
        game = a("classic", settings).game_as(Placement)
        found, plain = oracle(game), plain_placing(game)
        boards, pool = "." * 2 * game.places, "".join(map(str, game.pool))
        assert found.value(game.start()).score == plain(boards, pool), settings
        compared += 1
    assert compared == 576


@pytest.mark.parametrize(
    "settings",
    ["pool=1-7 pick=draw", "pool=0-3x2 pick=draw reach=any places=2 tie=draw", "pool=1-7 pick=draw bonus=40"],
)
def test_states_along_random_games_agree_with_plain_minimax(settings: str) -> None:
    game = a("classic", settings).game_as(Placement)
    found, plain, rng = oracle(game), plain_placing(game), Random(2)
    for _ in range(25):
        state = game.start()
        while not game.outcome(state):
            if draws := game.chance(state):
                text = "".join(
                    "." if digit is None else str(digit) for board in state.boards for digit in board
                )
                assert found.value(state).score == plain(text, "".join(map(str, state.pool)))
                state = game.play(state, rng.choice(draws)[0])
            else:
                after = [game.play(state, move) for move in game.legal(state, state.to_move)]
                best = (max if state.to_move is Seat.FIRST else min)(
                    found.value(next).score for next in after
                )
                assert found.value(state).score == best
                state = rng.choice(after)


def test_the_tables_of_drawn_digits_agree_with_the_general_solver_on_every_state() -> None:
    game = a("sabotage", "places=2 pool=0-2x2 pick=draw").game_as(Placement)
    solved: Tablebase[Any, Any] = Tablebase(game)
    arrays = drawn.solve(game)
    assert solved.states == 616
    assert all(arrays.value(state).score == solved.value(state).score for state in solved)


def test_a_game_of_chance_whose_counts_overflow_is_refused() -> None:
    with pytest.raises(TooBig, match="too many ways to draw its digits"):
        drawn.solve(a("classic", "places=9 pool=0-9x9 pick=draw").game_as(Placement))
    with pytest.raises(TooBig, match="more than 1,000 cells"):
        drawn.solve(a("classic", "pick=draw").game_as(Placement), most_cells=1_000)


# Battle.


@cache
def plain_battle(first: int, second: int, pool: tuple[int, ...], mover: int, most: int, tie: int) -> int:
    """The result by a few lines of their own, given that of sudden death."""
    if first <= 0 or second <= 0:
        return 1 if second <= 0 else -1
    if not pool:
        return tie if first == second else 1 if first > second else -1
    found = []
    for digit in set(pool):
        rest = list(pool)
        rest.remove(digit)
        ends = [(first, second - digit), (min(most, first + digit), second)]
        if mover:
            ends = [(first - digit, second), (first, min(most, second + digit))]
        found += [plain_battle(*lives, tuple(rest), 1 - mover, most, tie) for lives in ends]
    return min(found) if mover else max(found)


@pytest.mark.parametrize(("standoff", "tie"), [("second", -1), ("draw", 0)])  # B3, and 5 is never worse
@pytest.mark.parametrize("pool", ["1-5", "1x2,3x2", "2,4,6"])
def test_battles_with_other_life_points_agree_with_plain_minimax(pool: str, standoff: str, tie: int) -> None:
    for most, first, second in product((6, 9), (1, 4, 6), range(1, 7)):
        lives = f"max_life={most} start_life={first} second_life={second}"
        game = a("battle", f"pool={pool} {lives} standoff={standoff}").game_as(Battle)
        expected = plain_battle(first, second, game.pool, 0, most, tie)
        assert oracle(game).value(game.start()).score == expected, (most, first, second)


@pytest.mark.parametrize(
    "settings",
    [
        "pool=1x2 start_life=2 max_life=3 sudden=1-2 standoff_limit=2",
        "pool=1-4 start_life=5 max_life=6 sudden=3 standoff_limit=3",
        "pool=1-3x2 start_life=5 max_life=9 standoff_limit=none",
        "pool=1-4x2 start_life=4 max_life=5 second_life=3 sudden=0-3 standoff_limit=3",
        "pool=1-5 start_life=4 max_life=6 second_life=6 sudden=2-5 standoff_limit=1",
        "pool=1-4x2 start_life=4 max_life=5 second_life=3 sudden=0-3 standoff_limit=3 standoff=draw",
        "pool=1-4 start_life=5 max_life=6 sudden=3 standoff_limit=3 standoff=draw",
    ],
)
def test_the_arrays_of_battle_agree_with_the_general_solver_on_every_state(settings: str) -> None:
    """Result, haste and margin, sudden death included; it is solved by a formula here, step by step there."""
    game = a("battle", settings).game_as(Battle)
    solved: Tablebase[Any, Any] = Tablebase(game)
    arrays = BattleOracle(game, table.solve(game))
    assert all(arrays.value(state) == solved.value(state) for state in solved)
    assert reachable.states(game) == solved.states


def test_the_standard_battle_has_as_many_states_as_a_count_of_them_all() -> None:
    assert reachable.states(a("battle").game_as(Battle)) == 87_119


def test_a_battle_that_needs_too_much_memory_is_refused() -> None:
    with pytest.raises(TooBig, match=r"needs [0-9,]+ MiB; 1,024 MiB are allowed"):
        table.solve(a("battle", "pool=1-9x4").game_as(Battle))


# Swapped seats.


def plain_swap(inner: Any, known: Any, state: Any) -> Fraction:
    """The second player takes the better side after the first move, so the first leaves the least of it."""
    if draws := inner.chance(state):
        total = sum(weight for _, weight in draws)
        return sum(
            (
                Fraction(weight, total) * plain_swap(inner, known, inner.play(state, draw))
                for draw, weight in draws
            ),
            Fraction(0),
        )
    after = (inner.play(state, move) for move in inner.legal(state, Seat.FIRST))
    return max(-abs(Fraction(known.value(reached).score)) for reached in after)


@pytest.mark.parametrize(
    ("id", "settings"),
    [
        ("classic", ""),
        ("classic", "pick=draw"),
        ("classic", "tie=draw bonus=111"),
        ("reverse", "places=2 pool=0-4x2 tie=draw"),
        ("sabotage", "tie=draw"),
        ("battle", ""),
        ("battle", "second_life=13"),
        ("battle", "standoff_limit=none pool=1-4"),
    ],
)
def test_swapped_seats_agree_with_what_the_better_side_is_worth(id: str, settings: str) -> None:
    inner = a(id, settings).game
    assert value(id, f"{settings} swap=yes") == plain_swap(inner, oracle(inner), inner.start())


@pytest.mark.parametrize(
    ("id", "settings"),
    [
        ("classic", "places=2 pool=1-5"),
        ("sabotage", "places=1 pool=0-2x2 pick=draw"),
        ("battle", "pool=1-3 start_life=3 max_life=4 sudden=1-2 standoff_limit=2"),
    ],
)
def test_every_state_of_a_small_game_with_swapped_seats_agrees_with_the_general_solver(
    id: str, settings: str
) -> None:
    game = a(id, f"{settings} swap=yes").game
    solved: Tablebase[Any, Any] = Tablebase(game)
    found = oracle(game)
    assert solved.states > 50
    assert all(found.value(state).score == solved.value(state).score for state in solved)
