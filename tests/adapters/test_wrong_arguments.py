"""Errors that no library catches: wrong seeds, actions and options are refused with a sentence."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pyspiel
import pytest
from tests.sixth_game import race

from digit_duel import games
from digit_duel.adapters import openspiel
from digit_duel.adapters import pettingzoo as zoo
from digit_duel.adapters.batch import batch_of
from digit_duel.adapters.gymnasium import Duel
from digit_duel.core.game import Seat
from digit_duel.core.options import BadOption

CLASSIC = games.variant("classic")


def spiel(parameters: str) -> Any:
    return pyspiel.load_game(f"digit_duel_{parameters}")


@pytest.mark.parametrize(
    ("action", "why"), [(-5, "there is no such action"), (27, "there is no such action"), (24, "no longer")]
)
def test_an_illegal_action_of_openspiel_is_named_and_not_played(action: int, why: str) -> None:
    state = spiel("classic_v2()").new_initial_state()
    state.apply_action(24)  # 9 to the leftmost place
    with pytest.raises(ValueError, match=f"action {action} is illegal for player 1: .*{why}"):
        state.apply_action(action)
    assert state.history() == [24]


def test_illegal_actions_of_nature_and_in_simultaneous_choices_are_named() -> None:
    state = spiel("cards_v2()").new_initial_state()
    for action in (-5, 10):
        with pytest.raises(ValueError, match=f"action {action} is illegal: it is not one of nature's moves"):
            state.apply_action(action)
    state.apply_action(9)
    with pytest.raises(ValueError, match="action 7 is illegal for player 0: Numbers are arranged when"):
        state.apply_action(7)
    for action, why in ((-5, "there is no action -5"), (8, "the highest one is 7"), (7, "not full")):
        with pytest.raises(ValueError, match=why):
            state.action_to_string(0, action)
    fight = spiel("battle_v2(start_life=2,max_life=2,pool='1',sudden='1-2')").new_initial_state()
    fight.apply_action(fight.legal_actions()[1])  # each has used one digit: sudden death
    assert fight.is_simultaneous_node()
    with pytest.raises(ValueError, match="action 0 is illegal for player 0"):
        fight.apply_actions([0, 0])
    with pytest.raises(ValueError, match="needs 2 actions, not 1"):
        fight.apply_actions([2])


@pytest.mark.parametrize(("given", "least"), [("horizon=-1", 0), ("record=-1", 1), ("record=0", 1)])
def test_numbers_that_cannot_be_are_refused_when_a_game_is_loaded(given: str, least: int) -> None:
    with pytest.raises(BadOption, match=f"must be a whole number of at least {least}"):
        spiel(f"classic_v2({given})")


def test_options_of_version_2_say_so_in_version_1() -> None:
    cards = games.variant("cards")
    with pytest.raises(BadOption, match=r"layout and forced need version=2\."):
        openspiel.load(cards, layout="highest", forced="skip")
    with pytest.raises(BadOption, match=r"encoding needs version=2\."):
        openspiel.load(cards, encoding="one_hot")
    with pytest.raises(BadOption, match="version must be one of: 1, 2; not 3"):
        openspiel.load(cards, version=3)
    with pytest.raises(BadOption, match="version must be one of: 1, 2; not '2'"):
        Duel("cards", version="2")  # type: ignore[arg-type]  # the mistake


def test_flags_are_refused_for_a_number_without_bounds() -> None:
    # What each player has added is any int: flags for it would be 65,536 numbers.
    with pytest.raises(
        BadOption, match=r"encoding=one_hot needs a bound for added\[first\]; use encoding=numbers"
    ):
        Duel(race(), version=2, encoding="one_hot")
    assert Duel(race(), version=2).observation_space.shape == (17,)


def test_swapping_seats_needs_version_2() -> None:
    why = "version 1 has no observations for swap=yes; use version 2"
    for make in (
        lambda: spiel("classic(swap=yes)"),
        lambda: zoo.battle_v1.env(swap="yes"),
        lambda: Duel("sabotage", version=1, swap="yes"),
    ):
        with pytest.raises(BadOption, match=why):
            make()


@pytest.mark.parametrize(
    ("count", "why"), [(0, "must be at least 1"), (-1, "must not be negative"), (1.5, "must be an integer")]
)
def test_the_number_of_duels_is_a_positive_whole_number(count: Any, why: str) -> None:
    with pytest.raises((TypeError, ValueError), match=f"num_envs {why}"):
        gymnasium.make_vec("DigitDuel/classic-v2", num_envs=count)


@pytest.mark.parametrize("kind", ["env", "parallel_env"])
def test_a_seed_of_pettingzoo_is_a_whole_number(kind: str) -> None:
    env = getattr(zoo.classic_v2, kind)()
    for seed, why in ((-1, "must not be negative"), (1.5, "must be an integer"), ("a", "must be an integer")):
        with pytest.raises((TypeError, ValueError), match=f"seed {why}"):
            env.reset(seed=seed)
    env.reset(seed=np.int64(1))


def test_an_action_is_a_whole_number() -> None:
    env: Any = zoo.classic_v2.env()
    env.reset(seed=1)
    for action in (2.5, "24", None):
        with pytest.raises(TypeError, match="an action is an integer, not"):
            env.step(action)
    assert env.agent_selection == "seat_0"
    duel = gymnasium.make("DigitDuel/classic-v2", regret=False)
    duel.reset(seed=1)
    with pytest.raises(TypeError, match=r"an action is an integer, not 2\.5"):
        duel.step(2.5)
    assert "refused" not in duel.step(np.array(24))[4]  # as the models of Stable-Baselines3 return it


def test_a_step_without_the_action_of_a_seat_that_may_move_is_refused() -> None:
    env = zoo.classic_v2.parallel_env()
    env.reset(seed=1)
    with pytest.raises(ValueError, match=r"needs an action for seat_0, who may move now\."):
        env.step({"seat_1": 0})


def test_after_an_illegal_move_has_lost_nothing_is_legal() -> None:
    env = gymnasium.make("DigitDuel/classic-v2", illegal="lose", level="random")
    env.reset(seed=1)
    env.step(np.int64(24))
    _, reward, over, _, info = env.step(np.int64(24))
    assert (reward, over) == (-1.0, True)
    assert info["action_mask"].sum() == 0
    assert np.isnan(info["regret"]).all()
    masks: Any = env.unwrapped
    assert masks.action_masks().sum() == 0


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"count": 3, "seed": -1}, "a seed must not be negative"),
        ({"count": 3, "seed": 1.5}, r"a seed must be an integer or a key of jax.random, not 1\.5"),
        ({"count": 3, "seed": "a"}, "a seed must be an integer or a key of jax.random, not 'a'"),
        ({"count": -1}, "count must not be negative"),
        ({"count": 3, "first": -1}, "first must not be negative"),
    ],
)
def test_a_batch_starts_with_whole_numbers(given: dict[str, Any], why: str) -> None:
    for id in ("classic", "cards"):
        batch = batch_of(games.variant(id).game)
        with pytest.raises((TypeError, ValueError), match=why):
            batch.start(**given)
        with pytest.raises((TypeError, ValueError), match=why):
            batch.dice(**given)


def test_a_batch_starts_from_one_key() -> None:
    import jax

    batch = batch_of(CLASSIC.game, jax.numpy)
    keys = jax.random.split(jax.random.key(1), 3)
    with pytest.raises(ValueError, match=r"one key of jax.random, not an array of 3; use jax.vmap\."):
        batch.start(3, seed=keys)
    assert batch.start(3, seed=keys[0]).result.shape == (3,)


def test_a_batch_is_of_a_game_and_seen_by_a_seat() -> None:
    variant: Any = CLASSIC
    with pytest.raises(TypeError, match=r"takes a game, not a variant; pass variant\.game"):
        batch_of(variant)
    batch = batch_of(CLASSIC.game)
    third: Any = 3
    with pytest.raises(ValueError, match="3 is not a valid Seat"):
        batch.observe(batch.start(1), third)


@pytest.mark.parametrize("version", [1, 2])
def test_the_moves_of_a_batch_can_be_a_list(version: int) -> None:
    batch = batch_of(CLASSIC.game, version=version)
    for move in (batch.play, lambda state, ids: batch.step(state, ids).state):
        listed, array = (move(batch.start(2), ids) for ids in ([24, 3], np.array([24, 3])))
        assert batch.plain(listed) == batch.plain(array)
    ended = batch.transition(batch.start(2), [24, 3])
    assert batch.plain(ended.last) == batch.plain(ended.state)


def test_a_theme_is_light_or_dark() -> None:
    with pytest.raises(BadOption, match="theme must be light, dark or None, not 'pink'"):
        CLASSIC.svg(CLASSIC.game.start(), "pink")  # type: ignore[arg-type]  # the mistake


def test_environments_draw_themselves_in_notebooks_before_and_after_reset() -> None:
    duel: Any = gymnasium.make("DigitDuel/classic-v2").unwrapped
    turns, both = zoo.classic_v2.env(), zoo.classic_v2.parallel_env()
    shown = [env._repr_html_() for env in (duel, turns, both, spiel("classic_v2()"))]
    assert shown == [CLASSIC._repr_html_()] * 4
    for env in (duel, turns, both):
        env.reset(seed=1)
        assert env._repr_html_().startswith("<svg")


def test_a_pair_of_policies_is_played_in_openspiel() -> None:
    from open_spiel.python.algorithms import exploitability

    from digit_duel import solve

    rung = next(rung for rung in solve.ladder("cards") if rung.name == "cards-1")
    game = openspiel.load(rung.variant, turn_based=True, version=2)
    pair = openspiel.to_spiel(game, solve.equilibrium(rung.variant.game).policies)
    assert exploitability.nash_conv(game, pair) == pytest.approx(0)
    back = openspiel.from_spiel(game, pair)
    assert solve.nash_conv(rung.variant.game, back) == pytest.approx(0)


def test_policies_are_converted_only_for_games_of_this_package() -> None:
    from digit_duel import solve

    wrapped = pyspiel.load_game_as_turn_based("digit_duel_cards_v2()")
    for convert in (openspiel.to_spiel, openspiel.from_spiel):
        with pytest.raises(TypeError, match="load it with turn_based=True"):
            convert(wrapped, solve.uniform)


@pytest.mark.parametrize("name", ["cards_v2(turn_based=True)", "battle_v2(standoff_limit=none)"])
def test_a_policy_with_far_too_many_histories_is_refused_before_the_first_question(name: str) -> None:
    from digit_duel import solve

    with pytest.raises(solve.TooBig, match="more histories than the limit allows"):
        openspiel.from_spiel(spiel(name), None)  # a policy that cannot be asked


def test_a_horizon_makes_an_endless_game_small_enough_for_a_table() -> None:
    from digit_duel import solve

    rules = "start_life=2,max_life=2,pool='1',sudden='1-2',standoff_limit=none,horizon=6"
    game = spiel(f"battle_v2({rules})")
    back = openspiel.from_spiel(game, openspiel.to_spiel(game, solve.uniform))
    with pytest.raises(solve.TooBig):
        openspiel.from_spiel(game, openspiel.to_spiel(game, solve.uniform), limit=5)
    view = game.rules.start()
    played = back(view, game.rules.legal(view, Seat.FIRST))
    assert {game.rules.text(move): chance for move, chance in played.items()} == {"x1": 0.5, "+1": 0.5}


def test_a_policy_is_not_asked_where_the_horizon_ends_the_game() -> None:
    game = spiel("battle_v2(start_life=2,max_life=2,pool='1',sudden='1-2',standoff_limit=none,horizon=3)")
    asked = []

    class First:
        def action_probabilities(self, state: Any, player_id: int) -> dict[int, float]:
            asked.append((state.is_terminal(), player_id))
            return {state.legal_actions(player_id)[0]: 1.0}

    openspiel.from_spiel(game, First())
    # The first seat plays the only digit, and both choose one of sudden death, which are three moves.
    assert sorted(asked) == [(False, 0), (False, 0), (False, 1)]


def test_an_openspiel_policy_in_single_precision_can_be_evaluated() -> None:
    from digit_duel import solve

    class Rounded:
        def action_probabilities(self, state: Any, player: int) -> dict[int, Any]:
            legal = state.legal_actions(player)
            weights = np.arange(1, 1 + len(legal), dtype=np.float32) ** np.float32(0.3)
            return dict(zip(legal, weights / weights.sum(), strict=True))

    rung = next(rung for rung in solve.ladder("cards") if rung.name == "cards-4")
    game = openspiel.load(rung.variant, turn_based=True, version=2)
    assert 0 < solve.nash_conv(rung.variant.game, openspiel.from_spiel(game, Rounded())) < 2
