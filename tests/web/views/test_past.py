"""Earlier positions are what an observer was shown at the time, from the beginning, and no more."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec import UNSET
from tests.web.client import Client, pair
from tests.web.client import seated as seated_online
from tests.web.played import add, move, opened, play_on, seated
from tests.web.server import Server, running_server

from digit_duel.core.game import Seat
from digit_duel.core.script import Scene
from digit_duel.games import catalogue
from digit_duel.web.play.clocks import Around
from digit_duel.web.play.online_game import OnlineGame
from digit_duel.web.views.game_view import view
from digit_duel.web.views.history import MOST_POSITIONS, positions
from digit_duel.web.views.view_types import EarlierPosition

EYES = (Seat.FIRST, Seat.SECOND, None)


def shown(online_game: OnlineGame, seat: Seat | None) -> EarlierPosition:
    """A position as the view of that moment has it."""
    found = view(online_game, seat, (), False, Around())
    return EarlierPosition(found.version, found.acting, msgspec.json.decode(found.scene, type=Scene))


@pytest.mark.parametrize("id", catalogue())
@pytest.mark.parametrize("seat", EYES, ids=["the first", "the second", "a stranger"])
def test_every_position_is_as_it_was_shown_at_its_time(id: str, seat: Seat | None) -> None:
    """C13: two kinds of secrets, and three games without any; the end changes nothing in what was before."""
    for number in range(5):
        rng = Random(f"{id} {number}")
        online_game = seated(opened(id), (rng.randbytes(4).hex(), ""))
        seen = [shown(online_game, seat)]
        while not online_game.over:
            online_game = play_on(online_game, rng, 1)
            seen.append(shown(online_game, seat))
        found = positions(online_game, seat)
        assert found == seen[:MOST_POSITIONS]
        assert positions(online_game, seat, found[3].version) == found[4:]


def test_positions_include_moves_taken_back_but_no_events_without_a_move() -> None:
    online_game = move(seated(opened("classic")), Seat.FIRST, "9a1")
    online_game = add(online_game, 1, {"kind": "offer", "what": "clock", "minutes": 5})
    online_game = add(online_game, 0, {"kind": "takeback", "of": 0})
    online_game = move(online_game, Seat.FIRST, "5a2")
    online_game = add(online_game, 1, {"kind": "resign"})
    found = positions(online_game, None)
    digits = [[cell.digit for cell in each.scene.rows[0].cells] for each in found]
    assert digits == [[None, None, None], [9, None, None], [None, None, None], [None, 5, None]]
    assert [each.version for each in found] == [3, 4, 6, 7]  # opened, two sat down, and an offer between
    assert [each.acting for each in found] == [[0], [1], [0], [1]]


def test_before_the_game_there_is_no_past() -> None:
    online_game = opened("cards")
    assert positions(online_game, None) == []
    assert positions(add(online_game, 0, {"kind": "sit", "name": "Anna", "seed": ""}), Seat.FIRST) == []


def test_the_positions_of_a_long_game_come_in_several_answers() -> None:
    """An endless game: at most a hundred positions in one answer, and none is missing."""
    settings = {"pool": "1-1x2", "standoff_limit": "400"}
    online_game = seated(opened("battle", settings))
    for seat in Seat:
        online_game = move(online_game, seat, "+1")
    for _ in range(150):
        online_game = move(move(online_game, Seat.FIRST, "a3"), Seat.SECOND, "b3")
    found, versions = positions(online_game, None), []
    while found:
        assert len(found) <= 100
        versions += [each.version for each in found]
        found = positions(online_game, None, versions[-1])
    assert versions == list(range(3, 3 + 1 + 2 + 2 * 150))


# Over the wire


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running_server(tmp_path_factory.mktemp("past")) as running:
        yield running


def cards(found: list[dict[str, Any]]) -> list[list[int | None]]:
    """All digits that can be read in each position."""
    return [
        [cell["digit"] for row in each["scene"]["rows"] for cell in row["cells"]]
        + [each["scene"]["drawn"]["digit"]]
        for each in found
    ]


def test_each_seat_gets_its_own_earlier_positions_and_a_stranger_what_both_saw(server: Server) -> None:
    anna, ben = pair(server.url)
    with anna, ben, Client(server.url, stranger=True) as eve:
        game = seated_online(anna, ben, "cards")
        drawn = anna.look(game)["scene"]["drawn"]["digit"]
        anna.move(game, "k")
        path = f"/api/games/{game}/past"
        of_anna, of_ben, of_eve = (who.ask("GET", path).body for who in (anna, ben, eve))
        assert [each["seat"] for each in (of_anna, of_ben, of_eve)] == [0, 1, None]
        unknown = [None] * 7
        assert cards(of_eve["positions"]) == [unknown, unknown]
        assert cards(of_anna["positions"]) == [[*unknown[1:], drawn], [drawn, *unknown[1:]]]
        assert cards(of_ben["positions"])[0] == unknown
        assert cards(of_ben["positions"])[1][:6] == unknown[1:]
        assert anna.ask("GET", f"{path}?as=watcher").body == of_eve
        for who, seat in ((anna, 1), (ben, 0), (eve, 0), (eve, 1)):
            refused = who.ask("GET", f"{path}?seat={seat}")
            assert (refused.status, refused.code) == (403, "forbidden")
        last = of_eve["positions"][-1]["version"]
        assert eve.ask("GET", f"{path}?after={last}").body["positions"] == []
        assert eve.ask("GET", f"{path}?after={last - 1}").body["positions"] == of_eve["positions"][1:]
        assert eve.ask("GET", "/api/games/nothing/past").status == 404


@pytest.mark.parametrize("seat", EYES, ids=["the first", "the second", "a stranger"])
def test_the_end_of_a_round_of_cards_comes_with_both_hands_open(seat: Seat | None) -> None:
    online_game = play_on(seated(opened("cards"), ("aa11", "bb22")), Random(4))
    items = view(online_game, seat, (), False, Around()).news
    ends = [item for item in items if re.search("wins? the round|Equal numbers", item.text)]
    assert len(ends) >= 2
    assert [item for item in items if item.scene is not UNSET] == ends
    for item in ends:
        assert isinstance(item.scene, Scene)
        numbers = ["".join(str(cell.digit) for cell in row.cells) for row in item.scene.rows]
        called = ["You" if at == seat else name for at, name in enumerate(("Anna", "Ben"))]
        assert item.text.startswith(f"{called[0]}: {numbers[0]}, {called[1]}: {numbers[1]}. ")
        assert (item.scene.drawn, item.scene.counts) == (None, ())
