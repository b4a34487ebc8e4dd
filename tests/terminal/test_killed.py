"""Nothing lost: kill -9 at every prompt of a whole game, followed by resume."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from tests.terminal.console import Console, inside
from tests.terminal.walks import GAMES, Asked, answer_all, wait_for, walk

from digit_duel.cli.records.save_file import all_saves
from digit_duel.core.record import Record


def on_disk() -> Record:
    """The one game that is saved, whole."""
    (save,) = all_saves()
    return save.read()


def moves_of(asked: tuple[Asked, ...]) -> list[tuple[Asked, ...]]:
    """The questions of each move together; those asked at the same ply of the same seat are one move."""
    starts = [0, *(at + 1 for at, (a, b) in enumerate(pairwise(asked)) if a.plies != b.plies), len(asked)]
    return [asked[low:high] for low, high in pairwise(starts)]


@pytest.mark.parametrize(
    "game", ["classic", *(pytest.param(game, marks=pytest.mark.campaign) for game in GAMES[1:])]
)
def test_killed_at_every_prompt_a_game_goes_on_from_its_last_move_to_the_right_end(
    game: str, tmp_path: Path
) -> None:
    whole = walk(game)
    kills, args = 0, whole.args
    for move in moves_of(whole.asked):
        for at, one in enumerate(move):
            with Console(tmp_path, *args) as console:
                answer_all(console, move[:at])
                wait_for(console, one.prompt)
                console.kill()
            assert on_disk().moves == whole.record.moves[: one.plies]  # on disk before the prompt
            kills, args = kills + 1, ("resume",)
        with Console(tmp_path, *args) as console:
            answer_all(console, move)
            if move[-1] is whole.asked[-1]:
                assert console.end() == 0
                console.assert_restored()
                for line in whole.closing.splitlines():
                    assert line.encode() in console.shown
                break
            wait_for(console, whole.asked[whole.asked.index(move[-1]) + 1].prompt)
            console.kill()
            kills += 1
    assert kills >= len(whole.asked)
    assert on_disk().moves == whole.record.moves
    assert on_disk().result == whole.record.result
    assert {path.suffix for path in tmp_path.iterdir() if not path.name.startswith(".")} <= {".duel", ".lock"}


@pytest.mark.parametrize("game", ["sabotage", "cards", "battle"])
def test_killed_once_in_the_middle_a_game_comes_to_the_same_end(game: str, tmp_path: Path) -> None:
    whole = walk(game)
    half = len(whole.asked) // 2
    while whole.asked[half].plies == whole.asked[half - 1].plies:
        half += 1
    with Console(tmp_path, *whole.args) as console:
        answer_all(console, whole.asked[:half])
        wait_for(console, whole.asked[half].prompt)
        console.kill()
    done = inside(tmp_path, "resume", typed="".join(f"{one.answer}\n" for one in whole.asked[half:]))
    assert done.code == 0
    assert whole.closing in done.text
    assert on_disk().moves == whole.record.moves


@pytest.mark.parametrize("game", ["classic", "cards"])
def test_killed_against_the_computer_a_seeded_game_gets_the_same_replies(game: str, tmp_path: Path) -> None:
    args = ("play", game, "--vs", "computer", "--first", "2", "--seed", "5", "--level", "random")
    answers = {
        "classic": ["1 h", "2 t", "3 u", "4 h", "5 t", "6 u", "7 h", "8 t", "9 u"],
        "cards": ["y", ""] * 15,  # Enter is the highest number
    }
    typed = "".join(f"{answer}\n" for answer in answers[game] * 3)
    straight = inside(tmp_path / "straight", *args, typed=typed)
    home = tmp_path / "killed"
    with Console(home, *args) as console:
        console.expect("want to select: ", "(yes/no): ")
        console.kill()
    resumed = inside(home, "resume", typed=typed)
    ends = [done.text.rstrip().splitlines()[-1] for done in (straight, resumed)]
    assert ends[0] == ends[1]
    records = [
        inside(tmp_path / name, "export", "1", "--seat", "first").text for name in ("straight", "killed")
    ]
    assert records[0].split("\n\n")[1] == records[1].split("\n\n")[1]


def test_a_save_half_written_when_the_power_went_is_not_in_the_way(tmp_path: Path) -> None:
    inside(tmp_path, "play", "classic", typed="9 h\n")
    (save,) = all_saves()
    for name in (f".{save.path.name}.123", save.path.with_suffix(".new").name):
        (tmp_path / name).write_bytes(save.path.read_bytes()[:37])
    done = inside(tmp_path, "resume", typed="8 h\nquit\n")
    assert done.code == 0
    assert on_disk().moves == ("9a1", "8b1")
