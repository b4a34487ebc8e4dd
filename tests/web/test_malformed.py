"""Input that is not what it should be, at a real server: SAFETY, table D."""

from __future__ import annotations

import http.client
import json
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from random import Random
from time import perf_counter
from typing import Any
from urllib.parse import quote

import pytest
from tests.web.checker import read_log
from tests.web.client import Client, pair, seated
from tests.web.raw import (
    BINARY,
    CLOSE,
    CONTINUED,
    PING,
    PONG,
    TEXT,
    RawSocket,
    content,
    exchange,
    frame,
    request,
    status,
)
from tests.web.server import Server, running_server

DIGITS = [chr(point) for point in range(sys.maxunicode + 1) if chr(point).isdigit()]
STRANGE_DIGITS = [digit for digit in DIGITS if not digit.isascii()]
STRANGE_NUMBERS = [
    "1_0", "+3", " 3 ", "3 ", " 3", "3\n", "\t3", "0x3", "3.0", "3e0", "-0", "-1", "", "9" * 4000, "3,", "3;",
    "3'", '3"', "1/1", "\u00b3", "\u2462", "\u0663", "\U0001d7d7", "\u2162", "\u4e09", "NaN", "inf", "None",
    "null", "true", "%33", "3%00", "{3}", "${3}",
]  # fmt: skip


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running_server(tmp_path_factory.mktemp("malformed")) as running:
        yield running
        log = running.log.read_bytes()
        assert b"Traceback" not in log
        assert b"unforeseen" not in log
        assert all(line.decode().isprintable() for line in log.splitlines()), "D5: a log stays printable"


@pytest.fixture(scope="module")
def people(server: Server) -> Iterator[tuple[Client, Client]]:
    anna, ben = pair(server.url)
    with anna, ben:
        yield anna, ben


class Line:
    """One connection that is kept, for thousands of requests."""

    def __init__(self, server: Server, token: str | None) -> None:
        self._http = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
        self._headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}

    def ask(self, method: str, path: str, body: Any = None) -> tuple[int, str]:
        data = body if isinstance(body, bytes) else None if body is None else json.dumps(body).encode()
        self._http.request(method, path, data, self._headers)
        answer = self._http.getresponse()
        found = json.loads(answer.read())
        return answer.status, found.get("code", "ok")

    def close(self) -> None:
        self._http.close()


@pytest.fixture(scope="module")
def line(server: Server, people: tuple[Client, Client]) -> Iterator[Line]:
    found = Line(server, people[0].token)
    yield found
    found.close()


@pytest.fixture(scope="module")
def game(people: tuple[Client, Client]) -> str:
    """A game of classic in which it is Anna's turn from beginning to end."""
    return seated(*people, "classic")


def plug(server: Server, people: tuple[Client, Client], game: str) -> RawSocket:
    """Anna's socket."""
    bearer = [("Authorization", f"Bearer {people[0].token}")]
    socket = RawSocket(server.port, f"/api/games/{game}/socket", bearer)
    assert socket.status == 101
    socket.hear("view")
    return socket


def alive(people: tuple[Client, Client], game: str) -> None:
    """The server answers, and the game is where it was."""
    view = people[0].look(game)
    assert (view["version"], view["turn"]) == (3, True)


# Digits that are none


def test_there_are_hundreds_of_digits_that_are_none() -> None:
    """D1: as many as Python's own idea of a digit lets through."""
    assert len(STRANGE_DIGITS) >= 778
    assert len(DIGITS) - len(STRANGE_DIGITS) == 10


def test_a_strange_digit_is_no_digit_in_any_field_over_a_socket(
    server: Server, people: tuple[Client, Client], game: str
) -> None:
    """D1, D2: in notation and in words."""
    bodies: list[dict[str, Any]] = []
    for text in (*STRANGE_DIGITS, *STRANGE_NUMBERS):
        bodies += [{"move": f"{text}a1"[:20]}, {"move": f"9a{text}"[:20]}, {"text": f"{text} h"[:100]}]
        bodies += [{"move": text[:20]}, {"text": f"9 {text}"[:100]}]
    blanks = {" 3 h", " 3  h", "3  h", "9  3 ", "9 3 ", "9  3"}  # a line may have blanks at its ends
    with plug(server, people, game) as socket:
        for at, body in enumerate(bodies):
            if body.get("text") in blanks:
                continue
            socket.say({"type": "command", "id": str(at), "version": 3, "do": "move", **body})
            reply = socket.hear("reply")
            assert reply["code"] in ("bad_request", "illegal_move"), body
    alive(people, game)


