"""Offers at a real server: rematches, clocks, and moves taken back."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from tests.web.checker import read_log
from tests.web.client import People, seated
from tests.web.server import Server


def test_a_rematch_that_both_press_at_once_is_one_game(server: Server, people: People) -> None:
    """A17: with the seats exchanged and both led there; pressed again it is the same."""
    anna, ben = people
    for _ in range(5):
        game = seated(anna, ben, "classic")
        anna.command(game, "resign")
        version, together = anna.look(game)["version"], Barrier(2)

        def press(at: int, game: str = game, version: int = version, together: Barrier = together) -> str:
            together.wait()
            return people[at].command(game, "rematch", version=version, id="again", seed="ab").code

        with ThreadPoolExecutor(2) as threads:
            assert list(threads.map(press, range(2))) == ["ok", "ok"]
        led = {person.look(game)["next"] for person in people}
        (following,) = led
        assert following is not None
        assert (anna.look(following)["seat"], ben.look(following)["seat"]) == (1, 0)
        assert anna.look(following)["phase"] == "playing"
        assert anna.command(game, "rematch").code == "game_over"
        assert anna.command(game, "rematch", version=version, id="again", seed="ab").code == "ok_repeat"
        begun = [log for log in read_log(server.database).values() if log[0].body.get("previous") == game]
        assert len(begun) == 1


def test_an_offer_pressed_twice_is_one_offer(people: People) -> None:
    """A17: it survives a reload, since it stands in the log."""
    anna, ben = people
    game = seated(anna, ben, "classic")
    anna.command(game, "resign")
    first = anna.command(game, "rematch")
    again = anna.command(game, "rematch")
    assert (first.code, again.code) == ("ok", "ok_repeat")
    assert again.version == first.version
    assert ben.look(game)["offers"]["rematch"] == 0
    assert ben.command(game, "decline", what="rematch").code == "ok"
    assert anna.look(game)["offers"]["rematch"] is None


def test_who_withdraws_an_offer_is_not_said_to_decline_it(people: People) -> None:
    anna, ben = people
    game = seated(anna, ben, "classic")
    ben.command(game, "clock", minutes=5)
    anna.command(game, "clock", minutes=3)
    anna.command(game, "decline", what="clock")
    ben.command(game, "clock", minutes=5)
    anna.command(game, "decline", what="clock")
    anna.move(game, "9a1")
    anna.command(game, "takeback")
    anna.command(game, "decline", what="takeback")
    annas, bens = ([item["text"] for item in person.look(game)["news"][-8:]] for person in people)
    assert annas[:5] == [
        "Ben offers a clock of 5 minutes.",
        "You offered a clock of 3 minutes.",
        "You no longer offer a clock.",
        "Ben offers a clock of 5 minutes.",
        "You declined a clock.",
    ]
    assert annas[6:] == ["You asked to take a move back.", "You no longer ask to take a move back."]
    assert (bens[2], bens[4]) == ("Anna no longer offers a clock.", "Anna declines a clock.")
    assert bens[7] == "Anna no longer asks to take a move back."


def test_nobody_can_fill_a_log_with_offers(people: People) -> None:
    """E7: otherwise the loser could fill the log and so end the game in a draw."""
    anna, ben = people
    game = seated(anna, ben, "classic")
    codes = [ben.command(game, "clock", minutes=1 + at % 100, version=3).code for at in range(60)]
    assert codes == ["ok"] * 50 + ["illegal_move"] * 10
    assert anna.move(game, "9a1").code == "ok"


def test_a_takeback_between_people_needs_both(people: People) -> None:
    anna, ben = people
    game = seated(anna, ben, "classic")
    anna.move(game, "9a1")
    assert anna.command(game, "takeback").code == "ok"
    assert ben.look(game)["offers"]["takeback"] == 0
    assert ben.command(game, "takeback").code == "ok"
    assert "9a1" in anna.look(game)["moves"]  # her turn again
