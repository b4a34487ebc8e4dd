"""The picture of cards: both hands, the drawn card, the counts, and the hands that a round ended with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from digit_duel.core.game import Seat, put
from digit_duel.core.script import Cell, Count, Meter, Row, Scene, first_difference
from digit_duel.games._cards import Cards
from digit_duel.games._cards_table import Reveal, Sight
from digit_duel.games._digits import Digits, distinct


def number(digits: Digits) -> str:
    """A number with its leading zeros."""
    return "".join(map(str, digits))


def highest(hand: Sequence[int]) -> Digits:
    """The best order of a hand."""
    return tuple(sorted(hand, reverse=True))


def current_round(view: Sight) -> int:
    """The number of the current round; a replayed round keeps its number."""
    return 1 + sum(view.wins)


def revealed_round(reveal: Reveal, wins: tuple[int, int]) -> int:
    """The number of the round that a reveal ended, from the score after it."""
    return sum(wins) + (reveal.winner is None)


def missed(reveal: Reveal, seat: Seat) -> str:
    """What a seat's highest order would have achieved, if it changes who wins the round."""
    best = highest(reveal.numbers[seat])
    winner = Reveal(put(reveal.numbers, seat, best)).winner
    if winner is reveal.winner:
        return ""
    return f"could have made {number(best)} and {'tied' if winner is None else 'won the round'}"


def scene(game: Cards, view: Sight) -> Scene:
    """What one seat sees; after a round, its two numbers stay until the next card is drawn."""
    last = view.memory[-1] if view.memory and not view.waiting else None
    if isinstance(last, Reveal):
        return _reveal_scene(game, view, last)
    rows = tuple(_row(game, view, seat) for seat in Seat)
    drawn = Cell(view.drawn, hidden=view.drawn is None, label="drawn") if view.waiting else None
    facts = [f"{view.deck_size} in deck", f"{len(view.discards)} discarded"]
    if game.must_keep(view):
        facts.append("every card must be kept")
    elif game.facing_full_hand(view):
        facts.append("one hand is full: giving throws the card away")
    return Scene(
        (rows[0], rows[1]),
        heading=f"Round {current_round(view)}",
        drawn=drawn,
        facts=tuple(facts),
        counts=_counts(game, view),
        goal=_goal(game),
        leads=_leads(view),
        lead="more rounds so far",
    )


def _reveal_scene(game: Cards, view: Sight, reveal: Reveal) -> Scene:
    """The hands that a round ended with, face up."""
    rows = tuple(_revealed_row(game, view, reveal, seat) for seat in Seat)
    facts = ("equal numbers: the round is played again",) if reveal.winner is None else ()
    heading = f"Round {revealed_round(reveal, view.wins)}"
    return Scene(
        (rows[0], rows[1]),
        heading=heading,
        facts=facts,
        decided=first_difference(*reveal.numbers),
        goal=_goal(game),
        leads=_leads(view),
        lead="more rounds so far",
    )


def _goal(game: Cards) -> str:
    if game.wins_needed == 1:
        return "The higher number wins"
    return f"Higher number wins the round; first to {game.wins_needed} wins"


def _leads(view: Sight) -> Seat | None:
    first, second = view.wins
    return None if first == second else Seat.FIRST if first > second else Seat.SECOND


def _revealed_row(game: Cards, view: Sight, reveal: Reveal, seat: Seat) -> Row:
    note = "won the round" if reveal.winner is seat else missed(reveal, seat)
    return Row(tuple(Cell(digit) for digit in reveal.numbers[seat]), (_wins(game, view, seat),), note)


def _row(game: Cards, view: Sight, seat: Seat) -> Row:
    hand = view.hands[seat]
    cells = [Cell(digit, hidden=digit is None) for digit in hand]
    cells += [Cell()] * (game.hand_size - len(hand))
    note = "has laid out a number" if view.arranged[seat] else ""
    return Row(tuple(cells), (_wins(game, view, seat),), note)


def _wins(game: Cards, view: Sight, seat: Seat) -> Meter:
    return Meter("rounds won", view.wins[seat], game.wins_needed)


def _counts(game: Cards, view: Sight) -> tuple[Count, ...]:
    """How many copies of each digit have been discarded, and how many this seat cannot see."""
    copies, discarded = Counter(game.pool), Counter(view.discards)
    known = discarded + Counter(digit for hand in view.hands for digit in hand if digit is not None)
    if view.drawn is not None:
        known[view.drawn] += 1
    return tuple(
        Count(digit, discarded[digit], copies[digit] - known[digit], copies[digit])
        for digit in distinct(game.pool)
    )