def test_a_strange_digit_is_no_digit_in_any_field_of_the_api(
    line: Line, people: tuple[Client, Client], game: str
) -> None:
    """D1: in addresses, options, rules of a match, codes, seeds and ids."""
    for digit in STRANGE_DIGITS:
        sent = quote(digit)
        command = {"id": "x", "version": 3, "do": "move", "move": "9a1"}
        opening = {"variant": "classic", "opponent": "same_device"}
        for method, path, body in (
            ("GET", f"/api/games/{game}?seat={sent}", None),
            ("GET", f"/api/games/{game}?after={sent}", None),
            ("POST", "/api/games", {**opening, "settings": {"places": digit}}),
            ("POST", "/api/games", {**opening, "match": f"best of {digit}"}),
            ("POST", f"/api/games/{game}/commands", {**command, "id": digit}),
            ("POST", f"/api/games/{game}/commands", f'{{"id":"x","version":{digit}}}'.encode()),
        ):
            assert line.ask(method, path, body) == (400, "bad_request"), (path, body)
    alive(people, game)


@pytest.mark.parametrize("text", STRANGE_NUMBERS)
def test_a_strange_number_is_no_number(
    line: Line, people: tuple[Client, Client], game: str, text: str
) -> None:
    """D2: no sign, no blank, no other base, no fraction, and not five thousand digits."""
    sent = quote(text)
    opening = {"variant": "classic", "opponent": "same_device"}
    asked = [
        line.ask("GET", f"/api/games/{game}?seat={sent}"),
        line.ask("GET", f"/api/games/{game}?after={sent}"),
        line.ask("GET", f"/api/games/{game}/record?seat={sent}"),
        line.ask("POST", "/api/games", {**opening, "settings": {"places": text}}),
        line.ask("POST", "/api/games", {**opening, "match": f"first to {text}"}),
        line.ask("POST", f"/api/games/{game}/commands", {"id": "x", "version": text, "do": "resign"}),
        line.ask(
            "POST", f"/api/games/{game}/commands", {"id": "x", "version": 3, "seat": text, "do": "resign"}
        ),
        line.ask(
            "POST", f"/api/games/{game}/commands", {"id": "x", "version": 3, "do": "clock", "minutes": text}
        ),
        line.ask("POST", f"/api/games/{game}/join", {"name": "x", "seed": text + "g"}),
    ]
    assert set(asked) <= {(400, "bad_request"), (413, "too_large")}, asked
    alive(people, game)


@pytest.mark.parametrize("text", [
    "9 hundred\u017f", "9 \u212a", "9 \u0130", "9 \u0131", "9 t\u0435ns", "9 tens\u200b", "9 \uff48",
    "9 h\u0301", "\u0391 h", "9\u00a0h", "9 HUNDRED\u017f", "9 on\u00e9s", "9 ones\x00", "9 \ud800",
])  # fmt: skip
def test_letters_that_look_alike_or_fold_alike_are_others(
    people: tuple[Client, Client], game: str, text: str
) -> None:
    """D6: only the words that are listed, in ASCII."""
    body = json.dumps({"id": "x", "version": 3, "do": "move", "text": text}).encode()
    answer = people[0].http.post(
        f"/api/games/{game}/commands", content=body, headers={"Content-Type": "application/json"}
    )
    assert answer.json()["code"] in ("bad_request", "illegal_move")
    alive(people, game)


def test_t_could_be_two_places_and_is_asked_about(people: tuple[Client, Client]) -> None:
    """D7: th and te are clear, and so are the numbers."""
    for word, move in (("th", "9b1"), ("te", "9b3"), ("1", "9b1"), ("4", "9b4")):
        sabotage = seated(*people, "sabotage")
        reply = people[0].command(sabotage, "move", text="9 opponent t")
        assert reply.code in ("illegal_move", "bad_request")
        assert "thousands" in reply.body["message"]
        assert "tens" in reply.body["message"]
        done = people[0].command(sabotage, "move", text=f"9 opponent {word}")
        assert done.code == "ok", done.body
        assert done.view["news"][-1]["move"] == move


