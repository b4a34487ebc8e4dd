"""Reports on the database for the operator: failures by reason, and slow commits."""

from __future__ import annotations

from digit_duel.web.logs import log
from digit_duel.web.metrics import BATCH_SIZE, COMMIT_SECONDS, STORE_ERRORS
from digit_duel.web.store import DamagedDatabase, Unavailable

_SLOW = 1.0  # seconds that a commit may take before it is logged


def report(wrong: Unavailable | DamagedDatabase) -> None:
    """Count and log a failure without its message, which may quote rows or addresses."""
    reason = wrong.reason if isinstance(wrong, Unavailable) else "damaged"
    STORE_ERRORS.labels(reason).inc()
    log.error("store_error", reason=reason)


def count_commit(requests: int, seconds: float) -> None:
    """Count a transaction, and log one that took long."""
    COMMIT_SECONDS.observe(seconds)
    BATCH_SIZE.observe(requests)
    if seconds > _SLOW:
        log.warning("slow_commit", seconds=round(seconds, 3), writes=requests)
