"""Moves and turns at a real server, one command at a time: SAFETY, table A."""

from __future__ import annotations

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from random import Random
from threading import Barrier
from typing import Any

import pytest
from tests.web.checker import read_log
from tests.web.client import Client, People, play_on, play_to_end, seated
from tests.web.server import Server

from digit_duel.core.game import Seat
from digit_duel.games import ids, variant


def moves_of(server: Server, game: str) -> list[tuple[int | None, str]]:
    """The moves in a game's log."""
    return [(line.seat, line.body["move"]) for line in read_log(server.database)[game] if "move" in line.body]


def facing_full(anna: Client, ben: Client) -> str:
    """A game of cards in which Ben's hand is full and Anna's is not, so that she draws again and again."""
    game = seated(anna, ben, "cards", settings={"hand_size": "2"})
    for _ in range(2):
        assert anna.move(game, "g").code == "ok"
        if len(anna.look(game)["acting"]) == 1 and anna.look(game)["turn"]:
            break
        assert ben.move(game, "k").code == "ok"
    assert anna.look(game)["acting"] == [0]
    return game


@pytest.mark.parametrize("id", ids())
def test_two_people_can_play_a_game_to_its_end(people: People, id: str) -> None:
    game = seated(*people, id)
    view = play_to_end(game, people, Random(7))
    assert view["result"]["winner"] in (0, 1, None)
    assert [item["version"] for item in view["news"]] == list(range(1, view["version"] + 1))


def test_a_double_click_keeps_one_card(server: Server, people: People) -> None:
    """A1: the second request with the same id is a repeat, though the same player is on turn again."""
    anna, ben = people
    game = facing_full(anna, ben)
    version = anna.look(game)["version"]
    before = len(moves_of(server, game))
    first = anna.move(game, "k", version=version, id="click")
    again = anna.move(game, "k", version=version, id="click")
    assert (first.code, again.code) == ("ok", "ok_repeat")
    assert first.body["applied"] == again.body["applied"] == version + 1
    assert len(moves_of(server, game)) == before + 1


def test_a_repeated_command_is_not_carried_out_for_the_other_seat_of_the_same_device(people: People) -> None:
    """A1, A7: without a seat, a command is for whoever chooses first, and by then that is the other one."""
    anna, _ = people
    rules = {"pool": "1-2", "start_life": "20"}
    wish = {"name": "Anna", "second_name": "Ben", "settings": rules}
    game = anna.open("battle", "same_device", **wish).game
    for move in ("+1", "+2"):
        first = anna.move(game, move, version=anna.look(game)["version"], id=f"click{move[1]}")
        again = anna.move(game, move, version=first.body["applied"] - 1, id=f"click{move[1]}")
        assert (first.code, again.code) == ("ok", "ok_repeat")
    assert anna.look(game)["acting"] == [0, 1]
    for _ in range(2):
        said = anna.command(game, "move", text="5", version=5, id="click")
        assert said.body["applied"] == 6
    assert said.code == "ok_repeat"
    assert anna.look(game)["acting"] == [1], "Ben has not chosen yet"


def test_a_double_click_in_the_same_instant_keeps_one_card(server: Server, people: People) -> None:
    """A1: the two requests race each other."""
    anna, ben = people
    game = facing_full(anna, ben)
    version, before = anna.look(game)["version"], len(moves_of(server, game))
    together = Barrier(2)

    def click(_: int) -> str:
        together.wait()
        return anna.move(game, "k", version=version, id="click").code

    with ThreadPoolExecutor(2) as threads:
        assert sorted(threads.map(click, range(2))) == ["ok", "ok_repeat"]
    assert len(moves_of(server, game)) == before + 1


def test_a_double_click_with_two_ids_keeps_one_card(server: Server, people: People) -> None:
    """A1, A4: a second id for the choice that was made already is stale, though the word is legal again."""
    anna, ben = people
    game = facing_full(anna, ben)
    version = anna.look(game)["version"]
    assert anna.move(game, "g", version=version).code == "ok"
    assert anna.look(game)["acting"] == [0], "facing a full hand the discarder draws again"
    again = anna.move(game, "g", version=version)
    assert (again.status, again.code) == (409, "stale_version")


