"""Structured logging: one JSON object a line, without names, tokens, moves or addresses."""

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
_LINES = 10  # of one kind in a window; what a client can cause must not fill the disk
_MOST_KINDS = 500
_LONGEST = 300  # letters of a line that another library wrote
_Fields = MutableMapping[str, Any]


class _Bounded(logging.Filter):
    """Lets a few lines of each kind through in a minute, and says later how many were left out."""

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
        """Count a line that could not be written: there is nowhere to say so."""
        LOST_LOG_LINES.inc()


def _foreign(logger: object, name: str, fields: _Fields) -> _Fields:
    """Another library's line: its first line, and an exception by its type and place."""
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
    """Log an exception by its type and place; its text and values could hold a secret."""
    UNFORESEEN_ERRORS.inc()
    log.error("unforeseen", **_described(wrong))


def _described(wrong: BaseException) -> dict[str, object]:
    # Walked and not extracted: that would read the source, for which there may be no memory any more.
    where = [f"{frame.f_code.co_name}:{line}" for frame, line in traceback.walk_tb(wrong.__traceback__)]
    return {"kind": type(wrong).__name__, "where": where[-8:]}


def log_loop_error(loop: asyncio.AbstractEventLoop, context: dict[str, object]) -> None:
    """Handle an error that no task caught; the loop's own handler would print its text."""
    # A protocol that cannot make sense of a client's bytes ends that connection: nothing for the operator.
    if "protocol" not in context and isinstance(wrong := context.get("exception"), BaseException):
        log_unforeseen(wrong)


def log_everything() -> None:
    """Have this process write JSON alone: other libraries' lines, warnings, and what ends a thread or it."""
    root = logging.getLogger()
    root.addHandler(_HANDLER)
    root.setLevel(logging.WARNING)
    logging.captureWarnings(True)
    sys.excepthook = _uncaught
    threading.excepthook = lambda args: None if args.exc_value is None else log_unforeseen(args.exc_value)
    sys.unraisablehook = lambda args: None if args.exc_value is None else log_unforeseen(args.exc_value)


def _uncaught(kind: type[BaseException], wrong: BaseException, trace: TracebackType | None) -> None:
    log_unforeseen(wrong.with_traceback(trace))


def _ours(record: logging.LogRecord) -> bool:
    """Whether it is about us, and new: a stranger's crooked bytes are no news, and their log has no end."""
    return not str(record.msg).startswith(("Invalid ", "Unsupported ", "ASGI callable returned without "))


logging.getLogger("uvicorn.error").addFilter(_ours)
