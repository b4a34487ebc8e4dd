"""Plain minimax, the packed solver, the pool solver and the file agree on every state."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
from collections.abc import Iterable
from itertools import product
from typing import Protocol

import pytest

from digit_duel.core.game import Seat
from digit_duel.games._placement import Goal, Placement, PlacingMove, Position, Reach, Tie
from digit_duel.solve.errors import DamagedTable, TooBig
from digit_duel.solve.general.tablebase import Tablebase
from digit_duel.solve.placing import packed, pool_file, pooled
from digit_duel.solve.placing.slots import Slots

CLASSIC = Placement(3, tuple(range(1, 10)), Goal.HIGH, Reach.OWN, Tie.SECOND)
REVERSE = Placement(3, tuple(range(1, 10)), Goal.LOW, Reach.OWN, Tie.SECOND)
SABOTAGE = Placement(4, tuple(sorted([*range(10), *range(10)])), Goal.LOW, Reach.ANY, Tie.SECOND)


class Table(Protocol):
    @property
    def states(self) -> int: ...
    def value(self, position: Position) -> int: ...
    def result(self, position: Position) -> int: ...


def moves(game: Placement, position: Position) -> list[Position]:
    seats = list(Seat) if game.reach is Reach.ANY else [position.to_move]
    found = []
    for seat in seats:
        for place, held in enumerate(position.boards[seat]):
            if held is None:
                for digit in set(position.pool):
                    board = list(position.boards[seat])
                    board[place] = digit
                    boards = list(position.boards)
                    boards[seat] = tuple(board)
                    pool = list(position.pool)
                    pool.remove(digit)
                    mover = Seat(1 - position.to_move)
                    found.append(Position(tuple(pool), (boards[0], boards[1]), mover))
    return found


def start(game: Placement) -> Position:
    return Position(game.pool, ((None,) * game.places,) * 2, Seat.FIRST)


def plain(game: Placement, root: Position) -> dict[Position, tuple[int, int]]:
    """Result and margin of every state from here on, by lexicographic minimax: result, then margin."""
    values: dict[Position, tuple[int, int]] = {}

    def value(position: Position) -> tuple[int, int]:
        if position not in values:
            after = moves(game, position)
            if after:
                best = max if position.to_move is Seat.FIRST else min
                values[position] = best(value(child) for child in after)
            else:
                first, second = (int("".join(map(str, board))) for board in position.boards)
                margin = first - second if game.goal is Goal.HIGH else second - first
                result = (margin > 0) - (margin < 0)
                if not result and game.tie is not Tie.DRAW:
                    result = 1 if game.tie is Tie.FIRST else -1
                values[position] = (result, margin)
        return values[position]

    value(root)
    return values


def agree(game: Placement) -> int:
    expected = plain(game, start(game))
    pool_table = pooled.solve(game)
    tables: list[Table] = [
        packed.solve(game, threads=2),
        pool_table,
        pool_file.decode(pool_file.encode(pool_table)),
    ]
    general: Tablebase[Position, PlacingMove] = Tablebase(game)
    assert {state: general.value(state)[::2] for state in general} == expected
    for table in tables:
        assert table.states == Slots(game).states == len(expected)
        for position, (result, margin) in expected.items():
            assert table.value(position) == margin, (game, position)
            assert table.result(position) == result, (game, position)
    return len(expected)


@pytest.mark.slow
@pytest.mark.parametrize("game", [CLASSIC, pytest.param(REVERSE, marks=pytest.mark.campaign)])
def test_every_state_of_the_small_rulebook_games(game: Placement) -> None:
    assert agree(game) == 138_268


def random_game(rng: random.Random, places: int, goal: Goal, reach: Reach, tie: Tie) -> Placement:
    while True:
        kinds = rng.sample(range(10), rng.randint(1, {1: 10, 2: 7, 3: 4}[places]))
        pool = [digit for digit in kinds for _ in range(rng.randint(1, 4))]
        if len(pool) >= 2 * places:
            game = Placement(places, tuple(sorted(pool)), goal, reach, tie)
            if Slots(game).states <= 20_000:
                return game


@pytest.mark.slow
@pytest.mark.parametrize("of_each", [1, pytest.param(4, marks=pytest.mark.campaign)])
@pytest.mark.parametrize("block", [1, 30, 100_000])
def test_every_state_of_36_kinds_of_random_games(
    block: int, of_each: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packed, "BLOCK", block)
    monkeypatch.setattr(pooled, "BLOCK", block)
    rng = random.Random(block)
    games = [random_game(rng, *kind) for kind in product((1, 2, 3), Goal, Reach, Tie) for _ in range(of_each)]
    assert sum(map(agree, games)) > 25_000 * of_each
    assert len(set(games)) > 25 * of_each


def playout(rng: random.Random, game: Placement, plies: int) -> Position:
    position = start(game)
    for _ in range(plies):
        position = rng.choice(moves(game, position))
    return position


@pytest.mark.parametrize(
    ("places", "pool"),
    [(4, (3, 8) * 4), (5, range(10)), (5, (*range(10), *range(10))), (6, (0, 4, 9) * 5), (9, (0, 7) * 9)],
)
@pytest.mark.parametrize("reach", list(Reach))
@pytest.mark.parametrize("goal", list(Goal))
def test_sampled_states_of_wide_boards(places: int, pool: Iterable[int], reach: Reach, goal: Goal) -> None:
    game = Placement(places, tuple(sorted(pool)), goal, reach, Tie.DRAW)
    tables: list[Table] = [pooled.solve(game)]
    if packed.fits(game, 1 << 29).fits:
        tables.append(packed.solve(game))
    rng = random.Random(places)
    for plies in list(range(2 * places)) * 10:
        position = playout(rng, game, plies)
        best = max if plies % 2 == 0 else min
    for table in tables:
        assert table.value(position) == best(table.value(child) for child in moves(game, position))
    for plies in [2 * places, 2 * places - 1, 2 * places - 3] * 10:
        position = playout(rng, game, plies)
    for table in tables:
        assert table.value(position) == plain(game, position)[position][1]


def test_winning_openings_of_the_small_games() -> None:
    for game, digit in ((CLASSIC, 9), (REVERSE, 1)):
        table = pooled.solve(game)
        won = [child.boards[0] for child in moves(game, start(game)) if table.result(child) == 1]
        assert won == [(digit, None, None)]


def test_sabotage_is_lost_by_every_opening() -> None:
    table = pool_file.decode(pool_file.encode(pooled.solve(SABOTAGE)))
    assert table.value(start(SABOTAGE)) == 0
    assert all(table.result(child) == -1 for child in moves(SABOTAGE, start(SABOTAGE)))


def test_progress_ends_with_all_states() -> None:
    for solve in (packed.solve, pooled.solve):
        seen: list[tuple[int, int]] = []
        solve(CLASSIC, lambda *progress, seen=seen: seen.append(progress))
        assert seen[-1] == (138_268, 138_268)
        assert seen == sorted(seen)


def test_a_game_that_does_not_fit_is_refused_before_it_is_tried() -> None:
    for module in (packed, pooled):
        game = Placement(9, SABOTAGE.pool, Goal.LOW, Reach.ANY, Tie.SECOND)
        assert not module.fits(game).fits
        with pytest.raises(TooBig):
            module.solve(game)
    assert packed.fits(SABOTAGE).states == 153_046_261


def test_an_interrupt_in_progress_ends_the_solve() -> None:
    def stop(done: int, total: int | None = None, unit: str = "") -> None:
        raise KeyboardInterrupt

    for solve in (packed.solve, pooled.solve):
        with pytest.raises(KeyboardInterrupt):
            solve(SABOTAGE, stop)


def test_a_real_interrupt_ends_the_solve_soon() -> None:
    code = """
from digit_duel.games.sabotage import VARIANT
from digit_duel.solve.placing import packed
print("go", flush=True)
while True:
    packed.solve(VARIANT.game)
"""
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as child:
        assert child.stdout is not None
        child.stdout.readline()
        with pytest.raises(subprocess.TimeoutExpired):
            child.wait(0.2)
        child.send_signal(signal.SIGINT)
        _, errors = child.communicate(timeout=30)  # a machine may be busy
    assert b"KeyboardInterrupt" in errors


def test_any_damage_to_a_file_is_noticed() -> None:
    table = pooled.solve(CLASSIC)
    good = pool_file.encode(table)
    assert pool_file.decode(good).layers == table.layers
    for at in range(len(good)):
        for bad in (good[:at], good[:at] + bytes([good[at] ^ 1]) + good[at + 1 :]):
            with pytest.raises(DamagedTable):
                pool_file.decode(bad)
    with pytest.raises(DamagedTable):
        pool_file.decode(good + b"x")
