"""A seat in a game on a server, in this process: offers, rematches, claims, and unfair games."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from dataclasses import replace
from io import StringIO

import pytest
from tests.web.client import Client, seated
from tests.web.server import Server

from digit_duel.cli.errors import Problem
from digit_duel.cli.online import game as online_game
from digit_duel.cli.online.connection import Connection, ServerAddress
from digit_duel.cli.online.fairness import Commitment, check_record
from digit_duel.cli.online.game import OnlineGame
from digit_duel.cli.online.json_answer import Json
from digit_duel.cli.online.view import read_view
from digit_duel.cli.screen.terminal import Terminal
from digit_duel.core.game import Seat
from digit_duel.games import variant


@pytest.fixture
def people(server: Server) -> Iterator[tuple[Client, Client]]:
    with Client(server.url) as ann, Client(server.url) as ben:
        yield ann, ben


class Seated:
    """A person's seat, with everything that will be typed, and everything that was shown."""

    def __init__(self, person: Client, game: str, typed: str = "") -> None:
        self._out = StringIO()
        self.terminal = Terminal(StringIO(typed), self._out)
        self.terminal.interactive = True
        self.connection = Connection(ServerAddress.parse(person.url), self.terminal.say)
        assert person.token is not None
        self.connection.token = person.token
        view = read_view(Json(person.look(game)))
        self.game = OnlineGame(self.terminal, self.connection, "The rules.", view)

    @property
    def shown(self) -> str:
        return self._out.getvalue()


def test_both_want_another_game_and_get_it(people: tuple[Client, Client]) -> None:
    ann, ben = people
    game = seated(ann, ben, "classic")
    ann.command(game, "resign")
    seat = Seated(ann, game)
    later = threading.Timer(0.2, lambda: ben.command(game, "rematch", seed="b2"))
    later.start()
    found = seat.game.rematch("a1")
    later.join()
    assert found == ann.look(game)["next"]
    assert "Waiting for the other player to agree." in seat.shown
    assert "The rematch is ready." in seat.shown


def test_the_other_has_had_enough(people: tuple[Client, Client]) -> None:
    ann, ben = people
    game = seated(ann, ben, "classic")
    ben.command(game, "resign")
    seat = Seated(ann, game)
    later = threading.Timer(0.2, lambda: ben.command(game, "decline", what="rematch"))
    later.start()
    assert seat.game.rematch("a1") is None
    later.join()
    assert "Ben declines a rematch." in seat.shown


def test_one_who_is_away_for_long_can_be_claimed(
    people: tuple[Client, Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, ben = people
    game = seated(ann, ben, "classic")
    ann.move(game, "9a1")
    monkeypatch.setattr(online_game, "_WAIT_POLL", 0.3)
    seat = Seated(ann, game, "yes\n")
    assert seat.game.play().phase == "over"
    assert "Do you want to claim the game? (yes/no): " in seat.shown
    assert "Ben has been away for too long. Anna wins." in seat.shown


def test_an_offer_that_is_declined_is_not_asked_about_again(people: tuple[Client, Client]) -> None:
    ann, ben = people
    game = seated(ann, ben, "classic")
    ann.move(game, "9a1")
    ben.move(game, "8b1")
    ben.command(game, "takeback")
    seat = Seated(ann, game, "no\nresign\nyes\n")
    assert seat.game.play().phase == "over"
    assert seat.shown.count("Your opponent wants to take a choice back. Do you agree? (yes/no): ") == 1
    assert "You declined the take-back." in seat.shown


def test_words_that_could_mean_two_things_are_asked_about_and_undo_goes_back(
    people: tuple[Client, Client],
) -> None:
    ann, ben = people
    game = seated(ann, ben, "sabotage")
    seat = Seated(ann, game, "9\n\nundo\n9\nopponent\nt\nth\nresign\nyes\nresign\nyes\n")
    later = threading.Timer(0.5, lambda: ben.command(game, "resign"))
    later.start()
    assert seat.game.play().phase == "over"
    later.join()
    assert "'t' could be thousands or tens. Which one? " in seat.shown
    assert "You place 9 in Ben's thousands." in seat.shown


def test_a_game_that_was_ended_meanwhile_is_told(people: tuple[Client, Client]) -> None:
    ann, ben = people
    game = seated(ann, ben, "classic")
    seat = Seated(ann, game, "9 h\n")
    ben.command(game, "resign")
    seat.game.play()
    assert "The game is over." in seat.shown
    assert "Ben resigned. Anna wins." in seat.shown


def test_a_seat_that_was_lost_is_a_problem(people: tuple[Client, Client], server: Server) -> None:
    ann, ben = people
    game = seated(ann, ben, "classic")
    seat = Seated(ann, game, "9 h\n")
    with Client(server.url) as stranger:
        assert stranger.token is not None
        seat.connection.token = stranger.token
        with pytest.raises(Problem, match=r"You are watching this game|not yours"):
            seat.game.play()


def test_a_server_that_deals_otherwise_than_it_sealed_is_found_out(people: tuple[Client, Client]) -> None:
    ann, ben = people
    game = seated(ann, ben, "cards")  # with the seeds a1 and b2
    ann.command(game, "resign")
    text = ann.http.get(f"/api/games/{game}/record").text
    right = Commitment(read_view(Json(ann.look(game))).seal, "a1")

    def check(text: str, commitment: Commitment) -> bool:
        record, hidden = check_record(text, variant("cards"), Seat.FIRST, commitment)
        assert record.result == "0-1"
        return hidden

    assert check(text, right)
    assert check(text, replace(right, seed=None))
    with pytest.raises(Problem, match="the seal is not the one that you saw before the game"):
        check(text, replace(right, seal="00" * 32))
    with pytest.raises(Problem, match="replaced your part in the deal"):
        check(text, replace(right, seed="a2"))
    for wrong in ("", "Dear Anna,", text.replace('[ServerSeed "', '[ServerSeed "00')):
        with pytest.raises(Problem, match="cannot prove that this game was fair"):
            check(wrong, right)


def test_the_end_of_a_round_is_told_to_both(people: tuple[Client, Client]) -> None:
    ann, ben = people
    game = seated(ann, ben, "cards")
    while not any(
        item["text"].endswith(("win the round.", "wins the round.")) for item in ann.look(game)["news"]
    ):
        mover = next(person for person in people if person.look(game)["turn"])
        mover.move(game, mover.look(game)["moves"][0])  # keeps, and the highest number
    for person in people:
        seat = Seated(person, game)
        with pytest.raises(EOFError):
            seat.game.play()
        result, won, next_round = re.split("(wins? the round)\\.\n", seat.shown, maxsplit=1)
        assert result.splitlines()[-1].startswith("You: " if person is ann else "Anna: ")
        assert result.endswith("You " if won == "win the round" else "Anna " if person is ben else "Ben ")
        assert next_round.lstrip().startswith("Waiting for Ben." if person is ann else "Round 2.")
