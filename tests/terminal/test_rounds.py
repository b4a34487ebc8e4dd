"""The end of a round of cards on a screen: both hands, who won, the score, and nothing of the next hand."""

from __future__ import annotations

import re
from pathlib import Path

import pyte
from tests.terminal.console import ALTERNATE, Console, inside, without_escapes
from tests.terminal.walks import ALONE, NEXT_ROUND, wait_for

from digit_duel.core.record import read_record

KEEP, NUMBER = "keep it? (yes/no): ", "each digit once): "
# All cards kept: Ann 795 and Ben 846, then Ben 123 and Ann 987.
TWO_ROUNDS = ("play", "cards", "--names", "Ann", "Ben", "--draws", "789456192837")


def screen_of(console: Console) -> list[str]:
    """The lines of the private screen now, without empty ones."""
    screen = pyte.Screen(80, 24)
    pyte.ByteStream(screen).feed(console.shown.rpartition(ALTERNATE)[2])
    return [line.rstrip() for line in screen.display if line.strip()]


def play_round(console: Console, first: str = "", second: str = "") -> None:
    """Keep six cards and lay out two numbers, by default the highest."""
    for _ in range(6):
        wait_for(console, KEEP, then="yes")
    for typed in (first, second):
        wait_for(console, NUMBER)
        console.enter(typed)


def test_the_result_of_a_round_has_a_screen_of_its_own(tmp_path: Path) -> None:
    with Console(tmp_path, *TWO_ROUNDS) as console:
        play_round(console, first="579")
        console.expect(NEXT_ROUND)
        shown = screen_of(console)
        assert shown == [
            "Round 1 Results:",
            "- Ann's Number: 579",
            "- Ben's Number: 864",
            "- Ben wins the round!",
            "- Ann could have made 975 and won the round.",
            "Current Score:",
            "- Ann: 0 wins",
            "- Ben: 1 win",
            "Press Enter for the next round.",
        ]
        console.enter("")
        console.expect(ALONE)
        assert screen_of(console) == [
            "Pass the keyboard to Ben.",
            "Ben, press Enter when only you can see the screen.",
        ]
        console.enter("")
        console.expect(KEEP)
        shown = screen_of(console)
        assert "Round 2." in shown
        assert not any("Results" in line for line in shown)


def test_a_finished_game_shows_its_last_hands(tmp_path: Path) -> None:
    with Console(tmp_path, *TWO_ROUNDS) as console:
        play_round(console)
        console.answer(NEXT_ROUND, "")
        play_round(console)
        assert console.end() == 0
        after = without_escapes(console.shown.rpartition(b"\x1b[?1049l")[2]).decode()
    assert [line for line in after.splitlines() if "'s Number" in line] == [
        "- Ann's Number: 987",
        "- Ben's Number: 321",
    ]
    assert after.endswith("Ann wins the game, 2 to 0!\n")


def test_whoever_leaves_at_the_result_finds_the_next_round(tmp_path: Path) -> None:
    with Console(tmp_path, *TWO_ROUNDS) as console:
        play_round(console)
        console.answer(NEXT_ROUND, "quit")
        assert console.end() == 0
        console.assert_restored()
    with Console(tmp_path, "resume") as console:
        wait_for(console, KEEP)
        assert "Round 2." in screen_of(console)


def test_counts_are_there_for_whoever_asks(tmp_path: Path) -> None:
    # The first keeps a 7, unseen by the second, who gives it a 2 and a 5, throws a 0 and a 2 away, and holds
    # a 3 when an 8 comes.
    answers = "y\nn\nn\nn\nn\nn\ncounts\nquit\n"
    done = inside(tmp_path, "play", "cards", "--draws", "7235028", typed=answers)
    counted = done.text.rpartition("counts\n")[2].split("\n")[:5]
    assert counted == [
        "  digit      0  1  2  3  4  5  6  7  8  9",
        "  seen       1  0  2  1  0  1  0  0  1  0",
        "  discarded  1  0  1  0  0  0  0  0  0  0",
        "  unseen     3  4  2  3  4  3  4  4  3  4",
        "Unseen cards are in the deck or face down in a hand.",
    ]


def test_where_nothing_is_hidden_counts_are_the_pool(tmp_path: Path) -> None:
    done = inside(tmp_path, "play", "classic", typed="9 h\ncounts\nquit\n")
    assert "Nothing is hidden here. Digits left: 1 2 3 4 5 6 7 8.\n" in done.text


def test_a_replay_of_a_finished_game_shows_both_hands_open(tmp_path: Path) -> None:
    moves = "d7 k d8 k d9 k d4 k d5 k d6 k a975 b864 d1 k d9 k d2 k d8 k d3 k d7 k a987 b321 1-0"
    headers = '[Game "cards"]\n[First "Ann"]\n[Second "Ben"]\n[Result "1-0"]\n\n'
    path = tmp_path / "game.duel"
    path.write_text(headers + moves + "\n")
    assert read_record(path.read_text()).result == "1-0"
    with Console(tmp_path, "replay", str(path)) as console:
        for at, hands in (("6", ("7 9 5", "8 4 6")), ("7b", ("9 7 5", "8 6 4")), ("14b", ("9 8 7", "3 2 1"))):
            console.answer("q quit: ", at)
            console.expect("q quit: ")
            shown = without_escapes(console.shown).decode().rpartition(f"\n{at}. ")[2]
            rows = [line for line in shown.split("\n") if line.startswith(("Ann: rounds", "Ben: rounds"))]
            assert [" ".join(re.findall(r", (\d)", row)) for row in rows] == list(hands)
            console.enter("b")
        console.answer("q quit: ", "q")
