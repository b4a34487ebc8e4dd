"""Running a server: stopping, failures, clocks, and what it reports to its operator (SAFETY E, F and G)."""

from __future__ import annotations

import asyncio
import os
import resource
import signal
import socket
import time
from base64 import b64encode
from collections.abc import AsyncIterator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, asynccontextmanager, suppress
from pathlib import Path
from threading import Semaphore
from typing import Any

import httpx
import pytest
from tests.web.checker import Acked, check, read_log
from tests.web.client import Client, Reply, bearer, pair, seated
from tests.web.raw import RawSocket, dial, request, status
from tests.web.server import GENEROUS, Server, running_server, until

from digit_duel.web import app
from digit_duel.web.http import sessions
from digit_duel.web.play import game_service, lobby
from digit_duel.web.play.connected import presence
from digit_duel.web.play.ended import retention
from digit_duel.web.settings import PROTOCOL, Settings

RESTART = 1012
TIMEOUT = 60.0
FROZEN = 3.0  # seconds
ROOM = 2 << 20  # bytes, for some dozens of games


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running_server(tmp_path_factory.mktemp("server"), heartbeat=1.0) as running:
        yield running


# Stopping


def hear_the_end(url: str, token: str | None, game: str, begun: Semaphore) -> list[str]:
    """All lines of a stream of events, until the server ends it in order."""
    with (
        Client(url, token) as person,
        person.http.stream("GET", f"/api/games/{game}/events") as stream,
    ):
        lines = stream.iter_lines()
        first = next(lines)
        begun.release()
        return [first, *lines]


def play_until_nobody_answers(people: Sequence[Client], name: str) -> list[Acked]:
    """Classic games one after the other; what was acknowledged."""
    acks: list[Acked] = []
    with suppress(httpx.TransportError):
        while True:
            game, version = seated(people[0], people[1], "classic"), 3
            while version < 9:
                person = people[version % 2 == 0]
                while not (view := person.look(game))["turn"]:
                    time.sleep(0.01)  # another server has not seen it yet
                move, id = view["moves"][0], f"{name}.{len(acks)}"
                reply = person.move(game, move, version=version, id=id)
                assert reply.code == "ok", reply.body
                version = reply.version
                acks.append(Acked(game, view["seat"], id, version, {"do": "move", "move": move}))
    return acks


def test_a_server_that_is_asked_to_stop_closes_its_sockets_properly(tmp_path: Path) -> None:
    """F8: sockets are closed with 1012, streams end, nothing acknowledged is lost, and it is no failure."""
    with ExitStack() as stack:
        server = stack.enter_context(running_server(tmp_path))
        anna, ben = map(stack.enter_context, pair(server.url))
        threads = stack.enter_context(ThreadPoolExecutor(5))
        game = seated(anna, ben, "classic")
        path = f"/api/games/{game}/socket"
        lines = [
            stack.enter_context(RawSocket(server.port, path, bearer(person))) for person in (anna, ben) * 3
        ]
        begun = Semaphore(0)
        streams = [threads.submit(hear_the_end, server.url, ben.token, game, begun) for _ in range(4)]
        others = [stack.enter_context(person) for person in pair(server.url)]
        playing = threads.submit(play_until_nobody_answers, others, "busy")
        for line in lines:
            line.hear("view")
        assert all(begun.acquire(timeout=TIMEOUT) for _ in streams)
        assert anna.move(game, "9a1", version=3, id="first").code == "ok"
        assert server.stop() == 0
        assert [line.end() for line in lines] == [RESTART] * 6
        assert all(stream.result(TIMEOUT)[0].startswith("id: ") for stream in streams)
        acks = [Acked(game, 0, "first", 4, {"do": "move", "move": "9a1"}), *playing.result(TIMEOUT)]
        check(read_log(server.database), acks)
        assert "unforeseen" not in server.log.read_text()


@asynccontextmanager
async def in_this_process(folder: Path, **more: Any) -> AsyncIterator[tuple[Any, httpx.AsyncClient]]:
    """A server without a process or a port: its services, and a client."""
    settings = Settings(database=str(folder / "server.sqlite3"), **{**GENEROUS, **more})
    found = app.build(settings)
    inner: Any = found._app
    transport = httpx.ASGITransport(found, client=("127.0.0.1", 1))
    async with (
        inner.router.lifespan_context(inner),
        httpx.AsyncClient(transport=transport, base_url="http://localhost") as client,
    ):
        yield inner.state.services, client


