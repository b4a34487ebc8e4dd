"""Playing at a server from the terminal: every game, with friends, through trouble, and with nothing given away."""

from __future__ import annotations

import json
import os
import signal
import socket
import ssl
import stat
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar

import pytest
from tests.terminal.console import Console, inside, run
from tests.terminal.typist import Typist
from tests.web.client import Client
from tests.web.server import Server, running_server

from digit_duel.cli import online_link, online_view
from digit_duel.cli.evening import Problem
from digit_duel.core.record import read_record
from digit_duel.games import catalogue


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running_server(tmp_path_factory.mktemp("server")) as found:
        yield found


def tokens(home: Path) -> list[Path]:
    return list(home.glob("online-*.token"))


def link_of(typist: Typist) -> str:
    """The invitation that was printed."""
    typist.expect("Send this link to a friend:\n\n  ")
    return typist.rest_of_line()


# Whole games


@pytest.mark.parametrize("game", catalogue())
def test_any_game_is_played_to_its_end_by_its_hints_and_proves_to_be_fair(
    server: Server, tmp_path: Path, game: str
) -> None:
    record = tmp_path / "games.duel"
    with Typist(
        tmp_path,
        "play",
        game,
        "--server",
        server.url,
        "--level",
        "random",
        "--name",
        "Ann",
        "--record",
        str(record),
    ) as ann:
        while ann.process.poll() is None:
            ann.type("hint")
            if ann.expect("Hint: ", "\nFinal", "wins the game", "wins!", "tie", "Checked:") != "Hint: ":
                break
            ann.type(ann.rest_of_line().rpartition("(")[2].removesuffix(")."))
            ann.expect(": ", "\n")
        assert ann.end() == 0
    found = read_record(record.read_text())
    assert (found.game, found.names[0]) == (game, "Ann")
    assert inside(tmp_path, "verify", str(record)).code == 0
    drawn = any(text.startswith("d") for text in found.moves)
    assert ("Checked: what was drawn and what was secret is what had been sealed." in ann.shown) >= drawn


def test_two_terminals_play_each_other_by_an_invitation(server: Server, tmp_path: Path) -> None:
    homes = [tmp_path / "ann", tmp_path / "ben"]
    with Typist(homes[0], "play", "classic", "--server", server.url, "--invite", "--name", "Ann") as ann:
        link = link_of(ann)
        with Typist(homes[1], "play", "classic", "--join", link, "--name", "Ben") as ben:
            for mine, theirs in (("9 h", "8 h"), ("7 t", "6 t"), ("5 u", "4 u")):
                ann.type(mine)
                ben.type(theirs)
            assert (ann.end(), ben.end()) == (0, 0)
        for shown in (ann.shown, ben.shown):
            assert "Ann's Number: 975" in shown
            assert "Ben's Number: 864" in shown
            assert "Ann wins!" in shown
    assert "Ben places 8 in their own hundreds." in ann.shown
    assert "You place 8 in your hundreds." in ben.shown


def test_there_are_no_hints_between_people(server: Server, tmp_path: Path) -> None:
    with Typist(tmp_path / "ann", "play", "classic", "--server", server.url, "--invite") as ann:
        with Client(server.url) as ben:
            link = link_of(ann)
            game, _, secret = link.partition("/j/")[2].partition("#")
            ben.join(game, "Ben", invite=secret)
            ann.expect("Enter the digit")
            ann.type("hint")
            ann.expect("There are no hints in this game.")
            ann.type("quit")
            assert ann.end() == 0


def test_a_persons_last_choice_is_taken_back_against_the_computer(server: Server, tmp_path: Path) -> None:
    done = run(
        tmp_path, "play", "classic", "--server", server.url, "--level", "random", "--name", "Ann",
        typed="9 h\nundo\nmoves\nquit\n",
    )  # fmt: skip
    assert done.code == 0
    assert "Ann's last choice is taken back." in done.text
    assert "9a1" in done.text.partition("taken back.")[2]


