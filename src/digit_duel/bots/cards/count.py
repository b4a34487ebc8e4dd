"""Counting cards: what one seat can work out about the deck and the other hand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement

from digit_duel.games._cards import Cards, Decks
from digit_duel.games._cards_table import Reveal, Sight, To, Turn

KINDS = 10  # digits
Counts = list[int]  # how many copies there are of each digit


@dataclass(frozen=True, slots=True)
class World:
    """One way the face-down cards can lie."""

    hidden: tuple[int, ...]  # the face-down cards of the other hand
    deck: Counts
    possible: bool  # whether there are so many copies


@dataclass(frozen=True, slots=True)
class Count:
    """Where the cards can be, from one seat's side; the card just drawn is in no count."""

    unseen: Counts  # cards that lie in the deck or face down in the other hand
    deck: Counts | None  # the deck, where it is known card by card; then unseen is the other hand alone
    pile: Counts  # the discards
    hidden: int  # cards face down in the other hand

    def worlds(self) -> Iterator[World]:
        """Every choice of hidden cards, with the deck that goes with it."""
        # Impossible ones too: the work must not depend on the cards that only this seat has seen.
        for cards in combinations_with_replacement(range(KINDS), self.hidden):
            left = [copies - cards.count(digit) for digit, copies in enumerate(self.unseen)]
            yield World(cards, left if self.deck is None else self.deck, min(left) >= 0)

    @property
    def to_come(self) -> Counts:
        """The cards that the next draw can show."""
        return self.unseen if self.deck is None else self.deck


def count(game: Cards, view: Sight) -> Count:
    """What a seat knows from all the cards that it has seen go by."""
    watcher = _Watcher(game, view)
    for event in view.memory:
        if isinstance(event, Turn):
            watcher.turn(event)
        else:
            watcher.reveal(event)
    if view.waiting:
        watcher.draw(view.drawn)
    return Count(watcher.unseen, watcher.deck, watcher.pile, watcher.hidden)


class _Watcher:
    """A person with a good memory."""

    def __init__(self, game: Cards, view: Sight) -> None:
        self.game, self.other = game, view.seat.other
        self.theirs: list[int] = []  # cards of the other hand that this seat has seen
        self._fresh()

    def _fresh(self) -> None:
        self.unseen = _counts(self.game.pool)
        self.deck: Counts | None = None
        self.pile = [0] * KINDS
        self.hidden = 0
        self.size = len(self.game.pool)

    def draw(self, digit: int | None) -> None:
        """A card leaves the deck, seen or unseen."""
        if self.size == 0:  # C5: the pile is reshuffled, and everybody has seen what is in it
            self.deck, self.pile = self.pile, [0] * KINDS
            self.size = sum(self.deck)
        self.size -= 1
        if digit is not None:
            (self.unseen if self.deck is None else self.deck)[digit] -= 1
        elif self.deck is not None:
            # It may be any card of the deck: deck and hand are one unknown again.
            self.unseen, self.deck = _sum(self.unseen, self.deck), None

    def turn(self, turn: Turn) -> None:
        """A card goes its way."""
        self.draw(turn.digit)
        if turn.digit is None:
            self.hidden += 1
        elif turn.to is To.DISCARDS:
            self.pile[turn.digit] += 1
        elif turn.to is To(self.other):
            self.theirs.append(turn.digit)

    def reveal(self, reveal: Reveal) -> None:
        """Both hands are shown, and go to the pile."""
        shown = list(reveal.numbers[self.other])
        for digit in self.theirs:
            shown.remove(digit)
        for digit in shown:
            self.unseen[digit] -= 1
        self.hidden, self.theirs = 0, []
        for number in reveal.numbers:
            self.pile = _sum(self.pile, _counts(number))
        if reveal.winner is not None and self.game.deck is Decks.FRESH:
            self._fresh()


def _counts(digits: tuple[int, ...]) -> Counts:
    return [digits.count(digit) for digit in range(KINDS)]


def _sum(one: Counts, other: Counts) -> Counts:
    return [a + b for a, b in zip(one, other, strict=True)]
