"""The documentation is true: its commands are run, its tables compared, its links followed."""

from __future__ import annotations

import doctest
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest
from tests import documents
from tests.documents import PAGES, ROOT, Command, blocks, commands, section, table, text
from tests.test_perft import (
    BATTLE_SEQUENCES,
    BATTLE_STATES,
    CARDS_SEQUENCES,
    CLASSIC_SEQUENCES,
    CLASSIC_STATES,
    SABOTAGE_SEQUENCES,
    SABOTAGE_STATES,
    TIED_LIFE,
)

from digit_duel import games
from digit_duel.cli import BROKEN_PIPE, OUTPUT_FAILED
from digit_duel.cli.commands import main
from digit_duel.cli.errors import INPUT_ENDED, INTERRUPTED
from digit_duel.cli.play.messages import COMMANDS
from digit_duel.core.game import Game
from digit_duel.core.record import Record, read_record, replay, result_of

# Set-up takes a clone of its own and half a minute; tests/test_newcomer.py and .ci/run do it.
ELSEWHERE = {"make play", "make test", "pip install .", "pipx install ."}
OWN_TEST = ROOT / "docs" / "add-a-game.md"  # needs its own file first: tests/test_add_a_game.py
IDS = ("classic", "reverse", "sabotage", "cards", "battle")
BLOCKS = [
    pytest.param(block, id=f"{documents.name(page)}-{at}")
    for page in PAGES
    if page != OWN_TEST
    for at, block in enumerate(blocks(page, "console"))
]


@pytest.mark.parametrize("block", BLOCKS)
def test_a_command_that_is_shown_does_what_is_shown(block: str, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    for command in commands(block):
        if command.line not in ELSEWHERE:
            documents.assert_shown(command, tmp_path, home)


def test_the_readme_shows_how_to_set_up_and_how_to_play() -> None:
    shown = {command.line for block in blocks("README.md", "console") for command in commands(block)}
    assert shown >= ELSEWHERE
    assert any(line.startswith("printf") and "digit-duel play classic" in line for line in shown)


def test_a_wrong_page_would_be_noticed(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="the page shows"):
        documents.assert_shown(Command("echo one", "two\n"), tmp_path, tmp_path)
    with pytest.raises(AssertionError):
        documents.assert_shown(Command("exit 1", ""), tmp_path, tmp_path)


def test_the_python_in_the_readme_gives_what_is_shown() -> None:
    found = doctest.DocTestParser().get_doctest("".join(blocks("README.md", "python")), {}, "README", None, 0)
    assert len(found.examples) == 6
    assert doctest.DocTestRunner().run(found).failed == 0


@pytest.mark.skipif(sys.platform == "win32", reason="a pseudo-terminal is needed to make pictures")
def test_the_pictures_show_what_the_program_shows() -> None:
    made = [sys.executable, str(ROOT / "docs" / "pictures" / "make.py"), "--check"]
    done = subprocess.run(made, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, ""), done.stdout + done.stderr


@pytest.mark.parametrize("page", PAGES, ids=documents.name)
def test_links_lead_somewhere(page: Path) -> None:
    prose = re.sub(r"```.*?```", "", text(page), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)]+)\)", prose):
        if target.startswith("https://"):
            continue
        path, _, anchor = target.partition("#")
        there = (page.parent / path).resolve() if path else page
        assert there.exists(), target
        if anchor:
            headings = re.findall(r"^#+ (.+)$", text(there), re.MULTILINE)
            assert anchor in {heading.lower().replace(" ", "-") for heading in headings}, target


@pytest.mark.parametrize("id", IDS)
def test_every_game_has_a_page_with_the_same_headings(id: str) -> None:
    headings = re.findall(r"^## (.+)$", text(f"docs/games/{id}.md"), re.MULTILINE)
    assert headings == ["Rules", "Rulings", "Notation", "Size", "Value", "Balance"]


