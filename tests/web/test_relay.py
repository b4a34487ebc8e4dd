"""Several workers at one port: all who are at a game are at one of them, and nothing is lost on the way."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from random import Random
from typing import TypeVar

import httpx
import pytest
from tests.web.checker import read_log
from tests.web.client import Client, bearer, pair, play_to_end, seated
from tests.web.raw import RawSocket, content, dial, exchange, request, status
from tests.web.server import Server, running_server, until

T = TypeVar("T")
WORKERS = 3
Headers = list[tuple[str, str]]
GAMES = 12  # that all of them belong to the worker that is asked first has a chance of one in 500,000


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server of several workers."""
    with running_server(tmp_path_factory.mktemp("workers"), workers=WORKERS) as running:
        yield running


def test_everybody_at_a_game_is_seen_to_be_there(server: Server) -> None:
    """However the port divides the connections among the workers."""
    anna, ben = pair(server.url)
    with anna, ben:
        for _ in range(GAMES):
            game = seated(anna, ben, "classic")
            path = f"/api/games/{game}/socket"
            with (
                RawSocket(server.port, path, bearer(anna)) as hers,
                RawSocket(server.port, path, bearer(ben)) as his,
                RawSocket(server.port, f"{path}?as=watcher", bearer(ben)) as watching,
            ):
                for line in (hers, his, watching):
                    line.hear("view")
                with Client(server.url, stranger=True) as stranger:
                    view = stranger.look(game)
                assert [player["here"] for player in view["players"]] == [True, True]
                assert view["watchers"] == 1


def test_who_is_there_cannot_be_claimed_to_be_away(claims_at_once: Server) -> None:
    """Not from any worker."""
    server = claims_at_once
    anna, ben = pair(server.url)
    with anna, ben:
        game = seated(anna, ben, "classic")
        with RawSocket(server.port, f"/api/games/{game}/socket", bearer(anna)) as line:
            line.hear("view")
            for _ in range(10):
                with Client(server.url, token=ben.token) as again:  # over a connection of its own
                    assert again.command(game, "claim").code == "illegal_move"
        until(lambda: ben.command(game, "claim").code == "ok", 10)


def _percent(game: str) -> str:
    return "".join(f"%{ord(letter):02x}" for letter in game)


WAYS: dict[str, Callable[[str, Headers, bytes], bytes]] = {
    "in percent": lambda game, headers, body: request(
        "POST", f"/api/games/{_percent(game)}/commands", headers, body
    ),
    "with the host in the address": lambda game, headers, body: request(
        "POST", f"http://localhost/api/games/{game}/commands", headers, body
    ),
    "behind another request": lambda game, headers, body: (
        request("GET", "/healthz") + request("POST", f"/api/games/{game}/commands", headers, body)
    ),
}


@pytest.mark.parametrize("way", WAYS)
def test_nobody_gets_to_another_worker_by_a_trick_to_claim_a_game(claims_at_once: Server, way: str) -> None:
    """Whoever is there is there, however the address of the game is written."""
    server = claims_at_once
    anna, ben = pair(server.url)
    body = json.dumps({"id": "claim", "version": 3, "do": "claim"}).encode()
    headers = [*bearer(ben), ("Content-Type", "application/json")]
    with anna, ben:
        for _ in range(6):
            game = seated(anna, ben, "classic")
            with RawSocket(server.port, f"/api/games/{game}/socket", bearer(anna)) as line:
                line.hear("view")
                for _ in range(3):
                    with dial(server.port) as other:
                        other.sendall(WAYS[way](game, headers, body))
                        answer = b""
                        while b'"code":' not in answer:
                            more = other.recv(65536)
                            assert more
                            answer += more
                    assert b'"code":"ok"' not in answer
                    assert anna.look(game)["phase"] == "playing"


