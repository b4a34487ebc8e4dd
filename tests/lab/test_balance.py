"""The exact odds between levels, compared with games and choices of the computers."""

from __future__ import annotations

from collections import Counter
from math import sqrt
from random import Random
from typing import Any

import numpy as np
import pytest

from digit_duel.bots import LEVELS
from digit_duel.bots.batches.families import batch_play
from digit_duel.bots.batches.noisy_choices import ERRORS
from digit_duel.bots.move_chances import choice_chances
from digit_duel.core.variant import AnyVariant
from digit_duel.games import ids, variant
from digit_duel.lab.equals import level_moves
from digit_duel.lab.equals.balance import between_levels
from digit_duel.lab.equals.card_rounds import whole_games
from digit_duel.lab.equals.level_moves import LevelMoves
from digit_duel.lab.equals.linear import solve_linear
from digit_duel.lab.equals.pair_statistics import PAIRS, PairStatistics
from digit_duel.lab.equals.simulation import simulated, simulated_one_by_one
from digit_duel.lab.study import study
from digit_duel.solve.general.graph import ChoiceNode
from digit_duel.solve.general.tablebase import Tablebase

SMALL = {
    "classic": "places=2 pool=1-6",
    "reverse": "places=2 pool=0-5",
    "sabotage": "places=2 pool=0-2x2",
    "battle": "pool=1-5 start_life=5 max_life=7 standoff_limit=3",
}


def a(id: str, settings: str) -> AnyVariant:
    return variant(id).customised(dict(setting.split("=") for setting in settings.split()))


def exact(chosen: AnyVariant) -> dict[tuple[str, str], PairStatistics]:
    return between_levels(chosen, Tablebase(chosen.game))


def test_the_levels_here_are_those_of_the_computers() -> None:
    assert tuple(LEVELS) == level_moves.LEVELS


@pytest.mark.parametrize(
    ("id", "settings", "moves"),
    [
        ("classic", "pool=1-7", []),  # more moves than a player thinks through
        ("classic", "places=2 pool=1-6", ["3a1"]),
        ("battle", "pool=1-5 start_life=5 max_life=7", ["x3"]),
        ("classic", "places=2 swap=yes", ["9a2"]),
    ],
)
@pytest.mark.parametrize("level", level_moves.LEVELS)
def test_the_chances_of_moves_are_what_the_computers_choose(
    id: str, settings: str, moves: list[str], level: str
) -> None:
    chosen = a(id, settings)
    game, state = chosen.game, chosen.game.start()
    for text in moves:
        state = game.play(state, game.parse(state, game.acting(state)[0], text))
    table: Tablebase[Any, Any] = Tablebase(game)
    at, seat = table.graph.numbers[state], game.acting(state)[0]
    found = LevelMoves(chosen, table).chances(at, seat)[level_moves.LEVELS.index(level)]
    assert found.sum() == pytest.approx(1, abs=1e-9)
    bot, legal, tries = LEVELS[level](chosen, seat, Random(7)), game.legal(state, seat), 1_500
    made = Counter(game.text(bot.choose(state, legal)) for _ in range(tries))
    for move, chance in zip(legal, found, strict=True):
        wide = 4.5 * sqrt(max(chance * (1 - chance), 1e-4) / tries)
        assert made[game.text(move)] / tries == pytest.approx(chance, abs=wide), game.text(move)


def test_random_play_is_counted_by_hand() -> None:
    """One place, digits 1 to 3: the first seat draws a digit at random, the second one of the two others."""
    found = exact(a("classic", "places=1 pool=1-3"))["random", "random"]
    assert found.wins == pytest.approx(1 / 2)
    assert found.draws == 0
    assert found.length == pytest.approx(2)
    # Best play changes sides when the first does not take the 3, and again when the second spares it:
    # 2/3 of the games, and of these, after a 1 never (2 and 3 both win), after a 2 in half.
    assert found.changes == pytest.approx(2 / 3 + 1 / 3 * 1 / 2)


