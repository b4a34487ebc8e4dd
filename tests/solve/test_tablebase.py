"""The general solver: compared with a plain minimax, with chance, secret choices and endless play."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from digit_duel.core.game import Game, Outcome, Seat
from digit_duel.games import catalogue
from digit_duel.games._battle import Battle, Secret
from digit_duel.solve.errors import Unsolved
from digit_duel.solve.families import oracle
from digit_duel.solve.general.tablebase import Tablebase
from digit_duel.solve.oracle import line, options
from digit_duel.solve.value import Value

BATTLE: Any = catalogue()["battle"].game


@cache
def solved_battle() -> Tablebase[Any, Any]:
    return Tablebase(BATTLE)


@cache
def plain_battle(first: int, second: int, pool: frozenset[int], mover: int) -> tuple[int, int, int]:
    """Score, haste and margin by a few lines of their own; sudden death is the second player's (B3)."""
    if first <= 0 or second <= 0:
        return (1 if second <= 0 else -1, 0, first - second)
    if not pool:
        if first == second:
            return (-1, 0, 0)
        return (1 if first > second else -1, 0, first - second)
    found = []
    for digit in pool:
        rest = pool - {digit}
        if mover == 0:
            nexts = [(first, second - digit), (min(20, first + digit), second)]
        else:
            nexts = [(first - digit, second), (first, min(20, second + digit))]
        for a, b in nexts:
            score, haste, margin = plain_battle(a, b, rest, 1 - mover)
            found.append((score, haste - score, margin))
    return max(found) if mover == 0 else min(found)


@pytest.mark.slow
def test_battle_agrees_with_a_plain_minimax_on_every_state() -> None:
    compared = 0
    for state in solved_battle():
        if BATTLE.sudden_death(state):
            if BATTLE.outcome(state):
                continue
            assert solved_battle().value(state).score == -1
            continue
        score, haste, margin = plain_battle(*state.life, frozenset(state.pool), state.to_move)
        value = solved_battle().value(state)
        assert value.score == score
        if not _may_tie(state):
            assert (value.haste, value.margin) == (haste, margin)
        compared += 1
    assert compared == 83_635 - 20  # all states of the nine digits, but for the twenty tied ends


def _may_tie(state: Any) -> bool:
    """Whether sudden death can still come, whose length the few lines above do not count."""
    return bool((sum(state.life) + sum(state.pool)) % 2 == 0 or max(state.life) + sum(state.pool) > 20)


def test_the_second_seat_wins_every_sudden_death_by_choosing_the_highest_digit() -> None:
    knows = oracle(BATTLE)
    ends = [BATTLE.start().__class__((life, life), (), Seat.SECOND) for life in range(1, 21)]
    for state in ends:
        assert knows.value(state).score == -1
        best = [option.move for option in options(BATTLE, knows, state, Seat.SECOND) if option.best]
        assert best == [Secret(Seat.SECOND, 5)]


def test_without_a_limit_sudden_death_goes_on_for_ever() -> None:
    game = Battle(standoff_limit=None, pool=(1, 2), start_life=3)
    solved: Tablebase[Any, Any] = Tablebase(game)
    tied = [state for state in solved if game.sudden_death(state) and state.life[0] == state.life[1]]
    assert tied == []  # 1 and 2 cannot tie
    tie: Any = type(game.start())((3, 3), (), Seat.FIRST)
    assert Tablebase(game, tie).value(tie) == Value(0)


@pytest.mark.parametrize(
    ("id", "score", "openings"),
    [
        ("classic", 1, ["9a1"]),
        ("reverse", 1, ["1a1"]),
        ("sabotage", -1, []),
        ("battle", 1, ["x5", "+5", "x6", "+6", "x7", "+7", "x8", "+8", "x9", "+9"]),
    ],
)
def test_the_known_results_come_out(id: str, score: int, openings: list[str]) -> None:
    game = catalogue()[id].game
    knows = oracle(game)
    start = game.start()
    assert knows.value(start).score == score
    winning = [o.move for o in options(game, knows, start, Seat.FIRST) if o.score == 1]
    assert sorted(map(game.text, winning)) == sorted(openings)


