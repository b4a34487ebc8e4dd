"""Every test of the contract runs against both databases."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture(params=["sqlite", "postgres"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database."""
    if request.param == "sqlite":
        return str(tmp_path / "duel.sqlite3")
    new_database: Callable[[], str] = request.getfixturevalue("new_database")
    return new_database()
