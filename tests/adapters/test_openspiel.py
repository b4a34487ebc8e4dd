"""OpenSpiel's own tests and algorithms on every game, unmodified, as installed."""

from __future__ import annotations

import pickle
import unittest
from typing import Any

import pyspiel
import pytest
from tests.sixth_game import race

from digit_duel import games
from digit_duel.adapters import openspiel
from digit_duel.adapters.interface.names import spiel_name
from digit_duel.core.game import Seat
from digit_duel.core.options import BadOption

AT_ONCE = ("cards", "battle")  # where two seats choose at once


FORMS = [
    *(spiel_name(id, version) for id in games.ids() for version in (1, 2)),
    *(f"{spiel_name(id, 2)}(turn_based=True,encoding=one_hot)" for id in AT_ONCE),
    "digit_duel_cards_v2(layout=highest,forced=skip)",
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


def test_an_observation_of_cards_has_what_the_player_sees() -> None:
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


def test_a_sixth_game_is_a_game_of_openspiel_too() -> None:
    from open_spiel.python.algorithms.minimax_solver import MinimaxSolver

    for target, value in ((21, 1), (20, -1)):  # one who leaves a multiple of four wins
        game = openspiel.load(race().customised({"target": str(target)}))
        pyspiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False)
        solver = MinimaxSolver(game.get_type().short_name)
        solver.solve()
        assert max(solver.action_values_from_state(game.new_initial_state())) == value
    assert [game.rules.text(move) for move in game.rules.moves(Seat.FIRST)] == ["+1", "+2", "+3"]


def test_a_game_can_be_loaded_by_its_own_text() -> None:
    given = [
        ("digit_duel_classic", {"pool": "1-7"}),
        ("digit_duel_sabotage_v2", {"pool": "0-3x2,9", "places": 2, "forced": "skip"}),
        ("digit_duel_battle_v2", {"sudden": "1-3", "standoff_limit": "none"}),
    ]
    for name, params in given:
        game = pyspiel.load_game(name, params)
        again = pyspiel.load_game(str(game))
        assert (again.variant, str(again)) == (game.variant, str(game))
        state = game.new_initial_state()
        state.apply_action(state.legal_actions()[1])
        text = pyspiel.serialize_game_and_state(game, state)
        assert len(text) < 2_500  # not the whole rulebook
        assert str(pyspiel.deserialize_game_and_state(text)[1]) == str(state)


SMALL_2 = "digit_duel_cards_v2(hand_size=2,pool='0-3',wins_needed=1,facing_full=must_keep{})"


def test_tensors_of_version_2_distinguish_information_states_exactly_as_the_text_does() -> None:
    from open_spiel.python.algorithms.get_all_states import get_all_states

    game = pyspiel.load_game(SMALL_2.format(",turn_based=True,record=8"))
    assert game.information_state_tensor_shape() == [2 + 8 * 9]  # a b g k, and 0 to 3 or unseen
    pairs = {
        (state.information_state_string(player), tuple(state.information_state_tensor(player)))
        for state in get_all_states(game).values()
        for player in range(2)
    }
    texts, tensors = ({pair[at] for pair in pairs} for at in range(2))
    assert len(pairs) == len(texts) == len(tensors) > 300