def test_readiness_ends_before_the_server_does(tmp_path: Path) -> None:
    """F8: load balancers notice first; /healthz still says that the process lives."""

    async def ask() -> None:
        async with in_this_process(tmp_path) as (services, client):
            assert (await client.get("/readyz")).text == "ready\n"
            services.game_service.subscriptions.close()
            answer = await client.get("/readyz")
            assert (answer.status_code, answer.text) == (503, "stopping\n")
            assert (await client.get("/healthz")).status_code == 200

    asyncio.run(ask())


# Bearing


def test_without_file_descriptors_new_sockets_are_refused_and_old_ones_go_on(tmp_path: Path) -> None:
    """E8: as many as `ulimit -n` allows; when some have gone, others may come."""
    with running_server(tmp_path) as server, ExitStack() as stack:
        anna, ben = map(stack.enter_context, pair(server.url))
        game = seated(anna, ben, "classic")
        path = f"/api/games/{game}/socket"
        line = stack.enter_context(RawSocket(server.port, path, bearer(ben)))
        assert line.hear("view")["view"]["version"] == 3
        used = len(os.listdir(f"/proc/{server.process.pid}/fd"))
        resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE, (used + 20, used + 20))
        crowd = [stack.enter_context(dial(server.port, TIMEOUT)) for _ in range(60)]
        taken = [each for each in crowd if asks_for_a_socket(each, path, ben)]
        assert 5 <= len(taken) <= 20
        assert anna.move(game, "9a1", version=3).code == "ok"
        while line.hear("view")["view"]["version"] < 4:
            pass
        for each in crowd:
            each.close()
        until(lambda: answers(server))
        assert ben.move(game, "8b1", version=4).code == "ok"


def asks_for_a_socket(line: socket.socket, path: str, person: Client) -> bool:
    """Whether a connection becomes a socket; if not it is closed, for to hang is no refusal: TimeoutError."""
    wanted = [
        ("Upgrade", "websocket"), ("Connection", "Upgrade"), ("Sec-WebSocket-Version", "13"),
        ("Sec-WebSocket-Key", b64encode(bytes(16)).decode()), *bearer(person),
    ]  # fmt: skip
    with suppress(ConnectionError):
        line.sendall(request("GET", path, wanted))
        found = status(line.recv(4096))
        assert found in (101, 503, 0)
        return found == 101
    return False


def answers(server: Server) -> bool:
    """Whether a new client gets an answer."""
    try:
        return httpx.get(f"{server.url}/readyz", trust_env=False, timeout=5).status_code == 200
    except httpx.TransportError:
        return False


def test_a_server_that_was_frozen_continues_and_repeats_nothing(tmp_path: Path) -> None:
    """F9: stopped for six heartbeats; what was sent is done once, no clock jumps, and people resync."""
    with ExitStack() as stack:
        server = stack.enter_context(running_server(tmp_path, heartbeat=FROZEN / 6, claim_after=FROZEN / 2))
        anna, ben = map(stack.enter_context, pair(server.url))
        threads = stack.enter_context(ThreadPoolExecutor(4))
        left, game = seated(anna, ben, "classic"), seated(anna, ben, "classic")
        for person in (anna, ben):
            assert person.command(game, "clock", minutes=5).code == "ok"
        line = stack.enter_context(RawSocket(server.port, f"/api/games/{game}/socket", bearer(ben)))
        assert line.hear("view")["view"]["version"] == 5
        move = {"id": "m", "version": 5, "do": "move", "move": "9a1"}
        os.kill(server.process.pid, signal.SIGSTOP)
        try:
            moves = [threads.submit(want_once, anna, game, move) for _ in range(2)]
            claims = [
                threads.submit(want_once, ben, left, {"id": id, "version": 3, "do": "claim"}) for id in "ab"
            ]
            time.sleep(FROZEN)
            assert not any(each.done() for each in (*moves, *claims))
        finally:
            os.kill(server.process.pid, signal.SIGCONT)
        assert sorted(each.result(TIMEOUT).code for each in moves) == ["ok", "ok_repeat"]
        assert sorted(each.result(TIMEOUT).code for each in claims) == ["game_over", "ok"]
        log = read_log(server.database)
        assert [event.body["kind"] for event in log[left]] == ["open", "sit", "sit", "claim"]
        assert [event.body["kind"] for event in log[game]] == ["open", "sit", "sit", "offer", "clock", "move"]
        line.end()  # it has not answered a ping for so long
        again = stack.enter_context(RawSocket(server.port, f"/api/games/{game}/socket?after=5", bearer(ben)))
        view = again.hear("view")["view"]
        assert [(news["version"], news["move"]) for news in view["news"]] == [(6, "9a1")]
        assert all(270_000 < left <= 300_000 for left in view["clock"]["left"])
        assert ben.move(game, "8b1", version=6).code == "ok"


