"""Who is spoken to: the coach says you to one person, and names to everybody else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from digit_duel.core.game import Seat
from digit_duel.core.script import Names


@dataclass(frozen=True, slots=True)
class Speech:
    """The names at the table, and the seat that is called you, if any."""

    names: Names
    to: Seat | None = None

    def who(self, seat: Seat) -> str:
        """The seat as a subject or object."""
        return "you" if seat is self.to else self.names[seat]

    def whose(self, seat: Seat) -> str:
        """The seat as an owner."""
        return "your" if seat is self.to else f"{self.names[seat]}'s"

    def own(self, seat: Seat) -> str:
        """What belongs to the seat, without naming it."""
        return "yours" if seat is self.to else f"{self.names[seat]}'s"

    def does(self, seat: Seat, verb: str) -> str:
        """The seat with a regular verb, or one of these: has, is."""
        if seat is self.to:
            return f"you {_PLAIN.get(verb, verb)}"
        return f"{self.names[seat]} {verb if verb in _PLAIN else _third(verb)}"


_PLAIN = {"has": "have", "is": "are"}


def _third(verb: str) -> str:
    return f"{verb}es" if verb.endswith(("s", "sh", "ch")) else f"{verb}s"


def sentence(text: str) -> str:
    """A text with a capital at the beginning."""
    return text[:1].upper() + text[1:]


def listed(words: Sequence[str], link: str = "and") -> str:
    """Words in a row: a, b and c."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {link} {words[-1]}"


def more_moves(count: int) -> str:
    """How many moves are still to be made."""
    return "1 more move" if count == 1 else f"{count} more moves"


def points(count: int) -> str:
    """Life points in words."""
    return f"{count} life point" if count == 1 else f"{count} life points"


def chances(one: float, other: float) -> tuple[str, str]:
    """Two probabilities in whole percent; with one decimal where they would read alike."""
    whole = whole_percent(one), whole_percent(other)
    return whole if whole[0] != whole[1] else (percent(one), percent(other))


def whole_percent(share: float) -> str:
    """A probability in whole percent, never rounded to a certainty that is none."""
    if 0 < share < 0.01:
        return "under 1%"
    return "over 99%" if 0.99 < share < 1 else f"{100 * share:.0f}%"


def percent(share: float) -> str:
    """A probability with one decimal, never rounded to a certainty that is none."""
    if share in (0, 1):
        return f"{100 * share:.0f}%"
    if share < 0.0005:
        return "under 0.1%"
    return "over 99.9%" if share >= 0.9995 else f"{100 * share:.1f}%"
