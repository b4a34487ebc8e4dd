"""The hunt: facing a full hand, a player draws on until the own hand is full, too."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from digit_duel.games._cards import Cards
from digit_duel.games._cards_table import Sight
from digit_duel.solve.cards.knowledge import KINDS, counts, known_hand, unseen_cards


def keeps(game: Cards, view: Sight) -> bool:
    """Whether a hunter who may pass any number of cards does best to keep the one just drawn."""
    # C3, C4: whoever passes every card sees the deck run out once, knows it card by card then, and takes the
    # best ones on the second way through: nobody can do better. So before the run-out a card is kept only if
    # that costs nothing in any world; and what wins anyway is kept at once, without waiting for a higher one.
    hand, theirs, pile = known_hand(view, view.seat), known_hand(view, view.seat.other), counts(view.discards)
    drawn, places = _drawn(view), game.hand_size - len(hand)
    comes_back = view.run_outs == 0
    free = True
    for world in unseen_cards(game, view).hidden_hands():
        stock, full = list(world.deck), _number(theirs, world.hidden)
        if comes_back:
            stock = [a + b for a, b in zip(stock, pile, strict=True)]
        kept = _number(hand, (drawn,), _highest(stock, places - 1))
        stock[drawn] += comes_back
        passed = _number(hand, _highest(stock, places))
        costs = _result(kept, full) < _result(passed, full)
        enough = len(passed) == game.hand_size  # cards are left to fill the hand without this one
        free &= not (costs and enough and world.possible)
    return free


def keeps_within(game: Cards, view: Sight, discards: int) -> bool:
    """Whether the card just drawn is good enough to keep when only so many can still be passed."""
    # Places and discards together say how many more cards will be seen, and the best of them are wanted. What
    # belongs to that share of the cards to come is kept.
    places, stock, drawn = _places(game, view), unseen_cards(game, view).to_come, _drawn(view)
    return sum(stock[drawn + 1 :]) * (places + discards) < places * sum(stock)


def rank(game: Cards, view: Sight) -> float:
    """The share of the cards to come that are lower than the one just drawn, equals by half."""
    stock, drawn = unseen_cards(game, view).to_come, _drawn(view)
    return (sum(stock[:drawn]) + stock[drawn] / 2) / max(sum(stock), 1)


def _places(game: Cards, view: Sight) -> int:
    return game.hand_size - len(view.hands[view.seat])


def _drawn(view: Sight) -> int:
    assert view.drawn is not None
    return view.drawn


def _highest(stock: Sequence[int], places: int) -> list[int]:
    """The highest cards of a stock, as many as there are places."""
    found: list[int] = []
    for digit in range(KINDS - 1, -1, -1):
        found += [digit] * min(stock[digit], places - len(found))
    return found


def _number(*digits: Iterable[int]) -> list[int]:
    """The highest number that all these digits form, from the left."""
    return sorted((digit for some in digits for digit in some), reverse=True)


def _result(mine: list[int], theirs: list[int]) -> int:
    return (mine > theirs) - (mine < theirs)
