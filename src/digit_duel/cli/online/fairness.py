"""Check after a game that the server dealt what it had sealed before."""

from __future__ import annotations

from dataclasses import dataclass

from digit_duel.cli.errors import Problem
from digit_duel.core.game import Seat
from digit_duel.core.record import BadRecord, Record, read_record
from digit_duel.core.variant import AnyVariant
from digit_duel.web.play.verify import SEAL, SEATS, NotProven, verify


@dataclass(frozen=True, slots=True)
class Commitment:
    """What was fixed before the game: the server's seal, and this player's part in the deal."""

    seal: str
    seed: str | None  # None in a game that we returned to


def check_record(text: str, variant: AnyVariant, seat: Seat, commitment: Commitment) -> tuple[Record, bool]:
    """The record of a fair game, and whether anything was hidden in it; Problem if it is not fair."""
    try:
        record = read_record(text)
        proved = verify(record, variant)
        if record.headers[SEAL] != commitment.seal:
            raise NotProven("the seal is not the one that you saw before the game.")
        if commitment.seed is not None and record.headers[SEATS[seat]] != commitment.seed:
            raise NotProven("the server replaced your part in the deal.")
    except (BadRecord, NotProven) as wrong:
        raise Problem(f"the server cannot prove that this game was fair: {wrong}") from wrong
    return record, bool(proved.draws or proved.secrets)
