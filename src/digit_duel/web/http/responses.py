"""Refusals as HTTP responses."""

from __future__ import annotations

import msgspec
from starlette.responses import Response

from digit_duel.web.replies import Code, Refusal


def refused(refusal: Refusal) -> Response:
    """A refusal in HTTP."""
    headers = {}
    if refusal.code in (Code.RATE_LIMITED, Code.BUSY_RETRY):
        headers["Retry-After"] = str(refusal.more.get("retry", 1))
    return Response(msgspec.json.encode(refusal.reply()), refusal.code.status, headers, "application/json")
