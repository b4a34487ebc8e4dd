"""How long an answer takes says nothing about what is hidden (SAFETY C10, C11, R9c).

A machine that others use, too, is noisy, so a leak must be found three times over: timing.repeated says why.
The leaks planted here are found in all three rounds.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from random import Random, SystemRandom
from time import perf_counter, thread_time
from typing import Any, cast

import pytest
from tests.web.leaks.sweep import a_server
from tests.web.leaks.timing import TIMED, Samples, cropped, delayed, repeated, sampled, tells, welch
from tests.worlds import played, random_tokens

from digit_duel import games
from digit_duel.bots import LEVELS
from digit_duel.core.game import Seat
from digit_duel.core.variant import AnyVariant
from digit_duel.games._cards import Cards
from digit_duel.games._cards_table import Sight, Table
from digit_duel.web.analysis.questions import ChoiceQuestion
from digit_duel.web.settings import Settings

pytestmark = pytest.mark.campaign  # time is told by a quiet machine alone

ANSWERS = 1000  # for each hidden value; benchmarks/leaks.py takes ten thousand
MOVES = 150
PACE = 0.008  # seconds: enough for any thought, and for the unevenness of a loop's clock


def rounds(seed: str, measure: Callable[..., Awaitable[Samples]], *known: Any) -> list[float]:
    """The t of each round of a measurement."""

    async def run() -> list[float]:
        async with a_server() as server:
            return await repeated(partial(measure, server, *known), seed)

    return asyncio.run(run())


def busy(seconds: float) -> None:
    """Take time, as work would."""
    end = perf_counter() + seconds
    while perf_counter() < end:
        pass


# The measure itself.


def test_welchs_t_is_the_textbooks() -> None:
    # Welch 1947 as worked by hand: means 3 and 4, variances 2.5 and 2.5, five values each.
    assert welch([1, 2, 3, 4, 5], [2, 3, 4, 5, 6]) == pytest.approx(-1.0)


def test_a_difference_behind_rare_long_waits_is_found_by_cropping() -> None:
    rng = Random("waits")
    one, two = (
        [rng.gauss(mean, 1) + 3000 * (rng.random() < 0.02) for _ in range(4000)] for mean in (10, 10.4)
    )
    assert abs(welch(one, two)) < 4.5 < abs(cropped((one, two)))


def test_a_leak_is_what_three_rounds_agree_on() -> None:
    assert tells([5.0, 6.0, 4.6])
    assert not tells([5.0, 6.0])  # the last one did not find it
    assert not tells([5.0, 6.0, -4.6])
    assert not tells([5.0, 6.0, 4.4])


# Answers.


@pytest.mark.slow
@pytest.mark.parametrize("name", TIMED)
def test_an_answer_takes_as_long_whatever_is_hidden(name: str) -> None:
    """C10: looks, records and refusals, with low and with high cards or digits unseen."""
    found = rounds("honest", sampled, TIMED[name], ANSWERS)
    assert not tells(found), found


def test_an_answer_that_takes_longer_for_high_cards_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """C10: a leak of a tenth of a millisecond."""
    honest = Cards.view

    def leaky(self: Cards, state: Table, seat: Seat) -> Sight:
        busy(0.00002 * (max(state.hands[1], default=0) > 5))
        return honest(self, state, seat)

    monkeypatch.setattr(Cards, "view", leaky)
    timed = TIMED["a look at the other's hand"]
    found = rounds("planted", sampled, timed, 400)
    assert tells(found), found


# The computer.


def thinking(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the computer think longer about high cards."""
    honest = ChoiceQuestion.choose

    def leaky(self: ChoiceQuestion, variant: AnyVariant) -> str:
        busy(0.0002 if cast(Sight, self.view).drawn == 0 else 0.0007)
        return honest(self, variant)

    monkeypatch.setattr(ChoiceQuestion, "choose", leaky)


@pytest.mark.slow
def test_the_computers_pause_does_not_tell_its_card() -> None:
    """C11: at a level that thinks."""
    found = rounds("pause", delayed, PACE, "sharp", MOVES)
    assert not tells(found), found


@pytest.mark.slow
def test_the_computers_pause_hides_that_it_thought_for_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    """C11: even if its thoughts did tell."""
    thinking(monkeypatch)
    found = rounds("thought", delayed, PACE, "random", MOVES)
    assert not tells(found), found


def test_a_computer_without_a_pause_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """C11: the same thoughts, without the pause."""
    thinking(monkeypatch)
    found = rounds("hasty", delayed, 0.0, "random", MOVES)
    assert tells(found), found


@pytest.mark.parametrize("level", LEVELS)
def test_the_computer_has_thought_long_before_its_pause_is_over(level: str) -> None:
    """C11: in its own time, however busy the machine; the first thought may have to load what it knows."""
    rng, variant = Random(level), games.variant("cards")
    taken = []
    for _ in range(12):
        session = played(variant, random_tokens(rng, rng.randrange(1, 20), {}))
        if session.acting:
            seat = session.acting[0]
            legal = session.game.legal(session.state, seat)
            began = thread_time()
            LEVELS[level](variant, seat, SystemRandom()).choose(session.view(seat), legal)
            taken.append(thread_time() - began)
    assert max(taken[1:]) < Settings().computer_pace / 5