def test_perfect_players_reach_the_value_of_the_game() -> None:
    for id, settings in SMALL.items():
        chosen = a(id, settings)
        table: Tablebase[Any, Any] = Tablebase(chosen.game)
        found = between_levels(chosen, table)["perfect", "perfect"]
        score = float(table.value(chosen.game.start()).score)
        assert 2 * found.points - 1 == pytest.approx(score, abs=1e-9), id
        assert found.changes == pytest.approx(0, abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("id", SMALL)
def test_the_exact_balance_lies_in_the_interval_of_played_games(id: str) -> None:
    chosen = a(id, SMALL[id])
    found = exact(chosen)
    for level in level_moves.LEVELS:
        _check(chosen, found[level, level], level, games=400)


@pytest.mark.campaign
@pytest.mark.parametrize("level", level_moves.LEVELS)
@pytest.mark.parametrize("id", [id for id in ids() if id not in ("cards", "sabotage")])
def test_the_exact_balance_of_the_rulebooks_lies_in_the_interval_of_twenty_thousand_games(
    id: str, level: str
) -> None:
    chosen = variant(id)
    _check(chosen, exact(chosen)[level, level], level, games=20_000)


@pytest.mark.parametrize(
    ("id", "settings"),
    [
        ("classic", "places=2 pool=1-6"),
        ("reverse", "places=2 pool=0-3x2 tie=draw bonus=7"),
        ("sabotage", "places=2 pool=0-2x2"),
        ("classic", "places=2 pool=1-5 pick=draw"),
        ("sabotage", "places=2 pool=0-2x2 tie=draw pick=draw"),
        ("classic", "places=2 pool=1-6 swap=yes"),
        ("reverse", "places=1 pool=0-3 bonus=1 swap=yes"),
        ("sabotage", "places=2 pool=0-2x2 tie=draw swap=yes"),
    ],
)
def test_games_played_at_once_follow_the_same_odds(id: str, settings: str) -> None:
    chosen = a(id, settings)
    assert batch_play(chosen) is not None
    found = simulated(chosen, 20_000)
    for pair, told in exact(chosen).items():
        wide = 3.5 * sqrt(max(told.points * (1 - told.points), 0.003) / 20_000)  # 65 figures are compared
        assert found[pair].points == pytest.approx(told.points, abs=wide), pair
        assert found[pair].draws == pytest.approx(told.draws, abs=0.015), pair
        assert found[pair].changes == pytest.approx(told.changes, abs=0.04), pair
        assert found[pair].until == pytest.approx(told.until, abs=0.05), pair
        assert found[pair].only == pytest.approx(told.only, abs=0.04), pair
        assert found[pair].decisions == pytest.approx(told.decisions, abs=0.01), pair


def test_perfect_against_random_with_the_pie_rule_is_worked_out_by_hand() -> None:
    """One place, digits 1 to 3. The perfect player begins with 2 or 3: then the better side wins by one.

    If the other player swaps, which they do half of the time, the perfect one wins after a 2 (with the 3) and
    loses after a 3. If not, the perfect one wins half of the time after a 2, and always after a 3.
    """
    chosen = a("classic", "places=1 pool=1-3 swap=yes")
    expected = ((1 + 1 / 2) / 2 + (0 + 1) / 2) / 2
    pairs = (("perfect", "random"), ("random", "perfect"))
    begins, follows = (told.points for told in simulated(chosen, 20_000, pairs=pairs).values())
    assert begins == pytest.approx(expected, abs=0.012)
    assert follows == 0  # who follows takes the better side


def test_rounds_of_cards_make_games() -> None:
    """Worked out by hand: the starter wins 3 rounds of 5, the first to two rounds wins, starters alternate.

    First wins both of the first two rounds 0.6 * 0.4 of the time; else one each, 0.52, and then 0.6.
    """
    rounds = {("careful", "careful"): PairStatistics(0.6, 0.0, 15.0, 0.0, 0.0, 0.0, 0.0)}
    (found,) = whole_games(variant("cards"), rounds, 1_000).values()
    assert found.points == pytest.approx(0.24 + 0.52 * 0.6)
    assert found.length == pytest.approx(15 * 2.52)
    # The slope of p(1-p) + (1 - 2p(1-p))p at 0.6 is 2 - 6p + 6p² = 0.56.
    assert found.uncertainty == pytest.approx(0.56 * 2.576 * sqrt(0.24 / 1_000), rel=1e-3)


def test_chances_add_up_whatever_is_liked_and_answered() -> None:
    source = Random(1)
    for _ in range(60):
        moves = source.randint(2, 27)
        liked = [source.choice([0.35, 0.5, source.random()]) for _ in range(moves)]
        liked[0], liked[-1] = 1.0, 0.0
        answered = [source.choice([0.0, 1.0, source.random()]) for _ in range(moves)]
        for errors in ERRORS.values():
            assert sum(choice_chances(liked, answered, errors)) == pytest.approx(1, abs=1e-9)


@pytest.mark.parametrize("seed", range(10))
def test_sparse_systems_are_solved_as_dense_ones(seed: int) -> None:
    source = np.random.default_rng(seed)
    shares = source.random((3, 9, 9)) * (source.random((9, 9)) < 0.3)
    shares /= np.maximum(shares.sum(axis=2, keepdims=True) * 1.05, 1)
    told = source.random((3, 9, 2))
    dense = np.linalg.solve(np.eye(9) - shares, told)
    assert solve_linear(shares, told, np.zeros(2)) == pytest.approx(dense, abs=1e-9)


def _check(chosen: AnyVariant, found: PairStatistics, level: str, games: int) -> None:
    seen = simulated_one_by_one(chosen, (level, level), games)
    wide = 3.0 * sqrt(max(found.points * (1 - found.points), 0.003) / games)
    assert seen.points == pytest.approx(found.points, abs=wide), (chosen.id, level)
    assert seen.length == pytest.approx(found.length, rel=0.12)
    assert seen.changes == pytest.approx(found.changes, abs=0.25)
    assert seen.until == pytest.approx(found.until, rel=0.2, abs=0.3)


def test_play_without_end_is_a_draw() -> None:
    """Perfect players repeat 5-5 for ever where nothing limits stand-offs (B3)."""
    found = exact(a("battle", "pool=1,2 start_life=1 max_life=2 second_life=2 standoff_limit=none"))
    for pair, told in found.items():
        assert 0 <= told.points <= 1, pair
        assert told.wins + told.draws <= 1 + 1e-9, pair
    shares = np.array([[[0.5, 0.5, 0.0], [0.5, 0.5, 0.0], [0.2, 0.2, 0.1]]])
    told_by = np.array([[[0.0], [0.0], [0.3]]])
    solution = solve_linear(shares, told_by, np.array([1.0]))[0, :, 0]
    assert solution == pytest.approx([1, 1, (0.4 + 0.3) / 0.9])


def test_who_does_not_look_ahead_swaps_at_random() -> None:
    """Then each player has either side half of the time; perfect players always take the better side."""
    found = exact(a("classic", "places=1 pool=1-3 swap=yes"))
    assert found["random", "random"].points == pytest.approx(1 / 2)
    assert found["sensible", "sensible"].points == pytest.approx(1 / 2)
    assert found["perfect", "perfect"].points == 0


@pytest.mark.slow
def test_a_rulebook_with_the_pie_rule_is_followed_exactly() -> None:
    found = study(a("classic", "swap=yes"))
    assert found.games is None
    assert found.balance("sensible") == pytest.approx(1 / 2)


def test_every_pair_of_neighbours_is_there_from_both_sides() -> None:
    assert len(PAIRS) == len(set(PAIRS)) == 13


def test_nobody_chooses_for_nature() -> None:
    chosen = a("classic", "places=1 pool=1-3 pick=draw")
    table: Tablebase[Any, Any] = Tablebase(chosen.game)
    assert not isinstance(table.graph.nodes[0], ChoiceNode)
    assert between_levels(chosen, table)["careful", "careful"].points == pytest.approx(1 / 2)


def test_positions_of_a_game_too_large_to_solve_are_not_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("digit_duel.lab.study.Tablebase")  # would number 200,000 positions in vain
    found = study(a("classic", "places=9 pool=0-9x9"), games=1)
    assert found.best is None
    assert found.games == 1
    assert study(a("sabotage", "swap=yes"), games=1).games == 1
