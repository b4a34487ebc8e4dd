"""Failures of the database as refusals that every client knows."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from digit_duel.web.replies import Code, Refusal, busy
from digit_duel.web.store import DamagedDatabase, Unavailable


@contextmanager
def store_refusals() -> Iterator[None]:
    """Raise Refusal where the block raises an error of the store."""
    try:
        yield
    except Unavailable:
        raise busy() from None
    except DamagedDatabase:
        raise Refusal(Code.BUSY_RETRY, "The database is damaged; the operator must see to it.") from None
