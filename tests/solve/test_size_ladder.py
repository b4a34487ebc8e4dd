"""The size ladder: every rung that is small enough is solved again, by other means and other rules."""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction
from functools import cache
from math import comb
from typing import Any

import pytest
from tests.documents import section, table, text
from tests.reference import battle as plain_battle
from tests.reference import placing as plain_placing
from tests.solve.keep_or_give.naive import Naive

from digit_duel.games import ids
from digit_duel.solve import Rung, ladder, value_of

PAGE = "docs/research/size-ladder.md"
RUNGS = {rung.name: rung for rung in ladder()}
PLACING = [rung for rung in ladder() if rung.game in ("classic", "reverse", "sabotage")]
BATTLES = list(ladder("battle"))
CARDS = list(ladder("cards"))


def some(rungs: list[Rung], quick: int, most: int) -> list[Any]:
    """The rungs up to a size, those beyond the quick ones as slow tests."""
    return [
        pytest.param(rung, id=rung.name, marks=[] if rung.size <= quick else [pytest.mark.slow])
        for rung in rungs
        if rung.size <= most
    ]


def test_a_game_without_a_ladder_is_named() -> None:
    with pytest.raises(KeyError, match="the size ladder has no game 'foo'; its games are: classic, reverse"):
        ladder("foo")


@pytest.mark.parametrize("id", ["classic", "reverse", "sabotage", "cards", "battle"])
def test_every_game_has_a_ladder_from_a_toy_to_full_size(id: str) -> None:
    rungs = list(ladder(id))
    assert id in ids()
    assert [rung.name for rung in rungs] == [f"{id}-{number}" for number in range(1, len(rungs) + 1)]
    assert [rung.size for rung in rungs] == sorted(rung.size for rung in rungs)
    assert rungs[0].size <= 11
    assert any(rung.settings == {} for rung in rungs)
    for rung in rungs:
        assert rung.variant.id == rung.game == id
        assert rung.variant.settings == rung.settings
        assert rung.low <= rung.value <= rung.high


def plain(rung: Rung) -> plain_placing.Rules:
    """The rules of a placing rung for the other implementation."""
    game: Any = rung.variant.game
    return {
        "places": game.places, "pool": game.pool, "goal": game.goal.value, "reach": game.reach.value,
        "tie": game.tie.value,
    }  # fmt: skip


@pytest.mark.parametrize("rung", PLACING, ids=lambda rung: rung.name)
def test_the_states_of_a_placing_game_are_those_of_the_closed_form(rung: Rung) -> None:
    assert rung.size == sum(plain_placing.count_states_by_ply(**plain(rung)))


@pytest.mark.parametrize("rung", some(PLACING, quick=8_000, most=140_000))
def test_a_placing_game_is_worth_what_a_plain_minimax_finds(rung: Rung) -> None:
    rules = plain(rung)
    places, own = rules["places"], rules["reach"] == "own"
    sign = 1 if rules["goal"] == "high" else -1
    tied = {"first": 1, "second": -1, "draw": 0}[rules["tie"]]
    pool = Counter(str(digit) for digit in rules["pool"])

    def after(board: str) -> dict[str, str]:
        filled = 2 * places - board.count(".")
        mine = range(filled % 2 * places, filled % 2 * places + places) if own else range(2 * places)
        left = pool - Counter(board.replace(".", ""))
        return {
            f"{digit}{'ab'[at // places]}{at % places + 1}": board[:at] + digit + board[at + 1 :]
            for digit in left
            for at in mine
            if board[at] == "."
        }

    @cache
    def worth(board: str) -> int:
        if "." not in board:
            first, second = board[:places], board[places:]
            return tied if first == second else sign if first > second else -sign
        best = max if board.count(".") % 2 == 0 else min
        return best(worth(next) for next in after(board).values())

    start = "." * (2 * places)
    assert worth(start) == rung.value
    assert {move for move, next in after(start).items() if worth(next) == 1} == set(rung.openings)


