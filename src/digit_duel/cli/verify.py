"""digit-duel verify: whether a game from a server was dealt as it had been sealed."""

from __future__ import annotations

from digit_duel.cli.errors import Problem
from digit_duel.cli.records.saved_games import open_record
from digit_duel.web.play.verify import SEAL, NotProven, verify


def verify_record(file: str, at: int, seal: str | None) -> str:
    """What a record proves, or Problem with what it does not."""
    variant, record = open_record(file, at)
    try:
        told = verify(record, variant).sentences
    except NotProven as why:
        raise Problem(f"not proven: {why}") from why
    if seal is None:
        told.append("Compare the seal with the one that you were shown before the game, or add --seal.")
    elif seal.strip().lower() != record.headers[SEAL]:
        raise Problem("not proven: this is not the seal that was shown before the game.")
    else:
        told.append("It is the seal that was shown before the game.")
    return "\n".join(told)
