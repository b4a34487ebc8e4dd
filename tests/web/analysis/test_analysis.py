"""Hints, reviews and positions: right, from the caller's sight alone, and bounded."""

from __future__ import annotations

import asyncio
import pickle
from collections.abc import Coroutine, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from tests.web.client import pair, play_to_end
from tests.web.client import seated as seated_online
from tests.web.played import add, finished, move, opened, play_on, seated
from tests.web.server import running_server

from digit_duel.coach import review as looking_back
from digit_duel.core.game import Seat
from digit_duel.core.record import Record, read_record
from digit_duel.core.script import Names
from digit_duel.core.variant import AnyVariant
from digit_duel.games import catalogue, variant
from digit_duel.solve.effort import Effort
from digit_duel.web.analysis import analysis_json
from digit_duel.web.analysis.analysis_process import TooBigToAnalyse
from digit_duel.web.analysis.analyst import Analyst
from digit_duel.web.analysis.values import symbol, text
from digit_duel.web.play.online_game import OnlineGame
from digit_duel.web.replies import Code, Refusal
from digit_duel.web.settings import Settings

CLASSIC, REVERSE, SABOTAGE, CARDS, BATTLE = (
    variant(id) for id in ("classic", "reverse", "sabotage", "cards", "battle")
)
# The example of the analysis screen, worked out by hand: you are the first player, Anna is the second.
SCREEN = ("4a2", "3b1", "7a3", "6b2", "1a1", "9b3")


def sent(answer: object) -> Any:
    """An answer as a client receives it."""
    return msgspec.json.decode(answer if isinstance(answer, bytes) else msgspec.json.encode(answer))


def run(work: Coroutine[Any, Any, object]) -> Any:
    return sent(asyncio.run(work))


def position(variant: AnyVariant, moves: Sequence[str], *known: Any) -> Any:
    return sent(analysis_json.position(variant, moves, *known))


@pytest.fixture(scope="module")
def analyst() -> Iterator[Analyst]:
    found = Analyst(Settings(analysis_seconds=30))
    yield found
    found.stop()


def against_the_computer(id: str, hints: bool = True, **settings: str) -> OnlineGame:
    online_game = opened(id, settings, "computer", level="sharp", hints=hints)
    return seated(online_game, level="sharp")


# Values


def test_a_value_has_a_symbol_and_a_text() -> None:
    assert [(symbol(value), text(value)) for value in (1, 0, -1)] == [
        ("▲", "wins for sure"), ("◆", "even"), ("▼", "loses"),
    ]  # fmt: skip
    assert (symbol(0.25), text(0.25)) == ("▲", "62.5%")
    assert (symbol(-0.5), text(-0.5)) == ("▼", "25.0%")
    assert (symbol(1), text(1, chance=True)) == ("▲", "100%")
    assert (symbol(None), text(None)) == ("", "not known")


# Positions


def test_the_first_move_of_classic_that_wins_is_the_nine_in_the_hundreds_and_no_other() -> None:
    found = position(CLASSIC, (), None)
    assert (found["to_move"], found["value"], found["symbol"], found["text"]) == (
        0,
        1.0,
        "▲",
        "wins for sure",
    )
    assert [move["move"] for move in found["options"] if move["value"] == 1] == ["9a1"]
    assert len(found["options"]) == 27
    assert found["options"][0]["best"]
    assert found["options"][0]["margin"] == 111
    assert len(found["line"]) == 6
    assert found["line"][0] == "9a1"
    assert found["over"] is None
    assert found["reason"].endswith(".")


def test_the_position_of_the_analysis_screen_is_worth_what_the_screen_shows() -> None:
    found = position(REVERSE, SCREEN[:4], None)
    hundreds = {move["move"]: (move["symbol"], move["text"]) for move in found["options"]}
    won, lost = ("▲", "wins for sure"), ("▼", "loses")
    assert hundreds == {"1a1": won, "2a1": won, "5a1": lost, "8a1": lost, "9a1": lost}
    rows = found["scene"]["rows"]
    assert [[cell["digit"] for cell in row["cells"]] for row in rows] == [[None, 4, 7], [3, 6, None]]


def test_a_finished_position_says_who_won_and_offers_nothing() -> None:
    found = position(REVERSE, SCREEN, None)
    assert (found["over"]["winner"], found["to_move"], found["options"], found["moves"]) == (0, None, [], [])
    assert found["symbol"] == "▲"
    assert "147" in found["over"]["closing"]