@pytest.mark.parametrize("rung", some(BATTLES, quick=4_000, most=90_000))
def test_a_battle_is_worth_what_a_plain_minimax_finds(rung: Rung) -> None:
    game: Any = rung.variant.game
    # B3: the highest digit is never a worse choice, so sudden death is the second player's, or nobody's.
    tie = 0 if game.standoff_limit is None else -1

    def after(first: int, second: int, pool: tuple[int, ...], mover: int) -> dict[str, tuple[Any, ...]]:
        found: dict[str, tuple[Any, ...]] = {}
        for digit in set(pool):
            at = pool.index(digit)
            rest = pool[:at] + pool[at + 1 :]
            hit = (first, second - digit) if mover == 0 else (first - digit, second)
            healed = (
                (min(first + digit, game.max_life), second)
                if mover == 0
                else (first, min(second + digit, game.max_life))
            )
            found[f"x{digit}"], found[f"+{digit}"] = (*hit, rest, 1 - mover), (*healed, rest, 1 - mover)
        return found

    @cache
    def worth(first: int, second: int, pool: tuple[int, ...], mover: int) -> int:
        if min(first, second) <= 0 or (not pool and first != second):
            return 1 if first > second else -1
        if not pool:
            return tie
        return (max, min)[mover](worth(*next) for next in after(first, second, pool, mover).values())

    start = (game.start_life, game.start_life, game.pool, 0)
    assert worth(*start) == rung.value
    assert {move for move, next in after(*start).items() if worth(*next) == 1} == set(rung.openings)


@pytest.mark.parametrize("rung", some(BATTLES, quick=2_000, most=30_000))
def test_the_states_of_a_battle_are_those_that_the_other_rules_reach(rung: Rung) -> None:
    game: Any = rung.variant.game
    rules: plain_battle.Rules = {
        "start_life": game.start_life, "max_life": game.max_life, "pool": game.pool,
        "sudden": (game.sudden[0], game.sudden[-1]), "standoff_limit": game.standoff_limit,
    }  # fmt: skip
    # That there was a reveal counts, what it showed does not; without a limit nobody counts equal ones.
    start = (plain_battle._start(rules), False)
    found, waiting = {start}, [start]
    while waiting:
        now, revealed = waiting.pop()
        choices = plain_battle._see(rules, now).choices
        steps = [(move,) for moves in choices.values() for move in moves]
        if len(choices) == 2:
            steps = [(first, second) for first in choices["a"] for second in choices["b"]]  # type: ignore[misc]
        for step in steps:
            after = now
            for move in step:
                after = plain_battle._step(rules, after, move)
            if game.standoff_limit is None:
                after = after._replace(standoffs=0)
            next = (after, revealed or len(step) == 2)
            if next not in found:
                found.add(next)
                waiting.append(next)
    assert rung.size == len(found)


@pytest.mark.parametrize("rung", some(CARDS, quick=1_000, most=4_000))
def test_a_round_of_cards_is_worth_what_a_linear_programme_finds(rung: Rung) -> None:
    game: Any = rung.variant.game
    assert rung.settings["facing_full"] == "must_keep"
    deck = tuple(game.pool.count(digit) for digit in range(10))
    round_ = Naive(deck, (), game.hand_size, "must_keep").build()
    assert round_.value() == pytest.approx((1 + float(rung.value)) / 2, abs=1e-9)
    assert rung.size == sum(len(before) for before in round_.before)


@pytest.mark.parametrize("rung", CARDS, ids=lambda rung: rung.name)
def test_the_choices_of_a_round_of_cards_are_counted_by_words(rung: Rung) -> None:
    game: Any = rung.variant.game
    words = [1] + [0] * 6  # how many digit words of each length the deck can deal
    for copies in Counter(game.pool).values():
        words = [sum(comb(n, k) * words[n - k] for k in range(min(copies, n) + 1)) for n in range(7)]

    def choices(hands: tuple[int, int], mover: int, knows: tuple[int, int]) -> int:
        """The information sets from here on; the other seat sees a card only if it is given."""
        if game.hand_size in hands:
            return 0
        found = words[knows[mover] + 1]
        for to in (0, 1):
            held = (hands[0] + (to == 0), hands[1] + (to == 1))
            seen = tuple(knows[seat] + (seat == mover or to != mover) for seat in (0, 1))
            found += choices(held, 1 - mover, (seen[0], seen[1]))
        return found

    assert rung.size == choices((0, 0), 0, (0, 0))


