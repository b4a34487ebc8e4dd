"""Counts refusals, and logs them at a limited rate: a flood must not fill the operator's disk."""

from __future__ import annotations

from collections import Counter
from time import monotonic

from digit_duel.web.logs import log
from digit_duel.web.metrics import LIMITS_REACHED

_INTERVAL = 60.0  # seconds between two log lines with the same reason
_logged: dict[str, float] = {}  # when each reason was last logged
_since: Counter[str] = Counter()  # refusals since the last log line


def count_refusal(reason: str) -> None:
    """Count a refusal; at most once a minute, log the number since the last line."""
    LIMITS_REACHED.labels(reason).inc()
    _since[reason] += 1
    now = monotonic()
    if now - _logged.get(reason, -_INTERVAL) >= _INTERVAL:
        _logged[reason] = now
        log.warning("refused", reason=reason, count=_since.pop(reason))
