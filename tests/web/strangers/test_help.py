"""Nobody gets help in a game between people by leaving their token out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from tests.web.server import Server, running_server
from tests.web.strangers.plain import Said, Stranger, duel

MOVES = ("9a1", "8b1", "7a2")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running_server(tmp_path_factory.mktemp("help"), analysis_seconds=60.0) as found:
        yield found


def analysed(server: Server, moves: Sequence[str], variant: str = "classic", **more: object) -> Said:
    with Stranger(server.url) as nobody:
        return nobody.ask("POST", "/api/analysis", {"variant": variant, "moves": list(moves), **more})


def test_a_position_that_two_people_play_is_analysed_for_nobody_until_they_move_on(server: Server) -> None:
    ada, bob, game = duel(server.url)
    for at, move in enumerate(MOVES):
        assert (ada, bob)[at % 2].command(game, 3 + at, "move", move=move).status == 200
    for moves in (MOVES, (*MOVES, "6b2"), (*MOVES, "6b2", "5a3")):
        said = analysed(server, moves)
        assert (said.status, said.body["code"]) == (403, "forbidden")
        assert "Two people are playing this position now" in said.body["message"]
    assert analysed(server, MOVES[:1]).status == 200, "an earlier position is no help"
    assert analysed(server, ("9a2", "8b1", "7a1")).status == 200, "nor is another one"
    assert bob.command(game, 6, "resign").status == 200
    assert analysed(server, MOVES).status == 200


def test_a_copy_of_the_game_that_is_over_does_not_help_either(server: Server) -> None:
    moves = ("9b1", "8a1", "7b2", "6a2")
    copier = Stranger(server.url).begin()
    ada, bob, game = duel(server.url, "sabotage")
    wish = {"variant": "sabotage", "opponent": "same_device", "name": "A", "second_name": "B"}
    copy = copier.ask("POST", "/api/games", wish).body["game"]
    for at, move in enumerate(moves):
        assert (ada, bob)[at % 2].command(game, 3 + at, "move", move=move).status == 200
        assert copier.command(copy, 3 + at, "move", move=move).status == 200
    assert copier.command(copy, 7, "resign").status == 200
    assert copier.ask("GET", f"/api/games/{copy}/review").status == 403
    assert analysed(server, moves, "sabotage", game=copy).status == 403
    assert ada.command(game, 7, "resign").status == 200
    assert copier.ask("GET", f"/api/games/{copy}/review").status == 200


def test_a_sealed_choice_cannot_be_guessed_by_what_is_refused(server: Server) -> None:
    settings = {"pool": "1-2", "start_life": "20"}
    ada, bob, game = duel(server.url, "battle", settings=settings)
    for person, version, move in ((ada, 3, "+1"), (bob, 4, "+2"), (ada, 5, "a5")):
        assert person.command(game, version, "move", move=move).status == 200
    guesses = ("a1", "a2", "a3", "a4", "a5")
    said = [
        person.ask(
            "POST", "/api/analysis", {"variant": "battle", "settings": settings, "moves": ["+1", "+2", guess]}
        )
        for person in (bob, Stranger(server.url))
        for guess in guesses
    ]
    assert {(each.status, each.body["message"]) for each in said} == {
        (403, "Two people are playing this position now. You can analyse it when they have moved on.")
    }
