"""The laws of DESIGN.md on every game, and a broken game for every law to show that each can fail."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from digit_duel.core.game import Seat
from digit_duel.core.laws import Witness, check_playout, check_tree
from digit_duel.core.options import BadOption
from digit_duel.core.variant import AnyVariant
from digit_duel.games import ids, variant
from digit_duel.games._battle import Attack, Battle, BattleMove, Fight, Secret
from digit_duel.games._battle_script import BattleScript

MILLION = 1_000_000

# Cards that all differ cannot tie, so these trees end. They are small, and every rule comes up in them.
TOY_CARDS: list[dict[str, str]] = [
    {"pool": "0-2", "hand_size": "1", "wins_needed": "1"},
    {"pool": "0-2", "hand_size": "1", "wins_needed": "1", "visibility": "open"},
    {"pool": "0-2", "hand_size": "1", "wins_needed": "1", "full_turn": "alternate"},
    {"pool": "0-2", "hand_size": "1", "wins_needed": "1", "facing_full": "cap:1"},
    {"pool": "0-2", "hand_size": "1", "wins_needed": "2", "facing_full": "must_keep", "deck": "persistent"},
    {"pool": "0-3", "hand_size": "2", "wins_needed": "1", "facing_full": "must_keep"},
]
TOY_BATTLES: list[dict[str, str]] = [
    {"pool": "1x2", "start_life": "2", "max_life": "3", "sudden": "1-2", "standoff_limit": "2"},
    {"pool": "1-3", "start_life": "3", "max_life": "4", "sudden": "0-2", "standoff_limit": "none"},
]


def a(id: str, options: Mapping[str, str] | None = None) -> AnyVariant:
    return variant(id).customised(options or {})


# The laws hold: on whole trees.


@pytest.mark.slow
@pytest.mark.parametrize("id", ["classic", pytest.param("reverse", marks=pytest.mark.campaign)])
def test_the_laws_hold_on_every_state_of_classic_and_reverse(id: str) -> None:
    chosen = a(id)
    assert check_tree(chosen.game, chosen.voice, MILLION) == 138_268


@pytest.mark.campaign
def test_the_laws_hold_on_every_state_of_battle_sudden_death_and_all() -> None:
    chosen = a("battle")
    assert check_tree(chosen.game, chosen.voice, MILLION) == 294_777  # as counted in test_perft.py


@pytest.mark.parametrize("options", TOY_CARDS, ids=str)
def test_the_laws_hold_on_every_state_of_toy_cards(options: dict[str, str]) -> None:
    chosen = a("cards", options)
    assert check_tree(chosen.game, chosen.voice, MILLION) < 2_000  # so the tree ended by itself


@pytest.mark.parametrize("options", TOY_BATTLES, ids=str)
def test_the_laws_hold_on_every_state_of_toy_battles(options: dict[str, str]) -> None:
    chosen = a("battle", options)
    assert check_tree(chosen.game, chosen.voice, MILLION) < 2_000


@pytest.mark.parametrize("id", ["classic", "reverse", "sabotage"])
def test_the_laws_hold_on_every_state_of_a_toy_placing_game(id: str) -> None:
    chosen = a(id, {"places": "2", "pool": "0x2,1,2x2", "reach": "any", "goal": "low", "tie": "draw"})
    assert check_tree(chosen.game, chosen.voice, MILLION) == 163  # by closed form, see test_perft.py


@pytest.mark.parametrize("states", [150, pytest.param(2_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("id", ids())
def test_the_laws_hold_on_the_first_states_of_every_game(id: str, states: int) -> None:
    chosen = a(id)
    assert 1 < check_tree(chosen.game, chosen.voice, states) <= states


@pytest.mark.slow
@pytest.mark.parametrize("visibility", ["private", "open"])
def test_the_laws_hold_on_cards_that_tie_again_and_again(visibility: str) -> None:
    chosen = a("cards", {"pool": "0x2,1x2", "hand_size": "1", "wins_needed": "1", "visibility": visibility})
    assert check_tree(chosen.game, chosen.voice, 5_000) == 5_000


# The laws hold: on random games.


@pytest.mark.parametrize("id", ids())
def test_the_laws_hold_on_fifty_random_games_of_every_kind(id: str) -> None:
    play(a(id), games=50, seed=1)


@pytest.mark.campaign
@pytest.mark.parametrize("chunk", range(4))
@pytest.mark.parametrize("id", ["sabotage", "cards"])
def test_the_laws_hold_on_twenty_thousand_random_games(id: str, chunk: int) -> None:
    play(a(id), games=5_000, seed=100 + chunk)


@pytest.mark.slow
@pytest.mark.parametrize("options", [
    {"visibility": "open"}, {"full_turn": "alternate"}, {"facing_full": "must_keep"},
    {"facing_full": "cap:2"}, {"deck": "persistent"}, {"next_starter": "loser"},
    {"next_starter": "winner", "deck": "persistent"},
    {"next_starter": "same", "full_turn": "alternate", "facing_full": "cap:0"},
], ids=str)  # fmt: skip
def test_the_laws_hold_on_random_games_under_every_option_of_cards(options: dict[str, str]) -> None:
    play(a("cards", options), games=100, seed=7)


class Timid(Battle):
    """Battle without blows above two: most games end in sudden death."""

    def legal(self, state: Fight, seat: Seat) -> Sequence[BattleMove]:
        moves = super().legal(state, seat)
        return [move for move in moves if not isinstance(move, Attack) or move.digit <= 2]


@pytest.mark.parametrize("games", [40, pytest.param(1_500, marks=pytest.mark.campaign)])
def test_the_laws_hold_in_battles_that_are_led_to_sudden_death(games: int) -> None:
    game = Timid()
    rng, witness = Random(3), Witness()
    ends = [check_playout(game, BattleScript(game), rng, witness, some=3) for _ in range(games)]
    sudden = sum(isinstance(steps[-1].move, Secret) for steps in ends)
    assert sudden > games / 2


def play(chosen: AnyVariant, games: int, seed: int, some: int = 2) -> None:
    rng, witness = Random(seed), Witness()
    for _ in range(games):
        check_playout(chosen.game, chosen.voice, rng, witness, some)


# The laws hold: on games that people make up.


@st.composite
def pools(draw: st.DrawFn, digits: int = 6, copies: int = 3) -> str:
    chosen = draw(st.dictionaries(st.integers(0, 9), st.integers(1, copies), min_size=1, max_size=digits))
    return ",".join(f"{digit}x{number}" if number > 1 else f"{digit}" for digit, number in chosen.items())


numbers = st.integers(1, 4).map(str)
placing_options = st.fixed_dictionaries(
    {"places": numbers, "pool": pools()},
    optional={
        "goal": st.sampled_from(["high", "low", "HIGH"]),
        "reach": st.sampled_from(["own", "any"]),
        "tie": st.sampled_from(["second", "first", "draw"]),
        "pick": st.sampled_from(["choose", "draw"]),
        "bonus": st.sampled_from(["0", "1", "11", "500"]),
        "swap": st.sampled_from(["no", "yes"]),
    },
)
cards_options = st.fixed_dictionaries(
    {"hand_size": st.sampled_from("123"), "pool": pools(), "wins_needed": st.sampled_from("123")},
    optional={
        "visibility": st.sampled_from(["private", "open"]),
        "full_turn": st.sampled_from(["skip", "alternate"]),
        "facing_full": st.sampled_from(["discard", "must_keep", "cap:0", "cap:1", "cap:3"]),
        "deck": st.sampled_from(["fresh", "persistent"]),
        "next_starter": st.sampled_from(["alternate", "loser", "winner", "same"]),
    },
)
ranges = st.tuples(st.integers(0, 9), st.integers(0, 9)).map(lambda ends: f"{min(ends)}-{max(ends)}")
battle_options = st.fixed_dictionaries(
    {"start_life": st.integers(1, 12).map(str), "max_life": st.integers(1, 15).map(str)},
    optional={
        "pool": pools(),
        "sudden": ranges,
        "standoff_limit": st.sampled_from(["none", "1", "2", "10"]),
        "second_life": st.sampled_from(["same", "1", "7"]),
        "standoff": st.sampled_from(["second", "draw"]),
        "swap": st.sampled_from(["no", "yes"]),
    },
)
wanted = st.one_of(
    st.tuples(st.sampled_from(["classic", "reverse", "sabotage"]), placing_options),
    st.tuples(st.just("cards"), cards_options),
    st.tuples(st.just("battle"), battle_options),
)


def check_customised(id: str, options: dict[str, str], seed: int) -> None:
    try:
        chosen = a(id, options)
    except BadOption:
        assume(False)  # no playable game
    assert a(id, chosen.settings).game == chosen.game
    check_tree(chosen.game, chosen.voice, limit=40)
    rng, witness = Random(seed), Witness()
    for _ in range(2):
        check_playout(chosen.game, chosen.voice, rng, witness, some=10)


@settings(max_examples=25, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(wanted, st.integers(0, 2**32))
def test_the_laws_hold_on_games_that_people_make_up(game: tuple[str, dict[str, str]], seed: int) -> None:
    check_customised(*game, seed)


@pytest.mark.slow
@settings(max_examples=200, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(wanted, st.integers(0, 2**32))
def test_the_laws_hold_on_many_games_that_people_make_up(game: tuple[str, dict[str, str]], seed: int) -> None:
    check_customised(*game, seed)
