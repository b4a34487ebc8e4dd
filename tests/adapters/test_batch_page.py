"""The page about games on arrays says what the code does."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.adapters.test_batch import GOLDEN
from tests.documents import ROOT, section, table

from digit_duel import games
from digit_duel.adapters.batch import batch_of

PAGE = "docs/research/batch.md"


@pytest.mark.slow
def test_the_python_on_the_page_gives_what_is_shown() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "doctest", PAGE], cwd=ROOT, capture_output=True, text=True, timeout=120
    )
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.slow
def test_the_peers_are_left_out_where_no_registry_can_be_reached(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "benchmarks" / "batch.py")],
        capture_output=True, text=True, timeout=300,
        env={"DIGIT_DUEL_HOME": str(tmp_path), "PATH": os.defpath, "PIP_NO_INDEX": "1"},
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("pgx and OpenSpiel: skipped")
    assert len(done.stdout.splitlines()) == 1


@pytest.mark.parametrize("id", GOLDEN)
def test_every_feature_is_on_the_page_by_index(id: str) -> None:
    under = re.split(r"^### ", section(PAGE, "Observation by index"), flags=re.MULTILINE)
    (mine,) = (part for part in under[1:] if id in part.splitlines()[0].split())
    features = batch_of(games.variant(id).game).features
    told = 0
    for indices, meaning in (row[:2] for row in table(mine, "index")):
        first, last = (int(index) for index in (indices.split("-") * 2)[:2])
        begin, end = (meaning.split(" ... ") * 2)[:2]
        assert first == told
        assert (features[first], features[last]) == (begin, end)
        assert {re.sub(r"\d", "#", feature) for feature in features[first : last + 1]} == {
            re.sub(r"\d", "#", begin)
        }
        told = last + 1
    assert told == len(features)


@pytest.mark.parametrize("id", GOLDEN)
def test_the_number_of_ids_on_the_page_is_right(id: str) -> None:
    (count,) = (
        ids.split(":")[0]
        for names, ids in table(section(PAGE, "Action by index"), "game")
        if f"`{id}`" in names
    )
    assert int(count) == batch_of(games.variant(id).game).moves
