"""Nothing lost: two processes; saves that were damaged, edited or made by a newer version (G4, G7, G8)."""

from __future__ import annotations

import os
import pickle
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from tests.surroundings import environment
from tests.terminal.console import Console, inside, run
from tests.terminal.walks import GAMES, save_of, walk

from digit_duel.cli.play import sitting
from digit_duel.cli.records import find_games
from digit_duel.cli.records.save_file import Save, Unreadable, all_saves
from digit_duel.cli.screen.terminal import Terminal

NEWEST = "20990101-000000-ffffff"


def test_saves_are_nobody_elses_business(tmp_path: Path) -> None:
    home = tmp_path / "new" / "folder"
    with Console(home, "play", "cards") as console:
        console.expect("press Enter")
        files = list(home.iterdir())
        assert len(files) == 2  # the game and its lock
        assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}
        assert stat.S_IMODE(home.stat().st_mode) == 0o700


def test_a_move_is_synced_before_the_old_save_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    real_sync, real_replace = os.fsync, os.replace

    def sync(handle: int) -> None:
        kind = "folder" if stat.S_ISDIR(os.fstat(handle).st_mode) else "file"
        done.append(f"sync {kind}")
        real_sync(handle)

    def swap(old: str, new: str) -> None:
        done.append("replace")
        real_replace(old, new)

    monkeypatch.setattr(os, "fsync", sync)
    monkeypatch.setattr(os, "replace", swap)
    save_of(tmp_path, "classic", 3)
    assert done == ["sync file", "replace", "sync folder"]


def test_a_second_process_is_told_who_plays_the_game_and_gets_it_afterwards(tmp_path: Path) -> None:
    with Console(tmp_path, "play", "classic") as first:
        first.answer("want to select: ", "9 h")
        first.expect("want to select: ")
        for args in (["resume"], ["resume", "1"]):
            second = run(tmp_path, *args, typed="8 h\n")
            assert second.code == 1
            assert f"process {first.process.pid}" in second.error
            assert "select" not in second.text
        first.enter("8 h")
        first.answer("want to select: ", "quit")
        assert first.end() == 0
    assert inside(tmp_path, "resume", typed="7 t\nquit\n").code == 0
    assert all_saves()[0].read().moves == ("9a1", "8b1", "7a2")


def test_a_game_that_is_open_elsewhere_is_marked_and_another_one_is_offered(tmp_path: Path) -> None:
    save_of(tmp_path, "battle", 2)
    with Console(tmp_path, "play", "classic") as first:
        first.answer("want to select: ", "9 h")
        first.expect("want to select: ")
        listed = inside(tmp_path, "games").text.splitlines()
        assert listed[0].endswith("Player 2 to move  open elsewhere")
        assert listed[1].endswith("Player 1 to move")
        with Console(tmp_path) as guide:
            guide.expect("A game is waiting for you: battle,")
            guide.answer("Enter for yes): ", "no")
            guide.answer("> ", "quit")
        assert "digit to use: " in inside(tmp_path, "resume", typed="quit\n").text
        first.enter("quit")
        assert first.end() == 0


def test_the_game_played_last_is_the_one_to_go_on_with(tmp_path: Path) -> None:
    for number, game in enumerate(("classic", "reverse", "battle"), start=1):
        save = save_of(tmp_path, game, 2, f"2026010{number}-000000-aaaaaa")
        os.utime(save.path, (number, number))
    left = inside(tmp_path, "resume", "3", typed="quit\n")
    assert left.text.endswith("Your game is saved. To continue: digit-duel resume\n")
    assert inside(tmp_path, "games").text.split()[3] == "classic"
    again = inside(tmp_path, "resume", typed="8 h\nquit\n")
    assert again.code == 0
    assert all_saves()[0].read().game == "classic"


def test_a_new_game_that_is_left_before_its_first_move_leaves_nothing_behind(tmp_path: Path) -> None:
    save_of(tmp_path, "classic", 2)
    for typed, code in (("quit\n", 0), ("", 3), ("9 h\nundo\nyes\nquit\n", 0)):
        left = inside(tmp_path, "play", "classic", typed=typed)
        assert left.code == code
        assert left.text.endswith("Nobody has moved yet, so there is nothing to save.\n")
        assert len(all_saves()) == 1
    # What was resumed stays, and so does the next game of a match.
    empty = save_of(tmp_path, "reverse", 0, NEWEST)
    assert inside(tmp_path, "resume", "1", typed="quit\n").code == 0
    assert empty.path.exists()
    inside(tmp_path, "play", "classic", "--match", "3", typed="resign\nyes\n")
    assert len(all_saves()) == 4


