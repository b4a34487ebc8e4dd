"""Floods, quotas, slow readers and endless games at a real server: SAFETY, table E."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.web.checker import read_log
from tests.web.client import Client, bearer, pair, seated
from tests.web.hostile import NARROW
from tests.web.raw import TEXT, RawSocket, dial, frame, request, status
from tests.web.server import Server, running_server, until

Start = Callable[..., Server]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts a server with limits of its own."""
    with ExitStack() as stack:

        def begin(**settings: Any) -> Server:
            return stack.enter_context(running_server(tmp_path, **settings))

        yield begin


def connections(server: Server) -> int:
    """How many sockets and streams the server counts."""
    text = httpx.get(f"{server.url}/metrics").text
    found = re.search(r"^digit_duel_connections ([0-9.]+)$", text, re.MULTILINE)
    assert found is not None
    return int(float(found[1]))


def test_a_flood_is_cut_off_and_its_sender_is_served_again_later(start: Start) -> None:
    """E1: 300 messages at once; the burst is answered, then the socket closes with 1008."""
    server = start(moves_per_second=0.2)
    with Client(server.url) as flooder, Client(server.url) as other:
        flooded, calm = flooder.open("classic", "same_device").game, other.open("classic", "same_device").game
        ping, path = frame(TEXT, b'{"type":"ping"}'), f"/api/games/{flooded}/socket"
        with RawSocket(server.port, path, bearer(flooder)) as line:
            line.hear("view")
            line.send(ping * 300)
            pongs = 0
            while (heard := line.read()) is not None and heard[0] == TEXT:
                pongs += heard[1] == b'{"type":"pong"}'
            assert heard is not None
            assert int.from_bytes(heard[1][:2], "big") == 1008
            assert 1 <= pongs < 50
        # Who has no credit left has none by REST either, and not on a new socket.
        reply = flooder.command(flooded, "resign", version=1)
        assert (reply.status, reply.code) == (429, "rate_limited")
        assert 1 <= int(reply.headers["retry-after"]) <= 5
        with RawSocket(server.port, path, bearer(flooder)) as line:
            line.hear("view")
            line.send(ping * 50)
            assert other.look(calm)["game"] == calm
            assert line.end() == 1008
        until(lambda: flooder.command(flooded, "resign", version=1).code == "forbidden")  # heard again


def test_a_watchers_flood_is_cut_off_too(start: Start) -> None:
    """E1: without a session the socket itself has the credit."""
    server = start(moves_per_second=5.0)
    with Client(server.url) as person:
        opened = person.open("classic", "same_device")
    page = [("Host", server.url[7:]), ("Origin", server.url)]
    with RawSocket(server.port, f"/api/games/{opened.game}/socket", page) as line:
        line.hear("view")
        line.send(frame(TEXT, b'{"type":"ping"}') * 1000)
        assert line.end() == 1008


def test_requests_of_one_address_are_counted(start: Start) -> None:
    """E1, E4: whatever address its headers claim."""
    server = start(asks_per_second=1.0)  # and five at once
    with httpx.Client(base_url=server.url, trust_env=False) as http:
        answers = [
            http.get("/help", headers={"X-Forwarded-For": f"10.0.0.{at}"}).status_code for at in range(60)
        ]
        assert answers[:2] == [200, 200]
        assert answers.count(429) >= 20
        assert set(answers) == {200, 429}
        assert http.get("/healthz").status_code == 200, "the operator is not shut out"


def test_only_addresses_added_by_trusted_proxies_are_believed(start: Start) -> None:
    """E4: the proxy adds the last address; anybody can write the ones before it."""
    server = start(asks_per_second=1.0, trusted_proxies=1)
    with httpx.Client(base_url=server.url, trust_env=False) as http:

        def ask(hops: str) -> int:
            return http.get("/api/catalogue", headers={"X-Forwarded-For": hops}).status_code

        assert [ask(f"1.2.3.{at}, 10.0.0.1") for at in range(30)].count(429) >= 20
        assert ask("10.0.0.1, 10.0.0.2") == 200