def test_the_best_line_of_sabotage_is_the_mirror() -> None:
    game = catalogue()["sabotage"].game
    moves = [game.text(move) for move in line(game, oracle(game), game.start())]
    assert len(moves) == 8
    assert all(theirs == mine.replace("a", "b") for mine, theirs in zip(moves[::2], moves[1::2], strict=True))


@dataclass(frozen=True, slots=True)
class At:
    name: str


class Toy(Game[At, str, At]):
    """A little game from a table: a node's kind, and where its moves lead."""

    def __init__(self, nodes: dict[str, Any]) -> None:
        self.nodes = nodes

    def start(self) -> At:
        return At("start")

    def outcome(self, state: At) -> Outcome | None:
        node = self.nodes[state.name]
        winners = {"win": Seat.FIRST, "loss": Seat.SECOND, "draw": None}
        return Outcome(winners[node], node) if isinstance(node, str) else None

    def chance(self, state: At) -> list[tuple[str, int]]:
        node = self.nodes[state.name]
        return list(node[1].items()) if node[0] == "dice" else []

    def acting(self, state: At) -> tuple[Seat, ...]:
        node = self.nodes[state.name]
        return {"first": (Seat.FIRST,), "second": (Seat.SECOND,), "both": tuple(Seat)}.get(node[0], ())

    def legal(self, state: At, seat: Seat) -> list[str]:
        node = self.nodes[state.name]
        if node[0] == "both":
            rows = node[1]
            return (
                [f"a{i}" for i in range(len(rows))]
                if seat is Seat.FIRST
                else [f"b{i}" for i in range(len(rows[0]))]
            )
        return list(node[1]) if seat in self.acting(state) else []

    def play(self, state: At, move: str) -> At:
        name, _, picked = state.name.partition("/")
        node = self.nodes[name]
        if node[0] != "both":
            return At(move)
        if not picked:
            self.nodes[f"{name}/{move}"] = ("half",)
            return At(f"{name}/{move}")
        picks = {picked[0]: int(picked[1:]), move[0]: int(move[1:])}
        return At(node[1][picks["a"]][picks["b"]])

    def view(self, state: At, seat: Seat) -> At:
        return state

    def text(self, move: str) -> str:
        return move

    def moves(self, seat: Seat) -> list[str]:
        return []

    def why_not(self, view: At, seat: Seat, move: str) -> str:
        return ""

    @property
    def bound(self) -> None:
        return None


def value_of(nodes: dict[str, Any]) -> Value:
    solved: Tablebase[At, str] = Tablebase(Toy(nodes))
    return solved.value(At("start"))


ENDS = {"w": "win", "l": "loss", "d": "draw"}


def test_chance_is_an_exact_expectation() -> None:
    assert value_of({"start": ("dice", {"w": 2, "l": 1}), **ENDS}).score == Fraction(1, 3)
    nodes = {
        "start": ("first", ["a", "b"]),
        "a": ("dice", {"w": 1, "l": 3}),
        "b": ("dice", {"w": 2, "l": 5}),
        **ENDS,
    }
    assert value_of(nodes).score == Fraction(-3, 7)


def test_secret_choices_are_a_matrix() -> None:
    pennies = {"start": ("both", [["w", "l"], ["l", "w"]]), **ENDS}
    assert value_of(pennies).score == 0
    biased = {"start": ("both", [["w", "l"], ["l", "d"]]), **ENDS}
    assert value_of(biased).score == Fraction(-1, 3)


def test_a_seat_that_can_leave_a_cycle_for_a_win_does() -> None:
    circle = {"start": ("second", ["on"]), "on": ("first", ["start", "w"]), **ENDS}
    assert value_of(circle) == Value(1, -2, 0)


def test_a_cycle_in_which_both_can_hold_out_is_a_draw() -> None:
    circle = {"start": ("second", ["on", "w"]), "on": ("first", ["start", "l"]), **ENDS}
    assert value_of(circle) == Value(0)


def test_a_cycle_that_needs_mixing_is_refused() -> None:
    with pytest.raises(Unsolved):
        value_of({"start": ("both", [["w", "l"], ["l", "start"]]), **ENDS})
