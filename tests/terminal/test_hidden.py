"""Hidden means hidden, on one screen for two: SAFETY C15, ruling B5."""

from __future__ import annotations

from pathlib import Path

import pyte
import pytest
from tests.terminal.console import ALTERNATE, MAIN, Console, inside, without_escapes
from tests.terminal.walks import ALONE, COVER, save_of, wait_for

CARDS = ("play", "cards", "--draws", "789456")  # no digit of the first hand occurs anywhere else


def private_screen(console: Console) -> str:
    """What is to be seen on the private screen now."""
    screen = pyte.Screen(80, 24)
    pyte.ByteStream(screen).feed(console.shown.rpartition(ALTERNATE)[2])
    return "\n".join(line.rstrip() for line in screen.display).strip()


def test_between_two_people_the_screen_shows_nothing_but_whose_turn_it_is(tmp_path: Path) -> None:
    with Console(tmp_path, *CARDS) as console:
        console.answer(ALONE, "")
        console.answer("(yes/no): ", "y")
        console.expect(COVER)
        assert "7" in private_screen(console)
        console.enter("")
        console.expect(ALONE)
        shown = private_screen(console)
        assert shown.startswith("Pass the keyboard to Player 2.")
        assert len(shown.split("\n\n")) == 2
        assert "7" not in shown
        console.enter("")
        console.expect("(yes/no): ")
        assert "8" in private_screen(console)
        assert "7" not in private_screen(console)


@pytest.mark.parametrize("word", ["quit", "\x03", "\x04"])
def test_whoever_leaves_takes_the_private_screen_away(word: str, tmp_path: Path) -> None:
    with Console(tmp_path, *CARDS) as console:
        console.answer(ALONE, "")
        console.expect("(yes/no): ")
        console.end_with(word if word.startswith(("\x03", "\x04")) else f"{word}\n")
        console.assert_restored()
        before, private, after = _parts(console.shown)
        assert b"7" in private
        assert b"7" not in before + after


def test_a_hand_is_not_shown_to_both_when_somebody_resigns(tmp_path: Path) -> None:
    with Console(tmp_path, *CARDS) as console:
        wait_for(console, "(yes/no): ", then="y")
        wait_for(console, "keep it? (yes/no): ", then="resign")
        console.answer("resign? (yes/no): ", "yes")
        assert console.end() == 0
        console.assert_restored()
        _, _, after = _parts(console.shown)
        assert b"Player 2 resigns. Player 1 wins!" in after
        assert b"7" not in after
        assert b"8" not in after


def _parts(shown: bytes) -> tuple[bytes, bytes, bytes]:
    """What was shown before, on and after the private screen."""
    before, _, rest = shown.partition(ALTERNATE)
    private, _, after = rest.rpartition(MAIN)
    return without_escapes(before), without_escapes(private), without_escapes(after)


def test_secret_digits_are_typed_unseen_and_shown_together(tmp_path: Path) -> None:
    save_of(tmp_path, "battle", 9)
    with Console(tmp_path, "resume") as console:
        for digit in ("4", "2"):
            wait_for(console, "from 1 to 5: ")
            assert not console.echoes
            seen = len(console.shown)
            console.enter(digit)
            console.expect("sealed" if digit == "4" else "Both digits are open:")
            assert digit.encode() not in without_escapes(console.shown[seen:]).split(b"Both")[0]
        console.expect("Player 1 chose 4.")
        console.expect("Player 2 chose 2.")
        wait_for(console, "from 1 to 5: ", then="quit")
        assert console.end() == 0
        console.assert_restored()


def test_a_piped_secret_is_not_echoed_either(tmp_path: Path) -> None:
    save_of(tmp_path, "battle", 9)
    done = inside(tmp_path, "resume", typed="4\n2\n")
    sealed = done.text.split("Both digits are open:")[0]
    assert "from 1 to 5: \n" in sealed
    assert "from 1 to 5: 4" not in sealed
