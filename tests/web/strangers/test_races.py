"""Races: the same request many times at once, and a session that ends while it is used: A2, B5."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from tests.web.postgres import Postgres
from tests.web.server import Server, running_server
from tests.web.strangers.plain import Said, Stranger

AT_ONCE = 6
ROUNDS = 15


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running_server(tmp_path_factory.mktemp("races")) as found:
        yield found


def together(tasks: Sequence[Callable[[], Said]]) -> list[Said]:
    """What came of tasks that are started at the same moment."""
    barrier = Barrier(len(tasks))

    def run(task: Callable[[], Said]) -> Said:
        barrier.wait()
        return task()

    with ThreadPoolExecutor(len(tasks)) as pool:
        return list(pool.map(run, tasks))


def same_person(server: Server, token: str | None, number: int) -> list[Stranger]:
    """Several connections of one person."""
    lines = [Stranger(server.url) for _ in range(number)]
    for line in lines:
        line.token = token
    return lines


@pytest.mark.parametrize("opponent", ["computer", "same_device", "friend"])
def test_the_same_request_many_times_at_once_opens_one_game(server: Server, opponent: str) -> None:
    for _ in range(ROUNDS):
        with Stranger(server.url).begin() as ada:
            wish = {
                "variant": "classic", "opponent": opponent, "name": "Ada",
                "game": ada.ask("GET", "/api/me").body["deal"]["game"],
            }  # fmt: skip
            lines = same_person(server, ada.token, AT_ONCE)
            found = together([partial(line.ask, "POST", "/api/games", wish) for line in lines])
            assert Counter(said.status for said in found) == {201: AT_ONCE}, [said.body for said in found]
            assert len(ada.ask("GET", "/api/me").body["games"]) == 1
            for line in lines:
                line.close()


def test_a_session_that_ends_while_it_is_used_is_refused(server: Server) -> None:
    seen: Counter[int] = Counter()
    for _ in range(2 * ROUNDS):
        with Stranger(server.url).begin() as ada:
            lines = same_person(server, ada.token, 4)
            wish = {"variant": "classic", "opponent": "computer", "name": "Ada"}
            asks = [partial(line.ask, "POST", "/api/games", wish) for line in lines[:3]]
            said = together([*asks, partial(lines[3].ask, "DELETE", "/api/sessions")])
            seen.update(each.status for each in said)
            for line in lines:
                line.close()
    assert set(seen) <= {200, 201, 403}


def codes_are_worth_nothing(server: Server, other: Server) -> None:
    """Codes that are requested at one server while their person leaves at another, again and again."""
    for _ in range(ROUNDS):
        with Stranger(other.url).begin() as ada, Stranger(server.url) as thief:
            lines = same_person(server, ada.token, 3)
            for line in lines:
                assert line.ask("GET", "/api/me/sessions").status == 200  # the connection is open
            asks = [partial(line.ask, "POST", "/api/me/codes") for line in lines]
            *said, left = together([*asks, partial(ada.ask, "DELETE", "/api/me/sessions")])
            assert left.status == 200
            assert {each.status for each in said} <= {200, 403}
            for code in [each.body["code"] for each in said if each.status == 200]:
                assert thief.ask("POST", "/api/sessions/resume", {"code": code}).status == 403
            for line in lines:
                line.close()


def test_a_code_that_is_made_while_its_person_leaves_is_worth_nothing(server: Server) -> None:
    codes_are_worth_nothing(server, server)


def test_nor_is_one_that_another_server_makes_meanwhile(tmp_path: Path, postgres: Postgres) -> None:
    shared: dict[str, Any] = {"database": postgres.create_database(), "key_file": str(tmp_path / "key")}
    with running_server(tmp_path, **shared) as one, running_server(tmp_path, **shared) as other:
        codes_are_worth_nothing(one, other)
