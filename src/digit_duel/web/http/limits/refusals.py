"""Counts what is refused, and logs it at a bounded rate: a flood must not fill the operator's disk."""

from __future__ import annotations

from collections import Counter
from time import monotonic

from digit_duel.web.logs import log
from digit_duel.web.metrics import LIMITS_REACHED

_INTERVAL = 60.0  # seconds between two lines about the same reason
_logged: dict[str, float] = {}  # when a reason was logged last
_since: Counter[str] = Counter()  # refusals that no line has told of


def count_refusal(reason: str) -> None:
    """Count one refusal; the first of each minute is logged with the number since the line before."""
    LIMITS_REACHED.labels(reason).inc()
    _since[reason] += 1
    now = monotonic()
    if now - _logged.get(reason, -_INTERVAL) >= _INTERVAL:
        _logged[reason] = now
        log.warning("refused", reason=reason, count=_since.pop(reason))
