"""Value, optimal moves and regret in any game, and exact equilibria: literals worked out by hand."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from tests.solve.mazes import Maze

from digit_duel import solve
from digit_duel.core.game import Seat
from digit_duel.games import variant
from digit_duel.solve import equilibrium, nash_conv, optimal_moves, regret, regrets, value_of
from digit_duel.solve.errors import Unsolved
from digit_duel.solve.general.matrix import solve_matrix
from digit_duel.solve.research import equilibrium as plans
from digit_duel.solve.research import regret as regrets_of
from digit_duel.solve.research.exploration import nexts
from digit_duel.solve.research.regret import _punished

FIRST, SECOND = Seat
CLASSIC: Any = variant("classic").game
BATTLE: Any = variant("battle").game


def cards(**settings: str) -> Any:
    fixed = {"facing_full": "must_keep", "wins_needed": "1"}
    return variant("cards").customised({**fixed, **settings}).game


def texts(game: Any, state: Any, seat: Seat) -> list[str]:
    return [game.text(move) for move in optimal_moves(game, state, seat)]


def test_the_five_games_are_worth_what_is_known() -> None:
    assert [value_of(variant(id).game) for id in ("classic", "reverse", "sabotage", "battle")] == [
        1,
        1,
        -1,
        1,
    ]


def test_the_regret_of_an_illegal_move_is_refused() -> None:
    game = variant("classic").customised({"places": "1", "pool": "1-2"}).game
    with pytest.raises(Unsolved, match="'9a1' is not legal here; legal are: 1a1 2a1"):
        regret(game, game.start(), FIRST, "9a1")  # a text is not a move


def test_one_opening_keeps_the_win_and_all_others_lose_it() -> None:
    start = CLASSIC.start()
    found = {CLASSIC.text(move): lost for move, lost in regrets(CLASSIC, start, FIRST).items()}
    assert len(found) == 27
    assert {move for move, lost in found.items() if lost == 0} == {"9a1"}
    assert {lost for move, lost in found.items() if move != "9a1"} == {2}
    assert texts(CLASSIC, start, FIRST) == ["9a1"]


def test_where_all_is_lost_nothing_more_can_be_given_away() -> None:
    lost = CLASSIC.play(CLASSIC.start(), CLASSIC.parse(CLASSIC.start(), FIRST, "9a1"))
    assert set(regrets(CLASSIC, lost, SECOND).values()) == {0}
    assert regret(CLASSIC, lost, SECOND, CLASSIC.parse(lost, SECOND, "1b1")) == 0


def test_chance_makes_fractions() -> None:
    game = Maze.of({"a": ["n1", "n2"], "n1": ["win", "loss", "loss"], "n2": ["draw", "win"]})
    assert value_of(game) == Fraction(1, 2)
    assert regrets(game, "a", FIRST) == {"n1": Fraction(5, 6), "n2": 0}
    assert value_of(game, "n1") == Fraction(-1, 3)


def test_in_sudden_death_the_second_seat_gives_away_what_a_five_could_kill() -> None:
    safe = {1: ["b5"], 2: ["b4", "b5"], 4: ["b2", "b3", "b4", "b5"], 5: ["b1", "b2", "b3", "b4", "b5"]}
    for life, moves in safe.items():
        tied = replace(BATTLE.start(), life=(life, life), pool=())
        assert texts(BATTLE, tied, SECOND) == moves
        assert set(regrets(BATTLE, tied, FIRST).values()) == {0}  # lost whatever is chosen
        assert value_of(BATTLE, tied) == -1
    assert regret(BATTLE, tied, SECOND, BATTLE.parse(tied, SECOND, "b1")) == 0


def test_half_of_a_simultaneous_choice_has_no_regret() -> None:
    tied = replace(BATTLE.start(), life=(6, 6), pool=())
    half = BATTLE.play(tied, BATTLE.parse(tied, FIRST, "a5"))
    for ask in (lambda: value_of(BATTLE, half), lambda: regrets(BATTLE, half, SECOND)):
        with pytest.raises(solve.Unsolved, match="ask about the state before it"):
            ask()
    with pytest.raises(solve.Unsolved, match="no move to make"):
        regrets(BATTLE, half, FIRST)


@pytest.mark.parametrize(
    ("matrix", "losses"),
    [
        # Paper, scissors, rock: any of them is part of the one perfect mixture.
        ([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], [0, 0, 0]),
        # A fourth choice that loses to everything.
        ([[0, -1, 1], [1, 0, -1], [-1, 1, 0], [-1, -1, -1]], [0, 0, 0, 1]),
        # The columns may play anything, and so punish the second row with the second column.
        ([[1, 1], [1, -1]], [0, 2]),
        # Matching pennies that pay 2 to 1: each side mixes, so no pure choice is wrong.
        ([[2, -1], [-1, 1]], [0, 0]),
    ],
)
def test_a_secret_choice_gives_away_what_a_perfect_opponent_can_make_of_it(
    matrix: list[list[int]], losses: list[int]
) -> None:
    value = solve_matrix(matrix).value
    assert [value - _punished(matrix, at, value) for at in range(len(matrix))] == losses


def test_hidden_hands_by_hand() -> None:
    # See test_best_response: keep the 2, give the 0, and the 1 is all the same.
    game = cards(pool="0-2", hand_size="1")
    assert value_of(game) == Fraction(2, 3)
    start = game.start()
    found = {
        digit: {game.text(m): lost for m, lost in regrets(game, game.play(start, draw), FIRST).items()}
        for draw, _ in game.chance(start)
        for digit in [draw.digit]
    }
    assert found == {0: {"k": 2, "g": 0}, 1: {"k": 0, "g": 0}, 2: {"k": 0, "g": 2}}


@pytest.mark.parametrize(
    ("pool", "hand_size", "starter_wins"),
    [
        ("0-2", "1", Fraction(5, 6)),
        ("0-9", "1", Fraction(7, 9)),
        ("0-3", "2", Fraction(3, 4)),
        pytest.param("0-4", "2", Fraction(13, 20), marks=pytest.mark.slow),
    ],
)
def test_an_equilibrium_is_exact_and_leaves_nobody_anything(
    pool: str, hand_size: str, starter_wins: Fraction
) -> None:
    game = cards(pool=pool, hand_size=hand_size)
    found = equilibrium(game)
    assert found.value == 2 * starter_wins - 1
    assert nash_conv(game, found.policies) == 0
    assert solve.expected_value(game, found.policies) == found.value


def test_ten_cards_one_each_by_hand() -> None:
    # The starter keeps 5 to 9 and gives 0 to 4: a card d beats d others of 9, and loses to 9 - d.
    best = Fraction(sum(max(d, 9 - d) for d in range(10)), 90)
    assert best == Fraction(7, 9)
    assert equilibrium(cards(pool="0-9", hand_size="1")).value == 2 * best - 1


def test_an_equilibrium_of_secret_choices_mixes() -> None:
    # Sudden death of one point each: the higher digit wins at once, and after an equal reveal the second seat
    # has won. With two digits both choose the higher one; an open game has an equilibrium, too.
    settings = {"start_life": "1", "max_life": "3", "pool": "1-2", "sudden": "1-2", "standoff_limit": "1"}
    game = variant("battle").customised(settings).game
    assert equilibrium(game).value == value_of(game) == 1


def test_a_search_for_plans_without_progress_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    game = cards(pool="0-2", hand_size="1")
    stuck = solve.best_response(game, solve.uniform, FIRST)
    monkeypatch.setattr(plans, "best_response", lambda *asked: stuck)  # always the same answer, never enough
    with pytest.raises(Unsolved, match="ask value_of"):
        equilibrium(game)


def test_positions_that_a_perfect_opponent_never_allows_have_no_regret() -> None:
    game = cards(pool="0-3", hand_size="2")
    known = {(seat, game.view(state, seat)): state for state in _states(game) for seat in game.acting(state)}
    told = silent = 0
    for (seat, _), state in known.items():
        legal = game.legal(state, seat)
        try:
            found = regrets(game, state, seat)
        except solve.Unsolved:
            silent += 1
        else:
            told += 1
            assert min(found.values()) == 0
            assert list(found) == list(legal)
    assert told > 0
    assert silent > 0


def _states(game: Any) -> list[Any]:
    states = [game.start()]
    for state in states:
        states += nexts(game, state)
    return states


def test_a_hidden_state_has_no_value_of_its_own() -> None:
    game = cards(pool="0-2", hand_size="1")
    with pytest.raises(solve.Unsolved, match="hands are hidden"):
        value_of(game, game.play(game.start(), game.chance(game.start())[0][0]))


def test_what_is_too_big_is_refused_at_once() -> None:
    with pytest.raises(solve.TooBig, match="tied rounds are played again"):
        value_of(variant("cards").game)
    huge = variant("sabotage").customised({"places": "9", "pool": "0-9x9"}).game
    with pytest.raises(solve.TooBig, match="MiB are allowed"):
        value_of(huge)


class Corridor(Maze):
    """One step after the other, without an end."""

    def legal(self, state: str, seat: Seat) -> list[str]:
        return [f"a{int(state[1:]) + 1}"] if seat is FIRST else []


def test_an_open_game_is_not_explored_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(regrets_of, "MOST_STATES", 10_000)
    with pytest.raises(solve.TooBig, match="more than 10,000 states"):
        value_of(Corridor.of({"a0": ["a1"]}))
