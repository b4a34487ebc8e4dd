"""Whole games of all five, by keys alone: against the computer, and between two people."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

import pytest
from tests.app.driving import Visitor, visit
from tests.sixth_game import race

from digit_duel import games
from digit_duel.cli.app.state.local import LocalTable
from digit_duel.cli.play.plan import Plan
from digit_duel.cli.records.save_file import all_saves
from digit_duel.core.record import replay
from digit_duel.core.variant import AnyVariant

GAMES = ("classic", "reverse", "sabotage", "cards", "battle")


def any_key(seed: int) -> Callable[[LocalTable], str]:
    """Somebody who presses any key that the screen offers."""
    rng = Random(seed)

    def choose(table: LocalTable) -> str:
        assert table.choice is not None
        keys = [offer.key for offer in table.choice.offers if offer.key]
        return rng.choice(keys)

    return choose


def played(variant: AnyVariant, levels: tuple[str | None, str | None], seed: int) -> None:
    async def session(visitor: Visitor) -> None:
        await visitor.to_the_end(any_key(seed))
        shown = await visitor.sees("wins")
        assert "Rematch" in shown
        assert "Review" in shown
        winner = visitor.table.session.outcome
        assert winner is not None
        name = visitor.table.session.names[winner.winner or 0]
        assert f"★ {name}" in shown
        told = shown.split("\n", 1)[1]  # the bar at the top says what wins
        assert len(re.findall("wins", told)) == 1

    visit(session, Plan(variant, ("Ann", "Ben"), levels, seed=str(seed)))
    (save,) = all_saves()
    record = save.read()
    assert record.result in ("1-0", "0-1")
    steps = replay(variant.game, record)
    assert variant.game.outcome(steps[-1].after) is not None


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_against_the_computer(game: str) -> None:
    played(games.variant(game), (None, "sensible"), 1)


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_between_two_people(game: str) -> None:
    played(games.variant(game), (None, None), 2)


def test_a_game_that_somebody_added_is_played_like_the_others() -> None:
    played(race(), (None, None), 3)


def test_the_arrow_keys_and_enter_are_enough() -> None:
    async def session(visitor: Visitor) -> None:
        await visitor.press("right", "right", "enter")  # from 1 to 3
        await visitor.sees("Where does the 3 go?")
        await visitor.press("right", "enter")  # from hundreds to tens
        await visitor.sees("Ann places 3 in their tens.")

    visit(session, Plan(games.variant("classic"), ("Ann", "Ben")))


def test_a_click_chooses_like_a_key() -> None:
    async def session(visitor: Visitor) -> None:
        await visitor.click("digit 9")
        await visitor.click("place 0 2")
        await visitor.sees("Ann places 9 in their units.")

    visit(session, Plan(games.variant("classic"), ("Ann", "Ben")))


def test_a_typed_move_is_played_and_a_wrong_one_refused_with_the_reason() -> None:
    async def session(visitor: Visitor) -> None:
        await visitor.press("m", *"9a1", "enter")
        await visitor.sees("Ben: Choose a digit")
        await visitor.press("m", "9", "space", "t", "enter")
        await visitor.sees("9 is no longer in the pool. Choose: 1, 2, 3, 4, 5, 6, 7, 8")
        await visitor.press("home", "delete", "8", "end", "backspace", "h", "enter")
        await visitor.sees("Ann: Choose a digit")

    visit(session, Plan(games.variant("classic"), ("Ann", "Ben")))
    assert all_saves()[0].read().moves == ("9a1", "8b1")
