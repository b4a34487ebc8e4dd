"""A home folder in memory, for tests that save much; a conftest.py imports the fixtures."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest


@pytest.fixture
def tmp_path() -> Iterator[Path]:
    """A folder in memory where there is such a place: every move is synced, and disks are slow."""
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with TemporaryDirectory(dir=memory) as folder:
        yield Path(folder)


@pytest.fixture(autouse=True)
def saves_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every test that imports this save there."""
    monkeypatch.setenv("DIGIT_DUEL_HOME", str(tmp_path))
