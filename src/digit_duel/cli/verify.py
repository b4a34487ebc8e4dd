"""digit-duel verify: check from a record that a server dealt fairly."""

from __future__ import annotations

from digit_duel.cli.errors import Problem
from digit_duel.cli.records.find_games import open_record
from digit_duel.web.play.fair_deals.verify import SEAL, NotProven, verify


def verify_record(file: str, at: int, seal: str | None) -> str:
    """What a record proves; raises Problem if it does not prove a fair deal."""
    variant, record = open_record(file, at)
    try:
        told = verify(record, variant).sentences
    except NotProven as why:
        raise Problem(f"not proven: {why}") from why
    if seal is None:
        told.append("Compare this seal with the one that you saw before the game, or add --seal.")
    elif seal.strip().lower() != record.headers[SEAL]:
        raise Problem("not proven: this is not the seal that you saw before the game.")
    else:
        told.append("It is the seal that you saw before the game.")
    return "\n".join(told)
