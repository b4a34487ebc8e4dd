"""Where worlds can be counted, all of them are compared: for these games it is a proof (SAFETY R9)."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import product

import pytest
from tests.reference import cards
from tests.web.leaks.sweep import Tally, a_server, compare
from tests.web.leaks.worlds import NO_SEAT, Story, Tokens
from tests.worlds import LETTERS, known

from digit_duel.core.game import Seat

DIGITS = range(1, 6)
SIGHTS: tuple[Seat | None, ...] = (*Seat, None)

SMALL = {"hand_size": "2", "pool": "0-2x2", "wins_needed": "1", "facing_full": "must_keep"}
SMALL_RULES: cards.Rules = {
    "hand_size": 2, "pool": (0, 0, 1, 1, 2, 2), "wins_needed": 1, "facing_full": "must_keep",
}  # fmt: skip


def compared(stories: Iterable[Story]) -> Tally:
    """Compare the worlds of all stories."""

    async def run() -> Tally:
        tally = Tally()
        async with a_server() as server:
            for each in stories:
                await compare(server, each, tally)
        return tally

    return asyncio.run(run())


# Sudden death.


def tied_at(life: int) -> tuple[dict[str, str], Tokens]:
    """How two players come to sudden death with so many life points each."""
    if life == 1:
        return {"pool": "1-1x2", "start_life": "1", "max_life": "1"}, ("+1", "+1")
    return {"pool": "1-1x2", "start_life": str(life - 1)}, ("+1", "+1")


def pending(life: int, before: Tokens, chooser: Seat) -> Iterator[Story]:
    """A seat has sealed one of the five digits, and everybody who must not know it looks on."""
    settings, tie = tied_at(life)
    worlds = tuple((*tie, *before, f"{LETTERS[chooser]}{digit}") for digit in DIGITS)
    for sight in (chooser.other, None):
        seed = f"{life}/{'-'.join(before)}/{chooser}/{sight}"
        yield Story(seed, "battle", settings, sight, worlds, owner=chooser, live=1)


def after_every_pair(life: int, chooser: Seat) -> Iterator[Story]:
    """All 25 pairs of secret digits, each followed by another secret digit unless it ended the game."""
    first, second = LETTERS[chooser], LETTERS[chooser.other]
    for mine, theirs in product(DIGITS, DIGITS):
        if abs(mine - theirs) < life:
            yield from pending(life, (f"{first}{mine}", f"{second}{theirs}"), chooser)


@pytest.mark.parametrize(
    "lives",
    [(1, 3, 20), pytest.param(range(1, 21), marks=pytest.mark.campaign)],
    ids=["some ties", "all ties"],
)
def test_a_sealed_digit_looks_like_any_other_from_every_tie(lives: Sequence[int]) -> None:
    """R9, C2, C7, C9: each tie, either seat first, seen by the other and by a stranger, 5 digits each."""
    tally = compared(each for life in lives for seat in Seat for each in pending(life, (), seat))
    ties = len(lives)
    assert (tally.stories, tally.worlds, tally.pairs) == (4 * ties, 20 * ties, 40 * ties)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("life", "stories"), [(1, 5), (3, 19), pytest.param(10, 25, marks=pytest.mark.campaign)]
)
def test_a_sealed_digit_looks_like_any_other_after_every_pair_of_digits(life: int, stories: int) -> None:
    """R9: 25 pairs of digits but for those that end the game: 5, 19 and 25 of them do not."""
    tally = compared(each for seat in Seat for each in after_every_pair(life, seat))
    assert (tally.stories, tally.worlds) == (2 * 2 * stories, 2 * 2 * 5 * stories)


# A small deck.


def beginnings(plies: int) -> Iterator[tuple[Tokens, bool]]:
    """All beginnings of all games up to a length; and whether somebody has to choose there."""
    begun: list[Tokens] = [()]
    while begun:
        tokens = begun.pop()
        seen = cards.trace(tokens, **SMALL_RULES)[-1]
        yield tokens, bool(seen.choices)
        if len(tokens) < plies:
            begun += [(*tokens, token) for token in sorted(seen.legal())]


def small_decks(plies: int) -> list[Story]:
    """Every beginning in which somebody has to choose, together with all that look the same."""
    alike: dict[tuple[Seat | None, Tokens], list[Tokens]] = defaultdict(list)
    for tokens, choosing in beginnings(plies):
        for sight in SIGHTS if choosing else ():
            seen = known(tokens, NO_SEAT if sight is None else LETTERS[sight], SMALL_RULES)
            alike[sight, seen].append(tokens)
    return [
        Story(f"{sight}/{' '.join(seen)}", "cards", SMALL, sight, tuple(worlds), live=1)
        for (sight, seen), worlds in alike.items()
        if len(worlds) > 1
    ]


def test_the_small_deck_has_as_many_games_as_the_terminal_tests_count() -> None:
    assert sum(1 for _ in beginnings(10)) == 4192


def test_the_first_worlds_of_a_small_deck_look_alike_wherever_they_may() -> None:
    """R9: digits 0-2 twice, two in hand; up to the second card.

    One card drawn: the other and a stranger face 3 worlds each. It was kept, and another one drawn: each seat
    faces 3 times 3, and a stranger all 9. It was given, and so is known: the first seat and a stranger face 3
    times 3. These are 2 + 7 + 6 sights, of 6 + 27 + 18 worlds.
    """
    tally = compared(small_decks(4))
    assert (tally.stories, tally.worlds) == (15, 51)


@pytest.mark.campaign
def test_all_worlds_of_a_small_deck_look_alike_wherever_they_may() -> None:
    """R9: the same up to the reveal; the second implementation counts 1196 sights of more than one world."""
    tally = compared(small_decks(10))
    assert (tally.stories, tally.worlds) == (1196, 5499)
