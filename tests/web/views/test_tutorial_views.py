"""GET /api/tutorials/{variant}: the lessons with their tables, as the learner's seat sees them."""

from __future__ import annotations

import json
from gzip import decompress
from typing import Any

import httpx
import pytest
from tests.web.server import Server

GAMES = {"classic": 4, "reverse": 4, "sabotage": 4, "cards": 6, "battle": 5}


def lessons(server: Server, variant: str) -> list[dict[str, Any]]:
    answer = httpx.get(f"{server.url}/api/tutorials/{variant}")
    assert answer.status_code == 200
    found: list[dict[str, Any]] = answer.json()["lessons"]
    return found


@pytest.mark.parametrize("variant", GAMES)
def test_every_game_of_the_catalogue_has_its_lessons(server: Server, variant: str) -> None:
    assert len(lessons(server, variant)) == GAMES[variant]
    listed = httpx.get(f"{server.url}/api/catalogue").json()["games"]
    assert {game["id"]: game["lessons"] for game in listed} == GAMES


def test_a_lesson_brings_its_table_its_choices_and_what_follows(server: Server) -> None:
    first = lessons(server, "classic")[0]
    assert len(first["moves"]) == 27
    assert first["point"] == "9a1"
    assert list(first["good"]) == ["9a1"]
    own, reply = first["good"]["9a1"]
    assert [cell["digit"] for cell in own["scene"]["rows"][0]["cells"]] == [9, None, None]
    assert (own["seat"], own["place"]) == (0, {"row": 0, "cell": 0})
    assert [cell["digit"] for cell in reply["scene"]["rows"][1]["cells"]] == [8, None, None]
    assert (reply["seat"], reply["acting"]) == (1, [0])


def test_what_is_to_be_found_is_not_pointed_at(server: Server) -> None:
    assert [lesson["point"] for lesson in lessons(server, "sabotage")] == ["0a1", "9b2", None, None]
    assert set(lessons(server, "battle")[3]["good"]) == {"+6", "+7", "+8"}


def test_cards_that_the_learner_may_not_see_are_face_down(server: Server) -> None:
    found = lessons(server, "cards")
    (steps,) = found[3]["good"].values()  # the computer is given a 1, and then keeps a card
    held = steps[-1]["scene"]["rows"][1]["cells"]
    assert [(cell["digit"], cell.get("hidden", False)) for cell in held] == [
        (1, False),
        (None, True),
        (None, False),
    ]
    after = found[0]["good"]["a942"][-1]["scene"]["rows"][1]["cells"]
    assert [cell["digit"] for cell in after] == [7, 3, 1]  # the reveal


def test_a_lesson_announces_the_end_of_a_round_and_of_a_game(server: Server) -> None:
    ends = {
        id: [
            (step.get("ended"), step.get("winner"))
            for lesson in lessons(server, id)
            for step in _last(lesson)
        ]
        for id in ("cards", "sabotage", "battle")
    }
    none = (None, None)
    assert ends["cards"] == [("round", 0), none, none, none, none, none]
    assert ends["sabotage"] == [none, none, none, ("game", 1)]
    assert ends["battle"] == [none, none, ("game", 0), none, ("game", 0)]


def _last(lesson: dict[str, Any]) -> list[dict[str, Any]]:
    """The last step of the first good choice."""
    steps: list[dict[str, Any]] = next(iter(lesson["good"].values()))
    return steps[-1:]


def test_a_tutorial_can_be_kept_and_comes_compressed(server: Server) -> None:
    gzip = {"Accept-Encoding": "gzip"}
    with httpx.stream("GET", f"{server.url}/api/tutorials/cards", headers=gzip) as sent:
        data = b"".join(sent.iter_raw())
        assert sent.headers["cache-control"] == "public, max-age=3600"
        assert sent.headers["content-encoding"] == "gzip"
    assert len(data) < 4_000
    assert json.loads(decompress(data))["variant"] == "cards"


@pytest.mark.parametrize("variant", ["chess", "_cards", "cards%00", "x" * 300])
def test_a_game_that_has_no_lessons_is_refused(server: Server, variant: str) -> None:
    answer = httpx.get(f"{server.url}/api/tutorials/{variant}")
    assert answer.status_code in (400, 404)
    assert answer.json()["code"] in ("not_found", "bad_request")
