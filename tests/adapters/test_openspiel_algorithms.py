"""OpenSpiel's algorithms on the games: minimax, CFR, sampling and search find what is known."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import pyspiel
import pytest
from tests.adapters.test_openspiel import SMALL_2, SMALL_CARDS
from tests.solve.keep_or_give.naive import Naive

from digit_duel import solve
from digit_duel.adapters import openspiel
from digit_duel.adapters.interface.names import spiel_name


@pytest.mark.parametrize(
    ("form", "value"),
    [
        ("digit_duel_classic(places=1,pool='1-2')", 1),  # the first player takes the 2
        ("digit_duel_reverse(places=1,pool='1-2')", 1),
        ("digit_duel_classic(places=1,pool='1x2')", -1),  # a tie goes to the second player
        ("digit_duel_classic(places=1,pool='1x2',tie=draw)", 0),
        ("digit_duel_sabotage(places=2,pool='0-2x2')", -1),  # the second player mirrors
        ("digit_duel_sabotage(places=2,pool='0-2x2',tie=first)", 1),  # and loses if that does not pay
    ],
)
def test_minimax_finds_who_wins_small_placing_games(form: str, value: int) -> None:
    from open_spiel.python.algorithms.minimax import alpha_beta_search
    from open_spiel.python.algorithms.minimax_solver import MinimaxSolver

    assert alpha_beta_search(pyspiel.load_game(form))[0] == value
    root = pyspiel.load_game(form).new_initial_state()
    solver = MinimaxSolver(form)
    solver.solve()
    assert max(solver.action_values_from_state(root)) == value


@cache
def plain_battle(mine: int, theirs: int, pool: tuple[int, ...]) -> int:
    """Who wins for the one on turn, where no ceiling is near and ties cannot be: written for this test."""
    if not pool:
        return 1 if mine > theirs else -1
    best = -1
    for digit in pool:
        left = tuple(other for other in pool if other != digit)
        attacked = 1 if theirs <= digit else -plain_battle(theirs - digit, mine, left)
        best = max(best, attacked, -plain_battle(theirs, mine + digit, left))
    return best


@pytest.mark.parametrize("life", [3, 5, 9, 20])
def test_minimax_finds_who_wins_a_battle_without_ties(life: int) -> None:
    from open_spiel.python.algorithms.minimax_solver import MinimaxSolver

    # 1 + 2 + 3 + 4 + 5 is odd, so is the difference of life points in the end.
    form = f"digit_duel_battle(start_life={life},max_life=99,pool='1-5')"
    solver = MinimaxSolver(form)
    solver.solve()
    root = pyspiel.load_game(form).new_initial_state()
    assert max(solver.action_values_from_state(root)) == plain_battle(life, life, (1, 2, 3, 4, 5))


def solved_by_cfr(game: Any, iterations: int) -> tuple[float, float]:
    """The first player's value and NashConv of what CFR+ has learnt."""
    from open_spiel.python.algorithms import (
        cfr,
        expected_game_score,
        exploitability,
    )

    solver = cfr.CFRPlusSolver(game)
    for _ in range(iterations):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    value = expected_game_score.policy_value(game.new_initial_state(), [policy, policy])[0]
    return float(value), float(exploitability.nash_conv(game, policy))


@pytest.mark.parametrize(
    ("pool", "rule", "value"),
    [
        # Keeping d beats the other player's card d times out of 3; giving it is the reverse.
        ("'0-3'", "must_keep", 2 * (3 + 2 + 2 + 3) / 12 - 1),
        ("'0-4'", "must_keep", 2 * (4 + 3 + 2 + 3 + 4) / 20 - 1),
        # Keep a 2; give a 0 or a 1, and pass all cards until the 2 comes.
        ("'0-2'", "discard", 1),
    ],
)
def test_cfr_finds_the_value_of_hands_of_one(pool: str, rule: str, value: float) -> None:
    rules = f"hand_size=1,pool={pool},wins_needed=1,facing_full={rule},turn_based=True"
    found, gap = solved_by_cfr(pyspiel.load_game(f"digit_duel_cards({rules})"), 60)
    assert found == pytest.approx(value, abs=gap + 1e-9)
    assert gap < 0.002


@pytest.mark.slow
def test_cfr_finds_the_value_of_hands_of_two() -> None:
    # Four cards, each once: no ties. A linear programme over a tree of its own says who wins how often.
    deck = (1, 1, 1, 1, 0, 0, 0, 0, 0, 0)
    assert Naive(deck, (), 2, "must_keep").build().value() == pytest.approx(3 / 4)
    form = "digit_duel_cards(hand_size=2,pool='0-3',wins_needed=1,facing_full=must_keep,turn_based=True)"
    found, gap = solved_by_cfr(pyspiel.load_game(form), 40)
    assert found == pytest.approx(0.5, abs=gap)
    assert gap < 0.01


@pytest.mark.parametrize("turn_based", ["ours", "theirs"])
def test_cfr_finds_that_the_second_player_wins_sudden_death(turn_based: str) -> None:
    # Whatever the first player does, 2 is never worse than 1, and a stand-off is the second player's.
    rules = "start_life=2,max_life=2,pool='1x2',sudden='1-2',standoff_limit='1',horizon=8"
    ours = pyspiel.load_game(f"digit_duel_battle({rules},turn_based=True)")
    theirs = pyspiel.convert_to_turn_based(pyspiel.load_game(f"digit_duel_battle({rules})"))
    value, gap = solved_by_cfr(ours if turn_based == "ours" else theirs, 50)
    assert value == pytest.approx(-1, abs=0.002)
    assert gap < 0.002


