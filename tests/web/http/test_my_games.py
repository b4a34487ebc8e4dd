"""A person's own games: listed in pages, counted against each opponent, moved with the resume code."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

from tests.web.client import Client, play_to_end, seated
from tests.web.server import Server, running_server, until


def ended(person: Client, other: Client, *, resigns: Client, variant: str = "classic") -> str:
    """A game that is over because one of the two resigned."""
    game = seated(person, other, variant)
    assert resigns.command(game, "resign").code == "ok"
    return game


def my_games(person: Client, **query: Any) -> dict[str, Any]:
    reply = person.ask("GET", "/api/me/games", params=query)
    assert reply.status == 200, reply.body
    return reply.body


def against(person: Client) -> list[tuple[Any, ...]]:
    found = person.ask("GET", "/api/me/statistics").body["against"]
    keys = ("variant", "name", "level", "played", "won", "lost", "drawn")
    return sorted(tuple(each[key] for key in keys) for each in found)


def test_games_that_run_and_games_that_ended_are_listed_with_opponent_and_result(server: Server) -> None:
    with Client(server.url) as anna, Client(server.url) as ben:
        won = ended(anna, ben, resigns=ben)
        lost = ended(anna, ben, resigns=anna, variant="cards")
        running = seated(anna, ben, "battle")
        listed = my_games(anna)
        assert [each["game"] for each in listed["running"]] == [running]
        assert [
            (each["game"], each["variant"], each["names"], each["result"]) for each in listed["ended"]
        ] == [
            (lost, "cards", ["Anna", "Ben"], "you lost"),
            (won, "classic", ["Anna", "Ben"], "you won"),
        ]
        assert listed["next"] is None
        assert [each["result"] for each in my_games(ben)["ended"]] == ["you won", "you lost"]


def test_games_that_ended_come_in_pages_each_game_once(server: Server) -> None:
    with Client(server.url) as anna, Client(server.url) as ben:
        all_games = [ended(anna, ben, resigns=ben) for _ in range(45)]
        found, page = [], my_games(anna)
        pages = [len(page["ended"])]
        found += [each["game"] for each in page["ended"]]
        while page["next"] is not None:
            page = my_games(anna, before=page["next"])
            assert page["running"] == []
            pages.append(len(page["ended"]))
            found += [each["game"] for each in page["ended"]]
        assert pages == [20, 20, 5]
        assert found == all_games[::-1]


def test_results_are_counted_against_each_level_and_person(server: Server) -> None:
    with Client(server.url) as anna, Client(server.url) as ben, Client(server.url) as other:
        for resigns in (ben, ben, anna):
            ended(anna, ben, resigns=resigns)
        ended(anna, other, resigns=anna)  # calls themselves Ben, too
        game = anna.open("classic", "computer", level="random", name="Anna").game
        assert anna.command(game, "resign").code == "ok"
        game = anna.open("classic", "same_device", name="Anna", second_name="Eve").game
        assert anna.command(game, "resign").code == "ok"  # counts for nobody
        assert against(anna) == [
            ("classic", "Ben", None, 1, 0, 1, 0),
            ("classic", "Ben", None, 3, 2, 1, 0),
            ("classic", "Computer", "random", 1, 0, 1, 0),
        ]
        assert against(ben) == [("classic", "Anna", None, 3, 1, 2, 0)]


def test_a_draw_is_counted_as_one(server: Server) -> None:
    with Client(server.url) as anna, Client(server.url) as ben:
        game = seated(anna, ben, "classic", settings={"pool": "5x6", "tie": "draw"})
        assert play_to_end(game, (anna, ben), Random(1))["result"]["winner"] is None
        assert against(anna) == [("classic", "Ben", None, 1, 0, 0, 1)]
        assert my_games(ben)["ended"][0]["result"] == "draw"


def test_everything_moves_to_another_device_with_the_resume_code(server: Server) -> None:
    with Client(server.url) as anna, Client(server.url) as ben, Client(server.url, stranger=True) as phone:
        game = ended(anna, ben, resigns=ben)
        code = anna.ask("POST", "/api/me/codes").body["code"]
        token = phone.ask("POST", "/api/sessions/resume", {"code": code, "bearer": True}).body["token"]
        with Client(server.url, token) as moved:
            assert [each["game"] for each in my_games(moved)["ended"]] == [game]
            assert against(moved) == [("classic", "Ben", None, 1, 1, 0, 0)]


def test_strangers_have_no_games_and_wrong_pages_are_refused(server: Server) -> None:
    with Client(server.url, stranger=True) as stranger, Client(server.url) as anna:
        for path in ("/api/me/games", "/api/me/statistics"):
            assert stranger.ask("GET", path).code == "forbidden"
        assert my_games(anna) == {"running": [], "ended": [], "next": None}
        for wrong in ("0", "x.y", "1.2.3", "1." + "a" * 41, "-1.a", "99999999999999999.a"):
            assert anna.ask("GET", "/api/me/games", params={"before": wrong}).code == "bad_request", wrong


def test_games_that_ended_under_an_earlier_version_are_added_in_the_background(tmp_path: Path) -> None:
    with running_server(tmp_path) as old, Client(old.url) as anna, Client(old.url) as ben:
        game, token = ended(anna, ben, resigns=ben), anna.token
        old.stop()
    with closing(sqlite3.connect(tmp_path / "server.sqlite3")) as file, file:
        file.execute("DELETE FROM results")
        file.execute("INSERT INTO results_due VALUES (?)", (game,))
    with running_server(tmp_path) as new, Client(new.url, token) as anna:
        until(lambda: bool(my_games(anna)["ended"]))
        assert [(each["game"], each["result"]) for each in my_games(anna)["ended"]] == [(game, "you won")]