def test_a_clock_runs_on_over_a_restart_but_not_while_nothing_is_served(tmp_path: Path) -> None:
    """F9: the time before the restart counts, the outage does not."""
    with running_server(tmp_path) as server:
        anna, ben = pair(server.url)
        with anna, ben:
            game = seated(anna, ben, "classic")
            for person in (anna, ben):
                assert person.command(game, "clock", minutes=5).code == "ok"
            began = time.monotonic()
            assert anna.move(game, "9a1").code == "ok"
            time.sleep(2)
            token = anna.token
        server.stop()
        served = time.monotonic() - began
    time.sleep(4)
    began = time.monotonic()
    with running_server(tmp_path) as server, Client(server.url, token) as anna:
        clock = anna.look(game)["clock"]
        served += time.monotonic() - began
        assert clock["running"] == 1
        left = clock["left"][1]
        assert 300_000 - 1000 * served <= left <= 298_000, "two seconds of Ben's time are gone, and not six"


@pytest.mark.slow
def test_acknowledged_moves_survive_running_out_of_memory(tmp_path: Path) -> None:
    """E9: a limit on memory is met while games are opened and played; the server is started again."""
    acks: list[Acked] = []
    told: list[str] = []

    def play() -> None:
        game = seated(anna, ben, "cards")
        told.append(game)
        reply = anna.move(game, "k", version=3, id="first")
        assert reply.code == "ok", reply.body
        acks.append(Acked(game, 0, "first", reply.body["applied"], {"do": "move", "move": "k"}))

    def play_for(seconds: float) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            play()

    with running_server(tmp_path) as server, ExitStack() as stack:
        anna, ben = map(stack.enter_context, pair(server.url))
        play()  # the threads and modules of a first game take their memory before it is limited
        proc = Path(f"/proc/{server.process.pid}/status").read_text()
        size = 1024 * int(proc.partition("VmSize:")[2].split()[0])
        resource.prlimit(server.process.pid, resource.RLIMIT_AS, (size + ROOM, resource.RLIM_INFINITY))
        # It refuses, hangs up, answers in plain text or not at all.
        with pytest.raises((AssertionError, httpx.TransportError, ValueError)):
            play_for(3 * TIMEOUT)
        server.kill()  # as systemd does, if nothing else has
    with running_server(tmp_path) as server:
        log = read_log(server.database)
        assert set(told) <= set(log)
        check(log, acks)
        with Client(server.url) as anna:
            assert anna.open("classic").game


def want_once(person: Client, game: str, command: dict[str, Any]) -> Reply:
    """Send one request on a connection of its own."""
    with Client(person.url, person.token) as other:
        return other.ask("POST", f"/api/games/{game}/commands", command)


@pytest.mark.parametrize("jump", [3600.0, -3600.0, 2.0**31, -1.7e9])
def test_a_jump_of_the_wall_clock_moves_no_time_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jump: float
) -> None:
    """G1: an hour either way, past 2038, back to 1970; clocks and claims go by monotonic time."""

    async def play() -> None:
        async with in_this_process(tmp_path) as (_, client):
            game, people = await begun(client)
            for at, person in enumerate(people):
                body = {"id": f"c{at}", "version": 3, "do": "clock", "minutes": 5}
                answer = await client.post(f"/api/games/{game}/commands", json=body, headers=person)
                assert answer.json()["code"] == "ok"
            now = time.time
            for module in (game_service, lobby, presence, sessions, retention):
                monkeypatch.setattr(module, "time", lambda: now() + jump)
            body = {"id": "m", "version": 5, "do": "move", "move": "9a1"}
            answer = await client.post(f"/api/games/{game}/commands", json=body, headers=people[0])
            view = answer.json()["view"]
            assert view["phase"] == "playing"
            assert all(250_000 < left <= 300_000 for left in view["clock"]["left"])
            assert view["claim"] is None or view["claim"]["seconds"] > 200
            shown = (await client.get(f"/api/games/{game}", headers=people[1])).json()
            assert shown["turn"]
            assert (await begun(client))[0] != game

    asyncio.run(play())


