"""Bad command lines: each is refused with a sentence and exit code 2, and nothing is saved (SAFETY D8)."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.terminal.console import inside, run

PLAY = ("play", "classic")
BAD_SETTINGS = [
    # Not option=value at all, unknown, empty, twice.
    ("classic", "places"), ("classic", ""), ("classic", "="), ("classic", "=3"), ("classic", "places="),
    ("classic", "nonsense=3"), ("classic", "Places=3"), ("classic", "places =3"), ("classic", "__class__=3"),
    # Numbers that are none, or none that make a game.
    ("classic", "places=0"), ("classic", "places=10"), ("classic", "places=-1"), ("classic", "places=3.0"),
    ("classic", "places= 3"), ("classic", "places=3 "), ("classic", "places=0x3"), ("classic", "places=1_0"),
    ("classic", "places=" + "9" * 5000), ("classic", "places=5"), ("classic", "places=None"),
    # Pools.
    ("classic", "pool="), ("classic", "pool=9-1"), ("classic", "pool=1-5"), ("classic", "pool=1-99"),
    ("classic", "pool=1-9x0"), ("classic", "pool=1-9x10"), ("classic", "pool=1,,2"), ("classic", "pool=1-9,"),
    ("classic", "pool=a-z"), ("classic", "pool=1-9 x2"), ("classic", "pool=" + "1-9x9," * 3 + "1"),
    ("classic", "pool=*"), ("classic", "pool=1..9"), ("classic", "pool=1\n2\n3\n4\n5\n6"),
    ("classic", "pool=" + ",".join(["1"] * 5000)),
    # Words.
    ("classic", "goal=highest"), ("classic", "goal="), ("classic", "reach=theirs"), ("classic", "tie=third"),
    # Cards.
    ("cards", "visibility=hidden"), ("cards", "full_turn=pass"), ("cards", "facing_full=cap"),
    ("cards", "facing_full=cap:"), ("cards", "facing_full=cap:-1"), ("cards", "facing_full=cap:1001"),
    ("cards", "facing_full=cap:1e2"), ("cards", "deck=none"), ("cards", "next_starter=coin"),
    ("cards", "hand_size=0"), ("cards", "hand_size=5"), ("cards", "wins_needed=0"),
    ("cards", "wins_needed=100"),
    ("cards", "pool=0-4"), ("cards", "pool=5x9"),
    # Battle.
    ("battle", "start_life=0"), ("battle", "start_life=21"), ("battle", "start_life=1000"),
    ("battle", "max_life=9"), ("battle", "max_life=0"), ("battle", "sudden=1,3,5"), ("battle", "sudden=1x2"),
    ("battle", "sudden="), ("battle", "standoff_limit=0"), ("battle", "standoff_limit=1001"),
    ("battle", "standoff_limit=never"), ("battle", "pool=none"),
]  # fmt: skip
BAD_LINES = [
    ["nonsense"], ["play"], ["play", ""], ["play", "chess"], ["play", "c"], ["play", "classic", "cards"],
    ["play", "../classic"], ["play", "_placement"], ["play", "class\x1b[31mic"], ["play", "c" * 5000],
    ["rules"], ["rules", "go"], ["replay"], ["export"], ["--nonsense"], ["games", "5"], ["resume", "1", "2"],
    [*PLAY, "--match", "0"], [*PLAY, "--match", "-1"], [*PLAY, "--match", "100001"],
    [*PLAY, "--match", "three"], [*PLAY, "--match", "3.5"], [*PLAY, "--match"],
    [*PLAY, "--first-to", "0"], [*PLAY, "--match", "3", "--first-to", "2"],
    [*PLAY, "--match", "9" * 5000], [*PLAY, "--seed", "-1"], [*PLAY, "--seed", "x"],
    [*PLAY, "--seed", "1.5"], [*PLAY, "--seed", "9" * 40], [*PLAY, "--seed", "0x10"],
    [*PLAY, "--vs", "cat"], [*PLAY, "--level", "sensible"], [*PLAY, "--first", "3"],
    [*PLAY, "--vs", "computer", "--level", "perfect-ish"], [*PLAY, "--vs", "computer", "--level", ""],
    [*PLAY, "--names", "Ann"], [*PLAY, "--names", "Ann", "ANN"], [*PLAY, "--names", "", "Ben"],
    [*PLAY, "--names", " \t", "Ben"], [*PLAY, "--names", "\x1b\x07", "Ben"],
    [*PLAY, "--names", "A" * 25, "Ben"], [*PLAY, "--names", "A" * 100_000, "Ben"],
    [*PLAY, "--names", "\u200b\u202e", "Ben"], [*PLAY, "--names", "\udcff", "Ben"],
    [*PLAY, "--names", "a" + "\u0301" * 20, "Ben"], [*PLAY, "--names", "\u00e9", "e\u0301"],
    [*PLAY, "--open"], [*PLAY, "--draws", "123"], ["play", "cards", "--draws", "12a"],
    ["play", "cards", "--draws", ""], ["play", "cards", "--draws", "\u0663"],
    ["play", "cards", "--draws", "1" * 201],
    [*PLAY, "--record", "/"], [*PLAY, "--set", "goal=high", "--set", "goal=low"],
    ["games", "--delete", "0"], ["games", "--delete", "-1"], ["games", "--delete", "all"], ["resume", "0"],
    ["resume", "latest"], ["export", "1", "--seat", "third"], ["replay", "x", "--game", "0"],
]  # fmt: skip


@pytest.mark.parametrize(("game", "setting"), BAD_SETTINGS, ids=[s[:20] for _, s in BAD_SETTINGS])
def test_a_setting_that_makes_no_game_is_refused_with_the_reason(
    game: str, setting: str, tmp_path: Path
) -> None:
    done = inside(tmp_path / "saves", "play", game, "--set", setting)
    assert done.code == 2
    assert done.error.startswith("digit-duel: ")
    assert done.error.endswith(".\n")
    assert len(done.error) < 300
    assert done.error.rstrip("\n").isprintable()
    assert not (tmp_path / "saves").exists()


@pytest.mark.parametrize("args", BAD_LINES, ids=[" ".join(a)[:40] for a in BAD_LINES])
def test_a_line_that_makes_no_sense_is_refused_in_words(args: list[str], tmp_path: Path) -> None:
    done = inside(tmp_path / "saves", *args)
    assert done.code == 2
    assert done.error.strip()
    assert all(c.isprintable() or c == "\n" for c in done.error)
    assert not (tmp_path / "saves").exists()


def test_the_real_command_gives_exit_code_2_and_no_traceback(tmp_path: Path) -> None:
    done = run(tmp_path, "play", "classic", "--names", "A", "a")
    assert done.code == 2
    assert not done.out
    assert done.err.count(b"\n") <= 4


def test_a_missing_game_is_answered_with_the_list(tmp_path: Path) -> None:
    games = "The games are: classic, reverse, sabotage, cards, battle."
    assert inside(tmp_path, "play").error.endswith(f"Missing argument 'GAME'. {games}\n")


def test_the_help_begins_with_what_players_need_and_cuts_nothing(tmp_path: Path) -> None:
    listed = inside(tmp_path, "--help").text.split("Commands:\n")[1].splitlines()
    names = [line.split()[0] for line in listed]
    assert names[:7] == ["play", "learn", "rules", "resume", "games", "replay", "review"]
    for group in ("lab", "research"):
        listed += inside(tmp_path, group, "--help").text.split("Commands:\n")[1].splitlines()
    assert [line for line in listed if "..." in line] == []


@pytest.mark.parametrize(
    ("args", "error"),
    [
        (
            ("play", "cards", "--open", "--set", "visibility=private"),
            "digit-duel: --open and --set visibility=private contradict each other.\n",
        ),
        (
            (*PLAY, "--name", "Ann"),
            "--name is for games on a server; add --server URL. Here --names A B names both players.\n",
        ),
    ],
)
def test_options_that_do_not_go_together_are_refused_with_the_reason(
    args: tuple[str, ...], error: str, tmp_path: Path
) -> None:
    done = inside(tmp_path, *args)
    assert done.code == 2
    assert done.error.endswith(error)


def test_what_could_be_two_games_is_asked_back(tmp_path: Path) -> None:
    assert inside(tmp_path, "play", "c").error.endswith(": 'c' could be classic or cards.\n")
    assert "there is no game ''. The games are: classic" in inside(tmp_path, "play", "").error
    assert inside(tmp_path, "rules", "CL").text.startswith("Digit Duel (classic)")


@pytest.mark.parametrize(
    ("options", "wanted"),
    [
        (("--set", "pool=0-8x4", "--draws", "9"), "a 9 as card 1"),
        (("--draws", "77777"), "a 7 as card 5"),
        (("--draws", "177777"), "a 7 as card 6"),  # a round has at least six cards
    ],
)
def test_cards_that_cannot_be_dealt_are_refused_before_the_game(
    options: tuple[str, ...], wanted: str, tmp_path: Path
) -> None:
    done = inside(tmp_path, "play", "cards", *options, typed="y\n" * 9)
    assert (done.code, done.text) == (2, "")
    assert f"--draws asks for {wanted}, but the deck has none left by then." in done.error
    assert not list(tmp_path.glob("*.duel"))


def test_cards_that_only_some_ways_of_playing_deal_are_let_through(tmp_path: Path) -> None:
    done = inside(tmp_path, "play", "cards", "--draws", "12345677777", typed="quit\n")
    assert (done.code, done.error) == (0, "")


def test_a_file_that_holds_something_else_is_refused_as_a_record_before_the_game(tmp_path: Path) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear Ann,\n")
    done = inside(tmp_path, "play", "classic", "--record", str(letter), typed="9 h\n")
    assert (done.code, done.text) == (2, "")
    assert "is not a file of records" in done.error
    letter.write_bytes(b"\xff")
    broken = inside(tmp_path, "play", "classic", "--record", str(letter), typed="9 h\n")
    assert (broken.code, broken.text) == (2, "")
    assert broken.error.endswith("letter.txt is damaged: byte 1 is not UTF-8.\n")
    letter.write_text("Dear Ann,\n")
    long = inside(tmp_path, "play", "classic", "--record", str(tmp_path / ("x" * 300)), typed="9 h\n")
    assert (long.code, long.text) == (2, "")
    assert letter.read_text() == "Dear Ann,\n"


@pytest.mark.parametrize(
    "name", ["\x1b[31mEve\x1b[0m", "Eve\x07", "\u202eEve", "Eve\x9b2J", "E\x00ve".replace("\x00", "\x01")]
)
def test_a_name_with_escape_sequences_loses_them_everywhere(name: str, tmp_path: Path) -> None:
    record = tmp_path / "record.txt"
    done = inside(
        tmp_path, "play", "classic", "--names", name, "Ben", "--record", str(record), typed="9 h\nboard\n"
    )
    assert "Eve" in done.text or "E ve" in done.text
    shown = done.text + inside(tmp_path, "games").text + inside(tmp_path, "replay", str(record)).text
    assert all(c.isprintable() or c == "\n" for c in shown + record.read_text())
