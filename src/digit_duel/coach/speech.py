"""Wording for a reader: the coach addresses one player as "you" and calls the others by name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from digit_duel.core.game import Seat
from digit_duel.core.script import Names


@dataclass(frozen=True, slots=True)
class Speech:
    """The names of the players, and the seat that is addressed as "you", if any."""

    names: Names
    to: Seat | None = None

    def who(self, seat: Seat) -> str:
        """The seat as a subject or object."""
        return "you" if seat is self.to else self.names[seat]

    def whose(self, seat: Seat) -> str:
        """The seat as a possessive: "your" or "Ann's"."""
        return "your" if seat is self.to else f"{self.names[seat]}'s"

    def own(self, seat: Seat) -> str:
        """The seat as a possessive without a noun: "yours" or "Ann's"."""
        return "yours" if seat is self.to else f"{self.names[seat]}'s"

    def does(self, seat: Seat, verb: str) -> str:
        """The seat with a regular verb, or with "has" or "is": "you win", "Ann wins"."""
        if seat is self.to:
            return f"you {_PLAIN.get(verb, verb)}"
        return f"{self.names[seat]} {verb if verb in _PLAIN else _third(verb)}"


_PLAIN = {"has": "have", "is": "are"}


def _third(verb: str) -> str:
    return f"{verb}es" if verb.endswith(("s", "sh", "ch")) else f"{verb}s"


def sentence(text: str) -> str:
    """The text with a capital first letter."""
    return text[:1].upper() + text[1:]


def listed(words: Sequence[str], link: str = "and") -> str:
    """Words as a list in a sentence: "a, b and c"."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {link} {words[-1]}"


def more_moves(count: int) -> str:
    """A number of further moves, in words."""
    return "1 more move" if count == 1 else f"{count} more moves"


def chances(one: float, other: float) -> tuple[str, str]:
    """Two probabilities in whole percent, or with one decimal if they would look equal."""
    whole = whole_percent(one), whole_percent(other)
    return whole if whole[0] != whole[1] else (percent(one), percent(other))


def whole_percent(share: float) -> str:
    """A probability in whole percent; never 0% or 100% unless it is exactly that."""
    if 0 < share < 0.0095:  # not if it would be 1.0% with one decimal
        return "under 1%"
    return "over 99%" if 0.9905 < share < 1 else f"{100 * share:.0f}%"


def percent(share: float) -> str:
    """A probability with one decimal; never 0% or 100% unless it is exactly that."""
    if share in (0, 1):
        return f"{100 * share:.0f}%"
    if share < 0.0005:
        return "under 0.1%"
    return "over 99.9%" if share >= 0.9995 else f"{100 * share:.1f}%"