def test_a_position_offers_the_moves_as_a_page_needs_them() -> None:
    found = position(CLASSIC, ("9a1",), None)
    assert set(found["moves"]) == {f"{digit}b{place}" for digit in range(1, 9) for place in (1, 2, 3)}
    assert found["questions"][1]["answers"] == {"each": 1, "of": ["hundreds", "tens", "units"]}


def test_in_sudden_death_only_a_five_is_safe_for_the_first_and_wins_for_the_second() -> None:
    battle = variant("battle").customised({"pool": "1,1"})
    for seat, best in ((Seat.FIRST, "a5"), (Seat.SECOND, "b5")):
        found = position(battle, ("x1", "x1"), seat)
        assert found["to_move"] == seat
        assert found["secret"]
        assert found["options"][0]["move"] == best
    assert (found["value"], found["text"]) == (1.0, "wins for sure")


def test_a_sealed_secret_does_not_change_the_analysis_for_the_other_seat() -> None:
    battle = variant("battle").customised({"pool": "1,1"})
    told = [position(battle, ("x1", "x1", f"a{digit}"), None) for digit in range(1, 6)]
    assert all(found == told[0] for found in told)
    assert told[0]["to_move"] == 1


def test_the_second_player_wins_sabotage_whatever_the_first_opens_with() -> None:
    found = position(SABOTAGE, (), None)
    assert len(found["options"]) == 80
    assert {move["symbol"] for move in found["options"]} == {"▼"}


def test_a_deck_offers_its_cards_to_one_who_sets_up_a_position() -> None:
    found = position(CARDS, (), None)
    assert (found["to_move"], found["value"], found["text"]) == (None, None, "not known")
    assert found["moves"] == [f"d{digit}" for digit in range(10)]


def test_the_odds_of_cards_depend_on_what_a_seat_can_see() -> None:
    # The example of docs/solving.md.
    must_keep = CARDS.customised({"facing_full": "must_keep"})
    found = position(must_keep, ("d7",), None)
    assert [(move["move"], move["symbol"], move["text"]) for move in found["options"]] == [
        ("k", "▲", "51.3%"), ("g", "▼", "42.2%"),
    ]  # fmt: skip
    other = position(must_keep, ("d7",), Seat.SECOND)
    assert (other["value"], other["options"]) == (None, [])
    assert other["scene"]["drawn"]["digit"] is None


def test_the_odds_of_a_seat_do_not_depend_on_the_other_hand() -> None:
    # The first keeps a card that the second does not see; then the second draws a 5.
    told = [position(CARDS, (f"d{digit}", "k", "d5"), Seat.SECOND) for digit in (0, 3, 4, 6, 9)]
    assert all(found == told[0] for found in told)
    assert told[0]["value"] is not None


def test_moves_that_cannot_be_played_are_refused_with_the_place_and_the_reason() -> None:
    with pytest.raises(Refusal, match=r"^Move 2: .*9") as refused:
        position(CLASSIC, ("9a1", "9b1"), None)
    assert refused.value.code is Code.BAD_REQUEST


@pytest.mark.parametrize("id", catalogue())
def test_any_position_of_any_game_can_be_analysed(id: str) -> None:
    rng = Random(f"positions {id}")
    for _ in range(3):
        online_game = finished(id, rng)
        assert online_game.session is not None
        texts = [online_game.session.game.text(step.move) for step in online_game.session.steps][:60]
        for upto in sorted(rng.sample(range(len(texts) + 1), 4)):
            for seat in (None, *Seat):
                found = position(variant(id), texts[:upto], seat)
                assert found["over"] or found["moves"]


# Games that nobody would wait for


@pytest.mark.parametrize(
    ("id", "settings"),
    [("battle", {"pool": "1-9x3"}), ("sabotage", {"places": "6", "pool": "0-9x4"})],
)
def test_a_game_that_is_too_big_is_refused_with_a_sentence(
    id: str, settings: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analysis_json, "EFFORT", Effort(4000, 10_000_000))
    with pytest.raises(TooBigToAnalyse, match="too big"):
        position(variant(id).customised(settings), (), None)


def test_twenty_digits_are_no_trouble_where_the_solver_can_do_it() -> None:
    found = position(variant("sabotage").customised({"pool": "0-9,0-9"}), (), None)
    assert found["symbol"] == "▼"


@pytest.mark.parametrize(
    ("names", "seat", "mine", "other"),
    [
        (None, None, "First's", "Second's"),
        (("Anna", "Ben"), None, "Anna's", "Ben's"),
        (("Anna", "Ben"), Seat.FIRST, "your", "Ben's"),
        (("Anna", "Ben"), Seat.SECOND, "Anna's", "yours"),
    ],
)
def test_the_analysis_of_a_played_game_names_its_players(
    analyst: Analyst, names: Names | None, seat: Seat | None, mine: str, other: str
) -> None:
    """A 9 in front, with 1 and 2 at worst, is 912; of the digits that are left, 876 is the most."""
    reason = f"With 9 in {mine} hundreds, {mine} number is at least 912, and {other} at most 876."
    assert run(analyst.position(CLASSIC, [], seat, names))["reason"] == reason


