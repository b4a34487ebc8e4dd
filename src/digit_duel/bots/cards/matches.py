"""Games of cards that consist of independent rounds."""

from __future__ import annotations

from functools import cache

from digit_duel.core.game import Seat
from digit_duel.core.variant import AnyVariant
from digit_duel.games._cards import Cards, Decks


def has_separate_rounds(variant: AnyVariant) -> bool:
    """Whether a game consists of independent rounds."""
    return isinstance(variant.game, Cards) and variant.game.deck is Decks.FRESH


def one_round(variant: AnyVariant) -> AnyVariant:
    """The same rule set, with games of one round."""
    return variant.customised({"wins_needed": "1"})


def game_worth(variant: AnyVariant, chances: tuple[float, float]) -> tuple[float, float, float]:
    """The first seat's chance to win a game, and how many rounds each seat starts on average.

    `chances` are the first seat's chances to win a round that the first, or the second, seat starts.
    """
    game = variant.game_as(Cards)

    @cache
    def after(first: int, second: int, starter: Seat) -> tuple[float, float, float]:
        if game.wins_needed in (first, second):
            return float(first == game.wins_needed), 0.0, 0.0
        chance = chances[starter]
        won = after(first + 1, second, game.next_starter.after(starter, Seat.FIRST))
        lost = after(first, second + 1, game.next_starter.after(starter, Seat.SECOND))
        points, firsts, seconds = (chance * w + (1 - chance) * lo for w, lo in zip(won, lost, strict=True))
        return points, firsts + (starter is Seat.FIRST), seconds + (starter is Seat.SECOND)

    return after(0, 0, Seat.FIRST)
