"""digit-duel learn: the tutorial of every game at a real terminal, left, taken up again and skipped."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.sixth_game import SOURCE
from tests.terminal.console import Console, inside

# What a learner types, and what is said after the last answer of each lesson.
GAMES: dict[str, list[tuple[list[str], str]]] = {
    "classic": [
        (["9", "hundreds"], "The computer puts the 8 in its hundreds."),
        (["7", "tens"], "The computer has to make do with the 6."),
        (["5", "units"], "975 against 864. Bigger wins, so you win!"),
        (["8", "hundreds"], "nobody can beat your 8 there now."),
    ],
    "reverse": [
        (["1", "hundreds"], "The computer puts the 2 in its hundreds."),
        (["3", "tens"], "The computer has to make do with the 4."),
        (["5", "ones"], "135 against 246. Smaller wins, so you win!"),
        (["2", "hundreds"], "nobody can get below your 2 there now."),
    ],
    "sabotage": [
        (["0", "1", "thousands"], "the computer does the same."),
        (["9", "2", "hundreds"], "And it does the same to you!"),
        (["8", "2", "tens"], "that is the whole game."),
        (["0", "1", "ones"], "3810 and 3810. Equal, and you went second, so you win!"),
    ],
    "cards": [
        (["942"], "942 beats 731: the round is yours."),
        (["no"], "and you draw again."),
        (["yes"], "can wait for the best card."),
        (["no"], "you cannot see which."),
        (["no"], "and you can wait for a 9."),
        (["no"], "even a 9."),
    ],
    "battle": [
        (["9", "attack"], "It had 1 left, and then defended with the 8: 1 + 8 is 9."),
        (["7", "defend"], "The computer attacks with the 6: 11 are left."),
        (["3", "attack"], "The computer has no life points left, so you win!"),
        (["7", "defend"], "you still have life points left."),
        (["5"], "5 against 3. The difference is 2: you gain it, the computer loses it. You win!"),
    ],
}
QUESTION = ("want to select: ", "(hundreds/tens/units): ", "available digits: ", "(hundreds/tens/ones): ",
            "2 for opponent): ", "(T/H/T/O): ", "(yes/no): ", "each digit once): ", "digit to use: ",
            "attack or defend? ", "from 1 to 5: ")  # fmt: skip


@pytest.mark.parametrize("game", GAMES)
def test_a_tutorial_is_played_to_its_end_at_a_terminal(game: str, tmp_path: Path) -> None:
    with Console(tmp_path, "learn", game) as console:
        for number, (answers, said) in enumerate(GAMES[game], start=1):
            console.expect(f"lesson {number} of {len(GAMES[game])}")
            for answer in answers:
                console.expect(*QUESTION)
                console.enter(answer)
            console.expect(said)
            if number < len(GAMES[game]):
                console.answer("Press Enter to continue. ", "")
        console.expect("That was the last lesson.")
        console.expect(f"Now play it: digit-duel play {game} --vs computer")
        assert console.end() == 0
        console.assert_restored()


def test_another_choice_is_answered_and_asked_again(tmp_path: Path) -> None:
    told = inside(tmp_path, "learn", "classic", typed="9 tens\n9 hundreds\nquit\n")
    assert told.code == 0
    first, second = told.text.split("lesson 2 of 4")
    assert "no digit is bigger than 9. Put it in your hundreds." in first
    assert "You: hundreds 9, tens empty, units empty" in first
    assert first.count("lesson 1 of 4") == 1
    assert "Take the 7" in second


def test_an_illegal_answer_is_refused_as_in_a_game(tmp_path: Path) -> None:
    told = inside(tmp_path, "learn", "classic", "2", typed="9\nzero\nquit\n").text
    assert "9 is no longer in the pool. Choose: 1, 2, 3, 4, 5, 6, 7" in told
    assert "I don't understand 'zero'." in told


def test_lessons_are_left_and_taken_up_again(tmp_path: Path) -> None:
    inside(tmp_path, "learn", "cards", typed="942\nno\nquit\n")
    again = inside(tmp_path, "learn", "cards", typed="quit\n").text
    assert "You stopped at lesson 3. To start over: digit-duel learn cards 1" in again
    assert "Cards, lesson 3 of 6" in again
    assert "lesson 1 of 6" in inside(tmp_path, "learn", "cards", "1", typed="quit\n").text
    assert "lesson 1 of 4" in inside(tmp_path, "learn", "classic", typed="quit\n").text


def test_lessons_that_are_finished_begin_again(tmp_path: Path) -> None:
    told = inside(tmp_path, "learn", "classic", typed="skip\n" * 4)
    assert told.code == 0
    assert re.findall(r"lesson (\d) of 4", told.text) == ["1", "2", "3", "4"]
    again = inside(tmp_path, "learn", "classic", typed="quit\n").text
    assert "You stopped at" not in again
    assert "lesson 1 of 4" in again


def test_a_damaged_file_of_lessons_begins_again(tmp_path: Path) -> None:
    (tmp_path / "lessons.json").write_text('{"classic": "two", "cards": 77')
    assert "lesson 1 of 4" in inside(tmp_path, "learn", "classic", typed="quit\n").text
    (tmp_path / "lessons.json").write_text('["classic"]')
    assert "lesson 1 of 4" in inside(tmp_path, "learn", "classic", typed="quit\n").text
    (tmp_path / "lessons.json").write_text('{"classic": 77}')
    assert "lesson 1 of 4" in inside(tmp_path, "learn", "classic", typed="quit\n").text


def test_who_cannot_write_is_told_and_goes_on(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    told = inside(tmp_path, "learn", "classic", typed="save\nquit\n", save_in=str(tmp_path / "file"))
    assert told.code == 0
    assert "(Your place in the lessons cannot be saved: " in told.text


def test_help_and_hint_belong_to_the_lesson(tmp_path: Path) -> None:
    told = inside(tmp_path, "learn", "battle", "4", typed="help\nhint\nrules\nquit\n").text
    assert "skip    go on to the next lesson" in told
    assert "resign" not in told
    assert "Answer 6, then defend.\n" in told
    assert "Bring the other player down to zero life points." in told


def test_where_only_enter_is_waited_for_another_word_is_answered(tmp_path: Path) -> None:
    with Console(tmp_path, "learn", "battle") as console:
        console.answer("Select a digit to use: ", "9 attack")
        for word in ("hint", "skip", "?"):
            console.answer("Press Enter to continue. ", word)
            console.expect("Press Enter to continue, or type quit to leave; your place in the lessons")
        console.answer("Press Enter to continue. ", "")
        console.expect("Battle, lesson 2 of 5")


def test_a_lesson_that_is_not_there_is_refused(tmp_path: Path) -> None:
    told = inside(tmp_path, "learn", "cards", "7")
    assert (told.code, told.error) == (1, "digit-duel: cards has 6 lessons.\n")


def test_a_game_without_a_tutorial_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from dataclasses import replace

    from digit_duel import games

    classic = games.variant("classic")
    monkeypatch.setattr("digit_duel.games.classic.VARIANT", replace(classic, tutorial=None))
    told = inside(tmp_path, "learn", "classic")
    assert told.code == 1
    assert told.error == "digit-duel: classic has no tutorial. The rules: digit-duel rules classic\n"


def test_a_game_of_ones_own_is_learned_the_same_way(tmp_path: Path) -> None:
    (tmp_path / "race.py").write_text(SOURCE, encoding="utf-8")
    with Console(tmp_path, "learn", "race", env={"DIGIT_DUEL_GAMES": str(tmp_path)}) as console:
        console.answer("you add (1-3)? ", "1")
        console.expect("Good.")
        console.answer("Press Enter to continue. ", "")
        console.answer("you add (1-3)? ", "2")
        console.expect("That was the last lesson.")
        assert console.end() == 0


def test_the_guided_start_offers_the_lessons_and_then_the_game(tmp_path: Path) -> None:
    with Console(tmp_path) as console:
        console.answer("> ", "classic")
        console.answer("> ", "rulebook")
        console.expect("learn the game first, in 4 short lessons")
        console.answer("> ", "learn")
        for _ in range(4):
            console.answer("want to select: ", "skip")
        console.expect("That was the last lesson.")
        console.expect("Who do you want to play?")
        console.answer("> ", "quit")
        assert console.end() == 0
