"""OpenSpiel's own tests and algorithms on every game, unmodified, as installed."""

from __future__ import annotations

import pickle
import unittest
from functools import cache
from typing import Any

import pyspiel
import pytest
from tests.sixth_game import race
from tests.solve.keep_or_give.naive import Naive

from digit_duel import games
from digit_duel.adapters import openspiel
from digit_duel.adapters._names import spiel_name
from digit_duel.core.game import Seat
from digit_duel.core.options import BadOption

AT_ONCE = ("cards", "battle")  # where two seats choose at once
FORMS = [
    *map(spiel_name, games.ids()),
    *(f"{spiel_name(id)}(turn_based=True)" for id in AT_ONCE),
    *(f"turn_based_simultaneous_game(game={spiel_name(id)}())" for id in AT_ONCE),
]

SMALL_CLASSIC = "digit_duel_classic(places=1,pool='1-3')"
SMALL_CARDS = "digit_duel_cards(hand_size=1,pool='0-2',wins_needed=1,facing_full=must_keep,turn_based=True)"
SMALL_BATTLE = (
    "digit_duel_battle(start_life=2,max_life=2,pool='1',sudden='1-2',standoff_limit='1',"
    "horizon=3,turn_based=True)"
)
# Chance nodes, decision nodes and ends; then information sets. All counted by hand:
# classic: 1 + 3 decisions, 3 * 2 ends, and nothing is hidden.
# cards: a first draw, then another after each of 3 digits kept or given. 3 decisions with a choice, 12 cards
#   that must be kept, and each player lays out one digit. Information sets: 3 first cards; after keeping, 3
#   cards of the second player; after giving, 6 pairs; laying out, 3 + 6 for the first player, who knows the
#   own card or both, and 3 + 3 for the second.
# battle: the first player wins at once, or goes to sudden death, where the second one sees no choice.
TREES = {
    SMALL_CLASSIC: ((0, 4, 6), 4),
    SMALL_CARDS: ((7, 39, 12), 27),
    SMALL_BATTLE: ((0, 4, 5), 3),
}


def passes(case: type[unittest.TestCase]) -> bool:
    """Whether all of OpenSpiel's tests of a class pass, none of them left out."""
    result = unittest.TestResult()
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(case)
    suite.run(result)
    assert result.testsRun >= 4
    assert not result.skipped
    assert not result.errors + result.failures, result.errors + result.failures
    return True


@pytest.fixture(scope="module")
def api_test() -> Any:
    from open_spiel.integration_tests import api_test

    return api_test


@pytest.mark.parametrize("form", FORMS)
def test_the_api_test_passes(api_test: Any, form: str) -> None:
    about = {"game": pyspiel.load_game(form), "game_name": form}
    assert passes(type("Api", (api_test.EnforceAPIOnPartialTreeBase,), about))