def test_a_retry_after_a_lost_answer_never_counts_for_the_next_turn(server: Server, people: People) -> None:
    """A2: the opponent has moved meanwhile, and the same word is legal again."""
    anna, ben = people
    game = seated(anna, ben, "battle")
    first = anna.move(game, "+5", id="retry")
    assert ben.move(game, "+9").code == "ok"
    again = anna.move(game, "+5", version=first.body["applied"] - 1, id="retry")
    assert again.code == "ok_repeat"
    assert again.body["applied"] == first.body["applied"]
    assert again.view["turn"] is True
    assert moves_of(server, game) == [(0, "+5"), (1, "+9")]


@pytest.mark.parametrize(
    "other", [{"do": "move", "move": "8a1"}, {"do": "resign"}, {"do": "move", "text": "9 h"}]
)
def test_one_id_stands_for_one_command(server: Server, people: People, other: dict[str, Any]) -> None:
    """A3: the same id with another body is refused, and nothing changes."""
    anna, ben = people
    game = seated(anna, ben, "classic")
    assert anna.move(game, "9a1", id="once").code == "ok"
    version = anna.look(game)["version"]
    reply = anna.command(game, id="once", **other)
    assert (reply.status, reply.code) == (400, "bad_request")
    assert anna.look(game)["version"] == version
    assert moves_of(server, game) == [(0, "9a1")]


def test_the_same_id_of_both_seats_is_two_commands(server: Server, people: People) -> None:
    anna, ben = people
    game = seated(anna, ben, "classic")
    assert anna.move(game, "9a1", id="1").code == "ok"
    assert ben.move(game, "8b1", id="1").code == "ok"
    assert moves_of(server, game) == [(0, "9a1"), (1, "8b1")]


def test_a_move_decided_on_an_old_board_is_stale_and_shows_the_new_one(people: People) -> None:
    """A4: with the reason, the version and the view to repaint from."""
    anna, ben = people
    game = seated(anna, ben, "classic")
    old = anna.look(game)["version"]
    anna.move(game, "9a1")
    ben.move(game, "8b1")
    reply = anna.move(game, "7a2", version=old)
    assert (reply.status, reply.code, reply.version) == (409, "stale_version", old + 2)
    assert reply.body["message"] == "The game has moved on: look at it and choose again."
    assert reply.view == {**anna.look(game, after=old), "watchers": reply.view["watchers"]}


def test_an_offer_or_a_secret_choice_of_the_other_does_not_make_a_move_stale(people: People) -> None:
    """A4, A7: an event of the other player that does not change the choice does not make it stale."""
    anna, ben = people
    game = seated(anna, ben, "classic")
    version = anna.look(game)["version"]
    assert ben.command(game, "clock", minutes=5).code == "ok"
    assert anna.move(game, "9a1", version=version).code == "ok"


def test_a_version_from_the_future_is_refused(people: People) -> None:
    """D8."""
    game = seated(*people, "classic")
    reply = people[0].move(game, "9a1", version=999)
    assert (reply.status, reply.code) == (400, "bad_request")


@pytest.mark.parametrize("id", ids())
def test_a_move_out_of_turn_is_refused(server: Server, people: People, id: str) -> None:
    """A5: a typed refusal with the present view, and the log stays as it is."""
    anna, ben = people
    game = seated(anna, ben, id)
    before, mover = read_log(server.database)[game], anna.look(game)
    assert (mover["acting"], mover["turn"]) == ([0], True)
    for move in mover["moves"]:
        for text in {move, move.replace("a", "b")}:  # hers, or his own place
            reply = ben.move(game, text)
            assert (reply.status, reply.code) == (409, "not_your_turn")
            assert reply.version == reply.view["version"] == mover["version"]
    assert read_log(server.database)[game] == before
    assert anna.look(game)["moves"] == mover["moves"]