def test_sessions_and_games_of_one_address_are_counted(start: Start) -> None:
    """E4: 6 a minute with a burst of 12."""
    server = start(opens_per_minute=6.0)
    with Client(server.url) as person:
        games = [
            person.ask("POST", "/api/games", {"variant": "classic", "opponent": "same_device"})
            for _ in range(14)
        ]
        assert [reply.code for reply in games[:11]] == ["ok"] * 11
        assert (games[-1].status, games[-1].code) == (429, "rate_limited")
        assert int(games[-1].headers["retry-after"]) >= 1
        assert person.ask("POST", "/api/sessions", {"bearer": True}).code == "rate_limited"
        assert person.ask("POST", "/api/sessions/resume", {"code": "AAAA"}).code == "rate_limited"
        assert person.ask("POST", "/api/me/codes").body["code"] == "rate_limited"
    assert len(read_log(server.database)) == 11 + games[11:].count(games[0])


def test_unfinished_games_of_one_person_are_counted(start: Start) -> None:
    """E4: ending one allows another."""
    server = start(most_open_games=5)
    with Client(server.url) as person:
        games = [person.open("classic").game for _ in range(5)]
        reply = person.ask("POST", "/api/games", {"variant": "classic", "opponent": "friend"})
        assert (reply.status, reply.code) == (429, "rate_limited")
        assert "5 unfinished games" in reply.body["message"]
        assert len(read_log(server.database)) == 5
        assert person.ask("DELETE", f"/api/games/{games[0]}/invite").code == "ok"
        assert person.open("classic").game


def test_sockets_and_streams_are_counted_and_given_back(start: Start) -> None:
    """E4: three for a person, five for an address."""
    server = start(sockets_per_person=3, sockets_per_address=5)
    with Client(server.url) as anna, Client(server.url) as ben:
        game = anna.open("classic", "same_device").game
        path = f"/api/games/{game}/socket"
        with ExitStack() as open:

            def plug(person: Client) -> int:
                return open.enter_context(RawSocket(server.port, path, bearer(person))).status

            assert [plug(anna) for _ in range(4)] == [101, 101, 101, 429]
            assert anna.http.get(f"/api/games/{game}/events").status_code == 429
            assert [plug(ben) for _ in range(3)] == [101, 101, 429]
            assert anna.look(game)["game"] == game
        until(lambda: connections(server) == 0)
        with RawSocket(server.port, path, bearer(anna)) as line:
            assert line.status == 101


READERS = 30


def grown_with_readers(server: Server) -> float:
    """KiB for each client that never reads, after two hundred moves that are sent to each."""
    anna, ben = pair(server.url)
    with anna, ben, ExitStack() as open:
        settings = {"pool": "1-2", "start_life": "20", "standoff_limit": "none"}
        game = seated(anna, ben, "battle", settings=settings)
        anna.move(game, "+1")
        ben.move(game, "+2")
        before = server.resident
        path = f"/api/games/{game}/socket"
        for _ in range(READERS):
            open.enter_context(RawSocket(server.port, path, bearer(ben), receive=2048))
        version = anna.look(game)["version"]
        for _ in range(100):
            assert anna.move(game, "a5", version=version).code == "ok"
            assert ben.move(game, "b5", version=version).code == "ok"
            version += 2
        assert connections(server) == READERS
        return (server.resident - before) / READERS


def test_a_client_that_does_not_read_uses_no_memory(start: Start) -> None:
    """E3: less than 256 KiB for each, though the system keeps next to nothing for them."""
    assert grown_with_readers(start(heartbeat=60.0, before=NARROW)) < 256


QUEUEING = """
import asyncio
from digit_duel.web.http import websocket

async def send(self, message, send=websocket._Connection._send):
    asyncio.ensure_future(send(self, message))

websocket._Connection._send = send
"""


