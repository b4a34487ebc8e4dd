"""Make the pictures of the documentation from real games in the full-screen app.

python docs/pictures/make.py           writes an .svg for each game below, and the text blocks of the pages
python docs/pictures/make.py --check   only says what is out of date

In a page, <!-- picture: NAME --> before a text block says what the block shows.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from dataclasses import dataclass
from html import escape
from pathlib import Path

from digit_duel import games
from digit_duel.cli.app.drawing.canvas import Canvas, Ink
from digit_duel.cli.app.drawing.table import draw_table
from digit_duel.cli.app.state.local import LocalTable
from digit_duel.cli.app.state.opening import new_table
from digit_duel.cli.app.state.table import Phase
from digit_duel.cli.app.themes import DEFAULT, THEMES
from digit_duel.cli.play.plan import Plan

FOLDER = Path(__file__).parent
PAGES = [FOLDER.parent.parent / "README.md", *FOLDER.parent.glob("*.md")]
BLOCK = re.compile(r"(<!-- picture: (\w+) -->\n```text\n)(?:.*?)(?=^```$)", re.DOTALL | re.MULTILINE)
FOOT = "? keys  q leave  h hint  u undo  x resign  w judge my moves  m type a move"
WIDE, HIGH = 8.4, 18.0  # of one character
HALVES = {"▀": (0.0, 0.5), "▄": (0.5, 0.5), "█": (0.0, 1.0)}  # top and height of a block
COLOURS = THEMES[DEFAULT]


@dataclass(frozen=True)
class Shot:
    """A game, the moves that lead to a position, and the window that shows it."""

    game: str
    moves: tuple[str, ...]
    size: tuple[int, int] = (80, 24)
    level: str | None = "sensible"  # of the computer; None for two people
    draws: str = ""
    coach: bool = False


SHOTS = {
    "sabotage": Shot("sabotage", ("9 2 th", "8 1 h", "0 1 th"), (120, 36), coach=True),
    "battle": Shot("battle", ("9 attack", "7 attack")),
    "cards": Shot("cards", ("yes",), draws="7295"),
}


def drawn(shot: Shot) -> Canvas:
    """The app after the moves of a shot, with the person to move."""
    other = "Ben" if shot.level is None else "Computer"
    plan = Plan(
        games.variant(shot.game), ("Ann", other), (None, shot.level), seed="11", draws=tuple(shot.draws)
    )
    table = new_table(plan)
    try:
        for move in shot.moves:
            _until_turn(table)
            assert table.choice is not None
            table.play(table.choice.typed(move))
        _until_turn(table)
        if shot.coach:
            table.coach = tuple(table.hint())
        assert table.choice is not None
        canvas = Canvas(*shot.size, focus=table.choice.offers[0].action)
        draw_table(table.view(), canvas, footer=FOOT)
    finally:
        table.close()
    return canvas


def _until_turn(table: LocalTable) -> None:
    while table.phase is not Phase.TURN:
        if table.phase is Phase.THINKING:
            table.play(table.think())
        else:
            table.go_on()


def svg(canvas: Canvas, title: str) -> str:
    """A canvas as an SVG picture."""
    width, height = WIDE * canvas.width, HIGH * canvas.height
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}"'
        f' height="{height:g}" role="img" aria-label="{escape(title)}">',
        f'<rect width="100%" height="100%" rx="8" fill="{COLOURS["paper"]}"/>',
        "<g font-family=\"ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace\""
        ' font-size="14" xml:space="preserve">',
    ]
    for row in range(canvas.height):
        column = 0
        for text, ink in canvas.line(row):
            lines += _run(text, ink, WIDE * column, HIGH * row)
            column += len(text)
    return "\n".join([*lines, "</g>", "</svg>", ""])


def _run(text: str, ink: Ink, x: float, y: float) -> list[str]:
    """Neighbouring characters of one ink; blocks are drawn, so that they meet in any font."""
    wide, colour = WIDE * len(text), COLOURS[ink.colour]
    found = []
    if ink.ground != "paper":
        found.append(
            f'<rect x="{x:g}" y="{y:g}" width="{wide:g}" height="{HIGH:g}" fill="{COLOURS[ink.ground]}"/>'
        )
    for block in re.finditer(r"▀+|▄+|█+", text):
        top, high = HALVES[block[0][0]]
        found.append(
            f'<rect x="{x + WIDE * block.start():g}" y="{y + HIGH * top:g}" width="{WIDE * len(block[0]):g}"'
            f' height="{HIGH * high:g}" fill="{colour}"/>'
        )
    bold = ' font-weight="bold"' if ink.bold else ""
    for words in re.finditer(r"[^ ▀▄█]+(?: [^ ▀▄█]+)*", text):  # more spaces would be shown as one
        place = f'x="{x + WIDE * words.start():g}" y="{y + 13.5:g}" textLength="{WIDE * len(words[0]):g}"'
        found.append(f'<text {place} fill="{colour}"{bold}>{escape(words[0])}</text>')
    return found


def made() -> dict[Path, str]:
    """The up-to-date text of every picture and of every page with one."""
    with tempfile.TemporaryDirectory() as home:
        os.environ["DIGIT_DUEL_HOME"] = home
        screens = {name: drawn(shot) for name, shot in SHOTS.items()}
    files = {
        FOLDER / f"{name}.svg": svg(canvas, f"A game of {name} in the terminal")
        for name, canvas in screens.items()
    }
    for page in PAGES:
        files[page] = BLOCK.sub(
            lambda block: f"{block[1]}{screens[block[2]].text}\n", page.read_text(encoding="utf-8")
        )
    return files


def main() -> int:
    """Write the pictures, or say what is out of date."""
    stale = [
        (path, text)
        for path, text in made().items()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    ]
    for path, text in stale:
        if "--check" in sys.argv:
            sys.stdout.write(f"{path.name} is out of date: make pictures\n")
        else:
            path.write_text(text, encoding="utf-8")
            sys.stdout.write(f"{path.name} written\n")
    return int("--check" in sys.argv and bool(stale))


if __name__ == "__main__":
    sys.exit(main())