# Crooked JSON

CROOKED = [
    b"", b"{", b"null", b"[]", b'"x"', b"1", b"{]", b'{"id":"x",}', b'{"id":NaN}', b'{"id":Infinity}',
    b'{"id":1e999}', b'{"id":"x","id":"y"}', b'\xef\xbb\xbf{"id":"x"}', b"\xff\xfe", b'{"id":"\xff"}',
    b'{"id":"\\ud800"}', b'{"id":"x\\u0000"}', b"{" * 2000, b"[" * 4000, b'{"a":' * 600,
    b'{"__proto__":{"a":1}}',
    b'{"id":"x","version":3,"do":"resign","extra":1}', b'{"id":"x","version":true,"do":"resign"}',
    b'{"id":"x","version":3.0,"do":"resign"}', b'{"id":"x","version":"3","do":"resign"}',
    b'{"id":"x","version":-1,"do":"resign"}', b'{"id":"x","version":1e1,"do":"resign"}',
    b'{"id":"x","version":99999999999999999999,"do":"resign"}', b'{"id":1,"version":3,"do":"resign"}',
    b'{"id":"","version":3,"do":"resign"}', b'{"id":"x y","version":3,"do":"resign"}',
    b'{"id":"x","version":3,"do":"resign","seat":true}', b'{"id":"x","version":3,"do":"resign","seat":2}',
    b'{"id":"x","version":3,"do":"resign","seat":-1}', b'{"id":"x","version":3,"do":"resign","seat":0.0}',
    b'{"id":"x","version":3,"do":["resign"]}', b'{"id":"x","version":3,"do":{"$ne":1}}',
    b'{"version":3,"do":"resign"}', b'{"id":"x","do":"resign"}', b'{"id":"x","version":3}',
    b'{"id":"x","version":3,"do":"resign"} {}', b'{"id":"x","version":3,"do":"move","move":""}',
    b'{"id":"x","version":3,"do":"move","text":""}', b'{"id":"x","version":3,"do":"move"}',
    b'{"id":"x","version":3,"do":"move","move":"9a1","text":"9 h"}',
]  # fmt: skip


@pytest.mark.parametrize("body", CROOKED, ids=lambda body: repr(body[:40]))
def test_crooked_json_is_a_bad_request(
    server: Server, people: tuple[Client, Client], line: Line, game: str, body: bytes
) -> None:
    """D3, D8: by REST with 400, on a socket with the same code, and nothing is done."""
    assert line.ask("POST", f"/api/games/{game}/commands", body) == (400, "bad_request")
    if body.isascii():
        with plug(server, people, game) as socket:
            socket.send(frame(TEXT, b'{"type":"command",' + body[1:] if body.startswith(b"{") else body))
            assert socket.hear("reply")["code"] == "bad_request"
    alive(people, game)


@pytest.mark.parametrize(
    "body",
    [b"[" * 100_000, b"{" * 100_000, b'"' + b"x" * 1_000_000 + b'"', b'{"a":1,' * 150_000,
     b"{" + b" " * 4096 + b"}"],
    ids=["brackets", "braces", "string", "keys", "just"],
)  # fmt: skip
def test_what_is_too_large_costs_neither_time_nor_memory(
    server: Server, people: tuple[Client, Client], game: str, body: bytes
) -> None:
    """D4: refused after 4 KiB, whatever comes after."""
    path = f"/api/games/{game}/commands"
    headers = [("Authorization", f"Bearer {people[0].token}"), ("Content-Type", "application/json")]
    sent = request("POST", path, headers, body)
    status_of = status(exchange(server.port, sent))
    assert status_of == 413 or (status_of == 400 and len(body) > 16_384)  # by the application, or at the door
    before = resident(server)
    began = perf_counter()
    for _ in range(20):
        assert status(exchange(server.port, sent)) == status_of
    spent = (perf_counter() - began) / 20
    assert spent < 0.25, "most of it is our own sending"
    assert resident(server) - before < 4096
    alive(people, game)