def test_a_queue_for_clients_that_do_not_read_would_be_noticed(start: Start) -> None:
    """E3: the check above can fail: it does for a server that queues every view for such clients."""
    assert grown_with_readers(start(heartbeat=60.0, before=NARROW + QUEUEING)) > 256


def test_a_client_that_does_not_read_is_disconnected(start: Start) -> None:
    """E3: when a ping is missed."""
    server = start(heartbeat=0.5)
    with Client(server.url) as anna, ExitStack() as open:
        path = f"/api/games/{anna.open('classic', 'same_device').game}/socket"
        for _ in range(READERS):
            line = open.enter_context(RawSocket(server.port, path, bearer(anna), receive=2048))
            assert line.status == 101
        until(lambda: connections(server) == 0)


@contextmanager
def plugged(server: Server) -> Iterator[RawSocket]:
    """A socket at a game of its own, after its first view."""
    with Client(server.url) as anna:
        path = f"/api/games/{anna.open('classic', 'same_device').game}/socket"
        with RawSocket(server.port, path, bearer(anna)) as line:
            line.hear("view")
            yield line


def test_half_a_frame_delays_nobody(start: Start) -> None:
    """E2: a byte now and then, never the whole frame; in between no ping can be answered."""
    server = start(heartbeat=0.5)
    with plugged(server) as line:
        line.send(frame(TEXT, b" " * 1000)[:8])

        def gone() -> bool:
            line.send(b" ")
            return connections(server) == 0

        until(gone)


def test_a_connection_that_is_idle_after_an_answer_is_closed(tmp_path: Path) -> None:
    """E4: by the server itself, without nginx."""
    shorter = "from digit_duel.web import serving\nserving._KEEP_ALIVE = 1"
    with running_server(tmp_path, before=shorter) as server, dial(server.port) as line:
        line.sendall(request("GET", "/healthz"))
        heard = b""
        while more := line.recv(4096):
            heard += more
        assert status(heard) == 200
        assert b"connection: close" not in heard.lower(), "it was kept open"


def test_a_client_that_vanished_silently_is_noticed(start: Start) -> None:
    """A15: a connection that dies silently is closed within two heartbeats."""
    server = start(heartbeat=0.5)
    anna, ben = pair(server.url)
    with anna, ben:
        game = seated(anna, ben, "classic")
        with RawSocket(server.port, f"/api/games/{game}/socket", bearer(ben)) as line:
            while not line.hear("view")["view"]["players"][1]["here"]:
                pass
            until(lambda: not anna.look(game)["players"][1]["here"])  # it hears the pings, and is silent


def test_abandoned_games_are_swept(tmp_path: Path) -> None:
    """E4: those that nobody joined, after a day or whatever the operator says; the others stay."""
    with running_server(tmp_path) as server:
        anna, ben = pair(server.url)
        with anna, ben:
            played = seated(anna, ben, "classic")
            abandoned = [anna.open("classic").game for _ in range(3)]
            token = anna.token
    with (
        running_server(tmp_path, keep_unused=0, sweep_seconds=0.2) as server,
        Client(server.url, token) as anna,
    ):
        until(lambda: set(read_log(server.database)) == {played})
        assert [anna.ask("GET", f"/api/games/{game}").status for game in abandoned] == [404] * 3
        assert anna.look(played)["phase"] == "playing"


def test_an_endless_game_ends_in_a_draw_when_its_log_is_full(start: Start) -> None:
    """E7: 5 against 5 for ever, as the rulebook allows; the last event of the log ends it."""
    server = start(most_events=40)
    anna, ben = pair(server.url)
    with anna, ben:
        settings = {"pool": "1-2", "start_life": "20", "standoff_limit": "none"}
        game = seated(anna, ben, "battle", settings=settings)
        anna.move(game, "+1")
        ben.move(game, "+2")
        codes: list[str] = []
        while not codes or codes[-1] == "ok":
            version = anna.look(game)["version"]
            codes.append(anna.move(game, "a5", version=version).code)
            codes.append(ben.move(game, "b5", version=version).code)
        assert codes.count("ok") == 34
        assert codes[-1] == "game_over"
        view = anna.look(game)
        assert (view["phase"], view["version"]) == ("over", 40)
        assert view["result"]["winner"] is None
        assert view["result"]["closing"] == "The game has reached its maximum length. It is a draw."
        assert [line.body["kind"] for line in read_log(server.database)[game]][-2:] == ["move", "cancel"]
        assert anna.command(game, "resign").code == "game_over"
        assert anna.ask("GET", f"/api/games/{game}/proof").status == 200


