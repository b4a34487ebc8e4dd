"""The opponent that advice is for: a person who errs now and then, or the computer at some level."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from digit_duel.core.game import Seat
from digit_duel.core.record import level_of


@dataclass(frozen=True, slots=True)
class Other:
    """What advice needs to know about the opponent."""

    level: str = ""  # of the computer; empty for a person
    errs: float = 0.1  # the share of a person's choices that are random, as if by tossing a coin


PERSON = Other()


def opposite(headers: Mapping[str, str], seat: Seat, errs: float = PERSON.errs) -> Other:
    """The opponent of a seat, from the headers of a record."""
    return Other(level_of(headers, seat.other) or "", errs)