@pytest.mark.slow
@pytest.mark.parametrize(("id", "opening"), [("classic", "9a1"), ("reverse", "1a1")])
def test_alpha_beta_finds_the_value_and_the_only_winning_opening(id: str, opening: str) -> None:
    from open_spiel.python.algorithms.minimax import alpha_beta_search

    game = pyspiel.load_game(spiel_name(id))
    value, best = alpha_beta_search(game)
    assert value == 1
    assert game.new_initial_state().action_to_string(best) == opening


def test_openspiel_searches_and_learns_on_any_of_them() -> None:
    import numpy as np
    from open_spiel.python import rl_environment
    from open_spiel.python.algorithms import external_sampling_mccfr, mcts

    state = pyspiel.load_game("digit_duel_classic").new_initial_state()
    for move in ("9a1", "8b1", "1a3", "7b2"):
        state.apply_action(state.string_to_action(move))
    bot = mcts.MCTSBot(state.get_game(), 2, 200, mcts.RandomRolloutEvaluator(), solve=True)
    bot.step(state)  # whatever it plays: the numbers differ in the hundreds already
    sampler = external_sampling_mccfr.ExternalSamplingSolver(pyspiel.load_game(SMALL_CARDS))
    sampler.iteration()
    time_step = rl_environment.Environment("digit_duel_sabotage").reset()
    assert np.sum(time_step.observations["legal_actions"][0]) == sum(range(80))


def test_what_a_policy_gives_away_does_not_depend_on_who_is_asked_first() -> None:
    from open_spiel.python.algorithms import exploitability
    from open_spiel.python.policy import UniformRandomPolicy

    forms = [SMALL_2.format(more) for more in (",turn_based=True", "")]
    games_ = [pyspiel.load_game(forms[0]), pyspiel.convert_to_turn_based(pyspiel.load_game(forms[1]))]
    found = [exploitability.nash_conv(game, UniformRandomPolicy(game)) for game in games_]
    rules = games_[0].variant.game
    assert found[0] == pytest.approx(found[1])
    assert found[0] == pytest.approx(float(solve.nash_conv(rules, solve.uniform)))
    state = games_[0].new_initial_state()
    while len(state.node.acting) < 2:
        state.apply_action(state.legal_actions()[0])
    before = [state.information_state_string(1), state.observation_tensor(1)]
    state.apply_action(state.legal_actions()[0])
    assert state.current_player() == 1
    assert [state.information_state_string(1), state.observation_tensor(1)] == before


def test_policies_go_to_openspiel_and_back() -> None:
    from open_spiel.python.algorithms import exploitability

    game = openspiel.load(
        next(rung for rung in solve.ladder() if rung.name == "cards-3").variant,
        version=2, turn_based=True, layout="highest", forced="skip",
    )  # fmt: skip
    best = solve.equilibrium(game.variant.game)

    def both(view: Any, legal: Any) -> Any:
        return best.policies[view.seat](view, legal)

    theirs = openspiel.to_spiel(game, both)
    assert exploitability.nash_conv(game, theirs) == pytest.approx(0, abs=1e-12)
    back = openspiel.from_spiel(game, theirs)
    assert solve.nash_conv(game.variant.game, back) == pytest.approx(0, abs=1e-12)
    assert len(solve.tabulate(game.variant, back)) > 56


def test_ismcts_resamples_what_a_player_does_not_know() -> None:
    import numpy as np
    from open_spiel.python.algorithms import ismcts, mcts

    game = pyspiel.load_game("digit_duel_cards_v2(turn_based=True)")
    state, rng = game.new_initial_state(), Random(2)
    worlds = set()
    while not state.is_terminal():
        if not state.is_chance_node():
            player = state.current_player()
            for _ in range(3):
                other = state.resample_from_infostate(player, rng.random)
                assert other.information_state_string(player) == state.information_state_string(player)
                assert other.legal_actions() == state.legal_actions()
                worlds.add(str(other))
        state.apply_action(rng.choice(state.legal_actions()))
    assert len(worlds) > 20
    small = pyspiel.load_game(SMALL_2.format(",turn_based=True,layout=highest,forced=skip"))
    bot = ismcts.ISMCTSBot(
        small, mcts.RandomRolloutEvaluator(1), 2.0, 200, random_state=np.random.RandomState(1)
    )
    state = small.new_initial_state()
    state.apply_action(3)  # the highest of four cards: to keep it wins 3 of 4 rounds at least
    assert state.action_to_string(bot.step(state)) == "k"


@pytest.mark.slow
def test_mccfr_learns_on_a_small_rung() -> None:
    from open_spiel.python.algorithms import exploitability, outcome_sampling_mccfr

    game = pyspiel.load_game(SMALL_2.format(",turn_based=True,layout=highest,forced=skip,record=8"))
    solver = outcome_sampling_mccfr.OutcomeSamplingSolver(game)
    for _ in range(2_000):
        solver.iteration()
    assert exploitability.nash_conv(game, solver.average_policy()) < 0.7  # uniform play gives away more