def resident(server: Server) -> int:
    """The server's memory, in KiB."""
    with open(f"/proc/{server.process.pid}/status") as file:
        return next(int(row.split()[1]) for row in file if row.startswith("VmRSS"))


@pytest.mark.parametrize(
    "name", ["'; DROP TABLE games; --", '" OR 1=1', "%s%s%s%n", "{0.__class__}", "${jndi:x}", "../../etc"]
)
def test_a_hostile_text_is_a_text(line: Line, people: tuple[Client, Client], game: str, name: str) -> None:
    """D8: wherever a text is taken, it is bound and never built in."""
    opened = people[0].open("classic", "same_device")
    assert line.ask("POST", f"/api/games/{opened.game}/join", {"name": name[:24]})[0] == 200
    assert line.ask("POST", "/api/games", {"variant": name, "opponent": "friend"}) == (400, "bad_request")
    settings = {"variant": "classic", "opponent": "friend", "settings": {name: name}}
    assert line.ask("POST", "/api/games", settings) == (400, "bad_request")
    assert line.ask("POST", "/api/sessions/resume", {"code": name}) == (403, "forbidden")
    assert line.ask("GET", f"/api/games/{quote(name, safe='')}")[0] in (400, 404)
    join = {"name": "Eve", "invite": name}
    assert line.ask("POST", f"/api/games/{game}/join", join)[1] in ("forbidden", "seat_taken", "ok")
    alive(people, game)


# Frames

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
    server: Server, people: tuple[Client, Client], game: str, kind: str
) -> None:
    """D5, D9: and the others at the server notice nothing."""
    data, codes = FRAMES[kind]
    with plug(server, people, game) as socket:
        socket.send(data)
        assert socket.end() in codes
    alive(people, game)


def test_a_message_may_come_in_pieces_with_pings_between(
    server: Server, people: tuple[Client, Client], game: str
) -> None:
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


def test_a_flood_of_pings_is_answered_and_harms_nobody(
    server: Server, people: tuple[Client, Client], game: str
) -> None:
    """D9."""
    with plug(server, people, game) as socket:
        for _ in range(100):
            socket.send(frame(PING, b"x" * 100) * 50)
            pongs = 0
            while pongs < 50:
                heard = socket.read()
                assert heard is not None
                pongs += heard == (PONG, b"x" * 100)
        socket.say({"type": "ping"})
        assert socket.hear("pong") == {"type": "pong"}


def test_a_socket_that_talks_nonsense_is_closed_after_a_while(
    server: Server, people: tuple[Client, Client], game: str
) -> None:
    """D9, E1: twenty mistakes are forgiven."""
    with plug(server, people, game) as socket:
        for _ in range(20):
            socket.say({"type": "nonsense"})
            assert socket.hear("reply")["code"] == "bad_request"
        socket.say({"type": "nonsense"})
        assert socket.end() == 1008


def test_an_old_page_is_told_to_reload(server: Server, people: tuple[Client, Client], game: str) -> None:
    """G6."""
    bearer = [("Authorization", f"Bearer {people[0].token}")]
    with RawSocket(server.port, f"/api/games/{game}/socket?protocol=0", bearer) as socket:
        assert socket.end() == 4026


def fuzzed(rng: Random, sound: bytes) -> bytes:
    """Some bytes, damaged in one of many ways."""
    data = bytearray(sound)
    for _ in range(rng.randrange(1, 4)):
        at = rng.randrange(len(data) + 1)
        match rng.randrange(5):
            case 0:
                data[at:at] = rng.randbytes(rng.randrange(1, 9))
            case 1:
                del data[at : at + rng.randrange(1, 9)]
            case 2 if at < len(data):
                data[at] ^= 1 << rng.randrange(8)
            case 3:
                data[at:at] = data[: rng.randrange(1, 40)]
            case 4:
                data[at:at] = rng.choice(
                    [b'"', b"{", b"]", b"\\u0000", b"null", b"9", b"-", b"\xf0\x9f", b"e9", b","]
                )
    return bytes(data)


def frames_without_harm(
    server: Server, people: tuple[Client, Client], game: str, number: int, seed: int
) -> None:
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