def test_every_game_of_the_catalogue_is_documented() -> None:
    pages = {page.stem for page in (ROOT / "docs" / "games").glob("*.md")} - {"README"}
    assert set(IDS) <= pages <= set(games.ids())
    for page in ("README.md", "docs/games/README.md"):
        assert all(f"{id}.md)" in text(page) for id in IDS)


@pytest.mark.parametrize("id", IDS)
def test_the_options_on_a_page_are_those_of_the_game(id: str) -> None:
    variant = games.variant(id)
    standard = {name: variant.setting(name) for name in variant.options}
    rows = table(section(f"docs/games/{id}.md", "Rules"), "option")
    assert {row[0].strip("`"): row[1].strip("`") for row in rows} == standard


@pytest.mark.parametrize("id", IDS)
def test_the_games_under_notation_can_be_played(id: str) -> None:
    game = games.variant(id).game
    spans = re.findall(r"`([^`]+)`", section(f"docs/games/{id}.md", "Notation").replace("\n", " "))
    played = [tuple(span.split()) for span in spans if len(span.split()) > 5 and "?" not in span]
    assert len(played) == 1
    state = game.start()
    for move in played[0]:
        sides = [*game.acting(state)]
        known = [one for one, _ in game.chance(state)] or [one for s in sides for one in game.legal(state, s)]
        state = game.play(state, next(one for one in known if game.text(one) == move))
    replay(game, Record(id, {}, ("Ann", "Ben"), played[0], result_of(game.outcome(state))))
    assert id == "cards" or game.outcome(state) is not None


@pytest.mark.parametrize(
    ("id", "columns"),
    [
        ("classic", (CLASSIC_STATES, CLASSIC_SEQUENCES)),
        ("reverse", (CLASSIC_STATES, CLASSIC_SEQUENCES)),
        ("sabotage", (SABOTAGE_STATES, SABOTAGE_SEQUENCES)),
        ("battle", (BATTLE_STATES, BATTLE_SEQUENCES)),
        ("cards", (CARDS_SEQUENCES,)),
    ],
)
def test_the_sizes_on_a_page_are_those_counted_twice(id: str, columns: tuple[list[int], ...]) -> None:
    plies = [
        [f"{ply}", *(f"{count:,}" for count in row)] for ply, row in enumerate(zip(*columns, strict=True))
    ]
    total = [] if id == "cards" else [["all", *(f"{sum(column):,}" for column in columns)]]
    assert table(section(f"docs/games/{id}.md", "Size"), "ply") == [*plies, *total]


def test_the_ties_of_battle_on_its_page_are_those_counted_twice() -> None:
    assert (len(TIED_LIFE), sum(TIED_LIFE.values())) == (20, 9_492_740)
    told = section("docs/games/battle.md", "Size").replace("\n", " ")
    assert "9,492,740 end there with equal life points, in 20 different states" in told


def test_the_records_on_the_page_are_read_back_exactly_and_can_be_played() -> None:
    shown = blocks("docs/notation.md", "duel")
    assert len(shown) == 2
    for block in shown:
        record = read_record(block)
        assert record.text() == block
        replay(games.variant(record.game).customised(record.options).game, record)


def test_every_header_that_is_written_is_on_the_page() -> None:
    explained = set(re.findall(r"`([A-Z][A-Za-z]+)`", section("docs/notation.md", "Records")))
    assert explained >= {
        "Game",
        "Options",
        "First",
        "Second",
        "Result",
        "Date",
        "Format",
        "Check",
        "Seed",
        "Draws",
    }
    assert explained >= {
        "Match",
        "Number",
        "Score",
        "Ended",
        "Seen",
        "ComputerFirst",
        "ComputerSecond",
        "Record",
    }