def test_endless_take_backs_end_with_a_full_log(start: Start) -> None:
    """E7: move and take back, again and again, on one device."""
    server = start(most_events=30)
    with Client(server.url) as person:
        game = person.open("classic", "same_device").game
        person.join(game, "Anna", seat=0)
        person.join(game, "Ben", seat=1)
        for _ in range(20):
            person.move(game, "9a1", seat=0)
            person.command(game, "takeback", seat=0)
        assert person.look(game)["phase"] == "over"
        assert len(read_log(server.database)[game]) == 30


@pytest.mark.parametrize("stubborn", ["g", "k"])
def test_a_game_of_cards_in_which_nobody_keeps_a_card_ends(start: Start, stubborn: str) -> None:
    """E7, ruling C4: a player who gives everything away uses up the deck once, and then must keep."""
    server = start()
    anna, ben = pair(server.url)
    with anna, ben:
        game = seated(anna, ben, "cards", settings={"wins_needed": "1"})
        for _ in range(600):
            views = [person.look(game) for person in (anna, ben)]
            if views[0]["phase"] == "over":
                break
            at = next(at for at, view in enumerate(views) if view["turn"])
            moves = views[at]["moves"]
            (anna, ben)[at].move(game, stubborn if stubborn in moves else moves[0])
        assert anna.look(game)["phase"] == "over"
        assert anna.look(game)["version"] < 500


def test_games_against_the_computer_are_bounded_too(start: Start) -> None:
    """E7: a game against the computer ends at the same bound, and the computer stops thinking."""
    server = start(most_events=12)
    with Client(server.url) as person:
        game = person.open("sabotage", "computer", level="random").game
        person.join(game, "Anna")

        def over() -> bool:
            view = person.look(game)
            if view["turn"]:
                person.move(game, view["moves"][0])
            return bool(view["phase"] == "over")

        until(over)
        assert len(read_log(server.database)[game]) <= 12
    assert "unforeseen" not in server.log.read_text()
    assert "Traceback" not in server.log.read_text()


def test_a_game_longer_than_a_lowered_limit_ends_when_the_computer_moves(tmp_path: Path) -> None:
    """E7: so does one whose server was killed just before it wrote the last event."""
    with running_server(tmp_path, computer_pace=600) as server, Client(server.url) as person:
        game = person.open("classic", "computer", name="Anna", level="random").game
        assert person.move(game, "9a1", version=3).code == "ok"
    with running_server(tmp_path, most_events=3) as server, Client(server.url, person.token) as person:
        until(lambda: person.look(game)["phase"] == "over")
        assert [line.body["kind"] for line in read_log(server.database)[game]][-2:] == ["move", "cancel"]
    assert "unforeseen" not in server.log.read_text()


def test_a_followed_game_continues_however_few_games_are_kept_in_memory(tmp_path: Path) -> None:
    """A game that somebody follows stays in memory."""
    with running_server(tmp_path, most_tables=2) as server, ExitStack() as lines:
        anna, ben = map(lines.enter_context, pair(server.url))
        games = [seated(anna, ben, "classic") for _ in range(5)]
        followed = [
            lines.enter_context(RawSocket(server.port, f"/api/games/{game}/socket", bearer(ben)))
            for game in games
        ]
        for line in followed:
            assert line.hear("view")["view"]["version"] == 3
        for game in games:
            assert anna.move(game, "9a1", version=3).code == "ok"
        for line in followed:
            while line.hear("view")["view"]["version"] < 4:  # that the others have come is news, too
                continue