def test_thousands_of_damaged_frames_do_no_harm(
    server: Server, people: tuple[Client, Client], game: str
) -> None:
    """R8, D9."""
    frames_without_harm(server, people, seated(*people, "classic"), 3_000, 1)
    alive(people, game)


@pytest.mark.slow
def test_fifty_thousand_damaged_frames_do_no_harm(
    server: Server, people: tuple[Client, Client], game: str
) -> None:
    """R8: the figure for continuous integration."""
    frames_without_harm(server, people, seated(*people, "classic"), 50_000, 2)
    alive(people, game)


# Requests


def requests_without_harm(server: Server, token: str | None, game: str, number: int, seed: int) -> None:
    rng = Random(seed)
    headers = [
        ("Authorization", f"Bearer {token}"),
        ("Content-Type", "application/json"),
        ("Connection", "close"),
    ]
    body = b'{"id":"z","version":1,"seat":0,"do":"move","move":"9a1"}'
    sound = [
        request("POST", f"/api/games/{game}/commands", headers, body),
        request("GET", f"/api/games/{game}?after=0&seat=0", headers),
        request("POST", "/api/games", headers, b'{"variant":"nothing","opponent":"friend"}'),
        request("GET", "/rules/classic", headers),
    ]
    for _ in range(number):
        data = rng.choice(sound)
        head, blank, rest = data.partition(b"\r\n\r\n")
        match rng.randrange(3):
            case 0:
                data = fuzzed(rng, data)
            case 1:
                data = fuzzed(rng, head) + blank + rest
            case 2:
                changed = fuzzed(rng, rest or b"{}")
                data = (
                    head.replace(b"Content-Length: %d" % len(rest), b"Content-Length: %d" % len(changed))
                    + blank
                )
                data += changed
        answer = exchange_and_leave(server.port, data)
        assert status(answer) < 500, (data, answer[:300])


def exchange_and_leave(port: int, data: bytes) -> bytes:
    """What comes back for a request after which nothing more is said."""
    from tests.web.raw import dial

    with dial(port) as line:
        line.sendall(data)
        line.shutdown(1)
        found = b""
        try:
            while more := line.recv(65536):
                found += more
        except ConnectionResetError:
            pass
        return found


def test_thousands_of_damaged_requests_are_no_error_of_ours(
    server: Server, people: tuple[Client, Client], game: str
) -> None:
    """R8, D8: no answer of 500 or more."""
    requests_without_harm(server, people[0].token, seated(*people, "classic"), 1_500, 1)
    alive(people, game)


@pytest.mark.slow
def test_fifty_thousand_damaged_requests_are_no_error_of_ours(
    server: Server, people: tuple[Client, Client], game: str
) -> None:
    """R8: the figure for continuous integration."""
    requests_without_harm(server, people[0].token, seated(*people, "classic"), 50_000, 2)
    alive(people, game)


@pytest.mark.parametrize(
    "method", ["PUT", "PATCH", "DELETE", "TRACE", "CONNECT", "OPTIONS", "FOO", "get", "PROPFIND"]
)
@pytest.mark.parametrize(
    "path", ["/api/catalogue", "/api/games/{game}", "/", "/healthz", "/api/games/{game}/socket"]
)
def test_a_wrong_method_is_refused(server: Server, game: str, method: str, path: str) -> None:
    """D10."""
    answer = exchange(server.port, request(method, path.format(game=game), [("Connection", "close")]))
    assert status(answer) in (400, 404, 405)