@pytest.mark.parametrize("page", ["README.md", "docs/terminal.md"])
def test_every_command_and_every_option_of_play_is_explained(page: str) -> None:
    explained = text(page)
    for name in main.commands:
        assert f"`digit-duel {name}" in explained
    for parameter in main.commands["play"].params:
        if isinstance(parameter, click.Option):
            assert f"`{parameter.opts[0]}" in explained, parameter.opts[0]
    assert all(f"`{word}`" in explained for word in COMMANDS)


def test_every_option_of_every_command_is_explained() -> None:
    explained = text("docs/terminal.md")
    for command in (main, *main.commands.values()):
        for parameter in command.params:
            if isinstance(parameter, click.Option):
                assert parameter.opts[-1] in explained, parameter.opts


def test_the_exit_codes_on_the_page_are_those_of_the_program() -> None:
    codes = {
        code
        for row in table(section("docs/terminal.md", "Exit codes"), "code")
        for code in row[0].split(", ")
    }
    assert codes == {
        "0",
        "1",
        "2",
        str(INPUT_ENDED),
        str(OUTPUT_FAILED),
        "129",
        "143",
        str(INTERRUPTED),
        str(BROKEN_PIPE),
    }
    assert (INPUT_ENDED, OUTPUT_FAILED, INTERRUPTED, BROKEN_PIPE) == (3, 74, 130, 141)


def test_every_environment_variable_that_is_read_is_explained() -> None:
    source = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.py"))
    read = set(re.findall(r"environ(?:\.get\(|\[)\"([A-Z_]+)\"", source))
    assert {"DIGIT_DUEL_HOME", "DIGIT_DUEL_GAMES", "NO_COLOR", "TERM"} <= read
    explained = set(re.findall(r"`([A-Z_]+)`", section("docs/terminal.md", "Environment variables")))
    assert explained == read


def test_the_design_lists_every_part_of_a_game() -> None:
    listed = set(
        re.findall(r"^    (?:def )?(\w+)(?:\(|:)", blocks("docs/design.md", "python")[0], re.MULTILINE)
    )
    assert listed == {name for name in vars(Game) if not name.startswith("_")}


def test_every_ruling_that_the_code_cites_is_on_a_page() -> None:
    source = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.py"))
    cited = set(re.findall(r"\b([APSCB][1-9])\b", " ".join(re.findall(r"(?:#|\"\"\").*", source))))
    pages = [page for page in PAGES if page.parent.name == "games"]
    ruled = {
        id for page in pages for id in re.findall(r"^- \*\*([APSCB][1-9])\*\*", text(page), re.MULTILINE)
    }
    assert ruled == {
        f"{letter}{n}"
        for letter, most in zip("APSCB", (4, 2, 4, 8, 5), strict=True)
        for n in range(1, most + 1)
    }
    assert cited <= ruled


def test_every_target_of_the_makefile_is_explained() -> None:
    targets = set(re.findall(r"^([a-z]+):.*##", text("Makefile"), re.MULTILINE))
    assert targets >= {"play", "test", "check", "quick", "format", "bench", "soak", "clean", "help"}
    explained = set(re.findall(r"`make ([a-z]+)", text("CONTRIBUTING.md"))) | {"help", "lint"}
    assert explained == targets


def test_the_start_up_benchmark_prints_its_figures() -> None:
    made = [sys.executable, str(ROOT / "benchmarks" / "startup.py"), "--rounds", "1"]
    lines = subprocess.run(made, capture_output=True, text=True).stdout.splitlines()
    assert [line.split("  ")[0] for line in lines][:3] == [
        "bare python",
        "digit-duel --version",
        "first prompt, piped",
    ]
    assert [line for line in lines if line.startswith("numpy")] == [
        "numpy in --version       not imported",
        "numpy in play classic    not imported",
    ]


def test_a_short_soak_finds_no_broken_law() -> None:
    made = [sys.executable, str(ROOT / "benchmarks" / "soak.py"), "--game", "classic", "--seed", "1"]
    done = subprocess.run(made, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (
        0,
        "classic           50 games,         300 moves, no law broken\n",
    )
