"""The hunt: a player who faces a full hand keeps drawing until their own hand is full, too."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb, prod

from digit_duel.games._cards import Cards
from digit_duel.games._cards_table import Sight
from digit_duel.games._digits import Digits
from digit_duel.solve.cards.knowledge import KINDS, counts, known_hand, unseen_cards

STARTER_WINS = Fraction(709_348, 818_697)  # of rounds from a fresh deck; approximates the value of a tie


def keeps(game: Cards, view: Sight) -> bool:
    """Whether a hunter who may pass any number of cards should keep the one just drawn."""
    # C3, C4: a hunter who passes every card sees the deck run out once, then knows every card in it and takes
    # the best ones on the second pass; no plan does better. So before the run-out a card is kept only if, for
    # every possible hidden hand, keeping it wins or does not lower the final number. A card that wins anyway
    # is kept at once. A lost hunt goes on, because the opponent may still lay out the full hand badly.
    if view.run_outs:
        return _keeps_at_last(game, view)
    hand, theirs, pile = known_hand(view, view.seat), known_hand(view, view.seat.other), counts(view.discards)
    drawn, places = _drawn(view), game.hand_size - len(hand)
    free = True
    for world in unseen_cards(game, view).hidden_hands():
        stock, full = _together(world.deck, pile), _number(theirs, world.hidden)
        kept = _number(hand, (drawn,), _highest(stock, places - 1))
        stock[drawn] += 1
        passed = _number(hand, _highest(stock, places))
        free &= kept >= passed or kept > full or not world.possible
    return free


def _keeps_at_last(game: Cards, view: Sight) -> bool:
    """Whether to keep the card just drawn on the second pass through the deck, when every card is known."""
    hand, theirs, pile = known_hand(view, view.seat), known_hand(view, view.seat.other), counts(view.discards)
    drawn, tie = _drawn(view), STARTER_WINS if view.seat is view.starter else 1 - STARTER_WINS
    # The whole deck was seen on the first pass, so only one hidden hand is possible.
    (world,) = (world for world in unseen_cards(game, view).hidden_hands() if world.possible)
    full, passed = _number(theirs, world.hidden), _together(pile, counts((drawn,)))
    keep = _last_chance(game, (*hand, drawn), full, world.deck, pile, tie)
    give = _last_chance(game, hand, full, world.deck, passed, tie)
    higher = sum(world.deck[drawn + 1 :])  # cards that are still to come
    return keep > give or (keep == give and (keep == 1 or higher < _places(game, view)))


def _last_chance(
    game: Cards, hand: Digits, full: list[int], deck: Sequence[int], pile: Sequence[int], tie: Fraction
) -> Fraction:
    """The value of the best plan when the deck is known and will run out for the second time."""
    # The hunter can be certain of some of the highest cards still in the deck. To get others the deck must
    # run out, and then every card is kept as it comes (C4). A hunter who passed high cards may need that.
    best, places = Fraction(0), game.hand_size - len(hand)
    for certain in range(min(places, sum(deck)) + 1):
        taken = _highest(deck, certain)
        pool = [copies - taken.count(digit) for digit, copies in enumerate(_together(deck, pile))]
        ways, won = 0, Fraction(0)
        for rest in combinations_with_replacement(range(KINDS), places - certain):
            share = prod(comb(pool[digit], rest.count(digit)) for digit in set(rest))
            result = _result(_number(hand, taken, rest), full)
            ways, won = ways + share, won + share * (tie if result == 0 else max(result, 0))
        best = max(best, won / ways if ways else Fraction(0))
    return best


def is_best(game: Cards, view: Sight) -> bool:
    """Whether the card just drawn is at least as high as every card that may still be drawn."""
    stock = [a + b for a, b in zip(unseen_cards(game, view).unseen, counts(view.discards), strict=True)]
    return not any(stock[_drawn(view) + 1 :])


def keeps_within(game: Cards, view: Sight, discards: int) -> bool:
    """Whether the card just drawn is good enough to keep when only this many discards are left."""
    # Empty places plus discards is the number of cards still to be seen, and the best of them should fill the
    # places. So a card is kept if it is in the top places / (places + discards) of the remaining cards.
    places, stock, drawn = _places(game, view), unseen_cards(game, view).to_come, _drawn(view)
    return sum(stock[drawn + 1 :]) * (places + discards) < places * sum(stock)


def rank(game: Cards, view: Sight) -> float:
    """The share of the remaining cards that are lower than the one just drawn; equal ones count half."""
    stock, drawn = unseen_cards(game, view).to_come, _drawn(view)
    return (sum(stock[:drawn]) + stock[drawn] / 2) / max(sum(stock), 1)


def _places(game: Cards, view: Sight) -> int:
    return game.hand_size - len(view.hands[view.seat])


def _drawn(view: Sight) -> int:
    assert view.drawn is not None
    return view.drawn


def _highest(stock: Sequence[int], places: int) -> list[int]:
    """The highest cards of a stock, one for each place."""
    found: list[int] = []
    for digit in range(KINDS - 1, -1, -1):
        found += [digit] * min(stock[digit], places - len(found))
    return found


def _number(*digits: Iterable[int]) -> list[int]:
    """The digits of the highest number that all these digits form."""
    return sorted((digit for some in digits for digit in some), reverse=True)


def _together(some: Sequence[int], others: Sequence[int]) -> list[int]:
    return [one + other for one, other in zip(some, others, strict=True)]


def _result(mine: list[int], theirs: list[int]) -> int:
    return (mine > theirs) - (mine < theirs)