@pytest.mark.parametrize(
    "path",
    [
        "//", "//api/me", "/api//me", "/api/me/", "/api/./me", "/api/../api/me", "/%2e%2e/%2e%2e/etc/passwd",
        "/..;/api/me", "/static/../app.py", "/static/x/..%2f..%2fapp.py", "/static/%2e%2e/%2e%2e/settings.py",
        "/static/x/index.html", "/api/games/{game}%2fcommands", "/api/games/{game}/", "/api/games/{game};a=b",
        "/api/games/{game}%00", "/api/games/%ff%fe", "/api/games/..%2f{game}", "/API/ME", "/api/me%20",
        "/api/games/{game}/commands/../record", "/metrics/", "/admin", "/.env", "/api/games/{game}/pass",
        "/api/games/{game}/skip", "/%", "/%zz", "/api/games/%0d%0aSet-Cookie:%20a=b", "*", "",
        "http://evil.example/api/me", "/api/games/" + "x" * 10_000, "/\u00fc", "/api/me\\..\\x",
    ],
    ids=lambda path: path[:40],
)  # fmt: skip
def test_a_path_trick_leads_nowhere(
    server: Server, people: tuple[Client, Client], game: str, path: str
) -> None:
    """D10: 4xx, or the page that shows nothing; never a file, never another route."""
    headers = [("Authorization", f"Bearer {people[0].token}"), ("Connection", "close")]
    answer = exchange(server.port, request("GET", path.format(game=game), headers))
    allowed: tuple[int, ...] = (400, 404, 405, 414, 431)
    if path == "http://evil.example/api/me":
        allowed = (*allowed, 200)  # a proxy's way to ask, which RFC 9112 makes every server understand
    assert status(answer) in allowed, answer[:300]
    assert b"Set-Cookie: a=b" not in answer
    assert b"root:" not in answer
    alive(people, game)


@pytest.mark.parametrize(
    ("headers", "statuses"),
    [
        ([("Cookie", "digit_duel=" + "x" * 65_536)], (400, 431)),
        ([("X-Long", "x" * 100_000)], (400, 431)),
        ([(f"X-{at}", "x" * 50) for at in range(2_000)], (400, 431)),
        ([("Content-Length", "-1")], (400,)),
        ([("Content-Length", "5"), ("Content-Length", "6")], (400,)),
        ([("Content-Length", "5"), ("Transfer-Encoding", "chunked")], (400,)),
        ([("Transfer-Encoding", "chunked, identity")], (400,)),
        ([("Content-Length", "\u00b3")], (400,)),
        ([("Bad Name", "x")], (400,)),
        ([("X", "a\r\n b")], (200, 400)),
        ([("X-Nul", "a\x00b")], (400,)),
        ([("Host", "evil.example"), ("Host", "localhost")], (400,)),
        ([("Host", "evil.example/path?")], (400,)),
        ([("Host", "a b")], (400,)),
        ([("Host", "<script>alert(1)</script>")], (400,)),
        ([("Host", "user:password@evil.example")], (400,)),
        ([("Host", "")], (400,)),
        ([("Host", "localhost:99999999")], (400,)),
        ([("Host", "[::1]:80")], (200,)),
        ([("Host", "192.168.0.7:8000")], (200,)),
        ([("Host", "duel.example")], (200,)),
    ],
)  # fmt: skip
def test_a_hostile_header_is_refused(
    server: Server,
    people: tuple[Client, Client],
    game: str,
    headers: list[tuple[str, str]],
    statuses: tuple[int, ...],
) -> None:
    """D10: huge, doubled, smuggled, split, or lying about the host."""
    answer = exchange(server.port, request("GET", "/api/catalogue", [*headers, ("Connection", "close")]))
    assert status(answer) in statuses, answer[:200]
    alive(people, game)


def test_a_request_without_a_host_is_refused(server: Server) -> None:
    """D10."""
    assert status(exchange(server.port, b"GET /api/catalogue HTTP/1.1\r\nConnection: close\r\n\r\n")) == 400


def test_a_body_that_never_comes_is_not_waited_for_by_others(
    server: Server, people: tuple[Client, Client], game: str
) -> None:
    """D10, E2: a promise of bytes holds nobody up."""
    from tests.web.raw import dial

    headers = [("Content-Type", "application/json"), ("Content-Length", "100")]
    waiting = [dial(server.port) for _ in range(50)]
    for line in waiting:
        line.sendall(request("POST", "/api/sessions", headers) + b"{")
    began = perf_counter()
    alive(people, game)
    assert perf_counter() - began < 2
    for line in waiting:
        line.close()
    answer = exchange(
        server.port, request("POST", "/api/sessions", [("Content-Type", "application/json")], b"{}")
    )
    assert content(answer)["code"] == "ok"


def test_nothing_of_all_this_is_in_the_log(server: Server, game: str) -> None:
    """D8: the game's log is what it was."""
    assert [entry.body["kind"] for entry in read_log(server.database)[game]] == ["open", "sit", "sit"]
    assert os.path.getsize(server.database) < 50_000_000
