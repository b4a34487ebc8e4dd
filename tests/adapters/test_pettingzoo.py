"""PettingZoo's own tests on every game, and what they leave out."""

from __future__ import annotations

import copy
import pickle
from functools import partial
from random import Random
from typing import Any

import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from pettingzoo.test import (
    api_test,
    parallel_api_test,
    parallel_seed_test,
    render_test,
    seed_test,
)

from digit_duel import games
from digit_duel.adapters import pettingzoo as zoo
from digit_duel.adapters.interface.names import HISTORY, zoo_name
from digit_duel.adapters.interface.numbered_game import MAX_MOVES
from digit_duel.adapters.rendering.picture import Image
from digit_duel.core.game import Seat
from digit_duel.core.options import BadOption
from digit_duel.core.pictures.lettering import capitals

GAMES = games.ids()

# What PettingZoo's tests say about every environment with masks that is not on their list of names.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be:UserWarning"),
    pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros:UserWarning"),
]


def environment(id: str, version: int = 1) -> zoo.Environment:
    found: zoo.Environment = getattr(zoo, zoo_name(id, version))
    return found


def a_move(env: Any, agent: str) -> int:
    """The lowest number that the mask allows."""
    return int(np.flatnonzero(env.observe(agent)["action_mask"])[0])


def image(env: Any) -> Image:
    """The environment as a picture."""
    env.render_mode = "rgb_array"
    picture: Image = env.render()
    return picture


@pytest.mark.parametrize("version", HISTORY)
@pytest.mark.parametrize("id", GAMES)
def test_the_api_test_passes(id: str, version: int) -> None:
    api_test(environment(id, version).env(), num_cycles=300)


@pytest.mark.parametrize("version", HISTORY)
@pytest.mark.parametrize("id", GAMES)
def test_the_parallel_api_test_passes(id: str, version: int) -> None:
    parallel_api_test(environment(id, version).parallel_env(), num_cycles=300)


@pytest.mark.parametrize("version", HISTORY)
@pytest.mark.parametrize("id", GAMES)
def test_the_seed_tests_pass(id: str, version: int) -> None:
    seed_test(environment(id, version).env, num_cycles=100)
    parallel_seed_test(environment(id, version).parallel_env, num_cycles=100)


@pytest.mark.parametrize("id", GAMES)
def test_the_render_test_passes(id: str, capsys: pytest.CaptureFixture[str]) -> None:
    render_test(environment(id).env)
    assert games.variant(id).title in capsys.readouterr().out  # what is shown to people is written out


def test_names_are_versioned_and_others_are_refused() -> None:
    assert str(zoo.classic_v1.env()) == "classic_v1"
    with pytest.raises(AttributeError, match="a game's id and the version: <id>_v2"):
        _ = zoo.classic_v0
    with pytest.raises(AttributeError, match=r"unknown game 'chess'; the games are: classic, reverse"):
        _ = zoo.chess_v1


def test_a_game_of_classic_by_numbers() -> None:
    # A move's number is its place in the alphabet: three places for each digit, so 9a1 is number 24.
    env = zoo.classic_v1.env()
    env.reset()
    for number in (24, 21, 2, 19, 13, 17):  # 9a1 8b1 1a3 7b2 5a2 6b3: 951 against 876
        env.step(number)
    assert env.terminations == {"seat_0": True, "seat_1": True}
    assert env.rewards == {"seat_0": 1.0, "seat_1": -1.0}
    assert env.agent_selection == "seat_0"


def test_observation_and_mask_of_classic_by_index() -> None:
    env = zoo.classic_v1.env()
    env.reset()
    start = env.observe("seat_0")
    # Seat, who moves, then the pool by digit (no 0), six empty places, and the first seat on turn.
    assert start["observation"][:13].tolist() == [0, 1, 0, 0, *[1] * 9]
    assert start["observation"][13:73].tolist() == [0] * 60
    assert start["observation"][73:].tolist() == [1, 0]
    assert start["action_mask"].tolist() == [1] * 27
    env.step(24)  # 9a1
    after = env.observe("seat_1")
    assert after["observation"][:13].tolist() == [1, 0, 1, 0, *[1] * 8, 0]
    assert np.flatnonzero(after["observation"][13:73]).tolist() == [9]  # the first seat's first place is 9
    assert after["action_mask"].tolist() == [1] * 24 + [0] * 3  # whoever it is, no 9 is left
    assert env.observe("seat_0")["action_mask"].tolist() == [0] * 27


