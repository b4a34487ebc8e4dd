"""Refusals as HTTP responses."""

from __future__ import annotations

import msgspec
from starlette.responses import Response

from digit_duel.web.http.endpoints.answers import RefusalAnswer
from digit_duel.web.metrics import REFUSALS
from digit_duel.web.replies import Code, Refusal


def refused(refusal: Refusal) -> Response:
    """Turn a refusal into a response, and count it."""
    REFUSALS.labels(refusal.code.value).inc()
    headers = {}
    if refusal.code in (Code.RATE_LIMITED, Code.BUSY_RETRY):
        headers["Retry-After"] = str(refusal.retry or 1)
    content = msgspec.json.encode(RefusalAnswer.of(refusal))
    return Response(content, refusal.code.status, headers, "application/json")
