"""A server and a private PostgreSQL for a process, and two people for a module."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import psycopg
import pytest
from tests.web.client import People, pair, seated
from tests.web.postgres import Postgres
from tests.web.server import Server, running_server


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server for all tests of one process; a module that needs another has its own."""
    with running_server(tmp_path_factory.mktemp("server")) as running:
        yield running


@pytest.fixture(scope="module")
def people(server: Server) -> Iterator[People]:
    """Two people with sessions at the module's server."""
    anna, ben = pair(server.url)
    with anna, ben:
        yield anna, ben


@pytest.fixture(scope="module")
def game(people: People) -> str:
    """A game of classic in which it is Anna's turn from beginning to end."""
    return seated(*people, "classic")


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
