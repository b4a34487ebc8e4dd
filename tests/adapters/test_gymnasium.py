"""Gymnasium's own check on every game and level, and the exact loss of every move."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from tests.sixth_game import race

from digit_duel import games
from digit_duel.adapters.gymnasium import Duel
from digit_duel.adapters.interface.names import HISTORY, gym_id
from digit_duel.bots import LEVELS
from digit_duel.core.options import BadOption

GAMES = games.ids()

# Gymnasium says so of every version but the latest; the older ones stay as they are.
pytestmark = pytest.mark.filterwarnings("ignore:.*is out of date:DeprecationWarning")


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """What is solved on the way is kept for these tests alone."""
    monkeypatch.setenv("DIGIT_DUEL_HOME", str(tmp_path_factory.getbasetemp() / "home"))


def made(id: str, version: int = 1, **options: Any) -> Any:
    return gymnasium.make(gym_id(id, version), **options).unwrapped


def numbers(env: Any, *moves: str) -> list[int]:
    """Moves in notation as numbers of the seat at the table."""
    alphabet = [env.variant.game.text(move) for move in env.variant.game.moves(env.seat)]
    return [alphabet.index(move) for move in moves]


@pytest.mark.parametrize("version", HISTORY)
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("id", GAMES)
def test_the_check_of_environments_passes(
    id: str, level: str, version: int, capsys: pytest.CaptureFixture[str]
) -> None:
    check_env(made(id, version, level=level))
    assert games.variant(id).title in capsys.readouterr().out  # what is shown to people is written out


@pytest.mark.parametrize("id", GAMES)
@pytest.mark.parametrize("seat", ["first", "second", "random"])
def test_games_end_and_the_same_seed_plays_the_same_game(id: str, seat: str) -> None:
    def played(seed: int) -> tuple[list[int], float]:
        env = made(id, level="random", seat=seat, regret=False)
        _, info = env.reset(seed=seed)
        path, reward, over = [int(info["seat"])], 0.0, False
        while not over:
            path.append(int(np.flatnonzero(info["action_mask"])[-1]))
            observation, reward, over, truncated, info = env.step(np.int64(path[-1]))
            assert observation in env.observation_space
            assert not truncated
            assert "regret" not in info
        assert not info["action_mask"].any()
        return path, reward

    games_played = [played(seed) for seed in range(8)]
    assert games_played == [played(seed) for seed in range(8)]
    assert {reward for _, reward in games_played} <= {1.0, -1.0}
    assert {path[0] for path, _ in games_played} == {"first": {0}, "second": {1}, "random": {0, 1}}[seat]


@pytest.mark.parametrize(("id", "opening"), [("classic", "9a1"), ("reverse", "1a1")])
def test_exactly_one_opening_loses_nothing(id: str, opening: str) -> None:
    env = made(id)
    _, info = env.reset(seed=1)
    assert np.flatnonzero(info["regret"] == 0).tolist() == numbers(env, opening)
    assert set(info["regret"].tolist()) == {0.0, 2.0}  # a win for a loss


def test_no_opening_of_sabotage_loses_anything_for_all_are_lost() -> None:
    _, info = made("sabotage").reset(seed=1)
    assert info["regret"].tolist() == [0.0] * 80


def test_the_ten_openings_of_battle_that_win() -> None:
    env = made("battle")
    _, info = env.reset(seed=1)
    keeping = numbers(env, "x5", "+5", "x6", "+6", "x7", "+7", "x8", "+8", "x9", "+9")
    assert np.flatnonzero(info["regret"] == 0).tolist() == keeping
    assert np.isinf(info["regret"][18:]).all()  # no secret digit is legal yet


def test_the_first_card_of_cards_is_given_and_keeping_it_costs_nearly_all() -> None:
    env = made("cards")
    # docs/games/cards.md: a first 0 wins 0.0006 of rounds if kept, and 0.9462 if given.
    for seed in range(40):
        _, info = env.reset(seed=seed)
        if env.game.state.drawn == 0:
            break
    assert info["regret"][1] == 0
    assert info["regret"][0] == pytest.approx(2 * (0.9462 - 0.0006), abs=2e-4)
    assert np.isinf(info["regret"][2:]).all()


def test_without_a_solution_there_is_no_regret() -> None:
    assert made("cards", full_turn="alternate").reset(seed=1)[1]["regret"] is None
    assert made("cards", facing_full="cap:3").reset(seed=1)[1]["regret"] is None
    env = made("cards", pool="0-1x2", hand_size=1, facing_full="must_keep")
    assert env.reset(seed=1)[1]["regret"] is None  # solved by no shipped table


def test_regret_with_open_hands_is_known_before_a_hand_is_full() -> None:
    env = made("cards", visibility="open", facing_full="must_keep")
    for seed in range(20):
        _, info = env.reset(seed=seed)
        keep, give = info["regret"][numbers(env, "k", "g")]
        assert min(keep, give) == 0
        # Whoever draws a 9 first keeps it, and whoever draws a 0 first gives it away.
        if env.game.state.drawn in (0, 9):
            assert (keep > give) == (env.game.state.drawn == 0)


def test_regret_in_sudden_death_is_known_for_both_seats() -> None:
    env = made("battle", level="random", start_life=2, max_life=2, pool="1", sudden="1-3", standoff_limit=1)
    env.reset(seed=1)
    _, _, _, _, info = env.step(numbers(env, "+1")[0])  # the ceiling swallows it: sudden death at 2 to 2
    # The second player answers with 3, and a stand-off is theirs: all is lost already.
    assert info["regret"][2:].tolist() == [0.0, 0.0, 0.0]
    env = made("battle", seat="second", level="random", start_life=2, max_life=2, pool="1x2", sudden="1-3")
    for seed in range(50):
        _, info = env.reset(seed=seed)
        if env.game.state.life == (2, 1):
            break
    _, _, _, _, info = env.step(numbers(env, "+1")[0])
    regret = info["regret"][numbers(env, "b1", "b2", "b3")]
    assert regret[2] == 0  # 3 is never worse
    assert (regret >= 0).all()


def test_a_perfect_computer_beats_one_that_loses_something_in_classic() -> None:
    env = made("classic", level="perfect")
    for seed in range(10):
        _, info = env.reset(seed=seed)
        action, reward, over = numbers(env, "1a1")[0], 0.0, False
        assert info["regret"][action] == 2
        while not over:
            _, reward, over, _, info = env.step(action)
            action = int(np.argmin(info["regret"])) if not over else 0
        assert reward == -1


def test_play_without_any_loss_wins_classic_from_the_first_seat() -> None:
    env = made("classic", level="sharp")
    for seed in range(10):
        _, info = env.reset(seed=seed)
        reward, over = 0.0, False
        while not over:
            _, reward, over, _, info = env.step(int(np.argmin(info["regret"] if not over else [0])))
        assert reward == 1


def test_an_illegal_move_changes_nothing_and_is_refused_with_the_reason() -> None:
    env = made("classic", level="perfect")
    before, _ = env.reset(seed=1)
    env.step(numbers(env, "9a1")[0])
    after, reward, over, truncated, info = env.step(numbers(env, "9a2")[0])
    assert info["refused"] == "9 is no longer in the pool."
    assert (reward, over, truncated) == (0.0, False, False)
    assert not np.array_equal(before, after)
    assert "refused" not in env.step(numbers(env, "7a2")[0])[4]


def test_options_of_the_rules_are_taken_and_nonsense_is_refused() -> None:
    assert made("classic", places=2).action_space.n == 18
    with pytest.raises(BadOption, match="unknown option 'colour'"):
        made("classic", colour="red")
    wrong: list[tuple[dict[str, Any], str]] = [
        (
            {"level": "unbeatable"},
            "level must be one of: random, sensible, careful, sharp, perfect; not 'unb",
        ),
        ({"seat": 1}, "seat must be one of: first, second, random; not 1"),
        ({"illegal": "ignore"}, "illegal must be one of: refuse, lose"),
        ({"places": 2.0}, "places must be a string or an integer, not float"),
        ({"places": True}, "places must be a string or an integer, not bool"),
        ({"forced": "skip"}, "unknown option 'forced'"),
    ]
    for options, reason in wrong:
        with pytest.raises(BadOption, match=reason):
            made("classic", **options)
    with pytest.raises(BadOption, match="render_mode must be None or one of: human, ansi, rgb_array"):
        Duel("classic", render_mode="film")


def test_a_sixth_game_is_an_environment_too() -> None:
    env = Duel(race(), level="perfect")
    observation, info = env.reset(seed=1)
    # The seat, who may move, what each has added, who is to move, and no last number yet.
    assert observation.tolist() == [0, 1, 0, 0, 0, 1, 0, *[0] * 10]
    assert info["regret"].tolist() == [0.0, 2.0, 2.0]  # 1 leaves 20, a multiple of four
    over, reward = False, 0.0
    while not over:
        _, reward, over, _, info = env.step(np.int64(np.argmin(info["regret"])))
    assert reward == 1


@pytest.mark.parametrize("version", HISTORY)
@pytest.mark.parametrize("level", LEVELS)
def test_an_environment_in_the_middle_of_a_game_can_be_pickled_and_copied(level: str, version: int) -> None:
    for id in GAMES:
        env = made(id, version, level=level)
        _, info = env.reset(seed=3)
        assert len(pickle.dumps(env)) < 20_000, "the tables of solutions are not part of an environment"
        env.step(int(np.flatnonzero(info["action_mask"])[0]))
        twins = [pickle.loads(pickle.dumps(env)), copy.deepcopy(env)]
        over = False
        while not over:
            action = int(np.flatnonzero(env.game.mask(env.seat))[-1])
            seen, reward, over, _, _ = env.step(action)
            for twin in twins:
                assert np.array_equal(seen, (step := twin.step(action))[0])
                assert step[1:3] == (reward, over)


def test_masks_are_there_by_the_name_that_maskable_ppo_asks_for() -> None:
    env = made("cards", 2)
    _, info = env.reset(seed=1)
    assert env.action_masks().dtype == bool
    assert (
        env.action_masks().tolist() == info["action_mask"].astype(bool).tolist() == [True] * 2 + [False] * 6
    )


def test_nothing_can_be_done_before_the_first_reset() -> None:
    env = Duel("classic", version=2)
    for ask in (lambda: env.step(np.int64(0)), env.render, env.action_masks):
        with pytest.raises(gymnasium.error.ResetNeeded, match=r"Call reset\(\) before"):
            ask()


def test_an_illegal_move_loses_where_that_is_the_policy() -> None:
    env = made("classic", 2, level="perfect", illegal="lose")
    env.reset(seed=1)
    env.step(numbers(env, "9a1")[0])
    _, reward, over, truncated, info = env.step(numbers(env, "9a2")[0])
    assert (reward, over, truncated) == (-1.0, True, False)
    assert info["refused"] == "9 is no longer in the pool."


def test_regret_has_one_type_in_vector_environments() -> None:
    envs = gymnasium.make_vec(gym_id("cards", 2), num_envs=3, full_turn="alternate")
    _, infos = envs.reset(seed=1)
    assert infos["regret"].shape == infos["action_mask"].shape == (3, 8)
    assert np.isnan(infos["regret"]).all()  # nobody has solved that
    envs = gymnasium.make_vec(gym_id("cards", 2), num_envs=3, level="random")
    observed, infos = envs.reset(seed=1)
    assert observed.shape == (3, 28)
    for _ in range(60):
        actions = infos["action_mask"].argmax(axis=1)
        _, _, _, _, infos = envs.step(actions)
        assert infos["regret"].dtype == np.float64
    assert envs.spec is not None
    assert str(envs.spec.vector_entry_point).endswith("gymnasium:vector")


def test_games_in_one_process_can_restart_in_the_step_that_ends_them() -> None:
    mode = AutoresetMode.SAME_STEP
    envs = gymnasium.make_vec(gym_id("classic", 2), num_envs=2, level="random", autoreset_mode=mode)
    _, infos = envs.reset(seed=1)
    for turn in (1, 2, 3):  # three digits each
        observed, _, over, _, infos = envs.step(infos["action_mask"].argmax(axis=1))
        assert over.tolist() == [turn == 3] * 2
    boards = slice(11, 17)
    assert (observed[:, boards] == -1).all()
    assert (np.stack(infos["final_obs"])[:, boards] > 0).all()


def test_regret_by_rank_is_that_of_the_numbers() -> None:
    old, new = made("battle", 1), made("battle", 2)
    regrets = [env.reset(seed=5)[1]["regret"].tolist() for env in (old, new)]
    assert regrets[0] == regrets[1]