def sudden_death(anna: Client, ben: Client) -> str:
    """A game of battle in which both are to choose in secret."""
    game = seated(anna, ben, "battle", settings={"pool": "1-2", "start_life": "20"})
    assert anna.move(game, "+1").code == "ok"
    assert ben.move(game, "+2").code == "ok"
    assert anna.look(game)["acting"] == [0, 1]
    return game


def test_a_sealed_choice_cannot_be_changed_and_the_other_sees_nothing(people: People) -> None:
    """A8."""
    anna, ben = people
    game = sudden_death(anna, ben)
    assert anna.move(game, "a5").code == "ok"
    seen = ben.look(game)
    reply = anna.move(game, "a4")
    assert (reply.status, reply.code) == (409, "illegal_move")
    assert reply.body["message"] == "Your choice is already sealed."
    assert {**ben.look(game), "claim": None} == {**seen, "claim": None}


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_the_order_of_two_secret_choices_does_not_matter(people: People, order: tuple[int, int]) -> None:
    """A7: both interleavings lead to the same board, and one reveal."""
    game = sudden_death(*people)
    picks = ("a5", "b3")
    for at in order:
        assert people[at].move(game, picks[at]).code == "ok"
    view = people[0].look(game)
    assert [row["meters"][0]["value"] for row in view["scene"]["rows"]] == [20, 18]
    last = [item for item in view["news"] if item["kind"] == "move"][-2:]
    assert [item["text"] for item in last if "5" in item["text"] and "3" in item["text"]] == [last[1]["text"]]


def test_two_secret_choices_at_once_are_both_sealed(server: Server, people: People) -> None:
    """A7: sent in the same instant, by version of the same board; many rounds in one game."""
    anna, ben = people
    game = sudden_death(anna, ben)
    together, rng = Barrier(2), Random(3)
    rounds = 0
    with ThreadPoolExecutor(2) as threads:
        while (view := anna.look(game))["phase"] == "playing" and rounds < 15:
            version, picks = view["version"], (f"a{rng.randint(1, 5)}", f"b{rng.randint(1, 5)}")

            def pick(at: int, version: int = version, picks: Any = picks) -> str:
                together.wait()
                return people[at].move(game, picks[at], version=version).code

            assert list(threads.map(pick, range(2))) == ["ok", "ok"]
            rounds += 1
            assert set(moves_of(server, game)[-2:]) == {(0, picks[0]), (1, picks[1])}
            assert anna.look(game)["version"] == version + 2
    assert rounds > 2


@pytest.mark.parametrize("id", ids())
def test_what_the_rules_forbid_is_refused_with_a_reason_and_the_turn_is_kept(people: People, id: str) -> None:
    """A9: at every position of a game, every move of the alphabet that is not offered."""
    game, rng = seated(*people, id), Random(11)
    rules = variant(id).game
    refused = 0
    for _ in range(6):
        views = [person.look(game) for person in people]
        at = next((at for at, view in enumerate(views) if view["turn"]), None)
        if at is None:
            break
        legal = set(views[at]["moves"])
        alphabet = [rules.text(move) for move in rules.moves(Seat(at))]
        others = [text for text in alphabet if text not in legal]
        for text in rng.sample(others, min(8, len(others))):
            reply = people[at].move(game, text)
            assert (reply.status, reply.code) == (409, "illegal_move"), reply.body
            assert len(reply.body["message"]) > 10
            assert reply.view["turn"] is True
            assert reply.version == views[at]["version"]
            refused += 1
        assert people[at].move(game, rng.choice(sorted(legal))).code == "ok"
    assert refused > 5 or len(alphabet) <= 5  # so few may be legal throughout


def test_a_refusal_says_the_reason_in_words(people: People) -> None:
    """A9: a used digit, a filled place, the opponent's place."""
    anna, ben = people
    game = seated(anna, ben, "classic")
    anna.move(game, "9a1")
    ben.move(game, "8b1")
    for text, reason in (("9a2", "9"), ("7a1", "filled"), ("7b2", "the other player")):
        reply = anna.move(game, text)
        assert (reply.status, reply.code) == (409, "illegal_move")
        assert reason in reply.body["message"]


