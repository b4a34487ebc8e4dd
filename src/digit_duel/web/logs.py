"""Structured logging: one JSON object per line, without names, tokens, moves or addresses."""

from __future__ import annotations

import asyncio
import logging
import sys
import threading
import traceback
from collections.abc import MutableMapping
from time import monotonic
from types import TracebackType
from typing import Any

import structlog
from structlog.stdlib import ProcessorFormatter

from digit_duel.web.metrics import LOST_LOG_LINES, UNFORESEEN_ERRORS

_WINDOW = 60.0  # seconds
_LINES = 10  # of one kind in a window: clients can cause lines, and must not fill the disk
_MOST_KINDS = 500
_LONGEST = 300  # characters of another library's line
_Fields = MutableMapping[str, Any]


class _Bounded(logging.Filter):
    """Limits how many lines of each kind are written a minute, and reports how many were dropped."""

    def __init__(self) -> None:
        super().__init__()
        self._seen: dict[str, tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a line is written."""
        fields = record.msg if isinstance(record.msg, dict) else {"event": str(record.msg)}
        kind = f"{fields['event']} {fields.get('reason', '')} {fields.get('kind', '')}"
        now = monotonic()
        since, count = self._seen.get(kind, (now, 0))
        if now - since > _WINDOW:
            if count > _LINES:
                fields["left_out"] = count - _LINES
            since, count = now, 0
        if len(self._seen) > _MOST_KINDS:
            self._seen.clear()
        self._seen[kind] = since, count + 1
        return count < _LINES


class _Handler(logging.StreamHandler[Any]):
    """Writes to standard error; a full disk under the log must not stop the server."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802  # the name in logging
        """Count a line that could not be written; there is nowhere to report it."""
        LOST_LOG_LINES.inc()


def _foreign(logger: object, name: str, fields: _Fields) -> _Fields:
    """Shorten another library's message to its first line, and an exception to its type and place."""
    record: logging.LogRecord = fields["_record"]
    fields["event"] = str(fields["event"]).strip().partition("\n")[0][:_LONGEST]
    fields["logger"] = record.name
    wrong = record.exc_info[1] if record.exc_info else None
    record.exc_info = record.exc_text = None
    fields.pop("exc_info", None)
    if wrong is not None:
        fields.update(_described(wrong))
    return fields


_HANDLER = _Handler(sys.stderr)
_HANDLER.addFilter(_Bounded())
_HANDLER.setFormatter(
    ProcessorFormatter(
        foreign_pre_chain=[structlog.stdlib.add_log_level, _foreign],
        processors=[
            ProcessorFormatter.remove_processors_meta,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.EventRenamer("message"),
            structlog.processors.JSONRenderer(),
        ],
    )
)
_LOGGER = logging.getLogger("digit_duel.web")
_LOGGER.addHandler(_HANDLER)
_LOGGER.setLevel(logging.INFO)
_LOGGER.propagate = False

log: Any = structlog.wrap_logger(
    _LOGGER,
    processors=[structlog.stdlib.add_log_level, ProcessorFormatter.wrap_for_formatter],
    wrapper_class=structlog.stdlib.BoundLogger,
)


def log_unforeseen(wrong: BaseException) -> None:
    """Log an exception by its type and place, without its message, which could contain a secret."""
    UNFORESEEN_ERRORS.inc()
    log.error("unforeseen", **_described(wrong))


def _described(wrong: BaseException) -> dict[str, object]:
    # traceback.extract_tb would read the source files, which may fail when memory has run out.
    where = [f"{frame.f_code.co_name}:{line}" for frame, line in traceback.walk_tb(wrong.__traceback__)]
    return {"kind": type(wrong).__name__, "where": where[-8:]}


def log_loop_error(loop: asyncio.AbstractEventLoop, context: dict[str, object]) -> None:
    """Handle an error that no task caught; the loop's own handler would print its message."""
    # Malformed bytes from a client end its connection and do not concern the operator.
    if "protocol" not in context and isinstance(wrong := context.get("exception"), BaseException):
        log_unforeseen(wrong)


def log_everything() -> None:
    """Log everything as JSON: other libraries' lines, warnings, and uncaught exceptions in any thread."""
    root = logging.getLogger()
    root.addHandler(_HANDLER)
    root.setLevel(logging.WARNING)
    logging.captureWarnings(True)
    sys.excepthook = _uncaught
    threading.excepthook = lambda args: None if args.exc_value is None else log_unforeseen(args.exc_value)
    sys.unraisablehook = lambda args: None if args.exc_value is None else log_unforeseen(args.exc_value)


def _uncaught(kind: type[BaseException], wrong: BaseException, trace: TracebackType | None) -> None:
    log_unforeseen(wrong.with_traceback(trace))


def _concerns_operator(record: logging.LogRecord) -> bool:
    """Whether a uvicorn line matters: lines about malformed requests do not, and could go on forever."""
    return not str(record.msg).startswith(("Invalid ", "Unsupported ", "ASGI callable returned without "))


logging.getLogger("uvicorn.error").addFilter(_concerns_operator)
