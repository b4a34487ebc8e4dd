"""The hunt of the perfect computer, against a search of every way the cards can come."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations
from random import Random

import pytest
from tests.bots.tables import CARDS, at
from tests.bots.walks import positions

from digit_duel.bots.cards.hunt import STARTER_WINS, keeps
from digit_duel.games._cards import Cards
from digit_duel.games._cards_table import Reveal, Sight, Table

Cards_ = tuple[int, ...]  # sorted


@cache
def best(hand: Cards_, full: Cards_, deck: Cards_, pile: Cards_, run_outs: int, tie: Fraction) -> Fraction:
    """What a hunter who knows the full hand wins before a draw, card by card as C3 and C4 have it."""
    if len(hand) == len(full):
        mine, theirs = sorted(hand, reverse=True), sorted(full, reverse=True)
        return tie if mine == theirs else Fraction(mine > theirs)
    if not deck:
        deck, pile, run_outs = pile, (), run_outs + 1
    total = Fraction(0)
    for digit in set(deck):
        choices = (True, False) if run_outs < 2 else (True,)
        worths = [choose(kept, digit, hand, full, deck, pile, run_outs, tie) for kept in choices]
        total += deck.count(digit) * max(worths)
    return total / len(deck)


def choose(
    kept: bool,
    digit: int,
    hand: Cards_,
    full: Cards_,
    deck: Cards_,
    pile: Cards_,
    run_outs: int,
    tie: Fraction,
) -> Fraction:
    """The same after a card was drawn from the deck, and kept or passed."""
    at = deck.index(digit)
    left = deck[:at] + deck[at + 1 :]
    if kept:
        return best(tuple(sorted((*hand, digit))), full, left, pile, run_outs, tie)
    return best(hand, full, left, tuple(sorted((*pile, digit))), run_outs, tie)


def worlds(game: Cards, view: Sight) -> list[tuple[Cards_, Cards_]]:
    """Every full hand and deck that fit the cards in sight; the first time through, nothing else tells."""
    seen = [*view.hands[0], *view.hands[1], *view.discards, view.drawn]
    hidden = view.hands[view.seat.other].count(None)
    unseen = list(game.pool)
    for digit in seen:
        if digit is not None:
            unseen.remove(digit)
    known = [digit for digit in view.hands[view.seat.other] if digit is not None]
    found = set()
    for cards in combinations(unseen, hidden):
        deck = list(unseen)
        for digit in cards:
            deck.remove(digit)
        found.add((tuple(sorted((*known, *cards))), tuple(sorted(deck))))
    return sorted(found)


def truth(state: Table) -> tuple[Cards_, Cards_]:
    """The full hand and the deck as they are, which a hunter knows on the second way through."""
    return tuple(sorted(state.hands[state.to_move.other])), tuple(sorted(state.deck))


@pytest.mark.parametrize(("pool", "size", "many"), [("0-4x2", "2", 6000), ("0,3,6,9x2", "2", 4000)])
def test_no_hidden_hand_makes_the_hunters_choice_the_worse_one(pool: str, size: str, many: int) -> None:
    variant = CARDS.customised({"pool": pool, "hand_size": size})
    game, passes = variant.game_as(Cards), [0, 0]
    for state, seat in positions(variant, many, seed=5):
        if not game.facing_full_hand(state) or len(game.legal(state, seat)) < 2:
            continue
        view = game.view(state, seat)
        if any(isinstance(event, Reveal) and event.winner is None for event in view.memory):
            continue  # a replay: the deck is not all there is
        assert view.drawn is not None
        mine = tuple(sorted(digit for digit in view.hands[seat] if digit is not None))
        tie = STARTER_WINS if seat is view.starter else 1 - STARTER_WINS
        pile, kept = tuple(sorted(view.discards)), keeps(game, view)
        for full, deck in worlds(game, view) if view.run_outs == 0 else [truth(state)]:
            with_it = tuple(sorted((*deck, view.drawn)))
            chosen, other = (
                choose(keep, view.drawn, mine, full, with_it, pile, view.run_outs, tie)
                for keep in (kept, not kept)
            )
            assert chosen >= other
        passes[view.run_outs] += 1
    assert min(passes) > 30


def test_who_passed_the_nine_by_mistake_still_hopes_for_it() -> None:
    variant = CARDS.customised({"pool": "0,1,2,3,8,9", "hand_size": "2"})
    game = variant.game_as(Cards)
    # The second seat holds 8 and 3. The starter has 1 and lets 2, 9, 0 go by twice: only the 9 would win.
    state = at(variant, "831" + "209" + "920", "gkk" + "ggg" + "gg")
    assert (sorted(state.hands[1]), state.hands[0], state.drawn) == ([3, 8], (1,), 0)
    assert keeps(game, game.view(state, state.to_move)) is False


def test_a_planted_hunter_who_keeps_everything_is_caught() -> None:
    rng, caught = Random(3), 0
    for _ in range(50):
        cards = rng.sample([0, 1, 2, 3, 4] * 2, 8)
        hand, full, deck = (cards[0],), tuple(sorted(cards[1:3])), tuple(sorted(cards[3:]))
        digit = deck[0]
        keep, give = (choose(kept, digit, hand, full, deck, (), 0, Fraction(1, 2)) for kept in (True, False))
        caught += keep < give
    assert caught > 5
