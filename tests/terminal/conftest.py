"""A home folder in memory, and one server for all tests that play online."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.home_in_memory import saves_in_memory, tmp_path
from tests.web.server import Server, running_server

__all__ = ["saves_in_memory", "server", "tmp_path"]


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running_server(tmp_path_factory.mktemp("server"), claim_after=0.0) as found:
        yield found
