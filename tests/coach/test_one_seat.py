"""In hidden games hint, why and review use only what the asker knows: worlds dealt anew look the same."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from tests.coach.positions import variant
from tests.comparing import same
from tests.reference import cards
from tests.worlds import LETTERS, NAMES, Tokens, dealt_anew, played, random_tokens

from digit_duel.cli.review import as_json_data, as_text
from digit_duel.cli.screen.review_chart import ASCII
from digit_duel.coach import advice
from digit_duel.coach.advice import hint, why
from digit_duel.coach.cards import coach as cards_coach
from digit_duel.coach.cards.news import news
from digit_duel.coach.review import NeedsSeat, review
from digit_duel.core.game import Seat
from digit_duel.core.session import AnySession
from digit_duel.core.variant import AnyVariant
from digit_duel.games._cards_table import Sight
from digit_duel.solve.cards import odds

QUICK, MANY = 60, 1500
TABLES: dict[str, cards.Rules] = {
    "discard": {},
    "must_keep": {"facing_full": "must_keep"},
    "cap:1": {"facing_full": "cap:1"},
}


def told(session: AnySession, seat: Seat) -> list[str]:
    """All that the coach tells a seat now."""
    table, state = session.variant, session.state
    legal = table.game.legal(state, seat)
    found = hint(table, session.view(seat), seat, legal, NAMES)
    words = [] if found is None else [found.notation, found.words, found.reason.sentence, repr(found.reason)]
    words += why(table, session.steps, seat, NAMES)
    looked_back = review(table, session.record(), seat)
    return [*words, *as_text(looked_back, ASCII, 80), json.dumps(as_json_data(looked_back))]


def worlds(rules: cards.Rules, seed: str) -> tuple[list[Tokens], Seat]:
    """A random game, and others that one seat cannot tell from it."""
    rng = Random(seed)
    seat = rng.choice(tuple(Seat))
    while True:
        length = rng.choice((2, 4, 6, 8, 10, 14, 20, 30))
        tokens = random_tokens(rng, length, rules, giving=rng.choice((0.2, 0.5, 0.9)))
        others = [dealt_anew(tokens, LETTERS[seat], rules, rng) for _ in range(3)]
        found = [world for world in others if world is not None]
        if found:
            return [tokens, *found], seat


def compared(table: AnyVariant, rules: cards.Rules, pairs: int, seed: str) -> int:
    """Compare what is told in so many pairs of worlds; how many were compared."""
    done = at = 0
    while done < pairs:
        (first, *others), seat = worlds(rules, f"{seed}/{at}")
        at += 1
        expected = told(played(table, first), seat)
        for other in others:
            same(expected, told(played(table, other), seat), f"{first} coached for {NAMES[seat]}")
            done += 1
    return done


@pytest.mark.parametrize("rule", TABLES)
def test_worlds_that_look_alike_are_coached_alike(rule: str) -> None:
    assert compared(variant("cards", facing_full=rule), TABLES[rule], QUICK, rule) >= QUICK


@pytest.mark.campaign
@pytest.mark.parametrize("rule", TABLES)
def test_very_many_worlds_that_look_alike_are_coached_alike(rule: str) -> None:
    assert compared(variant("cards", facing_full=rule), TABLES[rule], MANY, f"many {rule}") >= MANY


Leaky = Callable[[pytest.MonkeyPatch], None]


def _peeking_why(patch: pytest.MonkeyPatch) -> None:
    """A why that tells what the other really drew."""
    honest = advice.glimpses

    def peeking(game: Any, steps: Any, seat: Seat) -> Any:
        found = honest(game, steps, seat)
        hands = game.view(steps[-1].after, seat.other).hands if steps else None
        return [replace(one, after=replace(one.after, hands=hands)) if hands else one for one in found]

    patch.setattr(advice, "glimpses", peeking)

    def gossip(game: Any, view: Sight, speech: Any, player: Any) -> Any:
        told = news(game, view, speech, player)
        return told if told is None else replace(told, sentence=f"{told.sentence} {view.hands}")

    patch.setattr(cards_coach, "news", gossip)


def _peeking_review(patch: pytest.MonkeyPatch) -> None:
    """A review for one seat that judges the other's moves as well."""
    from digit_duel.coach import review as module

    honest = module._judged

    def judged(coach: Any, steps: Any, ply: int, rounds: int, speech: Any, over: bool) -> Any:
        found = honest(coach, steps, ply, rounds, speech, over)
        return replace(found, words=f"{found.words} {steps[0].before.hands}")

    patch.setattr(module, "_judged", judged)


@pytest.mark.parametrize("leak", [_peeking_why, _peeking_review])
def test_a_planted_leak_is_found(leak: Leaky, monkeypatch: pytest.MonkeyPatch) -> None:
    leak(monkeypatch)
    with pytest.raises(AssertionError, match="looks alike"):
        compared(variant("cards"), {}, 200, "leak")


def test_a_game_that_is_not_over_is_reviewed_for_one_seat_only() -> None:
    record = played(variant("cards"), ["d7", "k", "d2"]).record()
    with pytest.raises(NeedsSeat):
        review(variant("cards"), record)
    found = review(variant("cards"), record, Seat.SECOND)
    assert found.moves == ()
    assert [move.move for move in review(variant("cards"), record, Seat.FIRST).moves] == ["k"]


def test_a_review_does_not_open_a_sealed_digit() -> None:
    table = variant("battle")
    for seat in (None, Seat.SECOND):
        said = []
        for digit in "35":
            tokens = ["+6", "+4", "+5", "+2", "x8", "x7", "x1", "x9", "x3", f"a{digit}"]
            found = review(table, played(table, tokens).record(), seat)
            said.append([*as_text(found, ASCII, 80), json.dumps(as_json_data(found))])
        same(said[0], said[1], "a sealed digit")


def test_a_review_for_one_seat_holds_no_record_to_try_again_from() -> None:
    session = played(variant("cards"), ["d7", "k", "d2", "g", "d9"])
    data = json.loads(json.dumps(as_json_data(review(variant("cards"), session.record(), Seat.FIRST))))
    assert [move["again"] for move in data["moves"]] == [None]


def test_odds_are_asked_with_a_view_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[type] = []
    honest = odds.odds

    def asking(game: Any, view: Any, player: Any) -> Any:
        asked.append(type(view))
        return honest(game, view, player)

    monkeypatch.setattr(odds, "odds", asking)
    table = variant("cards")
    session = played(table, ["d7", "k", "d2", "g", "d9"])
    hint(table, session.view(Seat.FIRST), Seat.FIRST, table.game.legal(session.state, Seat.FIRST), NAMES)
    assert asked
    assert set(asked) == {Sight}
