"""Nothing lost: a folder that cannot be written, a full disk, and space that comes back (SAFETY F4)."""

from __future__ import annotations

import errno
import os
import re
from pathlib import Path
from typing import Any

import pytest
from tests.disks import fill
from tests.terminal.console import Console, inside, shell
from tests.terminal.walks import save_of, walk

from digit_duel.cli.records.save_file import all_saves

CANNOT = "(This game cannot be saved: "


def _a_file(tmp_path: Path) -> str:
    (tmp_path / "file").write_text("")
    return str(tmp_path / "file")


def _inside_a_file(tmp_path: Path) -> str:
    return _a_file(tmp_path) + "/deeper/still"


def _read_only_system(tmp_path: Path) -> str:
    return "/proc"  # a folder that is there, and in which nobody creates a file


def _full_device(tmp_path: Path) -> str:
    return "/dev/full/x"


HOMES = [_a_file, _inside_a_file, _read_only_system, _full_device]


@pytest.mark.parametrize("home", HOMES)
def test_where_nothing_can_be_saved_the_game_goes_on_and_says_so_once(home: Any, tmp_path: Path) -> None:
    whole = walk("cards")
    done = inside(tmp_path, *whole.args, typed=whole.typed, save_in=home(tmp_path))
    assert done.code == 0
    assert done.text.count(CANNOT) == 1
    assert whole.closing in done.text


@pytest.mark.parametrize("home", HOMES)
def test_nobody_is_promised_a_save_that_is_not_there(home: Any, tmp_path: Path) -> None:
    done = inside(tmp_path, "play", "classic", typed="9 h\nsave\nquit\n", save_in=home(tmp_path))
    assert done.code == 0
    assert "Saved." not in done.text
    assert "Your game is saved" not in done.text
    assert done.text.count("could not be saved") == 2  # to save, and to quit


@pytest.mark.parametrize("home", [_a_file, _inside_a_file])
@pytest.mark.parametrize("line", ["games", "resume", "replay 1", "export 1", "games --delete 1"])
def test_a_folder_that_cannot_be_read_is_a_problem_in_a_sentence(
    home: Any, line: str, tmp_path: Path
) -> None:
    done = inside(tmp_path, *line.split(), save_in=home(tmp_path))
    assert done.code == 1
    assert done.error.startswith("digit-duel: ")
    assert "Output failed" not in done.error


SMALL = "classic --set places=1 --set pool=1-3"


def test_a_page_that_cannot_be_written_is_refused_before_the_study(tmp_path: Path) -> None:
    done = inside(tmp_path, *f"lab report {SMALL} --html {tmp_path}/none/page.html".split())
    assert (done.code, done.out) == (2, b"")
    assert done.error.endswith(f"Invalid value for '--html': there is no folder {tmp_path}/none.\n")


def test_a_result_that_cannot_be_written_names_the_file(tmp_path: Path) -> None:
    done = inside(tmp_path, *f"lab sweep {SMALL} --over bonus=0,1 --out /proc/page".split())
    assert done.code == 1
    assert re.search(r"^digit-duel: /proc/page\.journal: No such file or directory\.$", done.error, re.M)


@pytest.mark.parametrize("line", ["rotate-key", f"lab fair {SMALL}"])
def test_a_home_that_cannot_be_written_is_named(line: str, tmp_path: Path) -> None:
    done = inside(tmp_path, *line.split(), save_in=_read_only_system(tmp_path) + "/none")
    assert done.code == 1
    assert "digit-duel: /proc/none: No such file or directory.\n" in done.error


@pytest.mark.parametrize("game", ["classic", "cards"])
def test_a_limit_on_file_sizes_is_a_full_disk_too(game: str, tmp_path: Path) -> None:
    whole = walk(game)
    (tmp_path / "typed").write_text(whole.typed)
    line = f"ulimit -f 0; duel {' '.join(whole.args)} < {tmp_path / 'typed'}"
    done = shell(tmp_path, line, COVERAGE_PROCESS_START="")  # a tracer could not write its file, either
    assert done.code == 0
    assert CANNOT in done.text
    assert whole.closing in done.text
    assert not list(tmp_path.glob("*.duel"))


def test_a_disk_that_fills_up_keeps_the_last_save_and_space_that_comes_back_is_used(
    small_disk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIGIT_DUEL_HOME", str(small_disk))
    with Console(small_disk, "play", "classic") as console:
        console.answer("want to select: ", "9 h")
        console.expect("want to select: ")
        filler = fill(small_disk)
        console.enter("8 h")
        console.expect(CANNOT + "No space left on device. ")
        console.answer("want to select: ", "save")
        console.expect("could not be saved")
        assert all_saves()[0].read().moves == ("9a1",)  # the older save is whole
        console.answer("want to select: ", "7 t")
        console.expect("want to select: ")
        filler.unlink()
        console.enter("6 t")
        console.expect("want to select: ")
        assert all_saves()[0].read().moves == ("9a1", "8b1", "7a2", "6b2")
        console.enter("quit")
        console.expect("Your game is saved.")
        assert console.end() == 0
    assert inside(small_disk, "resume", typed="quit\n").code == 0


def test_a_game_begun_on_a_full_disk_is_played_and_saved_when_there_is_room(small_disk: Path) -> None:
    filler = fill(small_disk)
    with Console(small_disk, "play", "classic") as console:
        console.expect(CANNOT)
        console.answer("want to select: ", "9 h")
        console.expect("want to select: ")
        filler.unlink()
        console.enter("8 h")
        console.expect("want to select: ")
        console.kill()
    assert "Available Digits: 1 2 3 4 5 6 7" in inside(small_disk, "resume", typed="quit\n").text


@pytest.mark.parametrize("call", ["open", "fsync", "replace"])
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO, errno.EROFS, errno.EDQUOT, errno.EINTR])
def test_whichever_call_fails_the_older_save_stays_whole(
    call: str, number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save = save_of(tmp_path, "classic", 2)
    before = save.read()

    def fails(*args: Any, **keywords: Any) -> Any:
        raise OSError(number, os.strerror(number))

    with monkeypatch.context() as patch:
        patch.setattr(os, call, fails)
        with pytest.raises(OSError, match=os.strerror(number)):
            save_of(tmp_path, "classic", 3)
    assert save.read() == before
    assert [path.name for path in tmp_path.iterdir()] == [save.path.name]  # no litter


def test_a_record_file_that_cannot_be_written_is_named_after_the_game(tmp_path: Path) -> None:
    whole = walk("classic")
    done = inside(tmp_path, *whole.args, "--record", "/dev/full", typed=whole.typed)
    assert done.code == 1
    assert whole.closing in done.text
    assert "/dev/full: No space left on device." in done.error
