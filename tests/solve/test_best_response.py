"""Best responses, NashConv and exploitability: by hand, by brute force, and as OpenSpiel computes them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.reference import cards as plain_cards
from tests.solve.mazes import Maze

from digit_duel import solve
from digit_duel.core.game import Seat
from digit_duel.core.variant import AnyGame, AnyVariant
from digit_duel.games import variant
from digit_duel.solve import best_response, expected_value, exploitability, nash_conv, uniform
from digit_duel.solve.research.absorption import flow
from digit_duel.solve.research.decision_cycles import LoopChoice, chain
from digit_duel.solve.research.policies import Number

FIRST, SECOND = Seat
THREE_CARDS = {"facing_full": "must_keep", "pool": "0-2", "hand_size": "1", "wins_needed": "1"}
FOUR_CARDS = {**THREE_CARDS, "pool": "0-3", "hand_size": "2"}


def custom(id: str, settings: Mapping[str, str]) -> AnyVariant:
    return variant(id).customised(settings)


def lowest(view: Any, legal: Sequence[Any]) -> Any:
    return min(legal, key=lambda move: int(move.digit))


def highest(view: Any, legal: Sequence[Any]) -> Any:
    return max(legal, key=lambda move: int(move.digit))


def at_random(seed: int) -> Callable[[Any, Sequence[Any]], dict[Any, Fraction]]:
    """A policy of odd fractions that are the same for the same view."""

    def play(view: Any, legal: Sequence[Any]) -> dict[Any, Fraction]:
        rng = Random(f"{seed} {view!r}")
        weights = [rng.randrange(4) for _ in legal]
        weights[rng.randrange(len(legal))] += 1
        return {move: Fraction(weight, sum(weights)) for move, weight in zip(legal, weights, strict=True)}

    return play


def test_three_cards_by_hand() -> None:
    # One card each. Keeping the 2 or giving the 0 wins for sure, and the 1 is even either way: 5/6 of games.
    game = custom("cards", THREE_CARDS).game
    best = best_response(game, uniform, FIRST)
    assert best.value == Fraction(2, 3)
    assert best_response(game, uniform, SECOND).value == 0  # the second player has nothing to choose
    assert nash_conv(game, uniform) == Fraction(2, 3)
    assert exploitability(game, uniform) == Fraction(1, 3)
    assert expected_value(game, uniform) == 0
    chosen = {view.drawn: game.text(move) for view, move in best.moves.items() if not view.memory}
    assert chosen[0] == "g"
    assert chosen[2] == "k"
    assert expected_value(game, (best, uniform)) == Fraction(2, 3)


def test_two_places_by_hand() -> None:
    # One digit each of 1, 2 and 3: whoever takes the 3 wins. The first seat can; against one that plays at
    # random the second still can in two of three games.
    game = custom("classic", {"places": "1", "pool": "1-3"}).game
    assert best_response(game, uniform, FIRST).value == 1
    assert best_response(game, uniform, SECOND).value == Fraction(1, 3)
    assert nash_conv(game, uniform) == Fraction(4, 3)


def test_a_perfect_policy_has_nothing_to_give_away_and_a_bad_one_all() -> None:
    game = custom("classic", {"places": "2", "pool": "1-5"}).game

    def perfect(view: Any, legal: Sequence[Any]) -> dict[Any, int]:
        return {solve.optimal_moves(game, view, view.to_move)[0]: 1}

    assert nash_conv(game, perfect) == 0
    worst = solve.always(lowest)
    assert best_response(game, worst, FIRST).value == best_response(game, worst, SECOND).value == 1


def brute_force(rules: plain_cards.Rules) -> Fraction:
    """The best of all plans of the first seat with one card each, by the other implementation of the rules.

    A plan says for every first card whether it is kept; with must_keep that is all there is to choose.
    """
    digits = rules["pool"]
    results = []
    for plan in product("kg", repeat=len(digits)):
        total = Fraction(0)
        for (at, first), second in product(enumerate(digits), digits):
            if first != second:
                tokens = [f"d{first}", plan[at], f"d{second}", "k"]
                a, b = (first, second) if plan[at] == "k" else (second, first)
                result = plain_cards.judge([*tokens, f"a{a}", f"b{b}"], **rules)
                total += Fraction({"1-0": 1, "0-1": -1}[result], len(digits) * (len(digits) - 1))
        results.append(total)
    return max(results)


def test_brute_force_over_all_plans_finds_the_same() -> None:
    rules: plain_cards.Rules = {
        "facing_full": "must_keep", "pool": (0, 1, 2, 3, 4), "hand_size": 1, "wins_needed": 1,
    }  # fmt: skip
    game = custom("cards", {**THREE_CARDS, "pool": "0-4"}).game
    assert best_response(game, uniform, FIRST).value == brute_force(rules)


@pytest.mark.parametrize(
    ("id", "settings"),
    [
        ("cards", FOUR_CARDS),
        ("cards", {**FOUR_CARDS, "visibility": "open"}),
        ("cards", {"pool": "0-2", "hand_size": "1", "wins_needed": "1"}),
        ("sabotage", {"places": "1", "pool": "0-2x2"}),
        ("reverse", {"places": "2", "pool": "1-4", "tie": "draw"}),
        (
            "battle",
            {"start_life": "2", "max_life": "3", "pool": "1-2x2", "sudden": "1", "standoff_limit": "2"},
        ),
    ],
)
def test_openspiel_computes_the_same_from_the_exported_tree(
    id: str, settings: dict[str, str], tmp_path: Path
) -> None:
    import pyspiel
    from open_spiel.python import policy as spiel_policy
    from open_spiel.python.algorithms import exploitability as spiel

    chosen = custom(id, settings)
    file = tmp_path / "game.efg"
    file.write_text(solve.efg(chosen), encoding="utf-8")
    theirs = pyspiel.load_game("efg_game", {"filename": str(file)})
    expected = spiel.nash_conv(theirs, spiel_policy.UniformRandomPolicy(theirs))
    assert float(nash_conv(chosen.game, uniform)) == pytest.approx(expected, abs=1e-12)


def value_iteration(game: AnyGame, policy: Any, seat: Seat, sweeps: int) -> float:
    """What a best response gets, by sweeping over all states of an open game again and again."""
    states = [game.start()]
    found = set(states)
    nexts: dict[Any, list[list[tuple[float, Any]]]] = {}

    def reached(state: Any) -> Any:
        if state not in found:
            found.add(state)
            states.append(state)
        return state

    for state in states:  # which grow as we go
        acting = game.acting(state)
        mine = game.legal(state, seat) if seat in acting else [None]
        theirs = {None: 1}
        if seat.other in acting:
            theirs = policy(game.view(state, seat.other), game.legal(state, seat.other))
        nexts[state] = []
        for move in mine if acting else ():
            after = state if move is None else game.play(state, move)
            nexts[state].append(
                [
                    (float(chance), reached(after if reply is None else game.play(after, reply)))
                    for reply, chance in theirs.items()
                ]
            )
    values = dict.fromkeys(states, 0.0)
    for state in states:
        if outcome := game.outcome(state):
            values[state] = outcome.score(seat)
    for _ in range(sweeps):
        for state in reversed(states):
            if nexts[state]:
                values[state] = max(sum(chance * values[to] for chance, to in row) for row in nexts[state])
    return values[game.start()]


@pytest.mark.parametrize("limit", ["2", "none"])
@pytest.mark.parametrize("seat", Seat)
@pytest.mark.parametrize("policy", [uniform, at_random(3)], ids=["uniform", "odd"])
def test_sudden_death_that_comes_round_again_agrees_with_value_iteration(
    limit: str, seat: Seat, policy: Any
) -> None:
    # The odd policy looks at the last reveal, too, which no longer matters to the rules.
    settings = {"start_life": "3", "max_life": "4", "pool": "1-2x2", "sudden": "1-3", "standoff_limit": limit}
    game = custom("battle", settings).game
    best = best_response(game, policy, seat)
    assert isinstance(best.value, Fraction)
    assert float(best.value) == pytest.approx(value_iteration(game, policy, seat, 400), abs=1e-9)
    sides = (best, policy) if seat is FIRST else (policy, best)
    assert expected_value(game, sides) == (best.value if seat is FIRST else -best.value)


def test_whoever_can_only_lose_by_leaving_stays_for_ever() -> None:
    game = Maze.of({"a": ["loss", "b"], "b": ["a"]})
    assert best_response(game, uniform, FIRST).value == 0
    assert best_response(game, uniform, FIRST).moves == {"a": "b"}
    assert expected_value(game, uniform) == -1
    # One try in two leads home, and one may try for ever.
    assert best_response(Maze.of({"a": ["loss", "n"], "n": ["a", "win"]}), uniform, FIRST).value == 1
    # Here every try may be the last: two of three lead on, one of these to the win.
    maze = Maze.of({"a": ["n", "draw"], "n": ["a", "win", "loss", "win"]})
    assert best_response(maze, uniform, FIRST).value == Fraction(1, 3)
    assert best_response(maze, uniform, SECOND).value == -Fraction(1, 7)


def test_no_loop_traps_the_search_for_the_best_plan() -> None:
    # From the first place one can only circle or lose; the second seat may lead on to where there is more.
    game = Maze.of(
        {"a1": ["b1", "loss"], "b1": ["a1", "a2"], "a2": ["a1", "draw", "n"], "n": ["win", "win", "loss"]}
    )
    assert best_response(game, uniform, FIRST).value == Fraction(1, 3)
    assert best_response(game, uniform, SECOND).value == 1
    held = solve.always(lambda view, legal: legal[0])
    assert expected_value(game, held) == 0  # round and round


def test_half_of_what_may_be_caught_in_a_loop_is_drawn() -> None:
    half = Fraction(1, 2)
    # From the first place half wins, half is caught; the two others go round and round, and so does the last.
    rows = {
        0: LoopChoice(half, half, {1: half}),
        1: LoopChoice(0, 0, {2: 1}),
        2: LoopChoice(0, 0, {1: 1}),
        3: LoopChoice(0, 0, {3: half, 0: half}),
    }
    assert chain(rows) == {0: half, 1: 0, 2: 0, 3: half}
    ways: dict[str, dict[str, Number]] = {
        "start": {"end": half, "left": half},
        "left": {"right": 1},
        "right": {"left": half, "start": half},
        "trap": {"snare": 1},
        "snare": {"trap": 1},
    }
    # Whoever starts arrives, however often they come back; whoever is trapped does not.
    begin = {"start": Fraction(2, 3), "trap": Fraction(1, 3)}
    assert flow(begin, lambda place: dict(ways.get(place, {}))) == ({"end": Fraction(2, 3)}, Fraction(1, 3))


def test_floats_stay_floats_and_come_close() -> None:
    def tenths(view: Any, legal: Sequence[Any]) -> dict[Any, float]:
        return {move: 1 / len(legal) for move in legal}

    game = custom("cards", FOUR_CARDS).game
    exact, close = nash_conv(game, uniform), nash_conv(game, tenths)
    assert isinstance(exact, Fraction)
    assert isinstance(close, float)
    assert close == pytest.approx(float(exact), abs=1e-12)
    settings = {"start_life": "3", "max_life": "4", "pool": "1-2x2", "sudden": "1-2"}
    fight = custom("battle", settings).game
    assert nash_conv(fight, tenths) == pytest.approx(float(nash_conv(fight, uniform)), abs=1e-9)


def test_a_policy_for_each_seat() -> None:
    game = custom("classic", {"places": "1", "pool": "1-3"}).game
    high, low = solve.always(highest), solve.always(lowest)
    assert expected_value(game, (high, low)) == 1
    assert expected_value(game, (low, high)) == -1
    assert nash_conv(game, (high, low)) == 1 + -1
    assert nash_conv(game, (low, high)) == 1 + 1


@pytest.mark.parametrize(
    ("played", "problem"),
    [
        ({}, "the probabilities sum to 0, not to 1"),
        ({"win": Fraction(1, 2)}, "the probabilities sum to 1/2, not to 1"),
        ({"win": 0.5, "loss": 0.4}, "the probabilities sum to 0.9, not to 1"),
        ({"win": 2, "loss": -1}, "a probability is not between 0 and 1"),
        ({"win": float("nan")}, "a probability is not between 0 and 1"),
        ({"elsewhere": 1}, "the policy plays an illegal move"),
    ],
)
def test_what_is_no_mixture_of_the_legal_moves_is_refused(played: dict[str, Any], problem: str) -> None:
    game = Maze.of({"a": ["win", "loss"]})
    with pytest.raises(solve.BadPolicy, match=problem):
        best_response(game, lambda view, legal: played, SECOND)


def test_a_game_that_is_too_big_is_refused_with_a_sentence() -> None:
    with pytest.raises(solve.TooBig, match="more than 1,000 moves would have to be tried"):
        nash_conv(variant("sabotage").game, uniform, limit=1000)
    with pytest.raises(solve.TooBig):
        expected_value(variant("cards").game, uniform, limit=1000)


@pytest.mark.campaign
def test_classic_at_random_gives_nearly_all_away() -> None:
    # The first seat wins for sure; the second loses only to the one opening that wins, once in 27 games.
    assert nash_conv(variant("classic").game, uniform) == 1 + Fraction(25, 27)
