"""What one request can cost is bounded, whatever the history of its game: E1, E7."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from time import monotonic
from typing import Any

import pytest
from tests.web.server import Server, running_server
from tests.web.strangers.plain import Said, Stranger
from tests.web.strangers.sockets import Socket

TAKEBACKS = 50  # a game allows
NEWS = 100  # a view holds
LARGEST = 40_000  # bytes of a view
LARGEST_PAST = 120_000  # bytes of a page of positions


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running_server(tmp_path_factory.mktemp("costs")) as found:
        yield found


def on_one_device(stranger: Stranger, variant: str) -> str:
    """A game with both seats."""
    wish = {"variant": variant, "opponent": "same_device", "name": "Ada", "second_name": "Bob"}
    said = stranger.ask("POST", "/api/games", wish)
    assert said.status == 201
    return str(said.body["game"])


def to_and_fro(stranger: Stranger, game: str) -> tuple[int, Said]:
    """Move and take back until the server refuses; the last version, and the refusal."""
    view: dict[str, Any] = stranger.ask("GET", f"/api/games/{game}").body
    version, seat, move = view["version"], view["seat"], view["moves"][0]
    while True:
        assert stranger.command(game, version, "move", move=move, seat=seat).status == 200
        said = stranger.command(game, version + 1, "takeback", seat=seat)
        if said.status != 200:
            return version + 1, said
        version += 2


@pytest.mark.parametrize("variant", ["classic", "reverse", "battle", "sabotage"])
def test_take_backs_are_capped_and_views_and_pasts_bounded(server: Server, variant: str) -> None:
    with Stranger(server.url) as stranger, Stranger(server.url) as nobody:
        stranger.begin()
        game = on_one_device(stranger, variant)
        version, said = to_and_fro(stranger, game)
        assert (said.status, said.body["code"]) == (409, "illegal_move")
        assert f"{TAKEBACKS} take-backs" in said.body["message"]
        assert version == 3 + 2 * TAKEBACKS + 1
        view = nobody.ask("GET", f"/api/games/{game}")
        assert len(view.body["news"]) == NEWS
        assert view.body["skipped"] == version - NEWS
        assert view.size < LARGEST
        assert nobody.ask("GET", f"/api/games/{game}/past").size < LARGEST_PAST
        first = nobody.ask("GET", f"/api/games/{game}/news").body["news"]
        assert [item["version"] for item in first] == list(range(1, NEWS + 1))
        rest = nobody.ask("GET", f"/api/games/{game}/news?after={NEWS}").body["news"]
        assert [item["version"] for item in rest] == list(range(NEWS + 1, version + 1))


def test_refusals_come_late_and_the_address_of_others_is_not_charged(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = tmp_path_factory.mktemp("late")
    with running_server(folder, asks_per_second=20.0, refusal_delay=0.5) as server:

        def ask(number: int) -> list[int]:
            with Stranger(server.url, "127.0.0.2") as flooder:
                return [flooder.ask("GET", "/api/catalogue").status for _ in range(20)]

        began = monotonic()
        with ThreadPoolExecutor(10) as pool:
            answers = [status for found in pool.map(ask, range(10)) for status in found]
        lasted = monotonic() - began
        assert answers.count(200) <= 20 * (5 + lasted) + 1
        assert answers.count(429) >= 20
        with Stranger(server.url) as other:
            assert other.ask("GET", "/api/catalogue").status == 200


def test_views_to_the_sockets_of_one_address_come_at_a_bounded_rate(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = tmp_path_factory.mktemp("views")
    with running_server(folder, views_per_second=10.0) as server, Stranger(server.url) as stranger:
        stranger.begin()
        game = on_one_device(stranger, "classic")
        watching = [Socket(server.url, game, stranger.token, "127.0.0.3") for _ in range(10)]
        began = monotonic()
        to_and_fro(stranger, game)
        lasted = monotonic() - began
        seen = sum(views_that_come(each) for each in watching)
        # Ten sockets and a hundred events would be a thousand views.
        assert seen <= 10 * (5 + lasted + 5) + 20


@pytest.mark.parametrize("asked", ["events", "analysis"])
def test_a_game_that_must_be_read_from_its_log_is_charged_on_every_way(
    tmp_path_factory: pytest.TempPathFactory, asked: str
) -> None:
    """The server keeps one game in memory, so each other one takes six units for its 103 events."""
    folder = tmp_path_factory.mktemp("logs")
    with running_server(folder) as server, Stranger(server.url) as stranger:
        token = stranger.begin().token
        games = [on_one_device(stranger, "classic") for _ in range(2)]
        for game in games:
            to_and_fro(stranger, game)
    with running_server(folder, most_tables=1, asks_per_second=10.0) as server:
        began = monotonic()
        statuses = [
            refused_stream(server.url, game) if asked == "events" else analyse(server.url, token)
            for _ in range(15)
            for game in games
        ]
        units = 50 + 10 * (monotonic() - began)
        answered = len(statuses) - statuses.count(429)
        # A stream costs four units besides its game; an analysis three, besides all of the caller's games.
        assert 2 <= answered <= units / (9 if asked == "events" else 14) + 2


def refused_stream(url: str, game: str) -> int:
    """The status of a stranger's stream from a seat: a stream that began would keep the game in memory."""
    with Stranger(url) as stranger:
        return stranger.ask("GET", f"/api/games/{game}/events?seat=0").status


def analyse(url: str, token: str | None) -> int:
    """The status of an analysis of the first position."""
    with Stranger(url) as stranger:
        stranger.token = token
        return stranger.ask("POST", "/api/analysis", {"variant": "classic"}).status


def views_that_come(socket: Socket) -> int:
    """How many views are sent before it is quiet."""
    socket.line.settimeout(0.5)
    for number in count():
        try:
            socket.hear()
        except (TimeoutError, EOFError):  # a busy server may have given up a socket that answers no ping
            socket.line.close()
            return number
    raise AssertionError