@pytest.fixture(scope="module")
def claims_at_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server of several workers, at which who is away can be claimed away at once."""
    folder = tmp_path_factory.mktemp("claims")
    with running_server(folder, workers=WORKERS, claim_after=0.0) as running:
        yield running


def test_one_connection_can_ask_about_games_of_all_workers(server: Server) -> None:
    anna, ben = pair(server.url)
    with anna, ben:
        found = [seated(anna, ben, "battle") for _ in range(GAMES)]
        for game in found * 3:
            assert anna.look(game)["game"] == game
        for game in found[:4]:
            play_to_end(game, (anna, ben), Random(game))


def test_a_request_can_come_in_pieces(server: Server) -> None:
    anna, ben = pair(server.url)
    with anna, ben:
        for number in range(GAMES):
            game = seated(anna, ben, "classic")
            body = json.dumps({"id": "piecemeal", "version": 3, "do": "move", "move": "9a1"}).encode()
            headers = [
                *bearer(anna),
                ("Content-Type", "application/json"),
                ("Content-Length", str(len(body))),
            ]
            data = request("POST", f"/api/games/{game}/commands", headers) + body
            cut = Random(number).randrange(1, len(data))
            answer = exchange(server.port, data[:cut], data[cut:])
            assert status(answer) == 200
            assert content(answer)["applied"] == 4


def test_requests_that_come_together_are_answered_in_order(server: Server) -> None:
    anna, ben = pair(server.url)
    with anna, ben:
        found = [seated(anna, ben, "classic") for _ in range(GAMES)]
        data = b"".join(request("GET", f"/api/games/{game}") for game in found)
        with dial(server.port) as line:
            line.sendall(data)
            answers = b""
            while answers.count(b'"phase"') < GAMES:
                more = line.recv(65536)
                assert more
                answers += more
        assert [answers.index(f'"game":"{game}"'.encode()) for game in found] == sorted(
            answers.index(f'"game":"{game}"'.encode()) for game in found
        )


def test_a_large_body_is_refused_as_ever(server: Server) -> None:
    with Client(server.url) as anna:
        for _ in range(GAMES):
            game = anna.open("classic").game
            data = b'{"name": "' + b"A" * 200_000 + b'"}'
            headers = {"Content-Type": "application/json"}
            answer = anna.http.post(f"/api/games/{game}/join", content=data, headers=headers)
            assert answer.json()["code"] == "too_large"


def test_streams_go_to_the_games_own_worker_too(server: Server) -> None:
    anna, ben = pair(server.url)
    with anna, ben:
        for _ in range(GAMES):
            game = seated(anna, ben, "classic")
            with (
                httpx.stream(
                    "GET", f"{server.url}/api/games/{game}/events", headers=dict(bearer(anna))
                ) as told,
                RawSocket(server.port, f"/api/games/{game}/socket", bearer(ben)) as line,
            ):
                lines = told.iter_lines()
                assert next(lines).startswith("id: ")
                line.hear("view")
                here = [player["here"] for player in ben.look(game)["players"]]
                assert here == [True, True]


def test_when_a_worker_dies_its_games_go_on(tmp_path: Path) -> None:
    """F12: what is handed to a worker that is no more waits for the next one, or is answered elsewhere."""
    with running_server(tmp_path, workers=WORKERS) as server, ExitStack() as people:
        anna, ben = map(people.enter_context, pair(server.url))
        found = [seated(anna, ben, "classic") for _ in range(GAMES)]
        workers = server.workers
        assert len(workers) == WORKERS
        for version, (worker, move) in enumerate(zip(workers, ("9a1", "8b1", "7a2"), strict=True), 3):
            os.kill(worker, signal.SIGKILL)
            for game in found:
                mover = (ben, anna)[version % 2]
                with Client(server.url, mover.token) as again:
                    reply = _patiently(partial(again.move, game, move, version=version, id=move))
                assert reply.code in ("ok", "ok_repeat")
                assert reply.body["applied"] == version + 1
        assert [len(log) for log in read_log(server.database).values()] == [6] * GAMES
        assert "unforeseen" not in server.log.read_text()


def test_all_who_come_back_at_once_are_seen_to_be_there(tmp_path: Path) -> None:
    """F12: more than a worker's inbox holds, while the worker is replaced."""
    with running_server(tmp_path, workers=2) as server, ExitStack() as lines:
        anna, ben = map(lines.enter_context, pair(server.url))
        found = [seated(anna, ben, "classic") for _ in range(150)]
        os.kill(server.workers[0], signal.SIGKILL)
        calls = []
        for game in found:  # all ask before anybody is answered
            for person in (anna, ben):
                path, headers = f"/api/games/{game}/events", bearer(person)
                line = lines.enter_context(dial(server.port, 60))
                line.sendall(request("GET", path, headers))
                calls.append(line)
        for line in calls:
            assert line.recv(65536).startswith(b"HTTP/1.1 200 ")
        there = [
            [player["here"] for player in _patiently(partial(anna.look, game))["players"]] for game in found
        ]
        assert there == [[True, True]] * len(found)


def _patiently(ask: Callable[[], T]) -> T:
    """An answer, asked for again where the connection broke with its worker."""
    end = time.monotonic() + 30
    while True:
        try:
            return ask()
        except httpx.TransportError:
            assert time.monotonic() < end
            time.sleep(0.05)


def test_a_worker_that_dies_while_it_is_asked_how_it_is_is_replaced_at_once(tmp_path: Path) -> None:
    """F12: its parent does not wait for an answer that cannot come."""
    with running_server(tmp_path, workers=2) as server:
        worker = server.workers[0]
        os.kill(worker, signal.SIGSTOP)
        time.sleep(1.5)  # it is asked every half second
        os.kill(worker, signal.SIGKILL)
        until(lambda: worker not in server.workers and len(server.workers) == 2, 20)
