"""A computer of cards answers from its own sight alone, and the time it takes gives no card away."""

from __future__ import annotations

import gc
import sys
from dataclasses import replace
from random import Random

import pytest
from tests.bots.tables import CARDS, MUST_KEEP, TABLES, at, choice
from tests.bots.walks import named, positions

from digit_duel.bots import LEVELS
from digit_duel.core.game import Seat, put
from digit_duel.core.variant import AnyVariant
from digit_duel.games._cards import Cards
from digit_duel.games._cards_table import Table, To, Turn

PRIVATE = [variant for variant in TABLES if "visibility" not in variant.settings]


def another_world(game: Cards, state: Table, seat: Seat, rng: Random) -> Table:
    """The table with other cards face down in the other hand."""
    other = seat.other
    shown = game.view(state, seat).hands[other]
    cards = list(state.deck) + [
        digit for digit, seen in zip(state.hands[other], shown, strict=True) if seen is None
    ]
    rng.shuffle(cards)
    hand = [cards.pop() if seen is None else seen for seen in shown]
    rest, memory, current = list(hand), [], True
    for event in reversed(state.memory):
        current = current and isinstance(event, Turn)
        if current and isinstance(event, Turn) and event.to is To(other):
            event = replace(event, digit=rest.pop())
        memory.append(event)
    return replace(
        state,
        hands=put(state.hands, other, tuple(hand)),
        deck=tuple(sorted(cards)),
        memory=tuple(memory[::-1]),
    )


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("variant", PRIVATE, ids=named)
def test_worlds_that_look_alike_get_the_same_answers(variant: AnyVariant, level: str) -> None:
    game, rng, differ = variant.game_as(Cards), Random(5), 0
    for state, seat in positions(variant, many=60, seed=5):
        if state.drawn is None:
            continue
        world = another_world(game, state, seat, rng)
        differ += world != state
        assert game.view(world, seat) == game.view(state, seat)
        for seed in range(3):
            assert choice(variant, level, world, seed) == choice(variant, level, state, seed)
    assert differ > 5


def work(variant: AnyVariant, level: str, state: Table) -> int:
    """How many calls a choice takes, which does not depend on how busy the machine is."""
    (seat,) = variant.game.acting(state)
    view, legal = variant.game.view(state, seat), variant.game.legal(state, seat)
    bot = LEVELS[level](variant, seat, Random(6))
    calls = 0

    def counted(frame: object, event: str, detail: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    bot.choose(view, legal)
    gc.disable()  # libraries call functions of their own when garbage is collected
    sys.setprofile(counted)
    try:
        bot.choose(view, legal)
    finally:
        sys.setprofile(None)
        gc.enable()
    return calls


# In each row the public events are the same, and the cards that only the computer has seen differ.
SECRETS = {
    "the first card": [("0", ""), ("5", ""), ("9", "")],
    "the second card": [("00", "k"), ("05", "k"), ("09", "k")],
    "a hand of two": [("01010", "kkkk"), ("31719", "kkkk"), ("91818", "kkkk")],
    "facing a full hand": [("101110", "kkkkk"), ("131517", "kkkkk"), ("191919", "kkkkk")],
    "facing a hand full of gifts": [("091910", "ggggg"), ("091915", "ggggg"), ("091919", "ggggg")],
    "after a discard": [("1011140", "kkkkkg"), ("1315145", "kkkkkg"), ("1919149", "kkkkkg")],
}


@pytest.mark.parametrize("level", ["sensible", "careful", "sharp", "perfect"])
@pytest.mark.parametrize("deals", SECRETS.values(), ids=SECRETS)
def test_the_work_of_a_reply_depends_on_public_events_alone(level: str, deals: list[tuple[str, str]]) -> None:
    assert len({work(CARDS, level, at(CARDS, *deal)) for deal in deals}) == 1
    if len(deals[0][1]) < 5:  # nobody's hand is full, so that there is a choice under this rule too
        assert len({work(MUST_KEEP, level, at(MUST_KEEP, *deal)) for deal in deals}) == 1
