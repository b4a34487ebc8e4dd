"""Events that others write because of a command count too, so that the database grows slowly: E4."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.web.server import running_server
from tests.web.strangers.plain import Said, Stranger

RATE = 0.12  # commands a second, and a hundred times as many at once
AT_ONCE = 12


def against_the_computer(person: Stranger, variant: str, level: str) -> dict[str, Any]:
    wish = {"variant": variant, "opponent": "computer", "level": level, "name": "Ada"}
    return dict(person.ask("POST", "/api/games", wish).body)


def played_on(person: Stranger, game: str) -> Said:
    """Keep every card until the server refuses, or the game is over."""
    while True:
        view = person.ask("GET", f"/api/games/{game}").body
        if view["phase"] == "over":
            return person.ask("GET", f"/api/games/{game}")
        if moves := view["moves"]:
            said = person.command(game, view["version"], "move", move="k" if "k" in moves else moves[0])
            if said.status == 429:
                return said


def test_a_rematch_counts_as_the_game_that_it_opens(tmp_path: Path) -> None:
    """To resign and to play again was the cheapest way to fill the disk: five events for two commands."""
    with running_server(tmp_path, events_per_second=RATE) as server, Stranger(server.url).begin() as ada:
        view = against_the_computer(ada, "classic", "random")["view"]
        again = 0
        while True:
            game = view["game"]
            said = ada.command(game, view["version"], "resign")
            if said.status == 200:
                said = ada.command(game, said.body["version"], "rematch")
            if said.status != 200:
                break
            again += 1
            view = ada.ask("GET", f"/api/games/{ada.ask('GET', f'/api/games/{game}').body['next']}").body
        assert (said.status, said.body["code"]) == (429, "rate_limited")
        assert 2 <= again <= 3, "each takes six of twelve, which come back slowly"


def test_many_moves_of_the_computer_in_a_row_count_as_commands(tmp_path: Path) -> None:
    """It draws and discards for as long as the opponent's hand is full: seven events for each command."""
    with running_server(tmp_path, events_per_second=RATE) as server, Stranger(server.url).begin() as ada:
        events = 0
        while True:
            game = against_the_computer(ada, "cards", "perfect")["game"]
            said = played_on(ada, game)
            events += ada.ask("GET", f"/api/games/{game}").body["version"] - 3
            if said.status == 429:
                break
        assert events < 4 * AT_ONCE