def test_the_full_games_have_the_known_values() -> None:
    full = {rung.game: rung for rung in ladder() if not rung.settings}
    known = {"classic": 138_268, "reverse": 138_268, "sabotage": 153_046_261, "battle": 87_119}
    assert {id: full[id].size for id in known} == known
    assert [full[id].value for id in known] == [1, 1, -1, 1]
    assert (full["classic"].openings, full["reverse"].openings) == (("9a1",), ("1a1",))
    p = Fraction(709_348, 818_697)  # the starter wins a round; see the page of cards
    q = 1 - p
    assert full["cards"].low == full["cards"].high == 2 * (p * q + p**3 + p * q**2) - 1
    # All information sets of the shipped table, but for ten in which one seat would hold five of a kind.
    assert full["cards"].size == 157_420 - 10
    assert {rung.name for rung in ladder() if not rung.by_the_letter} == {"cards-9", "cards-10"}


def test_the_bounds_of_must_keep_are_those_on_the_page_of_cards() -> None:
    rows = {row[0]: row[1:] for row in table(section("docs/games/cards.md", "Value"), "`facing_full`")}
    low, high = (2 * Fraction(bound) - 1 for bound in rows["`must_keep`"][:2])
    assert (RUNGS["cards-9"].low, RUNGS["cards-9"].high) == (low, high)


def test_the_pages_for_researchers_round_the_bounds_of_must_keep_up() -> None:
    low, high = Fraction(3304453180619, 5639407690617), Fraction(367164091568, 626605337635)  # rounds won
    gap = 2 * (high - low)  # as a score, from -1 to 1
    told = re.search(r"`must_keep` from one with a NashConv of (\S+)", text("docs/research/README.md"))
    assert told
    assert gap <= Fraction(told[1]) < gap * Fraction(101, 100)
    known = re.search(r"`cards-9`\s+is known within (\S+) ", text(PAGE))
    assert known
    assert gap / 2 <= Fraction(known[1]) < gap / 2 * Fraction(102, 100)
    assert RUNGS["cards-9"].value == low + high - 1


@pytest.mark.parametrize(
    "rung",
    [
        pytest.param(
            rung, id=rung.name, marks=[pytest.mark.slow] if rung.name in ("cards-4", "cards-5") else []
        )
        for rung in ladder()
        if rung.size <= (200 if rung.game == "cards" else 400)
    ],
)
def test_the_library_finds_the_value_of_a_rung(rung: Rung) -> None:
    assert value_of(rung.variant.game) == rung.value


def shown(rung: Rung) -> list[str]:
    """A rung as a row of the page."""
    settings = " ".join(f"`{name}={value}`" for name, value in rung.settings.items()) or "the standard game"
    value = str(rung.value) if rung.low == rung.high else f"{float(rung.value):.9f}"
    row = [rung.name, settings, f"{rung.size:,}", value if rung.by_the_letter else f"{_short(value)} *"]
    if rung.game == "cards":
        odds = (1 + rung.value) / 2
        return [*row, str(odds) if rung.by_the_letter else f"{float(odds):.9f} *"]
    return [*row, " ".join(f"`{move}`" for move in rung.openings) or "none"]


def _short(value: str) -> str:
    return value if "/" not in value else f"{float(Fraction(value)):.9f}"


@pytest.mark.parametrize("id", ["classic", "reverse", "sabotage", "cards", "battle"])
def test_the_page_shows_the_ladder_of_every_game(id: str) -> None:
    rows = table(section(PAGE, id), "rung")
    wanted = [shown(rung) for rung in ladder(id)]
    assert rows == wanted, "\n".join("| " + " | ".join(row) + " |" for row in wanted)


def test_the_page_names_no_rung_that_is_not_there() -> None:
    named = set(re.findall(r"\b(?:classic|reverse|sabotage|cards|battle)-\d+\b", text(PAGE)))
    assert named == set(RUNGS)
