"""Playing at a server that goes away, that is none, or that means harm; and a token that stays secret."""

from __future__ import annotations

import json
import os
import socket
import stat
import subprocess
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from tests.terminal.console import inside, piped, run
from tests.terminal.faulty import Faulty, answering
from tests.web.client import Client
from tests.web.server import Server, running_server

from digit_duel.cli.errors import Problem
from digit_duel.cli.online import connection
from digit_duel.cli.online.json_answer import Json
from digit_duel.cli.online.view import read_view

PARTS = (
    "seat",
    "version",
    "variant",
    "players",
    "scene",
    "moves",
    "questions",
    "news",
    "offers",
    "seal",
    "match",
)


def tokens(home: Path) -> list[Path]:
    return list(home.glob("online-*.token"))


# Trouble on the way


def test_a_move_whose_answer_was_lost_is_made_once(server: Server, tmp_path: Path) -> None:
    """H10: the same wish is sent again under the same id."""
    way = Faulty(server.port)
    way.start()
    way.swallow = lambda request: b"/commands" in request and len(way.swallowed) < 2
    with piped(tmp_path, "play", "classic", "--server", way.url, "--level", "random", "--name", "Ann") as ann:
        ann.enter("9 h")
        ann.expect("Reconnecting ...")
        ann.expect("Connected again.")
        ann.expect("select: ")
        ann.enter("quit")
        assert ann.end() == 0
    way.door.close()
    bodies = [json.loads(request.partition(b"\r\n\r\n")[2]) for request in way.swallowed]
    assert len(bodies) == 2
    assert bodies[0] == bodies[1]  # the same wish under the same id
    assert ann.text.count("You place 9 in your hundreds.") == 1


def test_a_server_that_goes_away_is_waited_for_and_the_move_gets_there(tmp_path: Path) -> None:
    """H10: killed and started again while a move is typed."""
    with (
        running_server(tmp_path) as first,
        piped(tmp_path, "play", "classic", "--server", first.url, "--level", "random") as ann,
    ):
        ann.expect("select: ")
        first.kill()
        ann.enter("9 h")
        ann.expect("Reconnecting ...")
        with running_server(tmp_path, port=first.port):
            ann.expect("Connected again.")
            ann.expect("You place 9 in your hundreds.")
            ann.expect("select: ")
            ann.enter("quit")
            assert ann.end() == 0


def test_a_stream_that_breaks_while_one_waits_is_resumed(server: Server, tmp_path: Path) -> None:
    """H10: the connection is cut while the other player thinks."""
    way = Faulty(server.port)
    way.start()
    args = ("play", "classic", "--server", way.url, "--invite", "--name", "Ann")
    with Client(server.url) as ben, piped(tmp_path, *args) as ann:
        ann.expect("/j/")
        game, _, secret = ann.rest_of_line().partition("#")
        ben.join(game, "Ben", invite=secret)
        ann.enter("9 h")
        ann.expect("Waiting for Ben.")
        way.cut()
        ann.expect("Reconnecting ...")
        ben.move(game, "8b1")
        ann.expect("Connected again.")
        ann.expect("Ben places 8")
    way.door.close()


def test_pauses_grow_and_differ_from_those_of_others() -> None:
    """A16: those who lost a server together do not come back together."""
    mine, others = (list(islice(connection._pauses(), 12)) for _ in range(2))
    assert all(0.25 <= pause <= 15 for pause in mine)
    assert mine[-1] >= 7.5
    assert mine != others


# Tokens


def test_the_token_is_in_a_file_that_nobody_else_can_read(server: Server, tmp_path: Path) -> None:
    """B16: made so, and refused if others can."""
    home = tmp_path / "home"
    args = ("play", "classic", "--server", server.url)
    assert inside(home, *args, typed="quit\n").code == 0
    (path,) = tokens(home)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(home.stat().st_mode) & 0o077 == 0
    before = path.read_bytes()
    assert inside(home, *args, typed="quit\n").code == 0
    assert path.read_bytes() == before  # the same person again
    os.chmod(path, 0o640)
    refused = inside(home, *args, typed="quit\n")
    assert refused.code == 1
    assert "can be read by others" in refused.error
    assert str(path) in refused.error


def test_the_token_goes_where_the_system_keeps_such_things(server: Server, tmp_path: Path) -> None:
    args = ("play", "classic", "--server", server.url)
    run(tmp_path, *args, typed="quit\n", DIGIT_DUEL_HOME="", XDG_STATE_HOME=str(tmp_path / "state"))
    assert len(tokens(tmp_path / "state" / "digit-duel")) == 1


def test_a_token_that_the_server_has_forgotten_is_exchanged(server: Server, tmp_path: Path) -> None:
    args = ("play", "classic", "--server", server.url)
    inside(tmp_path, *args, typed="quit\n")
    (path,) = tokens(tmp_path)
    kept = json.loads(path.read_text())
    path.write_text(json.dumps({**kept, "token": "x" * 43}))
    assert inside(tmp_path, *args, typed="quit\n").code == 0
    assert json.loads(path.read_text())["token"] not in ("x" * 43, kept["token"])


