"""The sentences for players: numbers apart from names, one word for life points, what comes next."""

from __future__ import annotations

import pytest
from tests.worlds import played

from digit_duel import games
from digit_duel.cli.app.drawing.canvas import Canvas
from digit_duel.cli.app.drawing.table import draw_table
from digit_duel.cli.app.state.choice import LocalChoice
from digit_duel.cli.app.state.effects import effects
from digit_duel.cli.app.state.score import counted
from digit_duel.cli.app.state.table import Phase, TableView
from digit_duel.core.game import Seat
from digit_duel.core.script import AnyStep, Names
from digit_duel.core.session import AnySession
from digit_duel.core.take_back import take_back_question
from digit_duel.solve.families import solver

NAMES = ("Ann", "Ben")
TIED = "+9 +8 +7 +6 +5 +4 +3 +2 +1"  # both have 20
SUDDEN = "Sudden Death! Now both choose a digit in secret."


def at(game: str, moves: str) -> tuple[AnySession, AnyStep]:
    session = played(games.variant(game), moves.split())
    return session, next(step for step in reversed(session.steps) if step.seat is not None)


def brief(game: str, moves: str, names: Names = NAMES, to: Seat | None = None) -> str:
    session, step = at(game, moves)
    return session.variant.voice.brief(step, to, names)


@pytest.mark.parametrize(
    ("game", "moves", "told"),
    [
        ("battle", "x9", "Ann attacks with 9. Ben has 1 life point."),
        ("battle", "x1", "Ann attacks with 1. Ben has 9 life points."),
        ("battle", "x9 +3 x5", "Ann attacks with 5. Ben has no life points left."),
        ("battle", TIED, f"Ann defends with 1. {SUDDEN}"),
        ("battle", f"{TIED} a4 b3", "Ann: 4, Ben: 3. Ann now has 20 life points, Ben 19."),
        ("cards", "d7 k d8 k d9 k d4 k d5 k d6 k a975 b864", "Ann: 975, Ben: 864. Ann wins the round."),
        ("classic", "8a1", "Ann places 8 in their hundreds."),
        ("sabotage", "8b1", "Ann places 8 in Ben's thousands."),
        ("sabotage", "8a1", "Ann places 8 in their own thousands."),
    ],
)  # fmt: skip
def test_a_move_is_described_in_a_sentence(game: str, moves: str, told: str) -> None:
    assert brief(game, moves) == told


def test_the_computer_is_called_it() -> None:
    names = ("Computer", "Ben")
    assert brief("classic", "8a1", names, Seat.SECOND) == "Computer places 8 in its hundreds."
    session, step = at("classic", "8a1")
    told = session.variant.voice.narrate(step, Seat.SECOND, names)
    assert told.startswith("\nComputer places 8 in its hundreds place.\n")


@pytest.mark.parametrize(
    ("game", "moves", "told"),
    [
        ("battle", f"{TIED} a4 b3", "Ann: 4, You: 3. Ann now has 20 life points, you 19."),
        ("cards", "d7 k d8 k d9 k d4 k d5 k d6 k a975 b864", "Ann: 975, You: 864. Ann wins the round."),
        (
            "cards",
            "d7 k d8 k d9 k d4 k d5 k d6 k a579 b684",
            "Ann: 579, You: 684. You win the round. Ann could have made 975 and won the round.",
        ),
        (
            "cards",
            "d7 k d8 k d9 k d4 k d5 k d6 k a579 b486",
            "Ann: 579, You: 486. Ann wins the round. You could have made 864 and won the round.",
        ),
    ],
)  # fmt: skip
def test_the_one_who_reads_is_you(game: str, moves: str, told: str) -> None:
    assert brief(game, moves, to=Seat.SECOND) == told


@pytest.mark.parametrize(
    ("game", "moves", "notation", "asked"),
    [
        ("sabotage", "0b1", False, "Ann places 0 in Ben's thousands. Ben, may Ann take that back?"),
        ("sabotage", "0b1", True, "Ann places 0 in Ben's thousands. Ben, may Ann take that back (0b1)?"),
        (
            "battle",
            "x1 +8",
            False,
            "Ben defends with 8. Ben has 17 life points. Ann, may Ben take that back?",
        ),
    ],
)
def test_a_move_to_take_back_is_named_in_words(game: str, moves: str, notation: bool, asked: str) -> None:
    session, step = at(game, moves)
    assert take_back_question(session.variant.voice, step, NAMES, notation) == asked


def test_a_number_does_not_run_into_a_name_that_ends_with_one() -> None:
    assert counted(("Player 1", "Player 2"), (3, 4)) == "Player 1: 3, Player 2: 4"
    assert counted(("you", "Computer"), (0, 1)) == "you: 0, Computer: 1"


@pytest.mark.parametrize(
    ("game", "moves", "picks", "asked"),
    [
        ("sabotage", "", "0", "Where does the 0 go: your side or theirs?"),
        ("classic", "", "9", "Where does the 9 go?"),
        ("battle", TIED, "", "Choose a secret digit from 1 to 5."),
        ("cards", "d7 k d8 k d9 k d4 k d5 k d6 k", "", "Enter your number (use each digit once)."),
        ("cards", "d7", "", "Do you want to keep it?"),
    ],
)
def test_a_request_is_one_sentence(game: str, moves: str, picks: str, asked: str) -> None:
    session = played(games.variant(game), moves.split())
    choice = LocalChoice(session.variant.voice, session.state, session.acting[0])
    for pick in picks:
        choice.pick(next(offer for offer in choice.offers if offer.label == pick))
    assert choice.prompt == asked


def test_life_below_zero_is_shown_as_it_is_everywhere() -> None:
    """Ben has 10 - 9 + 3 - 8 = -4."""
    session = played(games.variant("battle"), ["x9", "+3", "x8"])
    scene = session.variant.voice.scene(session.view(Seat.FIRST))
    assert [row.meters[0].value for row in scene.rows] == [10, -4]
    for size in ((80, 24), (60, 20), (140, 45)):
        canvas = Canvas(*size)
        draw_table(TableView("Battle", Phase.OVER, scene, NAMES, Seat.FIRST, None, winner=Seat.FIRST), canvas)
        assert "life -4 of 20" in canvas.text
    before = played(games.variant("battle"), ["x9", "+3"])
    choice = LocalChoice(before.variant.voice, before.state, Seat.FIRST)
    shown = before.variant.voice.scene(before.view(Seat.FIRST))
    told = effects(choice, shown, Seat.FIRST, NAMES, alone=False)
    assert any(effect.text.endswith("4 → -4") for each in told.values() for effect in each)


def test_solving_sabotage_says_who_wins_the_tie() -> None:
    small = games.variant("sabotage").customised({"places": "1", "pool": "0-3x2"})
    found = solver(small.game).report(lambda *_: None)
    assert found.notes == ("With best play the numbers are equal, and a tie goes to the second player.",)
