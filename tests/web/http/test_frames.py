"""Frames that break RFC 6455, or have invalid contents, at a real server: SAFETY D5 and D9, figure R8."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from random import Random

import pytest
from tests.web.client import People, bearer, seated
from tests.web.hostile import alive, fuzzed, plug, watched_server
from tests.web.raw import BINARY, CLOSE, CONTINUED, PING, PONG, TEXT, RawSocket, frame
from tests.web.server import Server


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with watched_server(tmp_path_factory.mktemp("frames")) as running:
        yield running


FRAMES: dict[str, tuple[bytes, tuple[int | None, ...]]] = {
    "binary": (frame(BINARY, b"{}"), (1003, 1007)),
    "text that is not UTF-8": (frame(TEXT, b"\xff\xfe"), (1007,)),
    "a lone surrogate in UTF-8": (frame(TEXT, b'{"type":"\xed\xa0\x80"}'), (1007,)),
    "a character cut in two": (frame(TEXT, b'"\xe2\x82'), (1007,)),
    "unmasked": (frame(TEXT, b'{"type":"ping"}', masked=False), (1002,)),
    "reserved bit 1: compressed without agreement": (frame(TEXT, b"\xaa", reserved=4), (1002,)),
    "reserved bits 2 and 3": (frame(TEXT, b"{}", reserved=3), (1002,)),
    "a ping that is too long": (frame(PING, b"x" * 126), (1002,)),
    "a ping in pieces": (frame(PING, b"x", fin=False), (1002,)),
    "a continuation of nothing": (frame(CONTINUED, b"x"), (1002,)),
    "a text inside a text": (frame(TEXT, b"{", fin=False) + frame(TEXT, b"}"), (1002,)),
    "too large": (frame(TEXT, b"x" * 4097), (1009,)),
    "too large by its own account": (frame(TEXT, b"", length=1 << 40), (1009,)),
    "a long length that looks short": (b"\x81\xff" + bytes(4) + b'{"type":"ping"}'.ljust(127), (1009,)),
    "larger than there are numbers": (frame(TEXT, b"", length=(1 << 64) - 1), (1002, 1009)),
    "too large in pieces": (frame(TEXT, b"x" * 4000, fin=False) + frame(CONTINUED, b"x" * 4000), (1009,)),
    "endless pieces": (
        frame(TEXT, b"", fin=False) + frame(CONTINUED, b"xxxx" * 30, fin=False) * 60, (1009,),
    ),
    "a close of one byte": (frame(CLOSE, b"\x03"), (1002,)),
    "a close with a code that nobody may send": (frame(CLOSE, b"\x03\xed"), (1002,)),
    "a close with a reason that is not UTF-8": (frame(CLOSE, b"\x03\xe8\xff"), (1002, 1007)),
    "a proper close": (frame(CLOSE, b"\x03\xe8"), (1000,)),
    "bytes that are no frame": (b"GET / HTTP/1.1\r\n\r\n" * 5, (1002, 1009)),
}  # fmt: skip
FRAMES |= {f"opcode {code}": (frame(code, b""), (1002,)) for code in (3, 4, 5, 6, 7, 11, 12, 13, 14, 15)}


@pytest.mark.parametrize("kind", FRAMES)
def test_a_wrong_frame_is_answered_with_the_right_close_code(
    server: Server, people: People, game: str, kind: str
) -> None:
    """D5, D9: and the others at the server notice nothing."""
    data, codes = FRAMES[kind]
    with plug(server, people, game) as socket:
        socket.send(data)
        assert socket.end() in codes
    alive(people, game)


@pytest.mark.parametrize("cut", [1, 2, 5, 6, 7, 20, None])
def test_messages_are_read_alike_alone_together_and_in_pieces(
    server: Server, people: People, game: str, cut: int | None
) -> None:
    """D9: short ones, empty ones, longer ones, and pings and pongs between them."""
    ping = frame(TEXT, b'{"type":"ping"}')
    long = frame(TEXT, b'{"type":"ping"' + b" " * 300 + b"}")
    wrong = frame(TEXT, b"")
    with plug(server, people, game) as socket:
        for data in (
            ping,
            long,
            frame(PONG, b"x"),
            ping + long,
            ping,
            wrong,
            long + frame(PING, b"") + ping,
            ping,
        ):
            pieces = [data] if cut is None else [data[at : at + cut] for at in range(0, len(data), cut)]
            for piece in pieces if cut is None or len(pieces) < 30 else [data[:cut], data[cut:]]:
                socket.send(piece)
        assert [socket.hear("pong", "reply")["type"] for _ in range(9)] == [
            *["pong"] * 5,
            "reply",
            *["pong"] * 3,
        ]
    alive(people, game)


def test_a_message_may_come_in_pieces_with_pings_between(server: Server, people: People, game: str) -> None:
    """D9: what the standard allows works."""
    with plug(server, people, game) as socket:
        message = json.dumps({"type": "ping"}).encode()
        for at, byte in enumerate(message):
            opcode = TEXT if at == 0 else CONTINUED
            socket.send(frame(opcode, bytes([byte]), fin=at == len(message) - 1) + frame(PING, b"?"))
        heard = []
        while (TEXT, b'{"type":"pong"}') not in heard:
            heard.append(socket.read())
        assert heard.count((PONG, b"?")) >= len(message) - 1


def test_many_pings_at_once_are_answered(server: Server, people: People, game: str) -> None:
    """D9; many more of them close the socket, see strangers/test_frame_floods.py."""
    with plug(server, people, game) as socket:
        socket.send(frame(PING, b"x" * 100) * 50)
        pongs = 0
        while pongs < 50:
            heard = socket.read()
            assert heard is not None
            pongs += heard == (PONG, b"x" * 100)
        socket.say({"type": "ping"})
        assert socket.hear("pong") == {"type": "pong"}


def test_a_socket_that_keeps_sending_invalid_messages_is_closed(
    server: Server, people: People, game: str
) -> None:
    """D9, E1: twenty mistakes are forgiven."""
    with plug(server, people, game) as socket:
        for _ in range(20):
            socket.say({"type": "nonsense"})
            assert socket.hear("reply")["code"] == "bad_request"
        socket.say({"type": "nonsense"})
        assert socket.end() == 1008


def test_an_old_page_is_told_to_reload(server: Server, people: People, game: str) -> None:
    """G6."""
    with RawSocket(server.port, f"/api/games/{game}/socket?protocol=0", bearer(people[0])) as socket:
        assert socket.end() == 4026


def frames_without_harm(server: Server, people: People, game: str, number: int, seed: int) -> None:
    rng = Random(seed)
    sound = json.dumps({"type": "command", "id": "z", "version": 1, "seat": 0, "do": "move", "move": "9a1"})
    sent = 0
    while sent < number:
        with plug(server, people, game) as socket:
            for _ in range(15):
                if rng.random() < 0.1:
                    socket.send(fuzzed(rng, frame(TEXT, sound.encode())) + frame(CLOSE, b"\x03\xe8"))
                    sent += 1
                    break
                socket.send(frame(TEXT, fuzzed(rng, sound.encode())))
                sent += 1
            socket.send(frame(CLOSE, b"\x03\xe8"))
            with suppress(OSError):  # the server may have closed at the first wrong frame
                socket.line.shutdown(1)  # a frame may claim to be longer than all that comes
            socket.end()
    assert people[0].look(game)["phase"] == "playing"


def test_thousands_of_damaged_frames_do_no_harm(server: Server, people: People, game: str) -> None:
    """R8, D9."""
    frames_without_harm(server, people, seated(*people, "classic"), 3_000, 1)
    alive(people, game)


@pytest.mark.campaign
@pytest.mark.slow
def test_fifty_thousand_damaged_frames_do_no_harm(server: Server, people: People, game: str) -> None:
    """R8: the figure for continuous integration."""
    frames_without_harm(server, people, seated(*people, "classic"), 50_000, 2)
    alive(people, game)
