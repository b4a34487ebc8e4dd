"""A session that ends is gone everywhere at once: B5."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.web.server import Server, running_server, until
from tests.web.strangers.plain import Stranger, duel
from tests.web.strangers.sockets import Socket, Stream

ENDED = 4003


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running_server(tmp_path_factory.mktemp("sessions")) as found:
        yield found


def test_an_ended_session_loses_its_sockets_and_streams_and_is_no_longer_present(server: Server) -> None:
    ada, bob, game = duel(server.url)
    with Socket(server.url, game, bob.token) as socket, Stream(server.url, game, bob.token) as stream:
        assert socket.hear()[1]["type"] == "view"
        while b"data: " not in stream.read():
            pass
        until(lambda: bool(ada.ask("GET", f"/api/games/{game}").body["players"][1]["here"]))
        assert bob.ask("DELETE", "/api/sessions").status == 200
        assert socket.closed() == ENDED
        stream.read_to_end()
    assert not ada.ask("GET", f"/api/games/{game}").body["players"][1]["here"]
    assert bob.ask("GET", "/api/me").status == 403


def test_leaving_everywhere_ends_every_session_and_every_code(server: Server) -> None:
    bob = Stranger(server.url, agent="Mozilla/5.0 (Windows NT 10.0)").begin()
    code = bob.ask("POST", "/api/me/codes").body["code"]
    phone = Stranger(server.url, agent="Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X)")
    phone.token = phone.ask("POST", "/api/sessions/resume", {"code": code, "bearer": True}).body["token"]
    listed = bob.ask("GET", "/api/me/sessions").body["sessions"]
    assert sorted((each["device"], each["this"]) for each in listed) == [("Windows", True), ("iPhone", False)]
    assert all(each["seen"] >= each["started"] > 1_600_000_000_000 for each in listed)
    unused = bob.ask("POST", "/api/me/codes").body["code"]
    assert bob.ask("DELETE", "/api/me/sessions").status == 200
    for person in (bob, phone):
        assert person.ask("GET", "/api/me").status == 403
    phone.token = None
    said = phone.ask("POST", "/api/sessions/resume", {"code": unused, "bearer": True})
    assert (said.status, said.body["code"]) == (403, "forbidden")


def test_one_can_leave_everywhere_else(server: Server) -> None:
    bob = Stranger(server.url).begin()
    other = Stranger(server.url)
    code = bob.ask("POST", "/api/me/codes").body["code"]
    other.token = other.ask("POST", "/api/sessions/resume", {"code": code, "bearer": True}).body["token"]
    assert bob.ask("DELETE", "/api/me/sessions?keep=this").status == 200
    assert other.ask("GET", "/api/me").status == 403
    assert [each["this"] for each in bob.ask("GET", "/api/me/sessions").body["sessions"]] == [True]


def test_one_session_can_be_ended_from_another_device(server: Server) -> None:
    bob, phone, eve = (Stranger(server.url) for _ in range(3))
    bob.begin()
    eve.begin()
    code = bob.ask("POST", "/api/me/codes").body["code"]
    phone.token = phone.ask("POST", "/api/sessions/resume", {"code": code, "bearer": True}).body["token"]
    listed = bob.ask("GET", "/api/me/sessions").body["sessions"]
    (there,) = (each["id"] for each in listed if not each["this"])
    assert eve.ask("DELETE", f"/api/me/sessions/{there}").status == 404, "the id alone is worth nothing"
    game = bob.ask("POST", "/api/games", {"variant": "classic", "opponent": "friend", "name": "Bob"}).body[
        "game"
    ]
    later = phone.ask("POST", "/api/me/codes").body["code"]
    with Socket(server.url, game, phone.token) as socket:
        assert socket.hear()[1]["type"] == "view"
        assert bob.ask("DELETE", f"/api/me/sessions/{there}").status == 200
        assert socket.closed() == ENDED
    assert phone.ask("GET", "/api/me").status == 403
    assert eve.ask("POST", "/api/sessions/resume", {"code": later}).status == 403, "its codes ended with it"
    assert bob.ask("DELETE", f"/api/me/sessions/{there}").status == 404
    (here,) = (each["id"] for each in bob.ask("GET", "/api/me/sessions").body["sessions"])
    assert "Max-Age=0" in bob.ask("DELETE", f"/api/me/sessions/{here}").headers["set-cookie"]
    assert bob.ask("GET", "/api/me").status == 403


def test_repeating_the_first_request_does_not_restore_a_person_who_left(server: Server) -> None:
    wish = {"variant": "classic", "opponent": "friend", "bearer": True, "attempt": "5c" * 16}
    bob = Stranger(server.url)
    bob.token = bob.ask("POST", "/api/games", wish).body["token"]
    thief = Stranger(server.url)
    assert bob.ask("DELETE", "/api/me/sessions").status == 200
    assert thief.ask("POST", "/api/games", wish).status == 403


def test_another_server_closes_them_too(tmp_path: Path) -> None:
    with running_server(tmp_path) as one, running_server(tmp_path) as other:
        ada, bob, game = duel(one.url)
        with Socket(other.url, game, bob.token) as socket:
            assert socket.hear()[1]["type"] == "view"
            assert bob.ask("DELETE", "/api/sessions").status == 200
            assert socket.closed() == ENDED
        until(lambda: not ada.ask("GET", f"/api/games/{game}").body["players"][1]["here"])
