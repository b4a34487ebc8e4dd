"""A canvas of styled characters, with the targets on it that people can choose."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby


@dataclass(frozen=True, slots=True)
class Ink:
    """How a character is drawn: names of colours, which a theme turns into real ones."""

    colour: str = "text"
    ground: str = "paper"
    bold: bool = False


TEXT, DIM, BOLD = Ink(), Ink("dim"), Ink(bold=True)
_PARTS = ("; ", ", ", " from ")  # what parts of a description begin with
_NAMED = {"Enter": "enter", "Esc": "escape"}  # keys with a name, as they are written and pressed
_SHORTER = (18, 14, 11, 8, 6)  # columns of a name, where a text has too little room


@dataclass(frozen=True, slots=True)
class Target:
    """A place that can be chosen with the mouse, the arrow keys or a key of its own."""

    action: str  # what it does, for the screen that drew it
    x: int
    y: int
    width: int
    height: int = 1
    key: str = ""  # what a click presses; the arrow keys do not reach it

    def holds(self, x: int, y: int) -> bool:
        """Whether a point lies in it."""
        return self.x <= x < self.x + self.width and self.y <= y < self.y + self.height

    @property
    def middle(self) -> tuple[float, float]:
        """Its centre; rows count double, because characters are twice as high as wide."""
        return self.x + self.width / 2, 2 * (self.y + self.height / 2)


class Canvas:
    """A grid of characters; whatever is drawn outside it is cut off."""

    def __init__(self, width: int, height: int, focus: str = "") -> None:
        self.width, self.height = width, height
        self.focus = focus  # the action of the target that the arrow keys have reached
        self.targets: list[Target] = []
        self._cells: list[list[tuple[str, Ink]]] = [[(" ", TEXT)] * width for _ in range(height)]

    def put(self, x: int, y: int, text: str, ink: Ink = TEXT) -> int:
        """Write a text in one line; return the column after it."""
        for character in text:
            wide = cells_of(character)
            if wide == 0:
                self._join(x - 1, y, character)
            elif 0 <= y < self.height and x >= 0 and x + wide <= self.width:
                self._cells[y][x] = (character, ink)
                for beside in range(1, wide):
                    self._cells[y][x + beside] = ("", ink)
            x += wide
        return x

    def centred(self, y: int, text: str, ink: Ink = TEXT, left: int = 0, width: int | None = None) -> None:
        """Write a text in the middle of some columns."""
        room = self.width - left if width is None else width
        shown = shortened(text, room)
        self.put(left + (room - width_of(shown)) // 2, y, shown, ink)

    def fill(self, x: int, y: int, width: int, height: int, ink: Ink, text: str = " ") -> None:
        """Fill a rectangle with a character."""
        for row in range(y, y + height):
            self.put(x, row, text * width, ink)

    def box(self, x: int, y: int, width: int, height: int, ink: Ink, corners: str = "╭╮╰╯─│") -> None:
        """Draw the outline of a rectangle; the last two of the corners are the lines between them."""
        across, down = corners[4], corners[5]
        self.put(x, y, corners[0] + across * (width - 2) + corners[1], ink)
        for row in range(y + 1, y + height - 1):
            self.put(x, row, down, ink)
            self.put(x + width - 1, row, down, ink)
        self.put(x, y + height - 1, corners[2] + across * (width - 2) + corners[3], ink)

    def paste(self, other: Canvas, x: int, y: int) -> None:
        """Copy another canvas, without its targets."""
        for row in range(other.height):
            column = x
            for text, ink in other.line(row):
                column = self.put(column, y + row, text, ink)

    def target(self, action: str, x: int, y: int, width: int, height: int = 1) -> None:
        """Make a rectangle choosable."""
        self.targets.append(Target(action, x, y, width, height))

    def key(self, key: str, x: int, y: int, width: int) -> None:
        """Let a click in one line press a key."""
        self.targets.append(Target(f"key {key}", x, y, width, key=key))

    def keys(self, x: int, y: int, told: str, right: int, ink: Ink = DIM) -> int:
        """Write keys and what they do, as many as fit before a column; a click presses them.

        Return the column for more.
        """
        gap = "   " if "   " in told else "  "
        for part in told.split(gap):
            end = x + width_of(part)
            if end < right:
                self.put(x, y, part, ink)
                key = part.partition(" ")[0]
                if key in _NAMED or (len(key) == 1 and key.isascii()):
                    self.key(_NAMED.get(key, key), x, y, end - x)
                x = end + len(gap)
        return x

    def target_at(self, x: int, y: int) -> Target | None:
        """The topmost target under a point."""
        return next((target for target in reversed(self.targets) if target.holds(x, y)), None)

    def line(self, y: int) -> Iterator[tuple[str, Ink]]:
        """A line as runs of equal ink."""
        for ink, run in groupby(self._cells[y], key=lambda cell: cell[1]):
            yield "".join(text for text, _ in run), ink

    @property
    def text(self) -> str:
        """All lines without colours."""
        return "\n".join("".join(text for text, _ in row).rstrip() for row in self._cells)

    def _join(self, x: int, y: int, mark: str) -> None:
        """Add a combining mark to the character before it."""
        if 0 <= y < self.height and 0 <= x < self.width:
            text, ink = self._cells[y][x]
            self._cells[y][x] = (text + mark, ink)


def cells_of(character: str) -> int:
    """How many columns a character takes."""
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def width_of(text: str) -> int:
    """How many columns a text takes."""
    return sum(map(cells_of, text))


def shortened(text: str, columns: int) -> str:
    """A text that fits into some columns, with an ellipsis if it had to be cut."""
    if width_of(text) <= columns:
        return text
    while text and width_of(text) > columns - 1:
        text = text[:-1]
    return f"{text}…" if columns > 0 else ""


def short_label(label: str, columns: int) -> str:
    """The name of a place that fits into some columns; a compound keeps the beginning of each part."""
    parts = label.split("-")
    if len(parts) == 1:
        return shortened(label, columns)
    while len("-".join(parts)) > max(columns, 2 * len(parts) - 1):
        longest = max(reversed(range(len(parts))), key=lambda at: len(parts[at]))
        parts[longest] = parts[longest][:-1]
    return "-".join(parts)


def wrapped(text: str, columns: int) -> list[str]:
    """Lines of a text, broken at words; a line that fits stays as it is."""
    lines: list[str] = []
    for paragraph in text.split("\n"):
        if width_of(paragraph) <= columns:
            lines.append(paragraph)
            continue
        line = ""
        for word in paragraph.split():
            if line and width_of(line) + 1 + width_of(word) > columns:
                lines.append(line)
                line = word
            else:
                line = f"{line} {word}".lstrip()
        lines.append(shortened(line, columns))
    return lines


def balanced(text: str, columns: int) -> list[str]:
    """Lines of a text, as few as with `wrapped` but of about the same length."""
    lines = wrapped(text, columns)
    for room in range(columns // len(lines), columns):
        found = wrapped(text, room)
        whole = " ".join(found) == " ".join(lines) and max(map(width_of, found)) <= room
        if whole and len(found) == len(lines):
            return found
    return lines


def clipped(text: str, columns: int) -> str:
    """A text that fits into some columns, without its last parts if need be: all but the first explain."""
    while width_of(text) > columns and (ends := [end for mark in _PARTS if (end := text.rfind(mark)) > 0]):
        text = text[: max(ends)]
    return shortened(text, columns)


def whole_sentences(text: str, columns: int) -> str:
    """A text that fits into some columns, if leaving out its last sentences is enough for that."""
    while width_of(text) > columns and (end := max(text.rfind(mark) for mark in (". ", "! "))) > text.find(
        " "
    ):
        text = text[: end + 1]
    return text


def with_short_names(text: str, names: Sequence[str], columns: int) -> str:
    """A text that fits into some columns, if shorter names are enough for that."""
    found = text
    for most in _SHORTER:
        if width_of(found) <= columns:
            break
        short = [shortened(name, most) for name in names]
        if len(set(short)) == len(names):  # else nobody knows who is meant
            found = _renamed(text, dict(zip(names, short, strict=True)))
    return found


def _renamed(text: str, names: Mapping[str, str]) -> str:
    """A text with other names, all of them replaced at once."""
    longest_first = sorted(map(re.escape, names), key=len, reverse=True)
    return re.sub("|".join(longest_first), lambda found: names[found[0]], text) if names else text
