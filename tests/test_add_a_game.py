"""The example of docs/add-a-game.md, from a folder of its own, is a game like the others."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from tests import documents
from tests.documents import ROOT, blocks, commands
from tests.sixth_game import LAWS, PAGE, SOURCE, race

from digit_duel.bots import LEVELS
from digit_duel.core.game import Seat
from digit_duel.core.laws import Witness, check_playout, check_tree
from digit_duel.core.options import BadOption
from digit_duel.core.record import read_record, replay
from digit_duel.solve.general.tablebase import Tablebase
from digit_duel.solve.value import Value


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """A folder with nothing but the example in it."""
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "race.py").write_text(SOURCE, encoding="utf-8")
    return folder


def digit_duel(mine: Path, *arguments: str, typed: str = "") -> str:
    """What the real command prints, with the folder named in the environment."""
    home = mine.parent / "home"
    home.mkdir(exist_ok=True)
    environment = {**documents.bare_environment(home), "DIGIT_DUEL_GAMES": str(mine)}
    done = subprocess.run(
        [sys.executable, "-m", "digit_duel", *arguments], input=typed, env=environment, cwd=home,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", timeout=documents.PATIENCE,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    return done.stdout


def test_the_commands_on_the_page_do_what_is_shown(mine: Path) -> None:
    home = mine.parent / "home"
    home.mkdir()
    shown = [command for block in blocks(PAGE, "console") for command in commands(block)]
    assert len(shown) == 2
    for command in shown:
        documents.assert_shown(command, mine.parent, home)


def test_two_people_play_it_to_the_end(mine: Path) -> None:
    transcript = digit_duel(mine, "play", "race", typed="3\n" * 7)
    assert transcript.endswith("You add 3, which makes 21.\n\nPlayer 1 has reached 21 and wins!\n")


@pytest.mark.parametrize("seed", range(3))
def test_it_is_played_against_the_random_computer(mine: Path, seed: int) -> None:
    arguments = ("play", "race", "--vs", "computer", "--level", "random", "--seed", str(seed))
    transcript = digit_duel(mine, *arguments, typed="1\n" * 21)
    counts = [int(total) for total in re.findall(r"which makes (\d+)\.", transcript)]
    assert counts[-1] == 21
    assert all(1 <= later - earlier <= 3 for earlier, later in zip([0, *counts], counts, strict=False))
    winner = "Player 1" if len(counts) % 2 else "Computer"
    assert transcript.endswith(f"{winner} has reached 21 and wins!\n")


def test_the_sensible_computer_knows_its_tips_and_cannot_be_beaten_from_21(mine: Path) -> None:
    arguments = ("play", "race", "--vs", "computer", "--first", "2")
    assert digit_duel(mine, *arguments, typed="2\n" * 7).endswith("Computer has reached 21 and wins!\n")


def test_what_is_refused_is_refused_with_the_reason(mine: Path) -> None:
    transcript = digit_duel(mine, "play", "race", "--set", "target=4", typed="3\n2\n+2\n9\n1\n")
    assert transcript.count("Adding 2 would go beyond 4.") == 2
    assert "I don't understand '9'. Choose: 1" in transcript
    assert transcript.endswith("Player 2 has reached 4 and wins!\n")


def test_it_is_saved_listed_resumed_undone_replayed_and_played_as_a_match(mine: Path) -> None:
    assert "Your game is saved." in digit_duel(mine, "play", "race", typed="3\n2\nquit\n")
    assert "race       Player 1 - Player 2  Player 1 to move" in digit_duel(mine, "games")
    resumed = digit_duel(mine, "resume", typed="undo\nyes\n" + "3\n" * 6)
    assert "The count is 5." in resumed
    assert "Player 2's last move is taken back." in resumed
    assert resumed.endswith("Player 1 has reached 21 and wins!\n")
    assert digit_duel(mine, "replay", "1").startswith("Race to 21: Player 1 - Player 2, 7 moves, 1-0\n")
    assert "1. +3 +3 2. +3" in digit_duel(mine, "export", "1")
    match = digit_duel(mine, "play", "race", "--first-to", "1", "--names", "Ann", "Ben", typed="3\n" * 7)
    assert match.endswith("Ann wins the match, 1 to 0!\n")


def test_it_follows_the_others_in_the_catalogue(mine: Path) -> None:
    code = "from digit_duel import games; print(games.ids()); print(games.catalogue()['race'].summary)"
    environment = {**documents.bare_environment(mine), "DIGIT_DUEL_GAMES": str(mine)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    assert done.stdout == (
        "('classic', 'reverse', 'sabotage', 'cards', 'battle', 'race')\n"
        "Count up by 1, 2 or 3 in turn; whoever says 21 wins.\n"
    )


def test_it_keeps_every_law_in_all_that_can_be_reached() -> None:
    small = race().customised({"target": "3", "most": "2"})
    # By hand: the start; +1, +2; +1 +1, +1 +2, +2 +1; +1 +1 +1.
    assert check_tree(small.game, small.voice, limit=100) == 7
    check_tree(race().game, race().voice, limit=100_000)
    rng, witness = Random(1), Witness()
    assert all(len(check_playout(race().game, race().voice, rng, witness)) >= 7 for _ in range(200))


@pytest.mark.parametrize("wanted", [{"target": "5"}, {"most": "9"}, {"target": "2", "most": "1"}])
def test_it_keeps_every_law_when_customised(wanted: dict[str, str]) -> None:
    customised = race().customised(wanted)
    check_tree(customised.game, customised.voice, limit=100_000)


def test_a_setting_that_makes_no_game_is_refused_with_the_reason() -> None:
    with pytest.raises(BadOption, match=r"with most=3 the first turn would reach 3\."):
        race().customised({"target": "3"})


def test_its_opponents_choose_legal_moves() -> None:
    start = race().game.start()
    legal = race().game.legal(start, Seat.FIRST)
    for maker in LEVELS.values():
        assert maker(race(), Seat.FIRST, Random(1)).choose(start, legal) in legal


def test_the_solver_counts_its_essence_and_margin() -> None:
    small = race().customised({"target": "4", "most": "3"}).game
    # Whatever the first player adds, the second wins at once; adding 3 loses by 3 - 1, adding 1 by 1 - 3.
    assert Tablebase(small).value(small.start()) == Value(-1, 2, 2)
    state = small.play(small.start(), small.legal(small.start(), Seat.FIRST)[0])
    assert small.essence(state) == replace(state, last=None) != state


def test_its_worked_example_ends_as_it_says() -> None:
    record = read_record(race().rules.example)
    steps = replay(race().game, record)
    assert (len(steps), record.result) == (12, "0-1")


def test_the_page_shows_how_to_check_the_laws(mine: Path) -> None:
    environment = {**documents.bare_environment(mine), "DIGIT_DUEL_GAMES": str(mine)}
    done = subprocess.run([sys.executable, "-c", LAWS], env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.skipif(sys.platform == "win32", reason="a pseudo-terminal is needed")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_it_is_played_on_a_terminal(mine: Path) -> None:
    import pexpect

    environment = {**documents.bare_environment(mine.parent), "DIGIT_DUEL_GAMES": str(mine), "TERM": "xterm"}
    arguments = ["-m", "digit_duel", "play", "race", "--set", "target=4", "--lines"]
    game = pexpect.spawn(sys.executable, arguments, env=environment, encoding="utf-8", timeout=30)
    for total, answer in ((0, "3"), (3, "1")):
        game.expect_exact(f"The count is {total}.")
        game.expect_exact("Which number do you add (1-3)? ")
        game.sendline(answer)
    game.expect_exact("Player 2 has reached 4 and wins!")
    game.expect(pexpect.EOF)
    game.close()
    assert game.exitstatus == 0


def test_no_game_imports_another() -> None:
    for file in (ROOT / "src" / "digit_duel" / "games").glob("*.py"):
        imported = re.findall(r"^ *from digit_duel\.games(?:\.(\w+))? import", file.read_text(), re.MULTILINE)
        assert all(name.startswith("_") for name in imported), file.name


@pytest.mark.slow
def test_it_passes_the_type_checker_and_the_linter(mine: Path) -> None:
    config = str(ROOT / "pyproject.toml")
    for tool in (["mypy", "--strict", "--config-file", config], ["ruff", "check", "--config", config],
                 ["ruff", "format", "--check", "--config", config]):  # fmt: skip
        done = subprocess.run(
            [sys.executable, "-m", *tool, str(mine / "race.py")],
            cwd=mine, env={**os.environ, "MYPYPATH": str(ROOT / "src")}, capture_output=True, text=True,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