def test_prompts_forgive_words_and_refuse_what_is_against_the_rules(server: Server, tmp_path: Path) -> None:
    typed = "0\nx\n9\nmiddle\nhelp\nundo\n9 hundreds\n\nrules\nboard\nquit\n"
    done = run(tmp_path, "play", "classic", "--server", server.url, "--level", "random", typed=typed)
    assert done.code == 0
    assert "'0' is no answer here. Please type one of: 1 2 3 4 5 6 7 8 9" in done.text
    assert "'middle' is no answer here" in done.text
    assert "  undo    take your last choice back, if the other agrees" in done.text
    assert "You place 9 in your hundreds." in done.text


# On a terminal


def test_on_a_screen_the_table_is_drawn_and_a_rematch_changes_seats(server: Server, tmp_path: Path) -> None:
    args = ("play", "classic", "--server", server.url, "--level", "random", "--name", "Ann")
    with Console(tmp_path, *args) as ann:
        ann.expect("┌───┐")
        ann.answer("select: ", "resign")
        ann.answer("Do you want to resign? (yes/no): ", "yes")
        ann.expect("Ann resigned. Computer wins.")
        ann.answer("Do you want to play again? (yes/no): ", "yes")
        ann.expect("Computer places")  # which goes first now
        ann.answer("select: ", "quit")
        assert ann.end() == 0
        ann.assert_restored()


def test_an_offer_of_the_other_is_put_to_the_person_once(server: Server, tmp_path: Path) -> None:
    with (
        Client(server.url) as ben,
        Console(tmp_path, "play", "classic", "--server", server.url, "--invite", "--name", "Ann") as ann,
    ):
        ann.expect("Send this link to a friend:")
        shown = ann.expect("▀", "█").decode()
        link = next(line.strip() for line in shown.splitlines() if "/j/" in line)
        game, _, secret = link.partition("/j/")[2].partition("#")
        ben.join(game, "Ben", invite=secret)
        ann.answer("select: ", "9 h")
        ann.expect("Waiting for Ben.")
        assert ben.command(game, "clock", minutes=5).code == "ok"
        ann.answer("Do you want a clock, 5 minutes for each? (yes/no): ", "yes")
        ann.expect("each player has 5 minutes")
        ben.move(game, "8b1")
        assert ben.command(game, "takeback").code == "ok"
        ann.expect("Ben places 8")
        ann.end_with("\x03")
    assert b"Do you want a clock" in ann.shown


def test_a_secret_digit_is_not_shown_while_it_is_typed(server: Server, tmp_path: Path) -> None:
    args = (
        "play",
        "battle",
        "--server",
        server.url,
        "--set",
        "pool=1,1",
        "--level",
        "random",
        "--name",
        "Ann",
    )
    with Console(tmp_path, *args) as ann:
        ann.answer("Choose", "x1")
        ann.expect("secret", "Secret", "SUDDEN", "Sudden")
        assert b"Traceback" not in ann.shown
        ann.end_with("\x03")
        ann.assert_restored()


# Leaving and coming back


def test_ctrl_c_ends_politely_and_says_how_to_come_back(server: Server, tmp_path: Path) -> None:
    with Typist(tmp_path, "play", "sabotage", "--server", server.url, "--level", "random") as ann:
        ann.expect("select: ")
        ann.process.send_signal(signal.SIGINT)
        assert ann.end() == 130
        assert "Interrupted. The game stays at the server." in ann.shown
        command = ann.shown.rpartition("To go on with it: digit-duel ")[2].split()
    assert command[:2] == ["play", "sabotage"]
    back = run(tmp_path, *command, typed="moves\nquit\n")
    assert back.code == 0
    assert "0a1" in back.text


def test_an_input_that_ends_leaves_with_code_3(server: Server, tmp_path: Path) -> None:
    done = run(tmp_path, "play", "classic", "--server", server.url, "--level", "random", typed="9 h\n")
    assert done.code == 3
    assert "The input has ended. The game stays at the server." in done.text


