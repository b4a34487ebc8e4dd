"""One private PostgreSQL server a test process, and empty databases on it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

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
def _empty_databases() -> list[str]:
    return []  # making one takes longer than many a test


@pytest.fixture
def new_database(postgres: Postgres, _empty_databases: list[str]) -> Iterator[Callable[[], str]]:
    """Gives the address of an empty database, another one each time it is called."""
    given: list[str] = []

    def give() -> str:
        address = _empty_databases.pop() if _empty_databases else postgres.create_database()
        given.append(address)
        return address

    yield give
    for address in given:
        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute("SET lock_timeout TO 5000; DROP SCHEMA IF EXISTS digit_duel CASCADE")
        _empty_databases.append(address)
