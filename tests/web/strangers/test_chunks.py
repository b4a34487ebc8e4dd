"""A request body in chunks is refused before anybody takes the chunks apart: E2."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from tests.web.server import Server, running_server
from tests.web.strangers.plain import Stranger
from tests.web.strangers.sockets import dial

HEAD = (
    b"POST /api/sessions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    b"Transfer-Encoding: chunked\r\n\r\n"
)
CHUNKS = b"1\r\n \r\n" * 5_000
MOST_SENT = 200 * len(CHUNKS)  # a million chunks, of six bytes each
BUFFERS = MOST_SENT // 4  # more than both ends of a connection keep


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """One with the limits of every day."""
    with running_server(tmp_path) as found:
        yield found


def taken(line: socket.socket) -> int:
    """How many bytes of an endless body the server takes before it hangs up."""
    sent = 0
    with suppress(ConnectionError):
        line.sendall(HEAD)
        while sent < MOST_SENT:
            line.sendall(CHUNKS)
            sent += len(CHUNKS)
    return sent


def answer_to(line: socket.socket, *parts: bytes) -> bytes:
    """What the server says to a request that comes in parts, until it hangs up."""
    line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    for part in parts:
        line.sendall(part)
    answer = b""
    while more := line.recv(1 << 16):
        answer += more
    return answer


def test_a_flood_of_tiny_chunks_is_cut_off_and_others_are_answered(server: Server) -> None:
    with Stranger(server.url) as other:
        for _ in range(3):
            with dial(server.url) as line:
                line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 16)
                assert taken(line) < BUFFERS
            assert other.ask("GET", "/api/catalogue").status == 200
        metrics = other.ask("GET", "/metrics").body.decode()
    assert 'digit_duel_limits_reached_total{limit="chunked"} 3.0' in metrics


def test_a_chunked_request_is_told_to_send_its_length_wherever_its_header_is_cut(server: Server) -> None:
    name = HEAD.index(b"Transfer-Encoding:")
    for cut in range(name - 1, name + len(b"Transfer-Encoding:")):
        with dial(server.url) as line:
            answer = answer_to(line, HEAD[:cut], HEAD[cut:])
        assert answer.startswith(b"HTTP/1.1 411 Length Required\r\n")
        assert answer.endswith(b"Send the body in one piece, with its Content-Length.\n")


def test_a_chunked_request_after_others_on_one_connection_is_refused(server: Server) -> None:
    with dial(server.url) as line:
        line.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        health = b""
        while not health.endswith(b"\r\n\r\nok\n"):
            health += line.recv(1 << 16)
        assert answer_to(line, HEAD.replace(b"Transfer-Encoding", b"tRANSFER-eNCODING")).startswith(
            b"HTTP/1.1 411 "
        )


def test_a_body_that_names_the_header_is_read_as_any_other(server: Server) -> None:
    with Stranger(server.url).begin() as ada:
        wish = {
            "variant": "classic",
            "opponent": "same_device",
            "name": "transfer-encoding: x",
            "second_name": "Bob",
        }
        assert ada.ask("POST", "/api/games", wish).status == 201