def test_somebody_elses_game_cannot_be_come_back_to(server: Server, tmp_path: Path) -> None:
    with Client(server.url) as ben:
        game = ben.open("classic", "computer").game
        ben.join(game, "Ben")
    done = run(tmp_path, "play", "classic", "--join", f"{server.url}/g/{game}")
    assert done.code == 1
    assert "you have no seat in that game" in done.complaint


def test_a_link_that_is_used_up_is_refused_with_the_servers_sentence(server: Server, tmp_path: Path) -> None:
    with Client(server.url) as ben, Client(server.url) as cleo:
        opened = ben.open("classic", "friend")
        ben.join(opened.game, "Ben")
        cleo.join(opened.game, "Cleo", invite=opened.secret)
    assert opened.url is not None
    done = run(tmp_path, "play", "classic", "--join", opened.url)
    assert done.code == 1
    assert done.complaint == "digit-duel: this seat is taken: you can watch instead.\n"


# Trouble on the way (H10)


class Faulty(threading.Thread):
    """A way to the server that swallows answers: the request arrives, and nobody hears of it."""

    def __init__(self, port: int) -> None:
        super().__init__(daemon=True)
        self.door = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.door.getsockname()[1]}"
        self.swallow: Callable[[bytes], bool] = lambda request: False
        self.swallowed: list[bytes] = []
        self._port = port

    def run(self) -> None:
        while True:
            try:
                near, _ = self.door.accept()
            except OSError:
                return
            threading.Thread(target=self._pass, args=(near,), daemon=True).start()

    def _pass(self, near: socket.socket) -> None:
        with near, socket.create_connection(("127.0.0.1", self._port)) as far:
            request = _whole_request(near)
            far.sendall(request)
            if self.swallow(request):
                far.recv(65536)  # the server has done it
                self.swallowed.append(request)
                return
            while data := far.recv(65536):
                near.sendall(data)


def _whole_request(near: socket.socket) -> bytes:
    data = b""
    while b"\r\n\r\n" not in data:
        data += near.recv(65536)
    head, _, body = data.partition(b"\r\n\r\n")
    lengths = [
        int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length")
    ]
    while len(body) < sum(lengths):
        body += near.recv(65536)
    return head + b"\r\n\r\n" + body


def test_a_move_whose_answer_was_lost_is_made_once(server: Server, tmp_path: Path) -> None:
    way = Faulty(server.port)
    way.start()
    way.swallow = lambda request: b"/commands" in request and len(way.swallowed) < 2
    with Typist(
        tmp_path, "play", "classic", "--server", way.url, "--level", "random", "--name", "Ann"
    ) as ann:
        ann.type("9 h")
        ann.expect("Reconnecting ...")
        ann.expect("Connected again.")
        ann.expect("select: ")
        ann.type("quit")
        assert ann.end() == 0
    way.door.close()
    bodies = [json.loads(request.partition(b"\r\n\r\n")[2]) for request in way.swallowed]
    assert len(bodies) == 2
    assert bodies[0] == bodies[1]  # the same wish under the same id
    assert ann.shown.count("You place 9 in your hundreds.") == 1


def test_a_server_that_goes_away_is_waited_for_and_the_move_gets_there(tmp_path: Path) -> None:
    with running_server(tmp_path) as first:
        with Typist(tmp_path, "play", "classic", "--server", first.url, "--level", "random") as ann:
            ann.expect("select: ")
            first.kill()
            ann.type("9 h")
            ann.expect("Reconnecting ...")
            with running_server(tmp_path, port=first.port):
                ann.expect("Connected again.")
                ann.expect("You place 9 in your hundreds.")
                ann.expect("select: ")
                ann.type("quit")
                assert ann.end() == 0


def test_pauses_grow_and_differ_from_those_of_others() -> None:
    mine, others = (list(islice(online_link._pauses(), 12)) for _ in range(2))
    assert all(0.25 <= pause <= 15 for pause in mine)
    assert mine[-1] >= 7.5
    assert mine != others


