"""Forgiving input, firm rules: SAFETY D5, D7 and H7, rulings A3 and S2."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.terminal.console import Console, inside
from tests.terminal.walks import GAMES, save_of, wait_for, walk

from digit_duel import games
from digit_duel.core.answers import one_line
from digit_duel.core.game import Refused

NOTATION = {"classic": "9a1", "reverse": "1a1", "sabotage": "9b1", "cards": "k", "battle": "x9"}
HOSTILE = [
    b"\xff\xfe", b"\xc3\x28", b"\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\x00", b"9\x00", b"\x00h",
    b"\x1b[31m9", b"\x1b]0;pwned\x07", b"\x1b[200~9\x1b[201~", b"\x9b31m", b"\x08\x089", b"\x7f", b"\x1b[2J",
    "\u202e9".encode(), "\u2028".encode(), "9\u200d".encode(), b"%s%n", b"{0}", b"${HOME}", b"'; DROP TABLE",
]  # fmt: skip


def read_at(game: str, played: str, line: str) -> str:
    """The move that one line names after some moves, in notation; empty if it is refused."""
    variant = games.variant(game)
    rules, state = variant.game, variant.game.start()
    for text in played.split():
        seat = rules.acting(state)[0]
        state = rules.play(state, rules.parse(state, seat, text))
    seat = rules.acting(state)[0]
    try:
        return str(rules.text(one_line(variant.voice, state, seat, line)))
    except Refused:
        return ""


@pytest.mark.parametrize(
    ("game", "played", "line", "meant"),
    [
        ("classic", "", "9 h", "9a1"),
        ("classic", "", "9 1", "9a1"),
        ("classic", "", "H 9", "9a1"),
        ("classic", "", "9A1", "9a1"),
        ("classic", "", "9  h", "9a1"),  # Tab adds a space
        ("classic", "", "9 ones", "9a3"),
        ("reverse", "", "9 units", "9a3"),
        ("sabotage", "", "9 2 th", "9b1"),
        ("sabotage", "", "9 opponent thousands", "9b1"),
        ("sabotage", "", "th 9 2", "9b1"),
        ("sabotage", "0a1 1b1", "9 1 t", "9a3"),
        ("battle", "", "a 7", "x7"),
        ("battle", "", "7 a", "x7"),
        ("battle", "", "defend 3", "+3"),
        # What follows must not be guessed at: nothing is played, and the person is told.
        ("classic", "", "1 4", ""),
        ("classic", "", "3 9", ""),
        ("classic", "", "9 9", ""),
        ("classic", "5a1 6b1", "3 1", ""),
        ("classic", "5a1 6b1", "1 5", ""),
        ("sabotage", "", "9 1 t", ""),
        ("sabotage", "", "9 2 t", ""),
        ("sabotage", "", "9 3 t", ""),
        ("sabotage", "0a1 1a2", "1 2 t", ""),
        ("sabotage", "0a1 1a2", "1 2 5", ""),
        ("sabotage", "0a1 1a2", "2 2 5", ""),
        ("sabotage", "", "3 o 1", ""),
        ("sabotage", "0a1 1a2", "3 o 1", ""),
        ("sabotage", "", "1 1 9", ""),
        ("battle", "", "7", ""),
        ("battle", "x7", "a 7", ""),
    ],
)
def test_a_line_means_what_it_says_in_the_order_of_the_questions_or_nothing(
    game: str, played: str, line: str, meant: str
) -> None:
    assert read_at(game, played, line) == meant


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("1 h\n2 h\n9\nh\n", "That place is already filled. Choose: tens, units"),
        ("1 h\n2 h\n9 h\n", "That place is already filled."),
        ("1 h\n2 h\n9a1\n", "That place is already filled."),
        ("1 h\n2 h\n2\n", "2 is no longer in the pool."),
        ("1 h\n2 h\n2 t\n", "2 is no longer in the pool."),
        ("1 h\n2 h\n2a2\n", "2 is no longer in the pool."),
        ("0\n", "I don't understand '0'."),
        ("9\nx\n", "I don't understand 'x'. Choose: hundreds, tens, units"),
        ("\n", "Choose: 1, 2, 3, 4, 5, 6, 7, 8, 9"),
    ],
)
def test_a_refusal_gives_the_right_reason_and_the_turn_is_kept(
    typed: str, reason: str, tmp_path: Path
) -> None:
    done = inside(tmp_path, "play", "classic", typed=typed)
    assert reason in done.text
    assert done.code == 3
    assert "Player" not in done.text.split(reason)[1]  # the same question is asked again


@pytest.mark.parametrize(
    ("game", "line", "reason"),
    [
        ("sabotage", "8 t", "Type one answer at a time, or all 3 on one line, such as: 8 1 thousands\n"),
        ("classic", "7 h h", "Type one answer at a time, or all 2 on one line, such as: 7 hundreds\n"),
        ("cards", "yes please", "I don't understand 'yes please'. Choose: yes, no\n"),
        (
            "classic",
            "what now please",
            "'what now please' is not a move of this game. Try 1a1, for example.\n",
        ),
    ],
)
def test_part_of_a_move_in_one_line_is_answered_with_a_whole_one(
    game: str, line: str, reason: str, tmp_path: Path
) -> None:
    assert reason in inside(tmp_path, "play", game, typed=f"{line}\n").text


@pytest.mark.parametrize(
    ("answers", "news"),
    [
        (["T", "th"], "Player 1 assigned digit '9' to their own thousands place."),
        (["t", "te"], "Player 1 assigned digit '9' to their own tens place."),
        (["T", "1"], "their own thousands place."),
        (["T", "3"], "their own tens place."),
        (["T", "T", "Thousands"], "their own thousands place."),
        (["t", "tens"], "their own tens place."),
        (["T", "h"], "their own hundreds place."),  # a change of mind
        (["Th"], "their own thousands place."),
        (["TE"], "their own tens place."),
        (["1"], "their own thousands place."),
        (["2"], "their own hundreds place."),
        (["3"], "their own tens place."),
        (["4"], "their own ones place."),
    ],
)
def test_a_bare_t_in_sabotage_is_asked_back_and_never_guessed(
    answers: list[str], news: str, tmp_path: Path
) -> None:
    done = inside(tmp_path, "play", "sabotage", typed="\n".join(["9", "1", *answers, ""]))
    assert news in done.text
    asked = sum(1 for answer in answers if answer.lower() == "t")
    assert done.text.count("could be thousands or tens. Which one?") == asked


@pytest.mark.parametrize(("filled", "other"), [("th", "tens"), ("te", "thousands")])
def test_a_bare_t_means_the_place_that_is_still_empty(filled: str, other: str, tmp_path: Path) -> None:
    done = inside(tmp_path, "play", "sabotage", typed=f"9\n1\n{filled}\n8\n2\nT\nquit\n")
    assert f"Player 2 assigned digit '8' to Player 1's {other} place." in done.text
    assert "Which one?" not in done.text


def test_a_bare_t_on_a_pseudo_terminal_is_asked_back_too(tmp_path: Path) -> None:
    with Console(tmp_path, "play", "sabotage") as console:
        console.answer("want to select: ", "9")
        console.answer("2 for opponent): ", "2")
        console.answer("(T/H/T/O): ", "T")
        console.answer("Which one? ", "te")
        console.expect("Player 1 assigned digit '9' to Player 2's tens place.")


@pytest.mark.parametrize("game", GAMES)
def test_bytes_that_are_no_text_are_refused_and_nothing_raw_comes_back(game: str, tmp_path: Path) -> None:
    done = inside(tmp_path, *walk(game).args, typed=b"\n".join([*HOSTILE, b"quit", b""]))
    assert done.code == 0
    shown = done.out.decode("utf-8")  # whatever came in, what goes out is text
    assert all(c.isprintable() or c == "\n" for c in shown)
    assert done.text.count(walk(game).asked[0].prompt) >= len(HOSTILE)


@pytest.mark.parametrize(("game", "end"), [("classic", b"\n"), ("cards", b"")])
def test_a_megabyte_in_one_line_is_one_wrong_answer(game: str, end: bytes, tmp_path: Path) -> None:
    first = walk(game).asked[0]
    typed = b"9" * 1_000_000 + (end + f"{first.answer}\n".encode() if end else b"")
    done = inside(tmp_path, *walk(game).args, typed=typed)
    assert done.code == 3
    assert len(done.out) < 10_000
    assert done.text.count("I don't understand") + done.text.count("is not a move") == 1


def test_a_megabyte_pasted_at_a_terminal_is_survived(tmp_path: Path) -> None:
    with Console(tmp_path, "play", "classic") as console:
        console.expect("want to select: ")
        for _ in range(250):  # a terminal itself takes at most 4,095 bytes a line
            console.type(b"9" * 4000 + b"\n")
        wait_for(console, "want to select: ", then="9")
        console.answer("(hundreds/tens/units): ", "h")
        console.answer("want to select: ", "quit")
        assert console.end() == 0
        console.assert_restored()


@pytest.mark.parametrize("game", ["classic", "cards"])
def test_a_bracketed_paste_shows_no_raw_escape_and_does_no_harm(game: str, tmp_path: Path) -> None:
    with Console(tmp_path, *walk(game).args, env={"NO_COLOR": "1"}) as console:
        wait_for(console, walk(game).asked[0].prompt)
        from_here = len(console.shown)
        console.enter("\x1b[200~9\x1b[201~\x1b]0;pwned\x07")
        console.expect(walk(game).asked[0].prompt)
        shown = console.shown[from_here:]
        assert b"\x1b" not in shown
        assert b"\x07" not in shown


def test_a_secret_that_is_mistyped_is_not_repeated_on_the_screen(tmp_path: Path) -> None:
    save_of(tmp_path, "battle", 9)
    with Console(tmp_path, "resume") as console:
        for wrong in ("a4", "44", "4.", "four", "9"):
            wait_for(console, "from 1 to 5: ", then=wrong)
            shown = console.expect("Choose: 1, 2, 3, 4, 5")
            assert wrong.encode() not in shown


def test_the_guide_takes_numbers_words_and_beginnings_but_no_lookalikes(tmp_path: Path) -> None:
    with Console(tmp_path) as console:
        for strange in (
            "\u0661",
            "\u00b9",
            "\uff11",
            "0",
            "6",
            "01",
            "+1",
            "c",
            "\u017fabotage",
            "\x1b[A",
        ):
            console.answer("> ", strange)
            console.expect("I don't understand")
        console.answer("> ", "CLA")
        console.answer("> ", "rulebook")
        console.answer("> ", "2")
        console.answer("> ", "Rand")
        console.answer("> ", "Ann")
        console.answer("> ", "\u0662")
        console.expect("Choose: 1, 2, coin")
        console.answer("> ", "1")
        console.answer("want to select: ", "quit")
        assert console.end() == 0


@pytest.mark.parametrize("game", GAMES)
def test_every_word_at_every_prompt_works_in_any_case(game: str, tmp_path: Path) -> None:
    words = ["help", "HELP", "Rules", "bOARD", "moves", "save", "resign", "no", "quit"]
    done = inside(tmp_path, *walk(game).args, typed="\n".join([*words, ""]))
    assert done.code == 0
    assert "I don't understand" not in done.text
    assert "You can answer: " in done.text
    assert " ".join(games.variant(game).rules.text.split()) in " ".join(done.text.split())
    assert NOTATION[game] in done.text.split()
    assert "Nobody has moved yet, so there is nothing to save." in done.text


def test_a_question_mark_helps_and_exit_leaves_at_every_kind_of_prompt(tmp_path: Path) -> None:
    done = inside(tmp_path, "play", "classic", typed="?\n9\n?\nh\nEXIT\n")
    assert done.text.count("You can answer: ") == 2
    assert "Your game is saved." in done.text
    done = inside(tmp_path, "play", "classic", typed="resign\nexit\n")
    assert done.code == 0
    with Console(tmp_path / "guided") as console:
        console.answer("> ", "?")
        console.expect("Type quit to leave.")
        console.answer("> ", "exit")
        assert console.end() == 0
