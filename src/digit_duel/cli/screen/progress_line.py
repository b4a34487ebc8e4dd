"""The progress of long work, as a line on standard error."""

from __future__ import annotations

import sys
import time
from shutil import get_terminal_size

_SHORT = 0.5  # seconds of work that need no progress line
_PAUSE = 0.1  # seconds between two updates
_LONGEST = 75  # columns


class ProgressLine:
    """A context that shows how far the work in it is, if standard error is a terminal, and then clears it."""

    def __init__(self) -> None:
        self._shown = 0.0
        self._used = False
        self._begin = time.monotonic()

    def __enter__(self) -> ProgressLine:
        return self

    def __call__(self, done: int, total: int | None = None, unit: str = "states") -> None:
        """Show how much is done."""
        now = time.monotonic()
        if sys.stderr.isatty() and now - self._begin > _SHORT and now - self._shown > _PAUSE:
            self._shown, self._used = now, True
            share = f" of {total:,} ({done / total:.0%})" if total else ""
            self._write(f"{done:,}{share} {unit} ... Ctrl-C stops")

    def __exit__(self, *error: object) -> None:
        if self._used:
            self._write("", end="\r")

    def _write(self, text: str, end: str = "") -> None:
        room = min(_LONGEST, get_terminal_size().columns - 1)
        sys.stderr.write(f"\r{text[:room]:{room}}{end}")  # blanks replace the rest of the line before it
        sys.stderr.flush()