# Tokens (B16)


def test_the_token_is_in_a_file_that_nobody_else_can_read(server: Server, tmp_path: Path) -> None:
    home = tmp_path / "home"
    args = ("play", "classic", "--server", server.url)
    assert run(home, *args, typed="quit\n").code == 0
    (path,) = tokens(home)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(home.stat().st_mode) & 0o077 == 0
    before = path.read_bytes()
    assert run(home, *args, typed="quit\n").code == 0
    assert path.read_bytes() == before  # the same person again
    os.chmod(path, 0o640)
    refused = run(home, *args, typed="quit\n")
    assert refused.code == 1
    assert "can be read by others" in refused.complaint
    assert str(path) in refused.complaint


def test_the_token_goes_where_the_system_keeps_such_things(server: Server, tmp_path: Path) -> None:
    args = ("play", "classic", "--server", server.url)
    run(tmp_path, *args, typed="quit\n", DIGIT_DUEL_HOME="", XDG_STATE_HOME=str(tmp_path / "state"))
    assert len(tokens(tmp_path / "state" / "digit-duel")) == 1


def test_a_token_that_the_server_has_forgotten_is_exchanged(server: Server, tmp_path: Path) -> None:
    args = ("play", "classic", "--server", server.url)
    run(tmp_path, *args, typed="quit\n")
    (path,) = tokens(tmp_path)
    kept = json.loads(path.read_text())
    path.write_text(json.dumps({**kept, "token": "x" * 43}))
    assert run(tmp_path, *args, typed="quit\n").code == 0
    assert json.loads(path.read_text())["token"] not in ("x" * 43, kept["token"])


def test_a_damaged_token_is_told_and_left_alone(server: Server, tmp_path: Path) -> None:
    args = ("play", "classic", "--server", server.url)
    run(tmp_path, *args, typed="quit\n")
    (path,) = tokens(tmp_path)
    path.write_text("{")
    done = run(tmp_path, *args, typed="quit\n")
    assert done.code == 1
    assert "is damaged" in done.complaint
    assert path.read_text() == "{"


# What is no server, or a bad one


