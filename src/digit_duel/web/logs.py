"""Structured logging: one JSON object a line, without names, tokens, moves or addresses."""

from __future__ import annotations

import asyncio
import logging
import sys
import traceback
from typing import Any

import structlog

log: Any = structlog.wrap_logger(
    structlog.PrintLogger(sys.stderr),
    processors=[
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.EventRenamer("message"),
        structlog.processors.JSONRenderer(),
    ],
)


def complain(wrong: BaseException) -> None:
    """Log an exception by its type and place; its text and values could hold a secret."""
    # Walked and not extracted: that would read the source, for which there may be no memory any more.
    where = [f"{frame.f_code.co_name}:{line}" for frame, line in traceback.walk_tb(wrong.__traceback__)]
    log.error("unforeseen", kind=type(wrong).__name__, where=where[-8:])


def log_loop_error(loop: asyncio.AbstractEventLoop, context: dict[str, object]) -> None:
    """Handle an error that no task caught; the loop's own handler would print its text."""
    # A protocol that cannot make sense of a client's bytes ends that connection: nothing for the operator.
    if "protocol" not in context and isinstance(wrong := context.get("exception"), BaseException):
        complain(wrong)


def _ours(record: logging.LogRecord) -> bool:
    """Whether it is about us, and new: a stranger's crooked bytes are no news, and their log has no end."""
    return not str(record.msg).startswith(("Invalid ", "Unsupported ", "ASGI callable returned without "))


logging.getLogger("uvicorn.error").addFilter(_ours)