def test_save_before_the_first_move_does_not_promise_a_save(tmp_path: Path) -> None:
    told = inside(tmp_path, "play", "classic", typed="save\n9 h\nsave\n").text
    before, after = told.split("[9][ ][ ]")
    assert "Nobody has moved yet, so there is nothing to save." in before
    assert "Saved. Every move is saved as you make it." in after


def test_a_game_without_a_move_is_never_offered_but_can_be_resumed(tmp_path: Path) -> None:
    save_of(tmp_path, "classic", 2)
    save_of(tmp_path, "reverse", 0, NEWEST)
    with Console(tmp_path) as guide:
        guide.expect("A game is waiting for you: classic,")
        guide.answer("Enter for yes): ", "no")
        guide.answer("> ", "quit")
    all_saves()[1].path.unlink()
    with Console(tmp_path) as guide:
        guide.expect("Which game?")
        guide.answer("> ", "quit")
    assert inside(tmp_path, "resume", typed="quit\n").code == 0  # as after a crash


def test_a_lock_dies_with_its_process(tmp_path: Path) -> None:
    with Console(tmp_path, "play", "classic") as first:
        first.expect("want to select: ")
        first.kill()
    assert inside(tmp_path, "resume", typed="9 h\nquit\n").code == 0


def test_a_game_that_is_being_played_is_not_deleted_and_can_be_afterwards(tmp_path: Path) -> None:
    with Console(tmp_path, "play", "classic") as first:
        first.answer("want to select: ", "9 h")
        first.expect("want to select: ")
        with Console(tmp_path, "games", "--delete", "1", size=(200, 24)) as second:
            second.expect(
                f"digit-duel: game 1 is being played by process {first.process.pid}; "
                "quit it there before you delete it."
            )
            assert second.end() == 1
        assert all_saves()[0].read().moves == ("9a1",)
        first.enter("8 h")
        first.answer("want to select: ", "quit")
        assert first.end() == 0
    assert all_saves()[0].read().moves == ("9a1", "8b1")
    assert inside(tmp_path, "games", "--delete", "1").text.startswith("Deleted: classic, ")
    assert list(tmp_path.iterdir()) == []  # not even a lock


def test_the_lock_of_a_killed_program_does_not_keep_its_game_from_being_deleted(tmp_path: Path) -> None:
    with Console(tmp_path, "play", "classic") as first:
        first.expect("want to select: ")
        first.kill()
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".duel", ".lock"]
    assert inside(tmp_path, "games", "--delete", "1").code == 0
    assert list(tmp_path.iterdir()) == []


def test_moves_made_between_reading_and_locking_are_not_overwritten(tmp_path: Path) -> None:
    save_of(tmp_path, "classic", 2)
    game = find_games.game_to_resume(None)  # read by one process ...
    save_of(tmp_path, "classic", 4)  # ... played on and left by another ...
    with pytest.raises(Exception) as told:  # noqa: PT011  # any way of saying so will do
        sitting.resume(Terminal(StringIO("quit\n"), StringIO()), game.variant, game.record, game.save)
    assert game.save.read().moves[:4] == walk("classic").record.moves[:4]
    assert str(told.value) or told.typename == "Leave"


_IN_AND_OUT = """
import os, sys, time
from pathlib import Path
from digit_duel.cli.records.save_file import InUse, Save
save, marker = Save(Path(sys.argv[1])), sys.argv[1] + ".inside"
end, held = time.monotonic() + 2.0, 0
while time.monotonic() < end:
    try:
        with save.lock():
            os.close(os.open(marker, os.O_CREAT | os.O_EXCL))
            held += 1
            os.unlink(marker)
    except InUse:
        pass
print(held)
"""


@pytest.mark.slow
def test_however_fast_games_are_opened_and_closed_only_one_process_holds_one(tmp_path: Path) -> None:
    processes = [
        subprocess.Popen([sys.executable, "-c", _IN_AND_OUT, str(tmp_path / "game.duel")],
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(tmp_path))
        for _ in range(4)
    ]  # fmt: skip
    ends = [(process.communicate(timeout=60), process.returncode) for process in processes]
    for (out, err), code in ends:
        assert code == 0, err.decode()[-500:]
        assert int(out) > 0


def test_every_byte_of_a_save_that_flips_is_noticed_or_harmless(tmp_path: Path) -> None:
    save = save_of(tmp_path, "cards", 7)
    assert_sound(save, flips(save, [0, 5]))


@pytest.mark.campaign
@pytest.mark.parametrize("game", GAMES)
def test_every_bit_of_many_saves_that_flips_is_noticed_or_harmless(game: str, tmp_path: Path) -> None:
    whole = walk(game)
    for plies in (1, len(whole.record.moves) - 1):
        save = save_of(tmp_path, game, plies, Match="best of 5", Number="2", Score="1-0")
        save.write(replace(save.read(), names=("Žofie", 'A "quoted" \\ name')))
        assert_sound(save, flips(save, range(8)))