def test_a_move_after_the_flag_fell_loses_on_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """F12: whether the other one has claimed the game or not."""

    async def play() -> None:
        async with in_this_process(tmp_path) as (_, client):
            game, people = await begun(client)
            for at, person in enumerate(people):
                body = {"id": f"c{at}", "version": 3, "do": "clock", "minutes": 5}
                await client.post(f"/api/games/{game}/commands", json=body, headers=person)
            now = time.monotonic
            monkeypatch.setattr(game_service, "monotonic", lambda: now() + 301)
            body = {"id": "m", "version": 5, "do": "move", "move": "9a1"}
            answer = (await client.post(f"/api/games/{game}/commands", json=body, headers=people[0])).json()
            assert answer["code"] == "game_over"
            assert answer["message"] == "Your time is up: you have lost on time."
            assert answer["view"]["result"]["winner"] == 1
            assert answer["view"]["result"]["reason"] == "time"

    asyncio.run(play())


async def begun(client: httpx.AsyncClient) -> tuple[str, list[dict[str, str]]]:
    """A classic game of two, and the headers of each."""
    people = []
    for _ in range(2):
        token = (await client.post("/api/sessions", json={"bearer": True})).json()["token"]
        people.append({"Authorization": f"Bearer {token}"})
    wanted = {"variant": "classic", "opponent": "friend"}
    opened = (await client.post("/api/games", json=wanted, headers=people[0])).json()
    invite = opened["invite"]["url"].partition("#")[2]
    for person, more in zip(people, ({"name": "Anna"}, {"name": "Ben", "invite": invite}), strict=True):
        answer = await client.post(f"/api/games/{opened['game']}/join", json=more, headers=person)
        assert answer.status_code == 200, answer.text
    return opened["game"], people


def test_the_protocol_has_a_number_that_pages_can_compare(server: Server) -> None:
    """G6: in the catalogue and in every view; a socket with another number is closed with 4026."""
    anna, ben = pair(server.url)
    with anna, ben:
        game = seated(anna, ben, "classic")
        assert anna.look(game)["protocol"] == PROTOCOL
        assert anna.ask("GET", "/api/catalogue").body["protocol"] == PROTOCOL
        path = f"/api/games/{game}/socket?protocol="
        with RawSocket(server.port, f"{path}{PROTOCOL}", bearer(anna)) as line:
            assert line.hear("view")["view"]["game"] == game
        with RawSocket(server.port, f"{path}{PROTOCOL + 1}", bearer(anna)) as line:
            assert line.end() == 4026


def test_metrics_count_events_and_name_nobody(server: Server) -> None:
    anna, ben = pair(server.url)
    with anna, ben, Client(server.url, stranger=True) as operator:
        before = figures(operator)
        game = seated(anna, ben, "classic")
        assert anna.move(game, "9a1").code == "ok"
        with RawSocket(server.port, f"/api/games/{game}/socket", bearer(ben)) as line:
            line.hear("view")
            after = figures(operator)
        kinds = {kind: f'digit_duel_events_total{{kind="{kind}"}}' for kind in ("open", "sit", "move")}
        grown = {kind: after[name] - before.get(name, 0) for kind, name in kinds.items()}
        assert grown == {"open": 1, "sit": 2, "move": 1}
        assert after["digit_duel_connections"] >= 1
        assert after["digit_duel_tables"] >= 1
        assert game not in " ".join(after)


def figures(operator: Client) -> dict[str, float]:
    lines = operator.http.get("/metrics").text.splitlines()
    split = (line.rpartition(" ") for line in lines if not line.startswith("#"))
    return {name: float(value) for name, _, value in split}
