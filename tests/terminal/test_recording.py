"""--record: every game gets its record, resumed or not, and nothing that stood in the file is lost."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from tests.surroundings import environment
from tests.terminal.console import Console, Result, inside
from tests.terminal.test_matches import GAME, lines
from tests.terminal.walks import walk

from digit_duel.cli.records.save_file import Save, all_saves
from digit_duel.core.record import Record, read_record, read_records

# The moves of GAME, in notation.
MOVES = ("9a1", "6b1", "8a2", "5b2", "7a3", "4b3")
BEFORE = '[Game "reverse"]\n[First "Zoe"]\n[Second "Max"]\n[Result "*"]\n\n1. 6a3 *\n'


@pytest.fixture
def file(tmp_path: Path) -> Path:
    folder = tmp_path / "lesson"
    folder.mkdir()
    return folder / "games.txt"


def begun(home: Path, file: Path, *answers: str, more: tuple[str, ...] = ()) -> Result:
    args = ("play", "classic", "--names", "Ann", "Ben", "--record", str(file))
    return inside(home, *args, *more, typed=lines(*answers))


def written(file: Path) -> list[Record]:
    return read_records(file.read_text(encoding="utf-8"))


def ends(file: Path) -> list[tuple[tuple[str, ...], str]]:
    return [(record.moves, record.result) for record in written(file)]


def test_a_game_resumed_from_another_folder_is_recorded_where_it_was_asked_for(tmp_path: Path) -> None:
    home, here, there = (tmp_path / name for name in ("home", "here", "there"))
    for folder in (home, here, there):
        folder.mkdir()
    with Console(home, "-C", str(here), *PLAYED, "--record", "games.txt", command=FROM) as console:
        console.answer("want to select: ", "9 h")
        console.answer("want to select: ", "quit")
        assert console.end() == 0
    assert ends(here / "games.txt") == [(("9a1",), "*")]
    with Console(home, "-C", str(there), "resume", command=FROM, size=(200, 24)) as console:
        console.expect(f"(The record of this game goes to {here / 'games.txt'})")
        for answer in GAME[1:]:
            console.answer("want to select: ", answer)
        assert console.end() == 0
    assert ends(here / "games.txt") == [(MOVES, "1-0")]
    assert not list(there.iterdir())


PLAYED = ("play", "classic", "--names", "Ann", "Ben")
FROM = (  # the command, in the folder that -C names
    sys.executable,
    "-c",
    "import os, sys; os.chdir(sys.argv[2]); del sys.argv[1:3]\nfrom digit_duel.cli import main; main()",
)


@pytest.mark.parametrize("cut", [0, 1, 5])
def test_a_record_is_the_same_to_the_byte_whether_the_game_was_resumed_or_not(
    cut: int, file: Path, tmp_path: Path
) -> None:
    straight = file.with_name("straight.txt")
    begun(tmp_path, straight, *GAME)
    begun(tmp_path, file, *GAME[:cut])
    if cut:
        inside(tmp_path, "resume", typed=lines(*GAME[cut:]))
    else:  # nothing is kept of a game without a move
        assert len(all_saves()) == 1
        assert not file.exists()
        begun(tmp_path, file, *GAME)
    assert file.read_bytes() == straight.read_bytes()
    assert list(written(file)[0].headers) == ["Date"]  # nothing of the save, and no name of a folder


def test_a_game_left_again_and_again_stands_in_the_file_once_as_far_as_it_went(
    file: Path, tmp_path: Path
) -> None:
    begun(tmp_path, file, GAME[0])
    for answer, moves in zip(GAME[1:5], (2, 3, 4, 5), strict=True):
        assert inside(tmp_path, "resume", typed=lines(answer, "quit")).code == 0
        assert ends(file) == [(MOVES[:moves], "*")]
    assert inside(tmp_path, "resume", typed=lines("quit")).code == 0  # without a move
    assert ends(file) == [(MOVES[:5], "*")]
    assert inside(tmp_path, "resume", typed=lines("undo", "yes", "quit")).code == 0
    assert ends(file) == [(MOVES[:4], "*")]  # without Ann's last move


def test_a_game_that_was_killed_gets_its_record_when_it_has_been_resumed(file: Path, tmp_path: Path) -> None:
    with Console(tmp_path, *PLAYED, "--record", str(file)) as console:
        console.answer("want to select: ", GAME[0])
        console.expect("want to select: ")
        console.kill()
    assert not file.exists()
    inside(tmp_path, "resume", typed=lines("quit"))
    assert ends(file) == [(MOVES[:1], "*")]
    inside(tmp_path, "resume", typed=lines(*GAME[1:]))
    assert ends(file) == [(MOVES, "1-0")]


def test_a_match_that_was_resumed_goes_on_to_record_every_game(file: Path, tmp_path: Path) -> None:
    begun(tmp_path, file, *GAME, *GAME[:2], more=("--match", "3"))
    assert ends(file) == [(MOVES, "1-0"), (MOVES[:2], "*")]
    inside(tmp_path, "resume", typed=lines(*GAME[2:], *GAME[:1]))
    assert ends(file) == [(MOVES, "1-0"), (MOVES, "1-0"), (MOVES[:1], "*")]
    inside(tmp_path, "resume", typed=lines(*GAME[1:]))
    assert [(record.names[0], record.headers["Number"], record.result) for record in written(file)] == [
        ("Ann", "1", "1-0"), ("Ben", "2", "1-0"), ("Ann", "3", "1-0"),
    ]  # fmt: skip


def test_a_match_resumed_between_two_games_records_the_next(file: Path, tmp_path: Path) -> None:
    begun(tmp_path, file, *GAME, more=("--match", "3"))
    all_saves()[0].path.unlink()  # as if it had been killed before the second game
    inside(tmp_path, "resume", typed=lines(*GAME))
    assert [record.headers["Number"] for record in written(file) if record.result == "1-0"] == ["1", "2"]


def test_a_game_tried_again_is_recorded_beside_the_first(file: Path, tmp_path: Path) -> None:
    begun(tmp_path, file, *GAME)
    assert inside(tmp_path, "review", "1", "--again", "3b").code == 0
    inside(tmp_path, "resume", typed=lines("3 u"))
    assert ends(file) == [(MOVES, "1-0"), ((*MOVES[:5], "3b3"), "1-0")]
    assert "played on from move 3b" in inside(tmp_path, "games").text.split("\n")[0]


def test_a_strangers_record_cannot_name_a_file_to_be_written(file: Path, tmp_path: Path) -> None:
    begun(tmp_path, file, *GAME)
    victim = tmp_path / "profile"
    file.write_text(file.read_text().replace("[Date", f'[Record "{victim}"]\n[Date'))
    assert inside(tmp_path, "review", str(file), "--again", "3b").code == 0
    done = inside(tmp_path, "resume", typed=lines("3 u"))
    assert (done.code, "The record of this game" in done.text) == (0, False)
    assert not victim.exists()


def test_what_else_stands_in_the_file_stays_to_the_byte(file: Path, tmp_path: Path) -> None:
    file.write_text(BEFORE)
    file.chmod(0o640)
    begun(tmp_path, file, GAME[0])
    begun(tmp_path, file, *GAME)  # another game, after the first was left
    left, whole = file.read_text().removeprefix(BEFORE + "\n").split("\n[Game")
    assert read_record(left).result == "*"
    inside(tmp_path, "resume", "2", typed=lines(*GAME[1:]))
    assert file.read_text() == f"{BEFORE}\n[Game{whole}\n[Game{whole}"  # the same game, twice
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert [path.name for path in file.parent.iterdir()] == [file.name]  # no litter


def test_a_beginning_that_somebody_has_marked_is_theirs_and_stays(file: Path, tmp_path: Path) -> None:
    begun(tmp_path, file, GAME[0])
    marked = file.read_text().replace("[Date", '[Mark "good start"]\n[Date')
    file.write_text(marked)
    inside(tmp_path, "resume", typed=lines(*GAME[1:]))
    assert file.read_text().startswith(marked + "\n")
    assert ends(file) == [(MOVES[:1], "*"), (MOVES, "1-0")]


def test_a_link_to_a_file_stays_a_link(file: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(file)
    begun(tmp_path, link, GAME[0])
    inside(tmp_path, "resume", typed=lines(*GAME[1:]))
    assert link.is_symlink()
    assert ends(file) == [(MOVES, "1-0")]


@pytest.mark.parametrize("name", [b"two words %41.txt", b'"\\[quoted].txt', b"line\nbreak", "Žofie".encode(),
                                  b"\xff\xfe", b"\x1b[31mred", b"%00"])  # fmt: skip
def test_the_name_of_the_file_can_be_anything(name: bytes, tmp_path: Path) -> None:
    home = tmp_path / "home"
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + name))
    inside(home, *PLAYED, "--record", str(path), typed=lines(GAME[0]))
    done = inside(home, "resume", typed=lines(*GAME[1:]))
    assert done.code == 0
    assert b"\x1b" not in done.out
    assert ends(path) == [(MOVES, "1-0")]


def test_a_record_that_cannot_be_written_after_all_is_named_and_the_game_is_kept(
    file: Path, tmp_path: Path
) -> None:
    begun(tmp_path, file, *GAME[:5])
    file.unlink()
    file.parent.rmdir()
    done = inside(tmp_path, "resume", typed=lines(GAME[5]))
    assert done.code == 1
    assert "Ann wins!" in done.text
    assert done.error == (
        f"digit-duel: the record could not be written to {file}: No such file or directory. The game is "
        "saved: digit-duel games lists it, and digit-duel export NUMBER prints it.\n"
    )
    printed = read_record(inside(tmp_path, "export", "1").text)
    assert (printed.moves, printed.result) == (MOVES, "1-0")
    assert list(printed.headers) == ["Date"]


def test_a_save_that_names_an_impossible_file_is_played_to_its_end(tmp_path: Path) -> None:
    begun(tmp_path, tmp_path / "games.txt", *GAME[:5])
    save: Save = all_saves()[0]
    save.write(read_record(save.path.read_text().replace("games.txt", "games%00.txt")))
    done = inside(tmp_path, "resume", typed=lines(GAME[5]))
    assert done.code == 1
    assert "Ann wins!" in done.text
    assert done.error.rstrip("\n").isprintable()
    assert save.read().result == "1-0"


def test_a_folder_that_is_not_there_is_named_before_the_game(tmp_path: Path) -> None:
    done = begun(tmp_path, tmp_path / "nowhere" / "games.txt", *GAME)
    assert (done.code, done.text) == (2, "")
    assert f"there is no folder {tmp_path / 'nowhere'}." in done.error
    assert not all_saves()


@pytest.mark.parametrize(("game", "cut"), [("cards", 3), ("battle", 19)])
def test_a_game_left_with_something_hidden_is_recorded_when_it_is_over_and_not_before(
    game: str, cut: int, file: Path, tmp_path: Path
) -> None:
    whole = walk(game)
    answers = [one.answer for one in whole.asked]  # of battle: all digits are used, and one secret is sealed
    left = inside(tmp_path, *whole.args, "--record", str(file), typed=lines(*answers[:cut]))
    assert left.text.endswith(
        "Your game is saved. To continue: digit-duel resume\n"
        f"It has hidden information, so its record goes to {file} when it is over.\n"
    )
    assert not file.exists()
    inside(tmp_path, "resume", typed=lines(*answers[cut:]))
    assert ends(file) == [(whole.record.moves, whole.record.result)]


def test_a_game_of_open_hands_is_recorded_when_it_is_left(file: Path, tmp_path: Path) -> None:
    inside(tmp_path, "play", "cards", "--open", "--draws", "72", "--record", str(file), typed=lines("yes"))
    assert ends(file) == [(("d7", "k", "d2"), "*")]


def test_a_hidden_game_that_is_not_over_cannot_be_tried_again(tmp_path: Path) -> None:
    inside(tmp_path, "play", "cards", "--draws", "72", typed=lines("yes"))
    for more in ((), ("--seat", "first")):
        done = inside(tmp_path, "review", "1", "--again", "2", *more)
        assert (done.code, done.error) == (1, "digit-duel: this game is not over and has hidden cards; "
                                                  "finish it before you try a move again.\n")  # fmt: skip


_ADDS = """
import sys
from pathlib import Path
from digit_duel.cli.records.record_file import add
from digit_duel.core.record import Record
path, name = Path(sys.argv[1]), sys.argv[2]
for number in range(40):
    names = (name, str(number))
    left = Record("classic", {}, names, ("9a1",))
    add(path, left)
    add(path, Record("classic", {}, names, ("9a1", "8b1")), left)
"""


def test_however_many_programs_add_to_a_file_at_once_each_game_stands_there_once(file: Path) -> None:
    processes = [
        subprocess.Popen([sys.executable, "-c", _ADDS, str(file), name], stderr=subprocess.PIPE,
                         env=environment(file.parent))
        for name in ("Ann", "Ben", "Eve")
    ]  # fmt: skip
    for process in processes:
        assert process.communicate(timeout=60)[1] == b""
    found = sorted((*record.names, record.moves) for record in written(file))
    expected = [(name, str(n), ("9a1", "8b1")) for name in ("Ann", "Ben", "Eve") for n in range(40)]
    assert found == sorted(expected)
