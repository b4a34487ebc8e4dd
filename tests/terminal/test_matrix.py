"""R18: encodings x sizes x signals x prompts, a thousand cells and more; the terminal always restored."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import pytest
from tests.terminal.console import Console
from tests.terminal.prompts import PROMPTS, Prompt

ENCODINGS = ("utf-8", "ascii", "cp1252", "cp437", "latin-1")
SIZES = ((80, 24), (40, 12), (20, 5), (500, 100), (1, 1))
ENDINGS = {"ctrl-c": 130, "ctrl-d": 3, "terminate": 143, "hang up": 129}
PASSING = ("window change", "stop and continue")
LEAST_CELLS = 1000


@dataclass(frozen=True, slots=True)
class Visit:
    """One process: a prompt, reached in a window with an encoding, two signals that pass, one that ends."""

    prompt: Prompt
    encoding: str
    size: tuple[int, int]
    ending: str

    @property
    def cells(self) -> Iterator[tuple[str, str, tuple[int, int], str]]:
        """What is tried there, each a cell of the matrix."""
        for what in (*PASSING, self.ending):
            yield self.prompt.name, self.encoding, self.size, what


def visits() -> list[Visit]:
    """Every prompt with every ending, in windows and encodings that take turns so that all pairs occur."""
    chosen = [
        Visit(prompt, ENCODINGS[(at + turn) % 5], SIZES[(at + 2 * turn) % 5], ending)
        for (at, prompt), (turn, ending) in product(enumerate(PROMPTS), enumerate(ENDINGS))
    ]
    more = [
        Visit(prompt, encoding, size, tuple(ENDINGS)[(row + column + at) % 4])
        for at, prompt in enumerate(PROMPTS)
        for row, encoding in enumerate(ENCODINGS)
        for column, size in enumerate(SIZES)
        if (row + 2 * column + at) % 5 < 2
    ]
    return list(dict.fromkeys([*chosen, *more]))


def test_the_matrix_has_a_thousand_cells_and_every_pair_of_its_sides() -> None:
    cells = {cell for visit in visits() for cell in visit.cells}
    assert len(cells) >= LEAST_CELLS
    sides = [{cell[side] for cell in cells} for side in range(4)]
    assert [len(side) for side in sides] == [len(PROMPTS), 5, 5, 6]
    for one, other in ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)):
        assert len({(cell[one], cell[other]) for cell in cells}) == len(sides[one]) * len(sides[other])


def tried(visit: Visit, home: Path) -> str:
    """What went wrong in one process, if anything did."""
    try:
        with visit.prompt.reach(home, visit.size, {"PYTHONIOENCODING": visit.encoding}) as console:
            console.resize(*SIZES[(SIZES.index(visit.size) + 1) % 5])
            console.signal(signal.SIGWINCH)
            console.signal(signal.SIGTSTP)  # nobody could wake up what has no shell: it goes on at once
            console.signal(signal.SIGCONT)
            assert ended(console, visit.ending) == ENDINGS[visit.ending]
            console.assert_restored()
    except AssertionError as wrong:
        return f"{visit}: {wrong}"
    return ""


def ended(console: Console, how: str) -> int:
    """The exit code after an ending."""
    match how:
        case "ctrl-c":
            return console.end_with("\x03")
        case "ctrl-d":
            return console.end_with("\x04")
        case "terminate":
            return console.end_by(lambda: console.signal(signal.SIGTERM))
        case _:
            return console.end_by(lambda: console.signal(signal.SIGHUP))


@pytest.mark.slow
def test_no_cell_of_the_matrix_shows_a_traceback_or_leaves_the_terminal_changed(tmp_path: Path) -> None:
    todo = visits()
    with ThreadPoolExecutor(2) as pool:
        homes = (tmp_path / str(at) for at in range(len(todo)))
        wrong = [report for report in pool.map(tried, todo, homes) if report]
    assert not wrong, f"{len(wrong)} of {len(todo)}:\n" + "\n".join(wrong[:10])