def test_a_session_that_ends_in_the_middle_of_a_game_is_told_with_the_way_back(
    server: Server, tmp_path: Path
) -> None:
    with piped(tmp_path, "play", "classic", "--server", server.url, "--level", "random") as ann:
        ann.expect("select: ")
        (path,) = tokens(tmp_path)
        with Client(server.url, json.loads(path.read_text())["token"]) as elsewhere:
            assert elsewhere.ask("DELETE", "/api/sessions").status == 200
        ann.enter("9 h")
        assert ann.end() == 1
    assert "unknown or has ended" in ann.text
    assert "To continue: digit-duel play --join" in ann.text


def test_a_damaged_token_is_told_and_left_alone(server: Server, tmp_path: Path) -> None:
    args = ("play", "classic", "--server", server.url)
    inside(tmp_path, *args, typed="quit\n")
    (path,) = tokens(tmp_path)
    path.write_text("{")
    done = inside(tmp_path, *args, typed="quit\n")
    assert done.code == 1
    assert "is damaged" in done.error
    assert path.read_text() == "{"


# What is no server, or a bad one


def test_nobody_at_the_address_is_told_at_once(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as door:
        port = door.getsockname()[1]
    done = inside(tmp_path, "play", "classic", "--server", f"http://127.0.0.1:{port}")
    assert done.code == 1
    assert done.error == f"digit-duel: http://127.0.0.1:{port} cannot be reached: connection refused.\n"


@pytest.mark.parametrize(
    "url",
    ["ftp://duel.example", "http://", "https://[::1", "http://host:port", "", "my server", "a..b", "x" * 64],
)
def test_an_address_that_is_none_is_refused(tmp_path: Path, url: str) -> None:
    done = inside(tmp_path, "play", "classic", "--server", url)
    assert done.code == 1
    assert "a server's address looks like" in done.error


def test_a_web_page_is_no_server(tmp_path: Path) -> None:
    with answering({}) as url:
        done = inside(tmp_path, "play", "classic", "--server", url)
    assert done.code == 1
    assert done.error == "digit-duel: there is no Digit Duel server at that address.\n"


def test_a_redirection_is_not_followed_with_the_token(tmp_path: Path) -> None:
    with answering({"/api/me": (302, "text/html", b"moved")}) as url:
        done = inside(tmp_path, "play", "classic", "--server", url)
    assert done.code == 1
    assert tokens(tmp_path) == []


def test_a_certificate_that_nobody_vouches_for_is_refused(tmp_path: Path) -> None:
    certificate = tmp_path / "self.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost",
         "-keyout", str(certificate), "-out", str(tmp_path / "cert.pem")],
        check=True, capture_output=True,
    )  # fmt: skip
    certificate.write_text(certificate.read_text() + (tmp_path / "cert.pem").read_text())
    with answering({}, certificate) as url:
        done = inside(tmp_path, "play", "classic", "--server", url)
    assert done.code == 1
    assert "certificate cannot be trusted" in done.error


def json_answer(data: Any) -> tuple[int, str, bytes]:
    return 200, "application/json", json.dumps(data).encode()


def test_a_server_cannot_command_the_terminal_or_end_the_program_in_disorder(tmp_path: Path) -> None:
    evil = "\x1b]0;owned\x07\x1b[2J"
    refusal = json.dumps({"code": "forbidden", "message": f"No{evil}."}).encode()
    answers = {
        "/api/me": json_answer({"deal": {"game": "g", "seal": "s"}}),
        "/api/games": (403, "application/json", refusal),
    }
    with answering(answers) as url:
        done = inside(tmp_path, "play", "classic", "--server", url)
    assert done.code == 1
    assert b"\x1b" not in done.out + done.err
    with answering({**answers, "/api/games": json_answer({"token": f"t{evil}"})}) as url:
        done = inside(tmp_path / "third", "play", "classic", "--server", url)
    assert "an invalid token" in done.error
    assert tokens(tmp_path / "third") == []
    for nonsense in ({}, {"token": 5}, {"token": "t"}, {"view": {}, "invite": 3}):
        with answering({**answers, "/api/games": json_answer(nonsense)}) as url:
            done = inside(tmp_path / "other", "play", "classic", "--server", url, "--invite")
        assert done.code == 1
        assert "does not understand the server's answer" in done.error


def test_a_view_with_anything_missing_or_wrong_is_refused_whole(server: Server) -> None:
    with Client(server.url) as ann:
        game = ann.open("cards", "computer").game
        ann.join(game)
        view = ann.look(game)
    assert read_view(Json(view)).seat == 0
    for name in PARTS:
        for wrong in (None, 5, "x", [1], {"a": 1}):
            if (name, wrong) not in (("seat", None), ("scene", None), ("version", 5), ("seal", "x")):
                with pytest.raises(Problem):
                    read_view(Json({**view, name: wrong}))
        with pytest.raises(Problem):
            read_view(Json({key: value for key, value in view.items() if key != name}))
