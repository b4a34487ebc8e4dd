"""What one seat knows about a round of cards: its course so far, and where the unseen cards can be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING

from digit_duel.core.game import Seat
from digit_duel.games._cards import Cards, Decks
from digit_duel.games._cards_table import HAND, Reveal, Sight, To, Turn, remembered, this_round
from digit_duel.games._digits import Digits

if TYPE_CHECKING:  # NumPy is loaded only when it is needed
    from digit_duel.solve.keep_or_give import HuntObservation

KINDS = 10  # digits
KEPT, GIVEN = "k", "g"
Counts = tuple[int, ...]  # how many copies there are of each digit


@dataclass(frozen=True, slots=True)
class RoundKnowledge:
    """The current round as one seat has seen it, with private hands."""

    deck: Counts  # copies of each digit in the deck when the round began
    pile: Counts  # and face up in the discard pile
    word: str  # a letter for each draw up to the first full hand: kept or given
    digits: tuple[int | None, ...]  # the digits of these draws; None if the seat has not seen it
    since: tuple[tuple[int | None, bool], ...]  # each draw after that, and whether it was kept
    hand_is_full: bool


def round_knowledge(game: Cards, view: Sight) -> RoundKnowledge:
    """What a seat knows about the current round, leaving out what only open hands show."""
    word, digits, since, held = "", [], [], [0, 0]
    for event in this_round(view.memory):
        turn = remembered(event, view.seat)
        assert isinstance(turn, Turn)
        kept = turn.to is HAND[turn.seat]
        if max(held) == game.hand_size:
            since.append((turn.digit, kept))
            continue
        word += KEPT if kept else GIVEN
        digits.append(turn.digit)
        held[turn.seat if kept else turn.seat.other] += 1
    pile = _follow_deck(game, view).pile_at_start
    deck = _without(counts(game.pool), pile)
    return RoundKnowledge(deck, pile, word, tuple(digits), tuple(since), max(held) == game.hand_size)


def shown_draws(game: Cards, view: Sight) -> tuple[str, Digits]:
    """The draws of a round with open hands, up to the first full hand: a letter and a digit each."""
    word = round_knowledge(game, view).word
    turns = (event for event in this_round(view.memory) if isinstance(event, Turn))
    return word, tuple(turn.digit for turn in turns if turn.digit is not None)[: len(word)]


def face_down(game: Cards, view: Sight) -> Digits:
    """With open hands: the other hand's cards that would be face down if hands were private, sorted."""
    word, digits = shown_draws(game, view)
    place = int(view.seat is not view.starter)
    return tuple(sorted(digit for at, digit in enumerate(digits) if at % 2 != place and word[at] == KEPT))


def hunt_seen(known: RoundKnowledge) -> HuntObservation:
    """The observations of a seat that faces a full hand."""
    from digit_duel.solve.keep_or_give import HuntObservation, Observation

    since = tuple((digit, kept) for digit, kept in known.since if digit is not None)  # a hunter sees them all
    return HuntObservation(Observation(known.word, known.digits), since)


@dataclass(frozen=True, slots=True)
class HiddenHand:
    """One possibility for the face-down cards of the other hand, and the deck that follows from it."""

    hidden: Digits
    deck: Counts
    possible: bool  # whether there are enough copies


@dataclass(frozen=True, slots=True)
class UnseenCards:
    """Where the cards that a seat has not located can be; the card just drawn is not among them."""

    unseen: Counts  # cards that lie in the deck or face down in the other hand
    deck: Counts | None  # the deck if its cards are known; `unseen` is then the other hand alone
    hidden: int  # the number of cards face down in the other hand

    @property
    def to_come(self) -> Counts:
        """The cards that the next draw can show."""
        return self.unseen if self.deck is None else self.deck

    def hidden_hands(self) -> Iterator[HiddenHand]:
        """Every combination of hidden cards."""
        # Impossible ones too: the time taken must not depend on cards that only this seat has seen.
        for cards in combinations_with_replacement(range(KINDS), self.hidden):
            left = _without(self.unseen, counts(cards))
            yield HiddenHand(cards, left if self.deck is None else self.deck, min(left) >= 0)


def unseen_cards(game: Cards, view: Sight) -> UnseenCards:
    """What a seat can infer about unseen cards from all the cards that it has seen."""
    unseen, deck = _not_located(game, view), _follow_deck(game, view).deck
    hidden = view.hands[view.seat.other].count(None)
    return UnseenCards(unseen if deck is None else _without(unseen, deck), deck, hidden)


def unseen_digits(game: Cards, view: Sight) -> Digits:
    """Every card in the deck or face down in the other hand, highest first."""
    left = _not_located(game, view)
    return tuple(digit for digit in reversed(range(KINDS)) for _ in range(left[digit]))


def has_history(game: Cards, view: Sight) -> bool:
    """Whether a view has all events of its round; those of states that come from a batch do not."""
    return _follow_deck(game, view).size == view.deck_size + view.waiting


def known_hand(view: Sight, seat: Seat) -> Digits:
    """The digits of a hand that the viewer knows."""
    return tuple(digit for digit in view.hands[seat] if digit is not None)


def _not_located(game: Cards, view: Sight) -> Counts:
    seen = (*view.hands[0], *view.hands[1], *view.discards, view.drawn)
    return _without(counts(game.pool), counts(seen))


@dataclass(frozen=True, slots=True)
class _Deck:
    pile_at_start: Counts  # of the round
    deck: Counts | None  # now, if it was reshuffled in this round and every card drawn since was seen
    size: int  # of the deck, before the card that waits was drawn


def _follow_deck(game: Cards, view: Sight) -> _Deck:
    """Follow the deck through all events; a reshuffled deck is known, because the pile lay face up (C5)."""
    size, held = len(game.pool), 0
    pile = started = counts(())
    deck: Counts | None = None
    for event in view.memory:
        if isinstance(event, Reveal):
            pile, held = _with(pile, (*event.numbers[0], *event.numbers[1])), 0
            if event.winner is not None and game.deck is Decks.FRESH:
                pile, size = counts(()), len(game.pool)
        else:
            size, deck = size - 1, _drawn(deck, event.digit)
            if event.to is To.DISCARDS:
                assert event.digit is not None  # discards lie face up (C1)
                pile = _with(pile, (event.digit,))
            else:
                held += 1
        if size == 0 and held < 2 * game.hand_size:  # a draw is due
            deck, pile, size = pile, counts(()), sum(pile)
        if isinstance(event, Reveal):
            started, deck = pile, None  # hands are empty, so every card is in the pile or in the deck
    return _Deck(started, _drawn(deck, view.drawn) if view.waiting else deck, size)


def _drawn(deck: Counts | None, digit: int | None) -> Counts | None:
    """A known deck after a draw; None after an unseen draw, when deck and hand become uncertain together."""
    return None if deck is None or digit is None else _without(deck, counts((digit,)))


def counts(digits: Sequence[int | None]) -> Counts:
    """The number of copies of each digit; None stands for a card face down, which is not counted."""
    return tuple(digits.count(digit) for digit in range(KINDS))


def _with(some: Counts, digits: Sequence[int]) -> Counts:
    return tuple(one + other for one, other in zip(some, counts(digits), strict=True))


def _without(some: Counts, gone: Counts) -> Counts:
    return tuple(one - other for one, other in zip(some, gone, strict=True))