@pytest.mark.parametrize("form", TREES)
def test_the_api_test_of_whole_trees_passes_with_the_numbers_of_nodes(
    api_test: Any, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    nodes, information_sets = TREES[form]
    monkeypatch.setitem(api_test.TOTAL_NUM_STATES, form, nodes)
    monkeypatch.setitem(api_test.PERFECT_RECALL_NUM_STATES, form, information_sets)
    about = {"game": pyspiel.load_game(form), "game_name": form}
    assert passes(type("Tree", (api_test.EnforceAPIOnFullTreeBase,), about))


@pytest.mark.parametrize("form", FORMS)
def test_the_simulation_tests_pass(form: str) -> None:
    from open_spiel.python.tests.games_sim_test import GamesSimTest

    game = pyspiel.load_game(form)
    pyspiel.random_sim_test(game, num_sims=5, serialize=True, verbose=False)
    GamesSimTest().sim_game(game)


def test_every_game_of_the_catalogue_is_registered_with_its_options() -> None:
    assert {f"digit_duel_{id}" for id in games.ids()} <= set(pyspiel.registered_names())
    game = pyspiel.load_game("digit_duel_sabotage(places=2,pool='0-3x2;9')")
    assert str(game.variant.game.pool) == "(0, 0, 1, 1, 2, 2, 3, 3, 9)"
    assert (game.num_distinct_actions(), game.max_game_length()) == (20, 4)
    with pytest.raises(BadOption, match="places must be a whole number from 1 to 9"):
        pyspiel.load_game("digit_duel_classic(places=10)")


def test_kinds_of_games() -> None:
    kind = pyspiel.GameType
    kinds = {id: pyspiel.load_game(spiel_name(id)).get_type() for id in games.ids()}
    assert {id for id in kinds if kinds[id].dynamics == kind.Dynamics.SIMULTANEOUS} == set(AT_ONCE)
    assert [id for id in kinds if kinds[id].chance_mode == kind.ChanceMode.EXPLICIT_STOCHASTIC] == ["cards"]
    hidden = kind.Information.IMPERFECT_INFORMATION
    assert [id for id in kinds if kinds[id].information == hidden] == ["cards"]
    one_by_one = pyspiel.load_game("digit_duel_battle(turn_based=True)").get_type()
    assert (one_by_one.dynamics, one_by_one.information) == (kind.Dynamics.SEQUENTIAL, hidden)


def test_a_customised_game_is_loaded_saved_and_found_again() -> None:
    by_the_letter = games.variant("battle").customised({"standoff_limit": "none"})
    game = openspiel.load(by_the_letter)
    assert game.get_type().short_name == "digit_duel_battle_standoff_limit_none"
    state = game.new_initial_state()
    state.apply_action(1)
    again = pickle.loads(pickle.dumps(state))
    assert str(again) == str(state)
    assert again.get_game().variant == by_the_letter
    assert openspiel.register(by_the_letter) == game.get_type().short_name


def test_what_a_player_is_told_of_cards() -> None:
    state = pyspiel.load_game("digit_duel_cards").new_initial_state()
    for action in (7, 0, 2, 1, 9):  # a 7 is drawn and kept, a 2 drawn and given, a 9 drawn
        state.apply_action(action)
    assert state.information_state_string(0) == "a: d7 k d2 g d9"
    assert state.information_state_string(1) == "b: d? k d2 g d?"
    assert "hands (7 2) -;" not in state.observation_string(1)
    assert state.observation_string(1).startswith("b: seat second; hands (-2) (); deck_size 37;")
    assert [state.action_to_string(action) for action in state.legal_actions()] == ["k", "g"]


def test_two_lay_out_their_numbers_at_once() -> None:
    state = pyspiel.load_game(SMALL_CARDS.replace(",turn_based=True", "")).new_initial_state()
    for action in (2, 0, 0, 0):  # the 2 is kept, the 0 must be kept
        state.apply_action(action)
    assert state.is_simultaneous_node()
    assert [state.legal_actions(player) for player in range(2)] == [[4], [2]]  # after k and g: a2, and b0
    state.apply_actions([4, 2])
    assert state.returns() == [1.0, -1.0]


def test_chances_follow_the_cards_that_are_left() -> None:
    state = pyspiel.load_game("digit_duel_cards(hand_size=2,pool='0x3;1')").new_initial_state()
    assert state.chance_outcomes() == [(0, 0.75), (1, 0.25)]


def test_a_game_without_a_bound_is_a_draw_at_the_horizon() -> None:
    game = pyspiel.load_game(
        "digit_duel_battle(start_life=2,max_life=2,pool='1',standoff_limit='none',horizon=5)"
    )
    state = game.new_initial_state()
    state.apply_action(1)
    for _ in range(2):
        assert not state.is_terminal()
        state.apply_actions([2, 2])
    assert state.is_terminal()
    assert state.returns() == [0.0, 0.0]


@pytest.mark.parametrize("form", TREES)
def test_a_tensor_tells_information_states_apart_exactly_as_the_text_does(form: str) -> None:
    from open_spiel.python.algorithms.get_all_states import get_all_states

    pairs = {
        (state.information_state_string(player), tuple(state.information_state_tensor(player)))
        for state in get_all_states(pyspiel.load_game(form)).values()
        for player in range(2)
    }
    texts, tensors = ({pair[at] for pair in pairs} for at in range(2))
    assert len(pairs) == len(texts) == len(tensors) > 3


def test_an_information_state_by_index() -> None:
    from open_spiel.python.observation import (
        INFO_STATE_OBS_TYPE,
        make_observation,
    )

    game = pyspiel.load_game(SMALL_CLASSIC)
    state = game.new_initial_state()
    state.apply_action(2)  # 3a1
    seen = make_observation(game, INFO_STATE_OBS_TYPE)
    seen.set_from(state, 1)
    assert seen.dict["seat"].tolist() == [0, 1]
    # A line a move: the digit 1, 2, 3 or unseen, the board a, b or unseen, the place 1 or unseen.
    assert seen.dict["record"].tolist() == [[0, 0, 1, 0, 1, 0, 0, 1, 0], [0] * 9]


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


def test_a_sixth_game_is_a_game_of_openspiel_too() -> None:
    from open_spiel.python.algorithms.minimax_solver import MinimaxSolver

    for target, value in ((21, 1), (20, -1)):  # one who leaves a multiple of four wins
        game = openspiel.load(race().customised({"target": str(target)}))
        pyspiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False)
        solver = MinimaxSolver(game.get_type().short_name)
        solver.solve()
        assert max(solver.action_values_from_state(game.new_initial_state())) == value
    assert [game.rules.text(move) for move in game.rules.moves(Seat.FIRST)] == ["+1", "+2", "+3"]
