"""The odds of a round are those found by hand, card by card, and knowledge is what was seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest
from tests.bots.tables import TABLES
from tests.bots.walks import named, positions
from tests.coach.positions import sampled, variant
from tests.solve.cards.odds_by_hand import ByHand, OffTheTable

from digit_duel.core.game import Seat
from digit_duel.core.record import follow
from digit_duel.core.variant import AnyVariant
from digit_duel.games._cards import Cards
from digit_duel.games._cards_table import Reveal
from digit_duel.solve.cards.knowledge import round_knowledge, unseen_cards
from digit_duel.solve.cards.odds import odds, standing

TIES = {"discard": 709348 / 818697, "must_keep": 0.585957491055}  # RULINGS, known results
# What either seat wins of a round against a person who errs in one choice of ten.
AGAINST_PERSON = {
    ("discard", 0): 0.883671819,
    ("discard", 1): 0.288911143,
    ("must_keep", 0): 0.610511269,
    ("must_keep", 1): 0.447911033,
}


def by_hand(table: AnyVariant, rule: str, seat: int, errs: float) -> ByHand:
    """A seat's best play against a person who errs so often."""
    tie = AGAINST_PERSON[rule, seat] if errs else abs(seat - TIES[rule])
    return ByHand(table.game_as(Cards), seat, tie if seat == 0 else 1 - tie, errs)


def compared(table: AnyVariant, count: int, deep: int, seed: str) -> int:
    """Compare so many decisions of which at least so many draws are made; how many were compared."""
    rule = "discard" if table.game_as(Cards).facing_full.most is None else "must_keep"
    done = 0
    for state, seat in sampled(table, 40 * count, seed):
        view = table.game_as(Cards).view(state, seat)
        now = round_knowledge(table.game_as(Cards), view)
        if view.drawn is None or now.hand_is_full or len(now.word) < deep or any(now.pile) or done == count:
            continue
        found, at = odds(table.game_as(Cards), view), int(seat is not view.starter)
        assert found.give is not None
        hand = by_hand(table, rule, at, errs=0.1)
        wins = hand.choices(now.word, (*now.digits, view.drawn))
        assert (found.keep.chance, found.give.chance) == pytest.approx(wins, abs=2e-6), view
        try:
            wins = by_hand(table, rule, at, errs=0).choices(now.word, (*now.digits, view.drawn))
        except OffTheTable:
            assert found.unexpected
            continue
        assert (found.keep.perfect, found.give.perfect) == pytest.approx(wins, abs=1e-9), view
        assert not found.unexpected
        done += 1
    return done


@pytest.mark.parametrize("rule", ["discard", "must_keep"])
def test_odds_late_in_a_round_are_those_found_by_hand(rule: str) -> None:
    assert compared(variant("cards", facing_full=rule), 12, 3, rule) == 12


@pytest.mark.parametrize("rule", ["discard", "must_keep"])
def test_a_standing_is_the_one_found_by_hand(rule: str) -> None:
    table = variant("cards", facing_full=rule)
    done = 0
    for state, seat in sampled(table, 400, f"standing {rule}"):
        view = table.game_as(Cards).view(state, seat.other)  # the one who has not drawn
        now = round_knowledge(table.game_as(Cards), view)
        if now.hand_is_full or len(now.word) < 3 or any(now.pile) or done == 8:
            continue
        hand = by_hand(table, rule, int(view.seat is not view.starter), errs=0.1)
        share = hand.standing(now.word, now.digits)
        assert standing(table.game_as(Cards), view) == pytest.approx(share, abs=2e-6), view
        done += 1
    assert done == 8


@pytest.mark.campaign
@pytest.mark.slow
@pytest.mark.parametrize(("rule", "seat"), AGAINST_PERSON)
def test_a_tie_is_worth_what_a_round_wins(rule: str, seat: int) -> None:
    table = variant("cards", facing_full=rule)
    assert by_hand(table, rule, seat, errs=0.1).standing("", ()) == pytest.approx(
        AGAINST_PERSON[rule, seat], abs=1e-6
    )


@pytest.mark.slow
@pytest.mark.parametrize("rule", ["discard", "must_keep"])
def test_odds_early_in_a_round_are_those_found_by_hand(rule: str) -> None:
    assert compared(variant("cards", facing_full=rule), 25, 1, rule) == 25


def test_a_round_is_followed_through_ties_and_new_decks() -> None:
    table = variant("cards", deck="persistent", pool="0-2x4", hand_size="2", wins_needed="9")
    replayed = 0
    for state, seat in sampled(table, 60, "follow"):
        view = table.game_as(Cards).view(state, seat)
        now = round_knowledge(table.game_as(Cards), view)
        began = next(
            (at for at in range(len(view.memory), 0, -1) if isinstance(view.memory[at - 1], Reveal)), 0
        )
        drawn = len(view.memory) - began + view.waiting
        hands = [digit for hand in state.hands for digit in hand]
        cards = sorted(
            [*state.deck, *state.discards, *hands, *([state.drawn] if state.drawn is not None else [])]
        )
        counted = sorted(digit for digit in range(10) for _ in range(now.deck[digit] + now.pile[digit]))
        assert counted == cards
        if not view.run_outs and sum(now.deck) > drawn:
            assert sum(now.deck) - drawn == view.deck_size
        replayed += any(now.pile)
    assert replayed > 5


@pytest.mark.parametrize("variant", TABLES, ids=named)
def test_the_cards_are_always_among_those_that_the_count_allows(variant: AnyVariant) -> None:
    game = variant.game_as(Cards)
    for state, seat in positions(variant, many=400, seed=4):
        view = game.view(state, seat)
        known = unseen_cards(game, view)
        theirs = zip(state.hands[seat.other], view.hands[seat.other], strict=True)
        face_down = [digit for digit, seen in theirs if seen is None]
        assert known.hidden == len(face_down)
        pending = [state.drawn] if state.drawn is not None and view.drawn is None else []
        if known.deck is None:
            assert bag(known.unseen) == Counter([*state.deck, *face_down, *pending])
        else:
            assert bag(known.deck) == Counter(state.deck)
            assert bag(known.unseen) == Counter(face_down)
        possible = [hand.hidden for hand in known.hidden_hands() if hand.possible]
        assert tuple(sorted(face_down)) in possible


def bag(counts: Sequence[int]) -> Counter[int]:
    return Counter({digit: copies for digit, copies in enumerate(counts) if copies})


def test_a_hunter_with_one_discard_left_who_knows_the_full_hand_knows_the_odds() -> None:
    table = variant("cards", facing_full="cap:1")
    state = follow(table.game, ["d0", "g", "d1", "g", "d0", "g", "d1", "g", "d5", "g", "d9"])[-1].after
    found = odds(table.game_as(Cards), table.game.view(state, Seat.FIRST))
    # 911 beats 500. After throwing the 9 away any card from 5 wins: 18 of the 34 in the deck.
    assert (found.keep.least, found.keep.chance, found.keep.most) == (1, 1, 1)
    assert found.give is not None
    assert (found.give.least, found.give.chance, found.give.most) == pytest.approx((9 / 17, 9 / 17, 9 / 17))
