"""The environments' pages are what the code makes, and the code does what its version did."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from tests.documents import ROOT, blocks, section, table, text
from tests.sixth_game import SOURCE, race
from tools import make_environment_pages

from digit_duel import games
from digit_duel.adapters.interface.alphabet import ranked_alphabet
from digit_duel.adapters.interface.dynamics import dynamics
from digit_duel.adapters.interface.encoding import encoding
from digit_duel.adapters.interface.names import HISTORY, VERSION
from digit_duel.adapters.interface.version import customised
from digit_duel.adapters.interface.views import layout
from digit_duel.core.game import Seat
from digit_duel.core.options import BadOption

# A change here is a change of what people trained on: it needs a new version.
PINNED_2 = {
    "classic": "2dc528bb1c30eda7",
    "reverse": "6e4afed40a68d492",
    "sabotage": "98f28902e5844324",
    "cards": "ab98179b356d819a",
    "battle": "97184bbb7ee4cf1a",
}
PINNED = {  # of version 1
    "classic": "eefc452596ba4a96",
    "reverse": "dae571c1f5b17d5e",
    "sabotage": "af29abff7d7e46ea",
    "cards": "8f3def668a350619",
    "battle": "9baddef71f859cfb",
}
HEADINGS = [
    "Description", "Specs", "Observation by index", "Action by index", "Rewards", "Termination",
    "Version history", "Version 1",
]  # fmt: skip


@pytest.mark.parametrize("id", PINNED)
def test_an_environment_does_what_its_version_did(id: str) -> None:
    assert VERSION == max(HISTORY) == 2
    assert [dynamics(games.variant(id), version) for version in HISTORY] == [PINNED[id], PINNED_2[id]]
    listed = table(section(f"docs/research/environments/{id}.md", "Version history"), "version")
    assert [row[::2] for row in listed] == [["v1", f"`{PINNED[id]}`"], ["v2", f"`{PINNED_2[id]}`"]]


def test_another_rule_has_other_dynamics() -> None:
    assert dynamics(games.variant("classic").customised({"goal": "low"}), 1) != PINNED["classic"]
    assert dynamics(games.variant("battle").customised({"max_life": "19"}), 1) != PINNED["battle"]


def test_the_pages_are_what_the_generator_makes() -> None:
    assert make_environment_pages.main(["--check"]) == 0
    pages = {page.stem for page in (ROOT / "docs" / "research" / "environments").glob("*.md")}
    assert set(PINNED) <= pages <= set(games.ids())


def test_an_old_page_is_noticed_and_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(make_environment_pages, "PAGES", tmp_path)
    monkeypatch.setattr(games, "catalogue", lambda: {"classic": games.variant("classic")})
    assert make_environment_pages.main(["--check"]) == 0  # a game without a page is not an old page
    (tmp_path / "classic.md").write_text("old", encoding="utf-8")
    assert make_environment_pages.main(["--check"]) == 1
    assert make_environment_pages.main([]) == 0
    assert make_environment_pages.main(["--check"]) == 0
    assert capsys.readouterr().out == "classic.md is out of date\nclassic.md updated\n"


@pytest.mark.parametrize("id", PINNED)
def test_every_page_has_the_same_headings(id: str) -> None:
    page = text(f"docs/research/environments/{id}.md")
    assert re.findall(r"^## (.+)$", page, re.MULTILINE) == HEADINGS


@pytest.mark.parametrize("id", PINNED)
def test_every_index_of_an_observation_is_on_the_page_once(id: str) -> None:
    game, page = games.variant(id).game, f"docs/research/environments/{id}.md"
    for heading, size in (
        ("Observation by index", encoding(game).size),
        ("Version 1", len(layout(game).features)),
    ):
        rows = table(section(page, heading), "index")
        ends = [[int(end) for end in row[0].split("-")] for row in rows]
        assert [at for end in ends for at in range(end[0], end[-1] + 1)] == list(range(size))


@pytest.mark.parametrize("id", PINNED)
def test_the_page_lists_the_options_that_the_game_takes(id: str) -> None:
    listed = {row[0] for row in table(section(f"docs/research/environments/{id}.md", "Specs"), "option")}
    taken = set(games.variant(id).options)
    for name, other in (("layout", "highest"), ("forced", "skip"), ("encoding", "one_hot")):
        with suppress(BadOption):
            customised(games.variant(id), 2, {name: other})
            taken.add(name)
    assert listed == {f"`{name}`" for name in taken}


@pytest.mark.parametrize("id", PINNED)
def test_every_move_is_on_the_page_at_its_number(id: str) -> None:
    game = games.variant(id).game
    if ranked_alphabet(game).size != len(game.moves(Seat.FIRST)):
        return  # by rank: the next test has the list
    lists = re.findall(
        r"```\n(.*?)```", section(f"docs/research/environments/{id}.md", "Action by index"), re.DOTALL
    )
    alphabets = [*map(game.moves, Seat), *([game.draws()] if game.draws() else [])]
    for listed, moves in zip(lists, alphabets, strict=True):
        found = {}
        for line in listed.splitlines():
            number, *words = line.split()
            found.update({int(number) + at: word for at, word in enumerate(words)})
        assert found == {number: game.text(move) for number, move in enumerate(moves)}


def test_the_indexes_that_a_person_would_look_up() -> None:
    meanings = {
        id: {
            row[0]: row[1]
            for row in table(section(f"docs/research/environments/{id}.md", "Version 1"), "index")
        }
        for id in PINNED
    }
    assert meanings["classic"]["3-12"] == "0s in pool ... 9s in pool"
    assert meanings["classic"]["13-22"] == "boards[first][1] is 0 ... boards[first][1] is 9"
    assert meanings["battle"]["3"] == "life[first]"
    assert meanings["cards"]["83-92"] == "drawn is 0 ... drawn is 9"
    assert not any("memory" in meaning for meaning in meanings["cards"].values())


def test_the_orders_of_a_hand_are_on_the_page_of_cards() -> None:
    page = section("docs/research/environments/cards.md", "Action by index")
    listed = re.findall(r"```\n(.*?)```", page, re.DOTALL)[0].splitlines()
    assert listed[:3] == ["0  k", "1  g", "2  order 123"]
    assert (len(listed), listed[-1]) == (8, "7  order 321")


def test_a_sixth_game_would_have_a_page_too() -> None:
    page = make_environment_pages.page(race())
    assert "| 3 | added[first] | any number |" in page
    assert "0  +1 +2 +3" in page
    assert "17 numbers |" in page  # no flags for a number without bounds


def test_the_python_on_the_page_for_researchers_gives_what_is_shown(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("DIGIT_DUEL_HOME", str(tmp_path))
    shown = "".join(blocks("docs/research/README.md", "python"))
    found = doctest.DocTestParser().get_doctest(shown, {}, "README", None, 0)
    assert len(found.examples) > 12
    assert doctest.DocTestRunner().run(found).failed == 0


def test_nothing_heavy_is_loaded_before_it_is_asked_for() -> None:
    code = (
        "import sys, digit_duel, digit_duel.adapters, digit_duel.games\n"
        "print(sorted({'numpy', 'gymnasium', 'pettingzoo', 'pyspiel'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_a_game_from_a_folder_of_ones_own_has_a_name_in_every_library(tmp_path: Path) -> None:
    (tmp_path / "race.py").write_text(SOURCE, encoding="utf-8")
    code = (
        "import gymnasium, pyspiel\n"
        "from digit_duel.adapters import gymnasium as _, openspiel as _, pettingzoo\n"
        "print(pyspiel.load_game('digit_duel_race(target=9)').max_game_length())\n"
        "print(pettingzoo.race_v2.env(target=9).action_space('seat_0'))\n"
        "print(gymnasium.make('DigitDuel/race-v2', target=9).reset(seed=1)[0])\n"
    )
    environment = {**os.environ, "DIGIT_DUEL_GAMES": str(tmp_path), "DIGIT_DUEL_HOME": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("9\nDiscrete(3)\n[0 1 0 0 0 1 0 0 0 0 0 0 0 0 0 0 0]\n", "")