def test_an_illegal_move_changes_nothing_and_is_refused_with_the_reason() -> None:
    env = zoo.classic_v1.env()
    env.reset()
    env.step(24)
    before = env.observe("seat_1")
    env.step(24)
    assert env.agent_selection == "seat_1"
    assert env.infos["seat_1"] == {"refused": "9 is no longer in the pool."}
    assert np.array_equal(env.observe("seat_1")["observation"], before["observation"])
    env.step(27)
    assert env.infos["seat_1"] == {"refused": "There is no move number 27."}
    env.step(21)
    assert (env.agent_selection, env.infos["seat_1"]) == ("seat_0", {})


def test_an_endless_game_is_truncated() -> None:
    env = zoo.classic_v1.env()
    env.reset()
    for _ in range(MAX_MOVES):
        assert not any(env.truncations.values())
        env.step(27)
    assert env.truncations == {"seat_0": True, "seat_1": True}
    assert env.terminations == {"seat_0": False, "seat_1": False}


def test_options_of_the_rules_are_taken_and_nonsense_is_refused() -> None:
    env = zoo.classic_v1.env(places=2, pool="1-5")
    assert env.action_space("seat_0").n == 10
    with pytest.raises(BadOption, match="unknown option 'colour'"):
        zoo.classic_v1.env(colour="red")


def test_of_simultaneous_choices_the_first_is_hidden_from_the_second_seat() -> None:
    sights = set()
    for secret in range(2):
        env = zoo.battle_v1.env(start_life=2, max_life=2, pool="1", sudden="1-2")
        env.reset()
        env.step(1)  # +1, which the ceiling swallows: 2 to 2, and no digit is left
        assert env.agent_selection == "seat_0"
        env.step(2 + secret)
        assert env.agent_selection == "seat_1"
        sights.add(env.observe("seat_1")["observation"].tobytes())
    assert len(sights) == 1


def test_both_choose_at_once_in_the_parallel_form() -> None:
    env = zoo.battle_v1.parallel_env(start_life=2, max_life=2, pool="1", sudden="1-3")
    observations, _ = env.reset()
    assert [observations[agent]["action_mask"].sum() for agent in env.agents] == [2, 0]
    observations, *_ = env.step(
        {"seat_0": 1, "seat_1": 0}
    )  # seat_1 may not move: its number is not looked at
    assert [observations[agent]["action_mask"].sum() for agent in env.agents] == [3, 3]
    _, rewards, terminations, _, _ = env.step(
        {"seat_0": 4, "seat_1": 2}
    )  # 3 against 1 takes both life points
    assert rewards == {"seat_0": 1.0, "seat_1": -1.0}
    assert all(terminations.values())
    assert env.agents == []


def test_a_refusal_in_the_parallel_form_goes_to_the_seat_that_tried() -> None:
    env = zoo.classic_v1.parallel_env()
    env.reset()
    *_, infos = env.step({"seat_0": 99, "seat_1": 99})
    assert infos == {"seat_0": {"refused": "There is no move number 99."}, "seat_1": {}}


def test_the_same_seed_deals_the_same_cards_and_another_one_others() -> None:
    def cards(seed: int) -> bytes:
        env = zoo.cards_v1.env()
        env.reset(seed=seed)
        for _ in range(12):
            env.step(a_move(env, env.agent_selection))
        sight: bytes = env.observe("seat_0")["observation"].tobytes()
        return sight

    assert cards(1) == cards(1)
    assert len({cards(seed) for seed in range(5)}) == 5


@pytest.mark.parametrize("id", GAMES)
def test_every_observation_is_within_its_bounds_and_every_mask_is_what_the_rules_allow(id: str) -> None:
    env, rng = environment(id).env(), Random(1)
    game = games.variant(id).game
    for seed in range(20):
        env.reset(seed=seed)
        for agent in env.agent_iter():
            observation, _, over, _, _ = env.last()
            assert env.observation_space(agent).contains(observation)
            if over:
                env.step(None)
                continue
            seat = Seat(int(agent[-1]))
            assert env.game is not None
            legal = [game.text(move) for move in game.legal(env.game.state, seat)]
            allowed = np.flatnonzero(observation["action_mask"])
            assert sorted(game.text(game.moves(seat)[number]) for number in allowed.tolist()) == sorted(legal)
            env.step(int(rng.choice(allowed.tolist())))


