"""For each move, every person sends at most one message and receives one view."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from tests.web.client import Client, People, bearer, seated
from tests.web.raw import RawSocket, replies_in
from tests.web.server import Server

LASTING = {"protocol", "game", "variant", "same_device", "match", "hints", "seal"}
SURROUNDINGS = {
    "version", "since", "seat", "seats", "owner", "players", "turn", "news", "clock", "claim", "watchers",
}  # fmt: skip


class Tab(RawSocket):
    """A socket that returns every message it receives."""

    def __enter__(self) -> Tab:
        return self

    def heard(self, wanted: Callable[[dict[str, Any]], bool] | None = None) -> list[dict[str, Any]]:
        """All messages up to a given one, and those right after it."""
        found: list[dict[str, Any]] = []
        while wanted is not None and not (found and wanted(found[-1])):
            found.append(self.hear("view", "reply"))
        self.say({"type": "ping"})
        while (message := self.hear("view", "reply", "pong"))["type"] != "pong":
            found.append(message)
        return found

    def shown(self, version: int) -> list[dict[str, Any]]:
        """All messages up to the first view of a version."""
        return self.heard(lambda message: message["type"] == "view" and message["view"]["version"] >= version)

    def move(self, move: str, version: int, id: str = "first", **more: Any) -> list[dict[str, Any]]:
        """Send a move; all messages up to the reply."""
        self.say({"type": "command", "id": id, "version": version, "do": "move", "move": move, **more})
        return self.heard(lambda message: id in [reply["id"] for reply in replies_in(message)])


@contextmanager
def tab(server: Server, person: Client, game: str, query: str = "") -> Iterator[Tab]:
    """A tab of a person's browser, after its first view."""
    with Tab(server.port, f"/api/games/{game}/socket{query}", bearer(person)) as found:
        yield found


@pytest.fixture
def game(people: People) -> str:
    return seated(*people, "classic")


def test_a_move_is_one_message_out_and_one_view_in_for_each(
    server: Server, people: People, game: str
) -> None:
    with tab(server, people[0], game) as anna, tab(server, people[1], game) as ben:
        ben.shown(3)
        while not anna.hear("view")["view"]["players"][1]["here"]:
            pass
        (mine,) = anna.move("9a1", version=3)
        (theirs,) = ben.shown(4)
    assert mine["replies"] == [{"id": "first", "code": "ok", "applied": 4}]
    assert theirs.keys() == {"type", "view"}
    for message, turn in ((mine, False), (theirs, True)):
        view = message["view"]
        assert (view["version"], view["since"], view["turn"]) == (4, 3, turn)
        assert [item["move"] for item in view["news"]] == ["9a1"]
        assert view["scene"]["rows"][0]["cells"][0]["digit"] == 9
        assert not view.keys() & LASTING


def test_a_repeated_command_is_answered_and_not_shown_again(
    server: Server, people: People, game: str
) -> None:
    with tab(server, people[0], game) as anna:
        anna.shown(3)
        anna.move("9a1", version=3)
        (again,) = anna.move("9a1", version=3)
    assert again["replies"] == [{"id": "first", "code": "ok_repeat", "applied": 4}]
    assert again["view"].keys() == SURROUNDINGS
    assert people[0].look(game)["version"] == 4


@pytest.mark.parametrize(
    ("move", "version", "code"),
    [("9b1", 3, "illegal_move"), ("z", 3, "bad_request"), ("8a2", 3, "not_your_turn")],
)
def test_a_refusal_is_short(
    server: Server, people: People, game: str, move: str, version: int, code: str
) -> None:
    with tab(server, people[0], game) as anna:
        anna.shown(3)
        if code == "not_your_turn":
            anna.move("9a1", version=3)
        (refused,) = anna.move(move, version=version, id="other")
    assert refused.keys() == {"type", "id", "code", "message"}
    assert (refused["type"], refused["id"], refused["code"]) == ("reply", "other", code)


def test_a_viewer_with_the_latest_version_gets_only_presence(
    server: Server, people: People, game: str
) -> None:
    with tab(server, people[0], game, "?after=3") as anna:
        assert [message["view"].keys() for message in anna.shown(3)] == [SURROUNDINGS]
        with tab(server, people[1], game, "?after=2") as ben:
            (first,) = ben.shown(3)
            assert [item["version"] for item in first["view"]["news"]] == [3]
            (came,) = anna.shown(3)
        assert came["view"].keys() == SURROUNDINGS
        assert [player["here"] for player in came["view"]["players"]] == [True, True]


def test_a_command_sent_before_the_connection_broke_is_resent_and_carried_out_once(
    server: Server, people: People, game: str
) -> None:
    with tab(server, people[0], game) as anna:
        anna.move("9a1", version=3)  # let us say that the reply was lost
    with tab(server, people[0], game, "?after=3") as anna:
        found = anna.move("9a1", version=3)
    assert [message["view"]["version"] for message in found] == [4, 4]
    assert "scene" in found[0]["view"]
    assert found[1]["replies"] == [{"id": "first", "code": "ok_repeat", "applied": 4}]


def test_on_one_device_an_open_game_shows_the_next_player_their_choices(server: Server) -> None:
    with Client(server.url) as tom:
        game = tom.open("sabotage", "same_device").game
        tom.join(game, "Tom", seat=0), tom.join(game, "Anna", seat=1)
        with tab(server, tom, game) as both:
            (first,) = both.shown(3)
            assert (first["view"]["seat"], first["view"]["turn"]) == (0, True)
            (after,) = both.move("9b1", version=3, seat=0)
    assert after["replies"][0]["code"] == "ok"
    assert (after["view"]["seat"], after["view"]["turn"], len(after["view"]["moves"])) == (1, True, 70)


def test_on_one_device_a_hand_is_shown_to_whoever_asks_for_it(server: Server) -> None:
    with Client(server.url) as tom:
        game = tom.open("cards", "same_device").game
        tom.join(game, "Tom", seat=0), tom.join(game, "Anna", seat=1)
        with tab(server, tom, game) as both:
            (first,) = both.shown(3)
            (after,) = both.move("k", version=3, seat=0)
        asked = tom.look(game, seat=1)
    for message in (first, after):
        assert (message["view"]["seat"], message["view"]["moves"]) == (None, [])
        assert message["view"]["scene"]["drawn"]["digit"] is None
    assert (asked["seat"], asked["turn"], asked["moves"]) == (1, True, ["k", "g"])


def test_a_post_carries_the_view_or_leaves_it_to_the_stream(people: People, game: str) -> None:
    anna, ben = people
    reply = anna.move(game, "9a1", version=3)
    assert (reply.view["version"], reply.view["since"], reply.view["seat"]) == (4, 3, 0)
    body = {"id": "b", "version": 4, "do": "move", "move": "8b1"}
    alone = ben.ask("POST", f"/api/games/{game}/commands?view=none", body)
    assert alone.body == {"code": "ok", "applied": 5, "version": 5}
    refused = ben.ask("POST", f"/api/games/{game}/commands?view=none", {**body, "id": "c"})
    assert refused.body.keys() == {"code", "message"}
