"""Turns database failures into refusals that every client understands."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from digit_duel.web.replies import Code, Refusal, busy
from digit_duel.web.store import Conflict, DamagedDatabase, Revoked, Unavailable


@contextmanager
def store_refusals() -> Iterator[None]:
    """Turn the store's exceptions into Refusal."""
    try:
        yield
    except (Conflict, Unavailable):  # another transaction was faster, or the database does not answer
        raise busy() from None
    except Revoked:
        raise Refusal(Code.FORBIDDEN, "This session has ended.") from None
    except DamagedDatabase:
        raise Refusal(
            Code.BUSY_RETRY, "The database is damaged. Please tell the server's operator."
        ) from None
