"""A seat at a server's table, in this process: offers, rematches, claims, and games that prove nothing."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from tests.web.client import Client, seated
from tests.web.server import Server

from digit_duel.cli.errors import Problem
from digit_duel.cli.online import game as online_game
from digit_duel.cli.online import play
from digit_duel.cli.online.connection import Link, Lost
from digit_duel.cli.online.connection import Server as Address
from digit_duel.cli.online.game import OnlineTable
from digit_duel.cli.online.play import Sealed, Wish
from digit_duel.cli.online.view import Seen, read
from digit_duel.cli.screen.terminal import Terminal
from digit_duel.games import variant
from digit_duel.web.replies import Code, Refusal


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
        self.link = Link(Address.at(person.url), self.terminal.say)
        assert person.token is not None
        self.link.token = person.token
        self.table = OnlineTable(self.terminal, self.link, "The rules.", read(person.look(game)))

    @property
    def shown(self) -> str:
        return self._out.getvalue()


def test_both_want_another_game_and_get_it(people: tuple[Client, Client]) -> None:
    ann, ben = people
    game = seated(ann, ben, "classic")
    ann.command(game, "resign")
    ann_seated = Seated(ann, game)
    later = threading.Timer(0.2, lambda: ben.command(game, "rematch", seed="b2"))
    later.start()
    found = ann_seated.table.rematch("a1")
    later.join()
    assert found == ann.look(game)["next"]
    assert "Waiting for the other player to agree." in ann_seated.shown
    assert "The rematch is ready." in ann_seated.shown


def test_the_other_has_had_enough(people: tuple[Client, Client]) -> None:
    ann, ben = people
    game = seated(ann, ben, "classic")
    ben.command(game, "resign")
    ann_seated = Seated(ann, game)
    later = threading.Timer(0.2, lambda: ben.command(game, "decline", what="rematch"))
    later.start()
    assert ann_seated.table.rematch("a1") is None
    later.join()
    assert "Ben declines a rematch." in ann_seated.shown


def test_one_who_is_away_for_long_can_be_claimed(
    people: tuple[Client, Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, ben = people
    game = seated(ann, ben, "classic")
    ann.move(game, "9a1")
    monkeypatch.setattr(online_game, "_LOOK_AGAIN", 0.3)
    ann_seated = Seated(ann, game, "yes\n")
    assert ann_seated.table.play().phase == "over"
    assert "Do you claim the game? (yes/no): " in ann_seated.shown
    assert "Ben has been away for too long. Anna wins." in ann_seated.shown


def test_an_offer_that_is_declined_is_not_asked_about_again(people: tuple[Client, Client]) -> None:
    ann, ben = people
    game = seated(ann, ben, "classic")
    ann.move(game, "9a1")
    ben.move(game, "8b1")
    ben.command(game, "takeback")
    ann_seated = Seated(ann, game, "no\nresign\nyes\n")
    assert ann_seated.table.play().phase == "over"
    assert ann_seated.shown.count("Do you let the other take a choice back? (yes/no): ") == 1
    assert "Anna declines to take a choice back." in ann_seated.shown


def test_words_that_could_mean_two_things_are_asked_about_and_undo_goes_back(
    people: tuple[Client, Client],
) -> None:
    ann, ben = people
    game = seated(ann, ben, "sabotage")
    ann_seated = Seated(ann, game, "9\n\nundo\n9\nopponent\nt\nth\nresign\nyes\nresign\nyes\n")
    later = threading.Timer(0.5, lambda: ben.command(game, "resign"))
    later.start()
    assert ann_seated.table.play().phase == "over"
    later.join()
    assert "'t' could be thousands or tens. Which one? " in ann_seated.shown
    assert "You place 9 in Ben's thousands." in ann_seated.shown


def test_a_game_that_was_ended_meanwhile_is_told(people: tuple[Client, Client]) -> None:
    ann, ben = people
    game = seated(ann, ben, "classic")
    ann_seated = Seated(ann, game, "9 h\n")
    ben.command(game, "resign")
    ann_seated.table.play()
    assert "The game is over." in ann_seated.shown
    assert "Ben resigned. Anna wins." in ann_seated.shown


def test_a_seat_that_was_lost_is_a_problem(people: tuple[Client, Client], server: Server) -> None:
    ann, ben = people
    game = seated(ann, ben, "classic")
    ann_seated = Seated(ann, game, "9 h\n")
    with Client(server.url) as stranger:
        assert stranger.token is not None
        ann_seated.link.token = stranger.token
        with pytest.raises(Problem, match=r"You are watching this game|not yours"):
            ann_seated.table.play()


def test_the_line_breaks_while_one_waits_and_is_told_once(people: tuple[Client, Client]) -> None:
    ann, ben = people
    game = seated(ann, ben, "classic")
    ann.move(game, "9a1")
    table = (ann_seated := Seated(ann, game)).table
    seen = table.seen
    for heard in (Lost("gone"), Lost("gone"), seen):
        table._stream.heard.put(heard)
        assert table._hear(1)
    assert ann_seated.shown.split("\n")[:2] == ["Reconnecting ...", "Connected again."]
    table._stream.heard.put(Lost("gone"))
    table._stream.heard.put(seen)
    assert table._hear(1)
    assert ann_seated.shown.count("Reconnecting ...") == 1  # it had found its way back already
    table._stream.heard.get()
    table._stream.heard.put(Refusal(Code.NOT_FOUND, "There is no such game."))
    with pytest.raises(Problem, match="There is no such game"):
        table._hear(1)


class Answers:
    """A link that gives out one record."""

    def __init__(self, text: Any) -> None:
        self.text = text

    def ask(self, method: str, path: str) -> Any:
        return self.text


def checked(seen: Seen, text: Any, sealed: Sealed, record: Path | None = None) -> str:
    out = StringIO()
    wish = Wish(variant("cards"), None, record=record)
    link: Any = Answers(text)
    play._checked(Terminal(StringIO(), out), link, wish, wish.variant, seen, sealed)
    return out.getvalue()


def test_a_server_that_deals_otherwise_than_it_sealed_is_found_out(
    people: tuple[Client, Client], tmp_path: Path
) -> None:
    ann, ben = people
    game = seated(ann, ben, "cards")  # with the seeds a1 and b2
    ann.command(game, "resign")
    seen = read(ann.look(game))
    text = ann.http.get(f"/api/games/{game}/record").text
    right = Sealed(seen.seal, "a1")
    assert "what had been sealed" in checked(seen, text, right)
    assert checked(seen, text, replace(right, seed=None))
    with pytest.raises(Problem, match="the seal is not the one that was shown before the game"):
        checked(seen, text, replace(right, seal="00" * 32))
    with pytest.raises(Problem, match="our own part in the deal was exchanged"):
        checked(seen, text, replace(right, seed="a2"))
    with pytest.raises(Problem, match="does not prove to be fair: the seal does not open"):
        checked(seen, text.replace('[ServerSeed "', '[ServerSeed "00'), right)
    for nonsense in ("", "Dear Anna,", {"code": "ok"}):
        with pytest.raises(Problem, match="does not prove to be fair"):
            checked(seen, nonsense, right)
    with pytest.raises(Problem, match="could not be written"):
        checked(seen, text, right, tmp_path / "nowhere" / "games.duel")
