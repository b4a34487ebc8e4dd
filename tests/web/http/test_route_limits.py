"""Every route is measured, limited and charged by what it costs, whichever it is: SAFETY E1."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from time import monotonic
from typing import Any

import httpx
from benchmarks.shared.asgi_client import Ask, send
from benchmarks.shared.route_requests import ASKS
from starlette.routing import BaseRoute
from tests.web.client import Client
from tests.web.leaks.outlets import routed
from tests.web.server import running_server

from digit_duel.web import app
from digit_duel.web.http.security import SecurityHeaders
from digit_duel.web.settings import Settings

UNIT = 16_384  # bytes of an answer that cost one unit
PLACES = ("{game}", "{variant}", "{session}", "{version}", "{file:path}", "{name}")


def all_routes(built: SecurityHeaders) -> set[tuple[str, str]]:
    """Method and path of all that the server answers; a HEAD is a GET without its body."""
    inner: Any = built._app
    routes: list[BaseRoute] = inner.routes
    return {(method, path) for method, path in routed(routes) if method != "HEAD"}


def test_every_route_has_a_measured_cost(tmp_path: Path) -> None:
    """Say in benchmarks/shared/route_requests.py what is asked at a new route, and measure it."""
    built = app.build(Settings(database=str(tmp_path / "server.sqlite3")))
    assert set(ASKS) == all_routes(built)


def test_every_route_is_refused_when_an_address_has_spent_its_credit(tmp_path: Path) -> None:
    rates = {"asks_per_second": 0.001, "probes_per_second": 0.001, "refusal_delay": 0.0}
    built = app.build(Settings(database=str(tmp_path / "server.sqlite3"), **rates))  # type: ignore[arg-type]

    async def answers() -> dict[tuple[str, str], int]:
        for nothing in ("/nothing", "/healthz"):  # each credit is one request
            await send(built, Ask("GET", nothing))
        found = {}
        for method, path in all_routes(built):
            for place in PLACES:
                path = path.replace(place, "x")
            assert "{" not in path, path
            found[method, path] = (await send(built, Ask(method, path))).status
        return found

    assert {asked: status for asked, status in asyncio.run(answers()).items() if status != 429} == {}


def test_ambiguous_requests_are_charged_too(tmp_path: Path) -> None:
    settings = Settings(database=str(tmp_path / "server.sqlite3"), asks_per_second=0.7, refusal_delay=0.0)
    built = app.build(settings)

    async def answers() -> list[int]:
        return [(await send(built, Ask("GET", "/", {"host": "a b"}))).status for _ in range(5)]

    assert asyncio.run(answers()) == [400, 400, 400, 429, 429]


def test_pages_scripts_and_documents_are_charged_by_their_size(tmp_path: Path) -> None:
    """The description of the API is some 60 kB: five units, of fifty."""
    with (
        running_server(tmp_path, asks_per_second=10.0) as server,
        httpx.Client(base_url=server.url, trust_env=False) as http,
    ):
        answers = [http.get("/api/openapi.json") for _ in range(30)]
        each = 1 + len(answers[0].content) / UNIT
        assert 4 < each < 8
        served = [answer.status_code for answer in answers].count(200)
        assert served <= (50 + 10 * sum(answer.elapsed.total_seconds() for answer in answers)) / each + 1


def test_thousands_of_headers_are_charged(tmp_path: Path) -> None:
    """3,000 of them cost seven units, of twenty."""
    settings = Settings(database=str(tmp_path / "server.sqlite3"), asks_per_second=4.0, refusal_delay=0.0)
    built = app.build(settings)
    many = Ask("GET", "/nothing", {f"h{number}": "" for number in range(3_000)})

    async def answers() -> list[int]:
        return [(await send(built, many)).status for _ in range(20)]

    began = monotonic()
    served = asyncio.run(answers()).count(404)
    assert 2 <= served <= (20 + 4 * (monotonic() - began)) / 7 + 1


def test_pictures_are_paid_for_before_they_are_drawn(tmp_path: Path) -> None:
    """However many are asked for at once: each takes 100 units, and there are 300."""
    with running_server(tmp_path, asks_per_second=60.0) as server, Client(server.url) as anna:
        games = [anna.open("classic", name=f"Anna {number}").game for number in range(12)]

        async def ask_at_once() -> list[int]:
            async with httpx.AsyncClient(base_url=server.url, trust_env=False, timeout=60) as http:
                await asyncio.sleep(5)  # the credit for opening the games comes back
                asked = (http.get(f"/api/games/{game}/picture") for game in games)
                return [answer.status_code for answer in await asyncio.gather(*asked)]

        began = monotonic()
        statuses = asyncio.run(ask_at_once())
        assert set(statuses) == {200, 429}
        assert 2 <= statuses.count(200) <= (300 + 60 * (monotonic() - began - 5)) / 100


def test_a_picture_that_was_drawn_before_costs_little(tmp_path: Path) -> None:
    with running_server(tmp_path, asks_per_second=60.0) as server, Client(server.url) as anna:
        game = anna.open("classic", name="Anna").game
        statuses = [anna.http.get(f"/api/games/{game}/picture").status_code for _ in range(8)]
        assert statuses == [200] * 8


def test_lists_of_a_person_with_thousands_of_games_and_sessions_are_short_and_quick(tmp_path: Path) -> None:
    with running_server(tmp_path) as server, Client(server.url) as anna:
        game = anna.open("classic", "computer", level="random", name="Anna").game
        assert anna.command(game, "resign").code == "ok"
        count = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) "
        with closing(sqlite3.connect(server.database)) as file, file:
            file.execute(
                f"{count} INSERT INTO results SELECT 'g' || i, person, ended + i, seat, variant, first_name, "
                "'Friend ' || i, NULL, 'rival' || i, result FROM results, n"
            )
            file.execute(
                f"{count} INSERT INTO sessions (token, person, started, seen, device) "
                "SELECT 't' || i, person, i, i, '' FROM (SELECT DISTINCT person FROM results), n"
            )
        began = server.processor_seconds
        counted = anna.ask("GET", "/api/me/statistics").body["against"]
        listed = anna.ask("GET", "/api/me/sessions").body["sessions"]
        assert server.processor_seconds - began < 2, "it was four, for which nobody else was served"
        assert [each["name"] for each in counted] == [f"Friend {number}" for number in range(5000, 4900, -1)]
        assert len(listed) == 50
        assert listed[0]["this"] is True
