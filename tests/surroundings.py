"""The environment of a command under test."""

from __future__ import annotations

import os
from pathlib import Path

_KEPT = ("PATH", "PYTHONPATH", "SYSTEMROOT", "COVERAGE_PROCESS_START", "COVERAGE_FILE")


def environment(home: Path, **more: str) -> dict[str, str]:
    """A bare environment with its own folder for saves."""
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    return {
        **kept, "HOME": str(home), "DIGIT_DUEL_HOME": str(home), "LC_ALL": "C.UTF-8", "TERM": "xterm", **more
    }  # fmt: skip