def test_the_module_lists_its_environments() -> None:
    assert {"classic_v1", "cards_v2"} <= set(dir(zoo))


def test_all_words_of_pictures_can_be_drawn() -> None:
    for id in games.ids():
        env = environment(id).env(render_mode="ansi")
        env.reset(seed=1)
        for agent in env.agent_iter():
            words = str(env.render()).replace("[", "").replace("]", "").replace(">", "").replace("\n", " ")
            assert capitals(words) is not None, words
            mask = env.observe(agent)["action_mask"]
            env.step(None if env.terminations[agent] else int(mask.argmax()))


def test_the_pictures_of_all_games_have_one_size_and_show_what_changes() -> None:
    for id in GAMES:
        env = environment(id).env()
        env.reset(seed=1)
        before = image(env)
        env.step(a_move(env, env.agent_selection))
        assert before.shape == (360, 480, 3)
        assert not np.array_equal(before, image(env))


def test_a_card_face_down_looks_like_any_other() -> None:
    def after_keeping(seed: int) -> tuple[str, bytes]:
        env = zoo.cards_v1.env(render_mode="ansi")
        env.reset(seed=seed)
        env.step(0)  # the first seat keeps
        return str(env.render()), image(env).tobytes()

    views = {after_keeping(seed) for seed in range(80)}
    # What the second seat is shown differs by its own drawn card alone.
    assert len(views) == len({text[text.index("drawn") :] for text, _ in views}) == 10


def test_text_shows_the_table() -> None:
    env = partial(zoo.classic_v1.env, render_mode="ansi")()
    env.reset()
    env.step(24)
    assert env.render() == (
        "Digit Duel\n"
        "  First   [9][ ][ ]  highest possible 987\n"
        "> Second  [ ][ ][ ]  highest possible 876\n"
        "  pool    1 2 3 4 5 6 7 8"
    )


@pytest.mark.parametrize("options", [{}, {"forced": "skip"}, {"encoding": "one_hot"}], ids=str)
@pytest.mark.parametrize("id", GAMES)
def test_observations_of_version_2_are_within_bounds_that_are_reached(
    id: str, options: dict[str, str]
) -> None:
    env, rng = environment(id, 2).env(**options), Random(1)
    low, high = (getattr(env.observation_space("seat_0")["observation"], end) for end in ("low", "high"))
    assert (low > -100).all()
    assert (high < 100).all()
    for seed in range(10):
        env.reset(seed=seed)
        for agent in env.agent_iter():
            observed, _, over, _, _ = env.last()
            assert env.observation_space(agent).contains(observed)
            allowed = np.flatnonzero(observed["action_mask"]).tolist()
            assert over or len(allowed) > (options.get("forced") == "skip")
            env.step(None if over else rng.choice(allowed))


def test_nothing_can_be_done_before_the_first_reset() -> None:
    for env in (zoo.classic_v2.env(), zoo.classic_v2.parallel_env()):
        for ask in (
            lambda env=env: env.step({"seat_0": 0}),
            env.render,
            lambda env=env: env.observe("seat_0"),
        ):
            with pytest.raises(ResetNeeded, match=r"Call reset\(\) before"):
                ask()
    for ask in (zoo.classic_v2.env().last, zoo.classic_v2.env().agent_iter):
        with pytest.raises(ResetNeeded, match=r"Call reset\(\) before"):
            ask()


@pytest.mark.parametrize("version", HISTORY)
def test_an_environment_in_the_middle_of_a_game_can_be_pickled_and_copied(version: int) -> None:
    for id in GAMES:
        env = environment(id, version).env()
        env.reset(seed=3)
        env.step(a_move(env, env.agent_selection))
        for twin in (pickle.loads(pickle.dumps(env)), copy.deepcopy(env)):
            agent = env.agent_selection
            assert twin.agent_selection == agent
            assert np.array_equal(twin.observe(agent)["observation"], env.observe(agent)["observation"])
            twin.step(a_move(twin, agent))


def test_options_are_named_where_they_are_wrong() -> None:
    for options, reason in (
        ({"layout": "lowest"}, "layout must be one of: ask, highest"),
        ({"layout": "highest"}, "layout is only for games in which a hand is laid out"),
        ({"forced": 1}, "forced must be one of: ask, skip"),
        ({"render_mode": "film"}, "render_mode must be None or one of"),
    ):
        with pytest.raises(BadOption, match=reason):
            zoo.classic_v2.env(**options)