def test_nobody_at_the_address_is_told_at_once(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as door:
        port = door.getsockname()[1]
    done = run(tmp_path, "play", "classic", "--server", f"http://127.0.0.1:{port}")
    assert done.code == 1
    assert done.complaint == f"digit-duel: http://127.0.0.1:{port} cannot be reached: connection refused.\n"


@pytest.mark.parametrize("url", ["ftp://duel.example", "http://", "https://[::1", "http://host:port", ""])
def test_an_address_that_is_none_is_refused(tmp_path: Path, url: str) -> None:
    done = inside(tmp_path, "play", "classic", "--server", url)
    assert done.code == 1
    assert "the server's address is like" in done.complaint


@contextmanager
def answering(answers: dict[str, tuple[int, str, bytes]], certificate: Path | None = None) -> Iterator[str]:
    """Something else than a Digit Duel server, or one that means harm."""

    class Answers(BaseHTTPRequestHandler):
        known: ClassVar = answers

        def do_GET(self) -> None:
            status, kind, body = self.known.get(
                self.path.partition("?")[0], (404, "text/html", b"<h1>?</h1>")
            )
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_POST = do_GET  # noqa: N815  # the library's names

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing."""

    house = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    scheme = "http"
    if certificate is not None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        house.socket = context.wrap_socket(house.socket, server_side=True)
        scheme = "https"
    thread = threading.Thread(target=house.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"{scheme}://localhost:{house.server_port}"
    finally:
        house.shutdown()
        thread.join()
        house.server_close()


def test_a_web_page_is_no_server(tmp_path: Path) -> None:
    with answering({}) as url:
        done = run(tmp_path, "play", "classic", "--server", url)
    assert done.code == 1
    assert done.complaint == "digit-duel: there is no Digit Duel server at that address.\n"


def test_a_redirection_is_not_followed_with_the_token(tmp_path: Path) -> None:
    with answering({"/api/sessions": (302, "text/html", b"moved")}) as url:
        done = run(tmp_path, "play", "classic", "--server", url)
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
        done = run(tmp_path, "play", "classic", "--server", url)
    assert done.code == 1
    assert "certificate cannot be trusted" in done.complaint


def json_answer(data: Any) -> tuple[int, str, bytes]:
    return 200, "application/json", json.dumps(data).encode()


def test_a_server_cannot_command_the_terminal_or_end_the_program_in_disorder(tmp_path: Path) -> None:
    evil = "\x1b]0;owned\x07\x1b[2J"
    refusal = json.dumps({"code": "forbidden", "message": f"No{evil}."}).encode()
    answers = {
        "/api/sessions": json_answer({"token": "t"}),
        "/api/games": (403, "application/json", refusal),
    }
    with answering(answers) as url:
        done = run(tmp_path, "play", "classic", "--server", url)
    assert done.code == 1
    assert b"\x1b" not in done.out + done.err
    for nonsense in ({}, {"seal": 5, "game": []}, {"seal": "s", "game": "g", "invite": 3}):
        with answering({**answers, "/api/games": json_answer(nonsense)}) as url:
            done = run(tmp_path / "other", "play", "classic", "--server", url, "--invite")
        assert done.code == 1
        assert "makes no sense here" in done.complaint


def test_a_view_with_anything_missing_or_wrong_is_refused_whole(server: Server) -> None:
    with Client(server.url) as ann:
        game = ann.open("cards", "computer").game
        ann.join(game)
        view = ann.look(game)
    assert online_view.read(view).seat == 0
    for name in (
        "version",
        "variant",
        "players",
        "scene",
        "moves",
        "prompts",
        "news",
        "offers",
        "seal",
        "match",
    ):
        for wrong in (None, 5, "x", [1], {"a": 1}):
            if not (name == "scene" and wrong is None) and not (name == "version" and wrong == 5):
                with pytest.raises(Problem):
                    online_view.read({**view, name: wrong})
        with pytest.raises(Problem):
            online_view.read({key: value for key, value in view.items() if key != name})


# Options


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--server", "localhost", "--seed", "1"), "--seed and --draws are for games at this keyboard"),
        (("--server", "localhost", "--names", "A", "B"), "--name A"),
        (("--server", "localhost", "--level", "best"), "there is no level 'best'"),
        (("--server", "localhost", "--invite", "--level", "sharp"), "the computer needs no invitation"),
        (("--join", "http://h/j/x#y", "--level", "sharp"), "--join goes to a game that somebody has opened"),
        (("--server", "localhost", "--match", "3", "--first-to", "2"), "not both"),
        (("--server", "localhost", "--match", "101"), "at most 99 games"),
        (("--invite",), "add --server URL"),
        (("--name", "Ann"), "add --server URL"),
    ],
)
def test_options_that_do_not_go_together_are_refused(
    tmp_path: Path, options: tuple[str, ...], told: str
) -> None:
    done = inside(tmp_path, "play", "classic", *options)
    assert done.code == 2
    assert told in done.complaint


def test_a_link_to_another_game_says_which(server: Server, tmp_path: Path) -> None:
    with Client(server.url) as ben:
        opened = ben.open("reverse", "friend")
    assert opened.url is not None
    done = run(tmp_path, "play", "classic", "--join", opened.url)
    assert done.code == 1
    assert "that link leads to a game of reverse" in done.complaint


@pytest.mark.parametrize("link", ["/x/abc", "/j/", "/j/a%20b", "/g/../x", ""])
def test_a_link_that_leads_nowhere_is_refused(server: Server, tmp_path: Path, link: str) -> None:
    done = inside(tmp_path, "play", "classic", "--join", f"{server.url}{link}")
    assert done.code == 1
    assert "--join takes a link to a game" in done.complaint
