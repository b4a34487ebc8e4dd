"""Races: the same request many times at once, and a session that ends while it is used: A2, B5."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier

import pytest
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


def test_a_code_that_is_made_while_its_person_leaves_is_worth_nothing(server: Server) -> None:
    for _ in range(ROUNDS):
        with Stranger(server.url).begin() as ada, Stranger(server.url) as thief:
            lines = same_person(server, ada.token, 4)
            asks = [partial(line.ask, "POST", "/api/me/codes") for line in lines[:3]]
            said = together([*asks, partial(lines[3].ask, "DELETE", "/api/me/sessions")])
            assert said[3].status == 200
            for code in [each.body["code"] for each in said[:3] if each.status == 200]:
                assert thief.ask("POST", "/api/sessions/resume", {"code": code}).status == 403
            for line in lines:
                line.close()
