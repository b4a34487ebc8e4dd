"""Make the pictures of the documentation from real games on a terminal of 80x24.

python docs/pictures/make.py           writes an .svg for each session below, and the text blocks of the pages
python docs/pictures/make.py --check   only says what is out of date

In a page, <!-- picture: NAME, last N lines --> before a text block says what the block shows.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from html import escape
from pathlib import Path

FOLDER = Path(__file__).parent
PAGES = [FOLDER.parent.parent / "README.md", *FOLDER.parent.glob("*.md")]
INSTALLED = Path(sys.executable).with_name("digit-duel")
COMMAND = [str(INSTALLED)] if INSTALLED.exists() else [sys.executable, "-m", "digit_duel"]
COLUMNS, ROWS = 80, 24

# A session is the command's arguments, and what is typed at each prompt; the last prompt stays open.
SESSIONS = {
    "sabotage": (
        "play sabotage --names Ann Ben",
        ["9 2 th", "8 2 th", "0 1 h", "7", "2", "t"],
    ),
    "battle": (
        "play battle --vs computer --names Ann Computer --seed 11",
        ["9 attack", "7 attack", "5 attack"],
    ),
    "cards": (
        "play cards --vs computer --names Ann Computer --draws 7295 --seed 5",
        ["yes"],
    ),
}
PROMPT = re.compile(rb"[:?>] $")
BLOCK = re.compile(
    r"(<!-- picture: (\w+), last (\d+) lines -->\n```text\n)(?:.*?)(?=^```$)", re.DOTALL | re.MULTILINE
)

BACKGROUND, FOREGROUND = "#1c2128", "#cdd9e5"
COLOURS = {"31": "#f47067", "32": "#6bc46d", "33": "#daaa3f", "35": "#dcbdfb", "36": "#56d4dd"}
WIDE, HIGH, MARGIN = 8.4, 18, 14  # of one character, and around all


@dataclass(frozen=True)
class Run:
    """Neighbouring characters with the same attributes."""

    text: str
    codes: frozenset[str] = frozenset()


def captured(arguments: str, answers: list[str]) -> str:
    """All bytes that a session sends to the terminal, as text."""
    import fcntl
    import pty
    import struct
    import termios

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    environment = {
        key: value for key, value in os.environ.items() if key not in ("COLUMNS", "LINES", "NO_COLOR")
    }
    sent = b""
    with tempfile.TemporaryDirectory() as home:
        environment |= {"DIGIT_DUEL_HOME": home, "TERM": "xterm-256color", "PYTHONIOENCODING": "utf-8"}
        with subprocess.Popen(
            [*COMMAND, *arguments.split()], stdin=theirs, stdout=theirs, env=environment
        ) as game:
            os.close(theirs)
            for answer in [*answers, None]:
                seen = b""
                while not PROMPT.search(seen):
                    seen += os.read(ours, 65536)
                sent += seen
                if answer is not None:
                    os.write(ours, answer.encode() + b"\n")
                    echo = b""
                    while not echo.endswith(b"\n"):
                        echo += os.read(ours, 1)
                    sent += echo
            game.kill()
    os.close(ours)
    return sent.decode()


def screen(sent: str) -> list[list[Run]]:
    """The last lines that fit on the screen."""
    shown = sent.rsplit("\x1b[2J\x1b[H", 1)[-1].replace("\r\n", "\n")
    shown = re.sub(r"thinking\.\.\.\r\x1b\[K", "", shown)  # on a busy machine, and gone at once
    codes: frozenset[str] = frozenset()
    lines: list[list[Run]] = [[]]
    for part in re.split(r"(\x1b\[[0-9;?]*[A-Za-z]|\n)", shown):
        if part == "\n":
            lines.append([])
        elif part.startswith("\x1b"):
            found = part[2:-1].split(";")
            codes = frozenset() if found in ([""], ["0"]) else codes | set(found)
        elif part:
            lines[-1].append(Run(part, codes))
    return lines[-ROWS:]


def svg(lines: list[list[Run]], title: str) -> str:
    """The screen as an SVG picture."""
    width, height = 2 * MARGIN + WIDE * COLUMNS, 2 * MARGIN + HIGH * len(lines)
    drawn = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}"'
        f' height="{height:g}" role="img" aria-label="{escape(title)}">',
        f'<rect width="100%" height="100%" rx="8" fill="{BACKGROUND}"/>',
        "<g font-family=\"ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace\""
        f' font-size="14" fill="{FOREGROUND}" xml:space="preserve">',
    ]
    for row, line in enumerate(lines):
        column = 0
        for run in line:
            drawn += _drawn(run, column, row)
            column += len(run.text)
    column = sum(len(run.text) for run in lines[-1])
    x, y = MARGIN + WIDE * column, MARGIN + HIGH * (len(lines) - 1)
    drawn.append(f'<rect x="{x:g}" y="{y:g}" width="{WIDE:g}" height="{HIGH}"/>')  # the cursor
    return "\n".join([*drawn, "</g>", "</svg>", ""])


def _drawn(run: Run, column: int, row: int) -> list[str]:
    """One run of characters, stretched to its columns in any font."""
    if not run.text.strip() and "7" not in run.codes:
        return []
    colour = next((COLOURS[code] for code in sorted(run.codes) if code in COLOURS), "")
    x, y, wide = MARGIN + WIDE * column, MARGIN + HIGH * row, WIDE * len(run.text)
    box = []
    if "7" in run.codes:
        box = [f'<rect x="{x:g}" y="{y:g}" width="{wide:g}" height="{HIGH}" fill="{colour or FOREGROUND}"/>']
        colour = BACKGROUND
    marks = f' fill="{colour}"' if colour else ""
    marks += ' font-weight="bold"' if "1" in run.codes else ""
    marks += ' opacity="0.65"' if "2" in run.codes else ""
    return [*box, f'<text x="{x:g}" y="{y + 13.5:g}" textLength="{wide:g}"{marks}>{escape(run.text)}</text>']


def plain(lines: list[list[Run]]) -> list[str]:
    """The screen without colours."""
    return ["".join(run.text for run in line).rstrip() + "\n" for line in lines]


def made() -> dict[Path, str]:
    """The up-to-date text of every picture and of every page with one."""
    screens = {name: screen(captured(*session)) for name, session in SESSIONS.items()}
    files = {
        FOLDER / f"{name}.svg": svg(lines, f"digit-duel {SESSIONS[name][0]}")
        for name, lines in screens.items()
    }
    for page in PAGES:
        files[page] = BLOCK.sub(
            lambda block: block[1] + "".join(plain(screens[block[2]])[-int(block[3]) :]),
            page.read_text(encoding="utf-8"),
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