def test_every_truncation_of_a_save_is_noticed(tmp_path: Path) -> None:
    save = save_of(tmp_path, "cards", 9)
    good = save.path.read_bytes()
    assert_sound(
        save, [good[:length] for length in range(len(good) - 1)] + [good * 2, good + b"x", b"", good[1:]]
    )


def flips(save: Save, bits: Iterable[int]) -> list[bytes]:
    """The save with one bit changed, for each of them."""
    good = save.path.read_bytes()
    return [
        good[:at] + bytes([good[at] ^ (1 << bit)]) + good[at + 1 :] for at in range(len(good)) for bit in bits
    ]


def assert_sound(save: Save, damaged: list[bytes]) -> None:
    """Each damaged version is refused with words, or means exactly the same game."""
    record = save.read()
    for data in damaged:
        save.path.write_bytes(data)
        try:
            found = save.read()
        except Unreadable:
            continue
        assert found == record, data


def a_folder(path: Path) -> None:
    path.mkdir()


def a_loop(path: Path) -> None:
    path.symlink_to(path)


def a_pipe(path: Path) -> None:
    os.mkfifo(path)


def a_gigabyte(path: Path) -> None:
    with open(path, "wb") as file:
        file.truncate(2**30)


def of(data: bytes) -> Callable[[Path], None]:
    """A file of any bytes."""

    def make(path: Path) -> None:
        path.write_bytes(data)

    return make


def text(change: Callable[[str], str]) -> Callable[[Path], None]:
    """A save of somebody who opened it in an editor."""

    def make(path: Path) -> None:
        save = save_of(path.parent, "classic", 3, path.stem)
        save.path.write_text(change(save.path.read_text()))

    return make


def checked(change: Callable[[str], str]) -> Callable[[Path], None]:
    """A save of somebody who even got the check right."""

    def make(path: Path) -> None:
        from digit_duel.core.record import read_record

        save = save_of(path.parent, "classic", 3, path.stem)
        save.write(read_record(change(save.path.read_text())))

    return make


SPOILT: dict[str, tuple[Callable[[Path], None], str]] = {
    "empty": (of(b""), "is damaged"),
    "binary": (of(bytes(range(256))), "is damaged"),
    "a pickle": (of(pickle.dumps({"moves": []})), "is damaged"),
    "blank lines": (of(b"\n" * 900_000), "is damaged"),
    "one long line": (of(b"9a1 " * 200_000), "is damaged"),
    "a folder": (a_folder, "is not a file"),
    "a loop": (a_loop, "does not exist"),
    "a pipe": (a_pipe, "is not a file"),
    "a gigabyte": (a_gigabyte, "is larger than"),
    "an edited move": (text(lambda old: old.replace("1. ", "1. 9a1 ")), "was changed by another program"),
    "an edited name": (text(lambda old: old.replace("Player 1", "Eve")), "was changed by another program"),
    "a newer format": (text(lambda old: old.replace('[Format "1"]', '[Format "2"]')), "newer version"),
    "a newer syntax": (
        text(lambda old: old.replace('[Format "1"]', '[Format "2"]') + "{ 17 }\n"),
        "newer version",
    ),
    "an unknown game": (checked(lambda old: old.replace('"classic"', '"chess"')), "cannot be played here"),
    "an unknown option": (
        checked(lambda old: old.replace("[First", '[Options "x=1"]\n[First')),
        "cannot be played",
    ),
    "an illegal move": (checked(lambda old: old.replace("1. ", "1. 0a1 ")), "does not follow the rules"),
    "an unknown level": (checked(lambda old: old.replace("[Seed", '[ComputerFirst "god"]\n[Seed')), "level"),
}


@pytest.mark.parametrize("kind", SPOILT)
def test_a_spoilt_save_is_named_and_kept_and_the_rest_still_works(kind: str, tmp_path: Path) -> None:
    spoil, says = SPOILT[kind]
    save_of(tmp_path, "classic", 2)
    spoilt = tmp_path / f"{NEWEST}.duel"
    spoil(spoilt)
    before = spoilt.read_bytes() if spoilt.is_file() and kind != "a gigabyte" else b""
    began = time.monotonic()
    listed = inside(tmp_path, "games").text.splitlines()
    assert time.monotonic() - began < 10
    assert spoilt.name in listed[0]
    assert says in listed[0]
    assert "Player 1 to move" in listed[1]
    told = inside(tmp_path, "resume", "1")
    assert told.code == 1
    assert says in told.error
    resumed = inside(tmp_path, "resume", typed="quit\n")
    assert resumed.code == 0
    assert "Player 1, it's your turn." in resumed.text
    assert not before or spoilt.read_bytes() == before
