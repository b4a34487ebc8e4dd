"""Limits on what clients send over sockets, including bytes outside of messages: E1, D9."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from time import monotonic

import pytest
from tests.web.server import Server, running_server, until
from tests.web.strangers.plain import Stranger, duel
from tests.web.strangers.sockets import Socket

PING = b"\x89\x80" + bytes(4)  # with a mask of zeros and nothing in it
FRAGMENT = b"\x00\x80" + bytes(4)
FLOOD = 1008


def send(socket: Socket, data: bytes) -> None:
    """Send as much of some data as the server takes."""
    with suppress(ConnectionError, TimeoutError):
        socket.line.sendall(data)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server with little credit per address: ten units, and two more a second."""
    with running_server(tmp_path, asks_per_second=2.0, bytes_at_once=1 << 16) as found:
        yield found


def game_of(server: Server) -> tuple[str, str]:
    """A game, and the token of who plays it, at the cost of other addresses."""
    with Stranger(server.url, "127.0.0.4").begin() as ada, Stranger(server.url, "127.0.0.5") as again:
        again.token = ada.token
        wish = {"variant": "classic", "opponent": "same_device", "name": "Ada", "second_name": "Bob"}
        assert ada.token is not None
        return str(again.ask("POST", "/api/games", wish).body["game"]), ada.token


@pytest.mark.parametrize(
    "frames",
    [PING * 50_000, b"\x01\x80" + bytes(4) + FRAGMENT * 50_000],
    ids=["pings", "fragments"],
)
def test_a_socket_that_floods_with_frames_outside_messages_is_closed_and_charged(
    server: Server, frames: bytes
) -> None:
    game, token = game_of(server)
    with Socket(server.url, game, token, "127.0.0.6") as peaceful, Socket(server.url, game, token) as socket:
        send(socket, frames)
        assert socket.closed() == FLOOD
        with Stranger(server.url) as flooder:
            assert flooder.ask("GET", "/api/catalogue").status == 429
            metrics = flooder.ask("GET", "/metrics").body.decode()
        assert 'digit_duel_limits_reached_total{limit="frames"} 1.0' in metrics
        peaceful.say(type="ping")
        while peaceful.hear()[1]["type"] != "pong":
            pass


def test_many_pings_cost_the_address_without_a_flood(server: Server) -> None:
    game, token = game_of(server)
    with Socket(server.url, game, token) as socket:
        assert socket.hear()[1]["type"] == "view"
        socket.line.sendall(PING * 10_000)
        socket.say(type="ping")
        assert socket.hear()[1]["type"] == "pong"
    with Stranger(server.url) as other:
        until(lambda: "digit_duel_connections 0.0" in other.ask("GET", "/metrics").body.decode())
        assert other.ask("GET", "/api/catalogue").status == 429


def test_a_ping_now_and_then_is_answered(tmp_path: Path) -> None:
    with running_server(tmp_path) as server:
        ada, _, game = duel(server.url)
        with Socket(server.url, game, ada.token) as socket:
            assert socket.hear()[1]["type"] == "view"
            for number in range(300):  # more bytes than a flood may have, but each message counts for itself
                socket.line.sendall(PING if number % 10 == 0 else b"")
                socket.say(type="ping")
                while socket.hear()[1]["type"] != "pong":
                    pass


def test_messages_from_all_sockets_of_one_address_are_read_at_a_bounded_rate(tmp_path: Path) -> None:
    with running_server(tmp_path, messages_per_second=40.0) as server:
        ada, _, game = duel(server.url, source="127.0.0.4")
        sockets = [Socket(server.url, game, ada.token) for _ in range(4)]
        began, pongs = monotonic(), 0
        for socket in sockets:
            for _ in range(75):
                socket.say(type="ping")
        for socket in sockets:
            with socket:
                heard = 0
                while heard < 75:
                    heard += socket.hear()[1]["type"] == "pong"
                pongs += heard
        assert pongs == 300
        assert pongs <= 40 * (5 + monotonic() - began) + len(sockets)