@pytest.mark.parametrize("id", catalogue())
def test_players_are_never_called_first_or_second(id: str) -> None:
    online_game = finished(id, Random(f"names {id}"))
    assert online_game.session is not None
    game = online_game.session.game
    moves = [game.text(step.move) for step in online_game.session.steps]
    names, said = ("Ann", "Bo"), []
    for ply in range(len(moves) + 1):
        found = position(variant(id), moves[:ply], None, names)
        said += [found["reason"], found["over"]["closing"] if found["over"] else ""]
    assert not {"First", "Second"} & set(" ".join(said).replace("'", " ").split())
    assert any(name in " ".join(said) for name in names)


# Hints


def test_a_hint_names_the_move_that_wins_and_says_why(analyst: Analyst) -> None:
    online_game = against_the_computer("classic")
    found = run(analyst.hint(online_game, Seat.FIRST))
    assert found["move"] == "9a1"
    assert found["words"] == "9 in your hundreds"
    assert found["reason"].endswith(".")
    scores = {option["move"]: option["score"] for option in found["options"]}
    assert scores.pop("9a1") == "1"
    assert set(scores.values()) == {"-1"}


def test_hints_are_for_all_games_against_the_computer(analyst: Analyst) -> None:
    refused = [
        (seated(opened("classic", hints=True)), Seat.FIRST, Code.FORBIDDEN),  # two people
        (against_the_computer("classic"), Seat.SECOND, Code.FORBIDDEN),  # the computer's own
        (opened("classic", opponent="same_device", hints=True), Seat.FIRST, Code.FORBIDDEN),
        (move(against_the_computer("classic"), Seat.FIRST, "9a1"), Seat.FIRST, Code.NOT_YOUR_TURN),
        (add(against_the_computer("classic"), 0, {"kind": "resign"}), Seat.FIRST, Code.GAME_OVER),
    ]
    assert run(analyst.hint(against_the_computer("classic", hints=False), Seat.FIRST))["move"] == "9a1"
    for online_game, seat, code in refused:
        with pytest.raises(Refusal) as wrong:
            run(analyst.hint(online_game, seat))
        assert wrong.value.code is code


