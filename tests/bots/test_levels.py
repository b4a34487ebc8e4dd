"""The levels: each beats the one below, none plays nonsense, all obey the rules and their dice."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from benchmarks.ladder import LADDER, duel
from tests.bots.walks import IDS, named, positions, variants

from digit_duel import bots, games
from digit_duel.bots import DESCRIPTIONS, LEVELS
from digit_duel.bots.error_model import CAREFUL, SENSIBLE, SHARP
from digit_duel.bots.tips import NONSENSE, likings
from digit_duel.core.game import Seat
from digit_duel.core.variant import AnyVariant
from digit_duel.games._battle import Attack, Fight
from digit_duel.games._cards_table import Arrange, Keep
from digit_duel.solve.families import solver

HUMAN = ("sensible", "careful", "sharp")


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DIGIT_DUEL_HOME", str(tmp_path_factory.getbasetemp() / "home"))


def test_the_levels_are_known_by_name_from_weak_to_strong() -> None:
    assert list(LEVELS) == ["random", "sensible", "careful", "sharp", "perfect"]
    assert list(DESCRIPTIONS) == list(LEVELS)


@pytest.mark.campaign
@pytest.mark.slow
@pytest.mark.parametrize(("weak", "strong"), LADDER)
@pytest.mark.parametrize("id", IDS)
def test_each_level_beats_the_one_below_over_two_thousand_games(id: str, weak: str, strong: str) -> None:
    rate = duel(games.variant(id), strong, weak, pairs=1000)
    assert rate.low > 0.5, rate


@pytest.mark.parametrize(("weak", "strong"), LADDER)
@pytest.mark.parametrize("id", IDS)
def test_each_level_beats_the_one_below(id: str, weak: str, strong: str) -> None:
    # Battle is won by almost any sensible first move, so that it takes more games to see a difference.
    rate = duel(games.variant(id), strong, weak, pairs=150 if id == "battle" else 25)
    assert rate.points > 0.5, rate


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("variant", variants(), ids=named)
def test_a_choice_is_legal_and_depends_on_view_and_dice_alone(variant: AnyVariant, level: str) -> None:
    game = variant.game
    for at, (state, seat) in enumerate(positions(variant, many=40)):
        view, legal = game.view(state, seat), game.legal(state, seat)
        random.seed(at)  # nobody throws these dice
        before = random.getstate()
        choices = {LEVELS[level](variant, seat, Random(at)).choose(view, legal) for _ in range(2)}
        assert len(choices) == 1
        assert choices <= set(legal)
        assert random.getstate() == before


@pytest.mark.parametrize("level", HUMAN)
@pytest.mark.parametrize("id", ["classic", "reverse", "sabotage", "battle"])
def test_people_never_play_what_the_tips_call_nonsense(id: str, level: str) -> None:
    variant = games.variant(id)
    for at, (state, seat) in enumerate(positions(variant, many=300, seed=2)):
        view, legal = variant.game.view(state, seat), variant.game.legal(state, seat)
        move = LEVELS[level](variant, seat, Random(at)).choose(view, legal)
        state = solver(variant.game).before_choices(view)
        if wins := winning_at_once(variant, state, seat, legal):
            assert move in wins
        else:
            assert likings(variant, state, seat, legal)[move] >= NONSENSE


def winning_at_once(variant: AnyVariant, state: Any, seat: Seat, legal: Any) -> list[Any]:
    if variant.game.acting(state) != (seat,):
        return []
    ends = {move: variant.game.outcome(variant.game.play(state, move)) for move in legal}
    return [move for move, outcome in ends.items() if outcome and outcome.winner is seat]


def test_nonsense_is_the_lower_third_of_what_the_tips_like() -> None:
    classic = games.variant("classic")
    start = classic.game.start()
    liked = likings(classic, start, Seat.FIRST, classic.game.legal(start, Seat.FIRST))
    text = classic.game.text
    nonsense = {text(move) for move, liking in liked.items() if liking < NONSENSE}
    assert nonsense == {"1a1", "2a1", "3a1", "1a2", "2a2"}
    assert {text(move) for move, liking in liked.items() if liking == 1} == {"9a1"}


@pytest.mark.parametrize("level", [*HUMAN, "perfect"])
def test_nobody_but_chance_gives_away_a_finishing_blow(level: str) -> None:
    battle = games.variant("battle")
    fight = Fight((3, 4), (2, 5, 8), Seat.FIRST)
    for seed in range(50):
        bot = LEVELS[level](battle, Seat.FIRST, Random(seed))
        assert bot.choose(fight, battle.game.legal(fight, Seat.FIRST)) in (Attack(5), Attack(8))


@pytest.mark.parametrize("level", [*HUMAN, "perfect"])
def test_nobody_but_chance_lays_out_less_than_the_highest_number(level: str) -> None:
    cards = games.variant("cards")
    for state, seat in positions(cards, many=300, seed=3):
        legal = cards.game.legal(state, seat)
        if isinstance(legal[0], Arrange):
            bot = LEVELS[level](cards, seat, Random(1))
            assert bot.choose(cards.game.view(state, seat), legal) == max(legal, key=lambda move: move.digits)


def test_more_is_overlooked_among_more_moves_and_on_longer_lines() -> None:
    for mind in (SENSIBLE, CAREFUL, SHARP):
        assert mind.misses(1) == 0 < mind.misses(5) < mind.misses(30) < mind.overlooks
        assert mind.follows(0) == 1 >= mind.follows(1) >= mind.follows(6)
    for worse, better in pairwise((SENSIBLE, CAREFUL, SHARP)):
        assert worse.greed > better.greed
        assert worse.overlooks > better.overlooks
        assert worse.fades > better.fades
        assert worse.blur > better.blur


def test_a_greedy_player_of_cards_keeps_what_the_tips_say() -> None:
    cards = games.variant("cards")
    for digit in range(10):
        state = next(
            cards.game.play(cards.game.start(), move)
            for move, _ in cards.game.chance(cards.game.start())
            if move.digit == digit
        )
        legal = cards.game.legal(state, Seat.FIRST)
        bot = LEVELS["sensible"](cards, Seat.FIRST, Random(digit))
        keeps = bot.choose(cards.game.view(state, Seat.FIRST), legal) == Keep()
        assert keeps is (digit >= 5)


def test_the_command_loads_no_solver_and_no_game_until_somebody_thinks() -> None:
    import subprocess
    import sys

    code = (
        "import re, sys, digit_duel.bots; "
        "print([name for name in sys.modules if re.match('digit_duel.(games|solve)', name)])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_every_game_says_what_its_perfect_computer_promises(tmp_path: Path) -> None:
    exact = "It never makes a mistake: every position of this game is solved exactly."
    said = {id: bots.promise(games.variant(id)) for id in IDS}
    assert [said[id] for id in ("classic", "reverse", "sabotage", "battle")] == [exact] * 4
    assert said["cards"].startswith("It plays an exact equilibrium of a round from a fresh deck")
    must_keep = games.variant("cards").customised({"facing_full": "must_keep"})
    assert "a billionth" in bots.promise(must_keep)
    alternate = games.variant("cards").customised({"full_turn": "alternate"})
    assert "proved within bounds" in bots.promise(alternate)
    capped = games.variant("cards").customised({"facing_full": "cap:2"})
    assert "0.6468605 to 0.6468608" in bots.promise(capped)
    for options in ({"visibility": "open"}, {"deck": "persistent"}, {"pool": "0-4x2"}, {"hand_size": "2"}):
        other = bots.promise(games.variant("cards").customised(options))
        assert "prove" in other or "exactly" in other
    one_deck = games.variant("cards").customised({"deck": "persistent", "facing_full": "must_keep"})
    assert bots.promise(one_deck).endswith("the first player wins 54.423% to 54.489% of games.")
    large = games.variant("cards").customised({"hand_size": "4", "full_turn": "alternate"})
    assert bots.promise(large).endswith("Rounds with hands this large take too much memory to solve.")