@pytest.mark.parametrize("id", ids())
def test_after_an_end_by_the_rules_nothing_can_be_played(server: Server, people: People, id: str) -> None:
    """A10: every move that was made, again, from either seat."""
    game = seated(*people, id)
    play_to_end(game, people, Random(5))
    before = read_log(server.database)[game]
    for text in {text for _, text in moves_of(server, game)}:
        for person in people:
            reply = person.move(game, text)
            assert (reply.status, reply.code) == (409, "game_over"), text
    assert read_log(server.database)[game] == before


@pytest.mark.parametrize("id", ids())
def test_after_a_resignation_nothing_can_be_played(people: People, id: str) -> None:
    """A10."""
    anna, ben = people
    game = seated(anna, ben, id)
    move = anna.look(game)["moves"][0]
    assert anna.command(game, "resign").code == "ok"
    for person in people:
        for do in ({"do": "move", "move": move}, {"do": "resign"}, {"do": "takeback"}, {"do": "claim"}):
            reply = person.command(game, **do)
            assert (reply.status, reply.code) == (409, "game_over")
            assert reply.view["result"] == {
                "winner": 1, "reason": "resignation", "closing": "Anna resigned. Ben wins.",
                "sealed": id == "cards", "why": "You resigned." if person is anna else "Anna resigned.",
                "early": True, "decides": True,
            }  # fmt: skip


def test_a_move_of_another_game_is_refused(people: People) -> None:
    """A10."""
    strange = {"classic": "x9", "reverse": "k", "sabotage": "d7", "cards": "9a1", "battle": "9b1"}
    for id, text in strange.items():
        game = seated(*people, id)
        reply = people[0].move(game, text)
        assert (reply.status, reply.code) == (400, "bad_request"), (id, reply.body)


@pytest.mark.parametrize("do", ["pass", "skip", "undo", "MOVE", "move ", ""])
def test_passing_is_not_offered(people: People, do: str) -> None:
    """A11."""
    game = seated(*people, "classic")
    reply = people[0].command(game, do)
    assert (reply.status, reply.code) == (400, "bad_request")
    assert people[0].ask("POST", f"/api/games/{game}/{do or 'pass'}", {}).code in ("not_found", "bad_request")


def test_resigning_and_the_last_move_together_are_one_outcome(server: Server, people: People) -> None:
    """A18: the one with the lower version."""
    anna, ben = people
    outcomes = set()
    for round in range(8):
        game = seated(anna, ben, "classic", settings={"places": "1"})
        assert anna.move(game, "5a1").code == "ok"
        version, together = ben.look(game)["version"], Barrier(2)

        def end(at: int, game: str = game, version: int = version, together: Barrier = together) -> str:
            together.wait()
            if at == 0:
                return anna.command(game, "resign", version=version).code
            return ben.move(game, "1b1", version=version).code

        with ThreadPoolExecutor(2) as threads:
            codes = list(threads.map(end, range(2)))
        assert sorted(codes) == ["game_over", "ok"], round
        log, result = read_log(server.database)[game], anna.look(game)["result"]
        assert len(log) == version + 1
        resigned = log[-1].body["kind"] == "resign"
        assert codes == (["ok", "game_over"] if resigned else ["game_over", "ok"])
        assert result["winner"] == (1 if resigned else 0)
        outcomes.add(resigned)
    assert outcomes


def test_the_log_of_a_game_replays_to_what_was_shown(server: Server, people: People) -> None:
    """The digest chain in the database belongs to the moves: one changed byte would show."""
    game = seated(*people, "sabotage")
    play_on(game, people, Random(1), 3)
    connection = sqlite3.connect(f"file:{server.database}?mode=ro", uri=True)
    digests = [row[0] for row in connection.execute("SELECT digest FROM events WHERE game = ?", (game,))]
    connection.close()
    assert len(set(digests)) == len(digests) == people[0].look(game)["version"]
