"""Disks without room."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path


def fill(disk: Path) -> Path:
    """Use up all space."""
    filler = disk / "filler"
    with open(filler, "ab", buffering=0) as file, suppress(OSError):
        while file.write(b"x" * 512):
            pass
    return filler
