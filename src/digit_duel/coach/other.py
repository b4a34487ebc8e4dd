"""Who sits opposite: a person who errs now and then, or a computer of some level."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from digit_duel.core.game import Seat
from digit_duel.core.record import level_of


@dataclass(frozen=True, slots=True)
class Other:
    """The other player, as far as advice depends on them."""

    level: str = ""  # of the computer; empty for a person
    errs: float = 0.1  # the share of a person's choices that are errors or luck: tosses of a coin


PERSON = Other()


def opposite(headers: Mapping[str, str], seat: Seat, errs: float = PERSON.errs) -> Other:
    """Who sits opposite a seat, by the headers of a record."""
    return Other(level_of(headers, seat.other) or "", errs)
