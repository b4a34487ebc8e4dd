"""Digits, numbers, letters and JSON that are not what they should be, at a real server: SAFETY D1 to D8."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest
from tests.web.client import People, bearer, seated
from tests.web.hostile import Line, alive, plug, watched_server
from tests.web.raw import TEXT, exchange, frame, request, status
from tests.web.server import Server

DIGITS = [chr(point) for point in range(sys.maxunicode + 1) if chr(point).isdigit()]
STRANGE_DIGITS = [digit for digit in DIGITS if not digit.isascii()]
STRANGE_NUMBERS = [
    "1_0", "+3", " 3 ", "3 ", " 3", "3\n", "\t3", "0x3", "3.0", "3e0", "-0", "-1", "", "9" * 4000, "3,", "3;",
    "3'", '3"', "1/1", "\u00b3", "\u2462", "\u0663", "\U0001d7d7", "\u2162", "\u4e09", "NaN", "inf", "None",
    "null", "true", "%33", "3%00", "{3}", "${3}",
]  # fmt: skip


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with watched_server(tmp_path_factory.mktemp("malformed")) as running:
        yield running


@pytest.fixture(scope="module")
def line(server: Server, people: People) -> Iterator[Line]:
    found = Line(server, people[0].token)
    yield found
    found.close()


# Digits that are none


def test_hundreds_of_characters_are_digits_of_other_scripts() -> None:
    """D1: all that str.isdigit() accepts."""
    assert len(STRANGE_DIGITS) >= 778
    assert len(DIGITS) - len(STRANGE_DIGITS) == 10


def test_a_digit_of_another_script_is_refused_in_every_field_over_a_socket(
    server: Server, people: People, game: str
) -> None:
    """D1, D2: in notation and in words."""
    bodies: list[dict[str, Any]] = []
    for text in (*STRANGE_DIGITS, *STRANGE_NUMBERS):
        bodies += [{"move": f"{text}a1"[:20]}, {"move": f"9a{text}"[:20]}, {"text": f"{text} h"[:100]}]
        bodies += [{"move": text[:20]}, {"text": f"9 {text}"[:100]}]
    blanks = {" 3 h", " 3  h", "3  h", "9  3 ", "9 3 ", "9  3"}  # a line may have blanks at its ends
    bodies = [body for body in bodies if body.get("text") not in blanks]
    for begin in range(0, len(bodies), 400):  # this client answers no pings, so it must not stay for long
        with plug(server, people, game) as socket:
            for at, body in enumerate(bodies[begin : begin + 400], begin):
                socket.say({"type": "command", "id": str(at), "version": 3, "do": "move", **body})
                reply = socket.hear("reply")
                assert reply["code"] in ("bad_request", "illegal_move"), body
    alive(people, game)


def test_a_digit_of_another_script_is_refused_in_every_field_of_the_api(
    line: Line, people: People, game: str
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
def test_an_unusual_spelling_of_a_number_is_refused(line: Line, people: People, game: str, text: str) -> None:
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
def test_letters_that_look_alike_or_fold_alike_are_not_confused(people: People, game: str, text: str) -> None:
    """D6: only the words that are listed, in ASCII."""
    body = json.dumps({"id": "x", "version": 3, "do": "move", "text": text}).encode()
    answer = people[0].http.post(
        f"/api/games/{game}/commands", content=body, headers={"Content-Type": "application/json"}
    )
    assert answer.json()["code"] in ("bad_request", "illegal_move")
    alive(people, game)


def test_an_ambiguous_t_is_asked_about(people: People) -> None:
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
def test_ambiguous_json_is_a_bad_request(
    server: Server, people: People, line: Line, game: str, body: bytes
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
    server: Server, people: People, game: str, body: bytes
) -> None:
    """D4: refused after 4 KiB, whatever comes after."""
    path = f"/api/games/{game}/commands"
    headers = [*bearer(people[0]), ("Content-Type", "application/json")]
    sent = request("POST", path, headers, body)
    status_of = status(exchange(server.port, sent))
    assert status_of == 413 or (status_of == 400 and len(body) > 16_384)  # by the application, or at the door
    before, began = server.resident, server.processor_seconds
    for _ in range(20):
        assert status(exchange(server.port, sent)) == status_of
    assert server.processor_seconds - began < 20 * 0.25
    assert server.resident - before < 4096
    alive(people, game)


@pytest.mark.parametrize(
    "name", ["'; DROP TABLE games; --", '" OR 1=1', "%s%s%s%n", "{0.__class__}", "${jndi:x}", "../../etc"]
)
def test_a_hostile_text_is_a_text(line: Line, people: People, game: str, name: str) -> None:
    """D8: texts are bound parameters, never part of a statement."""
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


def test_a_house_rule_that_cannot_be_is_refused_in_a_sentence(people: People) -> None:
    for rule, sentence in (
        ("goal", "Goal must be one of: high, low."),
        ("speed", "Unknown option 'speed'; "),
    ):
        wish = {"variant": "classic", "opponent": "friend", "settings": {rule: "9"}}
        said = people[0].ask("POST", "/api/games", wish)
        assert said.code == "bad_request"
        assert said.body["message"].startswith(sentence)
