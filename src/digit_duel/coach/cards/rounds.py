"""A round of cards as one seat has followed it: the cards it began with, who kept and who gave."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from digit_duel.games._cards import Cards, Decks
from digit_duel.games._cards_table import Reveal, Sight, To, this_round
from digit_duel.games._digits import Digits

KEPT, GIVEN = "k", "g"


@dataclass(frozen=True, slots=True)
class Round:
    """What a seat knows of the round being played."""

    deck: tuple[int, ...]  # copies of each digit in the deck as the round began
    pile: tuple[int, ...]  # and in the discard pile
    word: str  # a letter for each draw up to the first full hand: kept or given
    digits: tuple[int | None, ...]  # the digits of these draws, as far as the seat has seen them
    since: tuple[tuple[int | None, bool], ...]  # each draw after that, and whether it was kept
    hunting: bool  # one hand is full


def followed(game: Cards, view: Sight) -> Round:
    """The round that a seat is in."""
    deck, pile = _began_with(game, view)
    word, digits, since = "", [], []
    hands = [0, 0]
    for turn in this_round(view.memory):
        kept = turn.to is To(turn.seat)
        if max(hands) == game.hand_size:
            since.append((turn.digit, kept))
            continue
        word += KEPT if kept else GIVEN
        digits.append(turn.digit)
        hands[turn.seat if kept else turn.seat.other] += 1
    return Round(deck, pile, word, tuple(digits), tuple(since), max(hands) == game.hand_size)


def _began_with(game: Cards, view: Sight) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Deck and pile at the beginning of the round: every card lies in one of them then, the pile face up."""
    pile: Counter[int] = Counter()
    began, deck_size, held = pile.copy(), len(game.pool), 0
    for event in view.memory:
        if isinstance(event, Reveal):
            pile.update((*event.numbers[0], *event.numbers[1]))
            if event.winner is not None and game.deck is Decks.FRESH:
                pile, deck_size = Counter(), len(game.pool)
            held = 0
        else:
            deck_size -= 1
            if event.to is To.DISCARDS:
                assert event.digit is not None  # discards lie face up (C1)
                pile[event.digit] += 1
            else:
                held += 1
        if deck_size == 0 and held < 2 * game.hand_size:  # a draw is due: the pile is shuffled (C5)
            pile, deck_size = Counter(), pile.total()
        if isinstance(event, Reveal):
            began = pile.copy()
    return _counts(Counter(game.pool) - began), _counts(began)


def _counts(cards: Counter[int]) -> tuple[int, ...]:
    return tuple(cards[digit] for digit in range(10))


def unseen(game: Cards, view: Sight) -> Digits:
    """The cards that a seat has not located: in the deck, or face down in the other hand; highest first."""
    located = [digit for hand in view.hands for digit in hand if digit is not None]
    located += [*view.discards, *(() if view.drawn is None else (view.drawn,))]
    return tuple(sorted((Counter(game.pool) - Counter(located)).elements(), reverse=True))
