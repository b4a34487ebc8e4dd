"""Matches and chance, interrupted: score, seats, seed and level are kept (ruling A2)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.terminal.console import inside
from tests.terminal.walks import walk

from digit_duel.cli.records.save_file import all_saves

# The one who goes first takes 9 8 7: the first seat wins every game, so the winner alternates.
GAME = ["9 h", "6 h", "8 t", "5 t", "7 u", "4 u"]


def lines(*answers: str) -> str:
    return "".join(f"{answer}\n" for answer in answers)


@pytest.mark.parametrize("after", [1, 2, 5])
def test_a_match_interrupted_in_its_second_game_goes_on_in_that_game(after: int, tmp_path: Path) -> None:
    first = inside(tmp_path, "play", "classic", "--first-to", "2", "--names", "Ann", "Ben",
                typed=lines(*GAME, *GAME[:after]))  # fmt: skip
    assert first.code == 3
    assert "Match score: Ann: 1, Ben: 0. Ben goes first." in first.text
    resumed = inside(tmp_path, "resume", typed=lines(*GAME[after:], *GAME))
    assert resumed.code == 0
    assert resumed.text.startswith("=== Game 2, first to 2 ===\nMatch score: Ann: 1, Ben: 0. Ben goes first.")
    assert "=== Game 3, first to 2 ===\nMatch score: Ann: 1, Ben: 1. Ann goes first." in resumed.text
    assert resumed.text.endswith("Ann wins the match, 2 to 1!\n")
    assert len(all_saves()) == 3  # no game was begun twice


def test_a_match_killed_between_two_games_goes_on_with_the_next(tmp_path: Path) -> None:
    inside(tmp_path, "play", "classic", "--match", "3", "--names", "Ann", "Ben", typed=lines(*GAME))
    newest, finished = all_saves()
    assert newest.read().moves == ()
    newest.path.unlink()  # as if it had not come to that
    assert finished.read().result == "1-0"
    resumed = inside(tmp_path, "resume", typed=lines(*GAME, *GAME))
    assert resumed.text.startswith("=== Game 2 of at most 3, best of 3 ===\nMatch score: Ann: 1, Ben: 0.")
    assert resumed.text.endswith("Ann wins the match, 2 to 1!\n")


def test_the_games_of_a_match_are_listed_newest_first_even_if_they_took_no_time(tmp_path: Path) -> None:
    inside(tmp_path, "play", "classic", "--match", "9", typed=lines(*GAME * 8))
    numbers = re.findall(r"game ([0-9]+), best of 9", inside(tmp_path, "games").text)
    assert numbers == ["9", "8", "7", "6", "5", "4", "3", "2", "1"]


def test_a_decided_match_is_over(tmp_path: Path) -> None:
    inside(tmp_path, "play", "classic", "--first-to", "1", typed=lines(*GAME))
    done = inside(tmp_path, "resume")
    assert done.code == 1
    assert "there is no game to continue" in done.error


def test_a_resigned_game_counts_in_the_match(tmp_path: Path) -> None:
    inside(tmp_path, "play", "classic", "--match", "3", "--names", "Ann", "Ben", typed=lines("resign", "yes"))
    assert "Match score: Ann: 0, Ben: 1." in inside(tmp_path, "resume").text
    assert "Ben won by resignation" in inside(tmp_path, "games").text


@pytest.mark.parametrize("level", ["random", "sensible"])
def test_the_level_and_the_seats_against_the_computer_are_kept(level: str, tmp_path: Path) -> None:
    args = (
        "play",
        "classic",
        "--vs",
        "computer",
        "--level",
        level,
        "--first",
        "2",
        "--match",
        "3",
        "--seed",
        "3",
    )
    straight = inside(tmp_path / "straight", *args, typed=lines(*ANYTHING * 3))
    home = tmp_path / "resumed"
    done = inside(home, *args, typed=lines(*ANYTHING[:3]))
    for _ in range(9):  # a few lines at a time, each time in a process of its own
        if done.code == 3:
            done = inside(home, "resume", typed=lines(*ANYTHING[::2], *ANYTHING[1::2]))
    assert done.code == 0
    assert "wins the match" in straight.text
    assert "wins the match" in done.text
    assert f"Computer ({level}) - Player 1" in inside(home, "games").text


ANYTHING = [f"{digit} {place}" for place in "htu" for digit in range(1, 10)]


def cards_of(home: Path) -> list[str]:
    """The moves of every game there, oldest first."""
    saves = sorted(home.glob("*.duel"))
    return [" ".join(path.read_text().split("\n\n")[1].split()) for path in saves]


@pytest.mark.parametrize("cut", [1, 5, 8, 13])
def test_a_seeded_game_draws_the_same_cards_interrupted_or_not(cut: int, tmp_path: Path) -> None:
    whole = walk("cards")
    answers = [one.answer for one in whole.asked]
    inside(tmp_path / "straight", *whole.args, typed=whole.typed)
    inside(tmp_path / "cut", *whole.args, typed=lines(*answers[:cut]))
    inside(tmp_path / "cut", "resume", typed=lines(*answers[cut:]))
    assert cards_of(tmp_path / "cut") == cards_of(tmp_path / "straight")


@pytest.mark.slow
def test_a_seeded_match_of_cards_is_the_same_resumed_at_every_turn(tmp_path: Path) -> None:
    args = ("play", "cards", "--match", "2", "--seed", "11")
    straight = inside(tmp_path / "straight", *args, typed="y\n\n" * 200)  # keep all, and the highest number
    assert straight.code == 0
    home = tmp_path / "resumed"
    done = inside(home, *args, typed="y\n\n")
    for _ in range(30):
        if done.code == 3:
            done = inside(home, "resume", typed="y\n\n" * 4)
    assert done.code == 0
    assert cards_of(home) == cards_of(tmp_path / "straight")


def test_the_cards_of_a_lesson_go_on_after_an_interruption(tmp_path: Path) -> None:
    inside(tmp_path, "play", "cards", "--draws", "729518", typed="y\ny\n")
    done = inside(tmp_path, "resume", typed="y\ny\ny\n")
    drawn = re.findall(r"You draw a '([0-9])'", done.text)
    assert drawn[:4] == ["9", "5", "1", "8"]


@pytest.mark.parametrize("seed", ["0", "1", str(2**63)])
def test_the_same_seed_tosses_the_same_coin_and_deals_the_same_cards(seed: str, tmp_path: Path) -> None:
    args = ("play", "cards", "--seed", seed, "--first", "coin")
    first, second = (inside(tmp_path / name, *args, typed="y\n" * 6) for name in ("one", "two"))
    assert first.out == second.out
    assert first.text.startswith("The coin toss: Player ")
