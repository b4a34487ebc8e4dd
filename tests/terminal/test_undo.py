"""Undo takes back one's own last choice, or between two people the last move; never what has been shown."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.terminal.console import Console, inside
from tests.terminal.walks import NAMES, SUDDEN_DEATH, save_of, wait_for

from digit_duel import games
from digit_duel.cli.records.save_file import all_saves
from digit_duel.core.game import Refused, Seat
from digit_duel.core.session import AnySession, Session, dealer

BACK = "Your last choice is taken back."
NOTHING = "There is nothing to undo: you have made no choice yet."
NOBODY = "There is nothing to undo: nobody has moved yet."
SEEN = "That cannot be undone: hidden information has been shown since the last move."


def begun(game: str, moves: str, **options: str) -> AnySession:
    """A game after some moves of people; nature deals by seed."""
    session = Session(games.variant(game).customised(options), NAMES, dealer("1"))
    for text in moves.split():
        seat = next(
            seat for seat in session.acting
            if text in map(session.game.text, session.game.legal(session.state, seat))
        )  # fmt: skip
        session.play(seat, session.game.parse(session.state, seat, text))
    return session


@pytest.mark.parametrize(
    ("game", "moves", "seat", "left"),
    [
        ("classic", "9a1", Seat.FIRST, ""),
        ("classic", "9a1 8b1", Seat.FIRST, ""),
        ("classic", "9a1 8b1", Seat.SECOND, "9a1"),
        ("classic", "9a1 8b1 7a2", Seat.SECOND, "9a1"),
        ("classic", "9a1 8b1 7a2 6b2", Seat.FIRST, "9a1 8b1"),
        ("sabotage", "9b1 0a1 8b2", Seat.SECOND, "9b1"),
        ("battle", "x1 +2 x3", Seat.FIRST, "x1 +2"),
        ("battle", " ".join(SUDDEN_DEATH[:9]), Seat.FIRST, " ".join(SUDDEN_DEATH[:8])),
        ("battle", " ".join(SUDDEN_DEATH[:9]), Seat.SECOND, " ".join(SUDDEN_DEATH[:7])),
    ],
)
def test_undo_goes_back_to_ones_own_last_choice(game: str, moves: str, seat: Seat, left: str) -> None:
    session = begun(game, moves)
    session.take_back(seat)
    assert [session.game.text(step.move) for step in session.steps] == left.split()
    assert seat in session.acting


@pytest.mark.parametrize(
    ("game", "moves", "seat", "options"),
    [
        ("cards", "k", Seat.FIRST, {}),
        ("cards", "g", Seat.FIRST, {}),
        ("cards", "k k k", Seat.SECOND, {}),
        ("cards", "k k", Seat.FIRST, {"visibility": "open"}),  # the next card has been turned over
        ("battle", " ".join(SUDDEN_DEATH[:10]), Seat.SECOND, {}),  # a digit is sealed
        ("battle", " ".join(SUDDEN_DEATH[:10]), Seat.FIRST, {}),
        ("battle", " ".join(SUDDEN_DEATH[:11]), Seat.FIRST, {}),  # both are open
        ("battle", " ".join(SUDDEN_DEATH[:11]), Seat.SECOND, {}),
    ],
)
def test_what_was_shown_cannot_be_undone(game: str, moves: str, seat: Seat, options: dict[str, str]) -> None:
    session = begun(game, moves, **options)
    before = list(session.steps)
    with pytest.raises(Refused, match="hidden information has been shown"):
        session.take_back(seat)
    assert session.steps == before


def test_between_two_people_undo_takes_back_the_last_move_once_the_other_agrees(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIGIT_DUEL_HOME", str(tmp_path))
    done = inside(tmp_path, "play", "classic", typed="9 h\n8 h\nundo\nno\nundo\nyes\n7 t\n")
    asked = "Player 2 places 8 in their hundreds. Player 1, may Player 2 take that back?"
    assert done.text.count(f"{asked} (yes/no): ") == 2
    assert done.text.count("Nothing is taken back.") == 1
    after = done.text.split("Player 2's last move is taken back.\n")[1]
    assert after.startswith("\nPlayer 2, it's your turn.\nAvailable Digits: 1 2 3 4 5 6 7 8\n")
    assert all_saves()[0].read().moves == ("9a1", "7b2")


def test_undo_on_a_screen_gives_the_turn_back(tmp_path: Path) -> None:
    with Console(tmp_path, "play", "battle") as console:
        console.answer("digit to use: ", "9 a")
        console.answer("digit to use: ", "undo")
        console.answer("Player 2, may Player 1 take that back? (yes/no): ", "y")
        console.expect("Player 1's last move is taken back.")
        console.expect("Player 1's turn.")
        console.expect("Opponent's life points: 10")
        console.answer("digit to use: ", "undo")
        console.expect(NOBODY)


def test_undo_takes_back_a_move_made_before_a_resume(tmp_path: Path) -> None:
    inside(tmp_path, "play", "classic", typed="9 h\nquit\n")
    resumed = inside(tmp_path, "resume", typed="undo\nyes\nquit\n")
    assert "Player 1 places 9 in their hundreds. Player 2, may Player 1 take that back?" in resumed.text
    assert "Player 1, it's your turn." in resumed.text.split("taken back.")[1]


def test_undo_in_the_middle_of_a_move_goes_back_one_question(tmp_path: Path) -> None:
    done = inside(tmp_path, "play", "sabotage", typed="9\n2\nundo\n1\nT\nundo\nundo\n8\n1\nth\nquit\n")
    prompts = [line.split("(")[0].split(":")[0].split("'")[0].strip() for line in done.text.splitlines()]
    digit, board, place = "Enter the digit you want to select", "Assign digit", "Assign to which position?"
    asked = [prompt for prompt in prompts if prompt in (digit, board, place)]
    assert asked[:8] == [digit, board, place, board, place, board, digit, board]
    assert "Player 1 assigned digit '8' to their own thousands place." in done.text
    assert BACK not in done.text  # no move was taken back


@pytest.mark.parametrize("first", ["1", "2"])
@pytest.mark.parametrize("game", ["classic", "sabotage", "battle"])
def test_undo_against_the_computer_takes_its_reply_back_too(
    game: str, first: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIGIT_DUEL_HOME", str(tmp_path))
    move = {"classic": ("3 t", "4 u"), "sabotage": ("3 1 te", "4 1 o"), "battle": ("8 d", "7 d")}[game]
    args = ["play", game, "--vs", "computer", "--level", "random", "--first", first, "--seed", "4"]
    args += ["--set", "max_life=99", "--set", "start_life=50"] if game == "battle" else []
    done = inside(tmp_path, *args, typed=f"{move[0]}\nundo\nundo\n{move[1]}\n")
    assert done.code == 3
    assert done.text.count(BACK) == 1
    assert done.text.count(NOTHING) == 1
    replies = 2 if first == "2" else 1
    assert len(all_saves()[0].read().moves) == replies + 1


def test_undo_in_a_hidden_game_is_refused_with_the_reason_at_the_prompt(tmp_path: Path) -> None:
    done = inside(tmp_path, "play", "cards", "--seed", "7", typed="undo\ny\nundo\ny\nundo\nquit\n")
    assert done.text.count(NOBODY) == 1
    assert done.text.count(SEEN) == 2
    assert done.code == 0


def test_undo_at_a_secret_is_refused_once_the_other_has_sealed_a_digit(tmp_path: Path) -> None:
    save_of(tmp_path, "battle", 10)
    with Console(tmp_path, "resume") as console:
        wait_for(console, "from 1 to 5: ", then="undo")
        console.expect(SEEN)
        wait_for(console, "from 1 to 5: ", then="quit")
        assert console.end() == 0
        console.assert_restored()


def test_a_game_can_be_undone_to_its_very_start_and_played_again(tmp_path: Path) -> None:
    typed = "9 h\n8 h\n7 t\n6 t\n" + 4 * "undo\nyes\n" + "9 h\n8 h\n7 t\n6 t\n5 u\n4 u\n"
    done = inside(tmp_path, "play", "classic", typed=typed)
    assert done.code == 0
    assert done.text.count("last move is taken back.") == 4
    assert done.text.endswith("Player 1's Number: 975\nPlayer 2's Number: 864\n\nPlayer 1 wins!\n")
