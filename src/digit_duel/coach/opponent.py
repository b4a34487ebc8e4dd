"""The opponent that advice is for: a person who errs now and then, or the computer at some level."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from digit_duel.core.game import Seat
from digit_duel.core.record import level_of
from digit_duel.solve.cards.player_model import ERRS


@dataclass(frozen=True, slots=True)
class Opponent:
    """What advice needs to know about the opponent."""

    level: str = ""  # of the computer; empty for a person
    errs: float = ERRS  # the share of a person's choices that are random, as if by tossing a coin


PERSON = Opponent()


def opponent_of(headers: Mapping[str, str], seat: Seat, errs: float = PERSON.errs) -> Opponent:
    """The opponent of a seat, from the headers of a record."""
    return Opponent(level_of(headers, seat.other) or "", errs)
