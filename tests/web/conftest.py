"""One private PostgreSQL server a test process, and an empty database a test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count

import psycopg
import pytest
from tests.web.postgres import Postgres


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A server for all tests of one process; nobody may stop it."""
    server = Postgres()
    yield server
    server.remove()


@pytest.fixture(scope="session")
def new_database(postgres: Postgres) -> Callable[[], str]:
    """Makes an empty database, and tells its address."""
    numbers = count(1)

    def make() -> str:
        name = f"duel{next(numbers)}"
        with psycopg.connect(postgres.url(), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return postgres.url(name)

    return make
