"""Check after a game that the server dealt what it had sealed before the game."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from digit_duel.cli.errors import Problem
from digit_duel.cli.online.connection import Connection
from digit_duel.cli.online.view import GameView
from digit_duel.cli.records.autosave import add_record
from digit_duel.core.game import Seat
from digit_duel.core.record import BadRecord, Record, read_record
from digit_duel.core.variant import AnyVariant
from digit_duel.web.play.fair_deals.verify import SEAL, SEATS, NotProven, verify


@dataclass(frozen=True, slots=True)
class Commitment:
    """What was fixed before the game: the server's seal, and this player's part in the deal."""

    seal: str
    seed: str | None  # None in a game that we returned to


@dataclass(frozen=True, slots=True)
class Checked:
    """A game that was fair."""

    record: Record
    hidden: bool  # whether anything was hidden in it, so that the check is worth telling
    sentence: str = "Checked: all cards and secrets are what the server sealed before the game."


def checked_record(
    connection: Connection,
    variant: AnyVariant,
    view: GameView,
    commitment: Commitment,
    record_file: Path | None,
) -> Checked | None:
    """Check that a game was fair, and add its record to the player's file; None if it never began."""
    if not view.news and view.scene is None:
        return None  # cancelled before it began
    assert view.seat is not None
    text = connection.ask("GET", f"/api/games/{view.game}/record").text
    record, hidden = check_record(text, variant, view.seat, commitment)
    if record_file is not None:
        add_record(record_file, record)
    return Checked(record, hidden)


def check_record(text: str, variant: AnyVariant, seat: Seat, commitment: Commitment) -> tuple[Record, bool]:
    """The record of a fair game, and whether anything was hidden in it; raises Problem if it is not fair."""
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
