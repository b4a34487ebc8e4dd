"""Nobody gets help in a game between people by leaving their token out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

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


def test_no_later_position_is_analysed_while_two_people_are_at_an_earlier_one(server: Server) -> None:
    line = ("9a1", "8b1", "7b2", "6a2", "5a3", "4b3", "3a4", "2b4")
    ada, bob, game = duel(server.url, "sabotage")
    for at, move in enumerate(line[:4]):
        assert (ada, bob)[at % 2].command(game, 3 + at, "move", move=move).status == 200
    for length in range(4, 8):
        assert analysed(server, line[:length], "sabotage").status == 403, length
    assert analysed(server, (*line[:3], "6a3", "5a2", *line[5:7]), "sabotage").status == 200, "another line"
    assert ada.command(game, 7, "resign").status == 200
    assert analysed(server, line[:7], "sabotage").status == 200


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
    refusals = {
        bob: "You are playing this game against a person: you can analyse it when it is over.",
        Stranger(server.url): "Two people are playing this position now. You can analyse it when they have"
        " moved on.",
    }
    for person, refusal in refusals.items():
        for guess in guesses:
            asked = {"variant": "battle", "settings": settings, "moves": ["+1", "+2", guess]}
            said = person.ask("POST", "/api/analysis", asked)
            assert (said.status, said.body["message"]) == (403, refusal)


def test_a_player_gets_the_reason_even_after_fifty_other_games(server: Server) -> None:
    ada, _, game = duel(server.url)
    assert ada.command(game, 3, "move", move="5a3").status == 200
    for _ in range(50):
        wish = {"variant": "classic", "opponent": "same_device", "name": "A", "second_name": "B"}
        other = ada.ask("POST", "/api/games", wish).body["game"]
        assert ada.command(other, 3, "resign").status == 200
    said = ada.ask("POST", "/api/analysis", {"variant": "classic", "moves": ["5a3"]})
    assert said.status == 403
    assert said.body["message"].startswith("You are playing this game against a person")


@pytest.mark.parametrize(
    "how",
    [
        {"moves": ["9A1", "8B1", "7A2"]},
        {"moves": ["9a1", "8b1", "7a2"], "settings": {"tie": "draw"}},
        {"moves": ["9a1", "8b1", "7a2"], "variant": "reverse", "settings": {"goal": "high"}},
        {"moves": ["7a2", "8b1", "9a1"]},
        {"moves": ["9a1", "keep", "8b1", "7a2"], "settings": {"swap": "yes"}},
        {"moves": ["9a1", "swap", "8b1", "7a2"], "settings": {"swap": "yes"}},
    ],
)
def test_describing_the_same_position_differently_does_not_help(server: Server, how: Any) -> None:
    """Upper case, rules that make no difference here, and another order of the moves."""
    ada, bob, game = duel(server.url)
    for at, move in enumerate(MOVES):
        assert (ada, bob)[at % 2].command(game, 3 + at, "move", move=move).status == 200
    assert analysed(server, **how).status == 403
    assert ada.ask("POST", "/api/analysis", {"variant": "classic", **how}).status == 403
    assert bob.command(game, 6, "resign").status == 200
    assert analysed(server, **how).status == 200


@pytest.mark.parametrize("choice", ["keep", "swap"])
def test_a_position_under_the_pie_rule_is_not_analysed_without_it(server: Server, choice: str) -> None:
    ada, bob, game = duel(server.url, settings={"swap": "yes"})
    later = (bob, ada) if choice == "keep" else (ada, bob)
    for version, person, move in zip(
        (3, 4, 5, 6), (ada, bob, *later), ("5a1", choice, "8b1", "7a2"), strict=True
    ):
        assert person.command(game, version, "move", move=move).status == 200
    moves = ["5a1", "8b1", "7a2"]
    assert analysed(server, moves).status == 403
    assert analysed(server, ["5a1", choice, "8b1", "7a2"], settings={"swap": "yes"}).status == 403
    assert bob.command(game, 7, "resign").status == 200
    assert analysed(server, moves).status == 200


def test_nobody_gets_the_odds_of_a_round_of_cards_that_two_people_play(server: Server) -> None:
    """Whatever they guess for the cards that they cannot see: a refusal does not depend on them."""
    ada, bob, game = duel(server.url, "cards")
    for version, person in ((3, ada), (4, bob)):
        assert person.command(game, version, "move", move="k").status == 200
    for guess in ("d2 k d5 k d7", "d0 k d9 k d0", "d2 k d5 k"):
        asked = {"variant": "cards", "moves": guess.split(), "seat": 0}
        for person in (ada, bob, Stranger(server.url)):
            assert person.ask("POST", "/api/analysis", asked).status == 403
    assert analysed(server, ["d2", "k", "d5", "g", "d7"], "cards", seat=0).status == 200, "another round"
    assert ada.command(game, 5, "resign").status == 200
    assert analysed(server, ["d2", "k", "d5", "k", "d7"], "cards", seat=0).status == 200


def test_nobody_gets_the_odds_of_open_hands_that_two_people_play(server: Server) -> None:
    settings = {"visibility": "open"}
    ada, bob, game = duel(server.url, "cards", settings=settings)
    for version, person in ((3, ada), (4, bob)):
        assert person.command(game, version, "move", move="k").status == 200
    scene = ada.ask("GET", f"/api/games/{game}").body["scene"]
    one, other = (row["cells"][0]["digit"] for row in scene["rows"])
    moves = [f"d{one}", "k", f"d{other}", "k"]
    assert analysed(server, moves, "cards", settings=settings).status == 403
    assert (
        ada.ask("POST", "/api/analysis", {"variant": "cards", "settings": settings, "moves": moves}).status
        == 403
    )
    assert ada.command(game, 5, "resign").status == 200
    assert analysed(server, moves, "cards", settings=settings).status == 200