def test_the_question_is_the_same_whatever_the_computer_holds(
    analyst: Analyst, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[bytes] = []

    def ask(*question: Any) -> object:
        asked.append(pickle.dumps(question))
        return {"move": "k"}

    monkeypatch.setattr(analyst._analysis_process, "ask", ask)
    monkeypatch.setattr(analyst, "_remember", lambda key, answer: None)
    questions: dict[tuple[int, int], set[bytes]] = {}
    held: dict[tuple[int, int], set[int]] = {}
    for number in range(300):
        online_game = opened("cards", {}, "computer", level="sharp", hints=True)
        online_game = seated(online_game, (f"{number:04x}", ""), level="sharp")
        online_game = move(move(online_game, Seat.FIRST, "k"), Seat.SECOND, "k")
        assert online_game.session is not None
        state = online_game.session.state
        seen = (state.hands[0][0], state.drawn)
        run(analyst.hint(online_game, Seat.FIRST))
        questions.setdefault(seen, set()).add(asked[-1])
        held.setdefault(seen, set()).add(state.hands[1][0])
    assert all(len(same) == 1 for same in questions.values())
    assert sum(len(digits) > 1 for digits in held.values()) > 20  # and it did hold different cards


# Reviews


def reviewed(id: str, moves: tuple[str, ...], result: str) -> Any:
    return sent(analysis_json.review(variant(id), Record(id, {}, ("You", "Anna"), moves, result), None))


def test_the_review_of_the_analysis_screen_finds_both_turning_points() -> None:
    found = reviewed("reverse", SCREEN, "1-0")
    assert found["start"] == 1.0
    assert [move["value"] for move in found["moves"]] == [-1.0, 1.0, 1.0, 1.0, 1.0, 1.0]
    assert found["turning"] == [1, 2]
    first, second = found["moves"][:2]
    assert (first["seat"], first["move"], first["mistake"], first["better"]) == (0, "4a2", True, ["1a1"])
    assert (first["symbol"], first["text"]) == ("▼", "loses")
    assert (second["mistake"], second["symbol"]) == (True, "▼")
    assert first["reason"]
    assert [move["mistake"] for move in found["moves"][2:]] == [False] * 4


@pytest.mark.parametrize("id", catalogue())
def test_every_finished_game_can_be_reviewed(analyst: Analyst, id: str) -> None:
    online_game = finished(id, Random(f"review {id}"))
    assert online_game.session is not None
    found = run(analyst.review(online_game, None))
    choices = [at for at, step in enumerate(online_game.session.steps, 1) if step.seat is not None]
    assert [move["at"] for move in found["moves"]] == choices
    assert {move["symbol"] for move in found["moves"]} <= {"▲", "▼", "◆", ""}
    mine = run(analyst.review(online_game, Seat.SECOND))
    assert {move["seat"] for move in mine["moves"]} == {1}


@pytest.mark.parametrize(
    "end", [{"kind": "resign"}, {"kind": "claim", "why": "time"}, {"kind": "claim", "why": "away"}]
)
def test_a_game_that_ended_otherwise_can_be_reviewed(analyst: Analyst, end: dict[str, str]) -> None:
    online_game = add(play_on(seated(opened("cards")), Random(1), 8), 0, end)
    assert run(analyst.review(online_game, None))["moves"]


def test_nothing_is_reviewed_while_the_game_goes_on(analyst: Analyst) -> None:
    for online_game in (opened("cards"), seated(opened("cards"))):
        with pytest.raises(Refusal) as refused:
            run(analyst.review(online_game, None))
        assert refused.value.code is Code.FORBIDDEN


# Over the wire


def test_a_review_names_the_players_and_judges_all_moves_of_an_open_game(
    tmp_path: Path,
) -> None:
    with running_server(tmp_path, analysis_seconds=30) as server:
        anna, ben = pair(server.url)
        with anna, ben:
            game = seated_online(anna, ben, "classic")
            play_to_end(game, (anna, ben), Random(1))
            position = {"variant": "classic", "game": game}
            told = ben.ask("POST", "/api/analysis", position).body["reason"]
            assert told == "With 9 in Anna's hundreds, Anna's number is at least 912, and Ben's at most 876."
            nowhere = ben.ask("POST", "/api/analysis", {**position, "game": "nothing"})
            assert (nowhere.status, nowhere.code) == (404, "not_found")
            wrong = ben.ask("POST", "/api/analysis", {"variant": "classic", "moves": ["9a1", "8b1", "9a2"]})
            assert wrong.body["message"].startswith("Move 3: ")
            judged = ben.ask("GET", f"/api/games/{game}/review").body["moves"]
            assert [each["seat"] for each in judged] == [0, 1, 0, 1, 0, 1]
            mine = ben.ask("GET", f"/api/games/{game}/review?seat=1").body["moves"]
            assert [each["at"] for each in mine] == [2, 4, 6]
            hidden = seated_online(anna, ben, "cards")
            play_to_end(hidden, (anna, ben), Random(2))
            judged = ben.ask("GET", f"/api/games/{hidden}/review").body["moves"]
            assert {each["seat"] for each in judged} == {1}


def test_a_review_numbers_moves_as_the_record_and_draws_as_the_move_that_follows() -> None:
    found = analysis_json.review(CARDS, read_record(CARDS.rules.example), Seat.SECOND)
    assert found.numbers[:6] == ["1", "1", "2", "2", "3", "3"]
    assert found.movers[:6] == [None, Seat.FIRST, None, Seat.SECOND, None, Seat.FIRST]
    assert [move.number for move in found.moves[:4]] == ["2", "4", "5", "6"]


def test_the_odds_at_a_position_are_those_of_the_review_against_the_same_computer() -> None:
    record = read_record(CARDS.rules.example)
    computer = {"ComputerSecond": "random"}
    for judged in looking_back.review(CARDS, replace(record, headers=computer), Seat.FIRST).moves[:2]:
        before = record.moves[: judged.ply - 1]
        there = analysis_json.position(CARDS, before, Seat.FIRST, record.names, (Seat.SECOND, "random"))
        assert judged.before is not None
        assert there.value == pytest.approx(2 * judged.before.value - 1)
        person = analysis_json.position(CARDS, before, Seat.FIRST, record.names)
        assert person.value != there.value


def test_the_words_of_a_review_call_its_reader_you() -> None:
    record = read_record(CLASSIC.rules.example)
    told = [analysis_json.review(CLASSIC, record, None, reader).moves[0].words for reader in (None, *Seat)]
    assert told == ["9 in Ann's hundreds", "9 in your hundreds", "9 in Ann's hundreds"]
