"""The picture of a review: who was ahead after each move, and chances as bars."""

from __future__ import annotations

from dataclasses import astuple, dataclass

from digit_duel.cli.screen.chart_axis import numbered_axis
from digit_duel.cli.screen.word_wrap import wrap_words
from digit_duel.coach.review import Review
from digit_duel.core.game import Seat

_WIDE = 60  # window width from which each move of the chart gets an extra column
_BAR = 40
_HEIGHT = 5  # lines of a chart of chances
_SCALE = 6  # columns of its scale
_MISTAKE = "mistake"


@dataclass(frozen=True, slots=True)
class ChartMarks:
    """The characters of the chart; words say the same, so nothing depends on colour."""

    win: str = "▲"
    even: str = "◆"
    loss: str = "▼"
    turn: str = "●"
    point: str = "•"
    same: str = "─"
    down: str = "\N{BOX DRAWINGS LIGHT DIAGONAL UPPER LEFT TO LOWER RIGHT}"
    up: str = "\N{BOX DRAWINGS LIGHT DIAGONAL UPPER RIGHT TO LOWER LEFT}"
    full: str = "█"
    rest: str = "░"


UNICODE, ASCII = ChartMarks(), ChartMarks("^", "=", "v", "!", "*", "-", "\\", "/", "#", "-")
NO_MARKS = ChartMarks("", "", "")  # for words alone


def marks_for(encoding: str) -> ChartMarks:
    """The Unicode characters if an encoding has all of them, otherwise the ASCII ones."""
    try:
        "".join(astuple(UNICODE)).encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return ASCII
    return UNICODE


def bar(best: float, made: float, marks: ChartMarks, columns: int) -> str:
    """A chance as a bar: what the move kept, what it gave away, and the rest."""
    width = min(_BAR, columns)
    full, reached = round(made * width), round(best * width)
    return marks.full * full + marks.turn * (reached - full) + marks.rest * (width - reached)


def advantage_chart(found: Review, marks: ChartMarks, columns: int) -> list[str]:
    """A line chart of who was ahead after each move, in as many sections as the window needs."""
    label = min(max(map(len, (*found.record.names, _MISTAKE))), columns // 4)
    pitch = 4 if columns >= _WIDE else 3
    fit = (columns - label - 1) // pitch
    lines = ["Who was ahead after each move:"]
    # The last column of a section is the first of the next, so that the line continues.
    for start in range(0, max(1, len(found.history) - 1), fit - 1):
        plies = range(start, min(start + fit, len(found.history)))
        lines += [*([""] if start else []), *_section(found, marks, label, pitch, plies)]
    return lines


def chance_chart(found: Review, marks: ChartMarks, columns: int) -> list[str]:
    """One seat's chance to win the round, after each card and each move, from what that seat knew."""
    seat = Seat.FIRST if found.seat is None else found.seat
    chances = [((1, -1)[seat] * value + 1) / 2 for value in found.history]
    wrong = found.mistakes
    numbers = {move.ply: move.number for move in found.moves}
    pitch = 2 if len(chances) * 2 + _SCALE <= columns else 1
    fit = (columns - _SCALE) // pitch
    legend = f" ({marks.turn} mistake)" if wrong else ""
    lines = wrap_words(f"{found.record.names[seat]}'s chance to win the round{legend}:", columns).split("\n")
    for start in range(0, len(chances), fit):
        part = range(start, min(start + fit, len(chances)))
        heights = [round(chances[at] * (_HEIGHT - 1)) for at in part]
        for level in reversed(range(_HEIGHT)):
            label = f"{100 * level // (_HEIGHT - 1):>3}%" if level % 2 == 0 else ""
            row = "".join((marks.point if height == level else " ").ljust(pitch) for height in heights)
            lines.append(f"{label:>4} {row}".rstrip())
        mistakes = [at - start for at in part if at in wrong]
        axis = numbered_axis([numbers.get(at, "") for at in part], mistakes, pitch, marks.same, marks.turn)
        lines.append("move " + "".join(axis))
    return lines


def _section(found: Review, marks: ChartMarks, label: int, pitch: int, plies: range) -> list[str]:
    """Some moves: their numbers, a line for each player and for even, and the mistakes."""
    signs = {ply: (found.history[ply] > 0) - (found.history[ply] < 0) for ply in plies}
    wrong = found.mistakes
    numbers = {move.ply: _heading(move.number, pitch) for move in found.moves}
    rows = [("", "".join(numbers.get(ply, "").ljust(pitch) for ply in plies))]
    for sign, name, mark in (
        (1, found.record.names[Seat.FIRST], marks.win),
        (0, "even", marks.even),
        (-1, found.record.names[Seat.SECOND], marks.loss),
    ):
        if sign or 0 in signs.values():
            rows.append((name, "".join(_segment(signs, ply, sign, mark, marks, pitch) for ply in plies)))
    if wrong & set(plies):
        dots = "".join((marks.turn if ply in wrong else " ").ljust(pitch) for ply in plies)
        rows.append((_MISTAKE, dots))
    return [f"{name[:label].ljust(label)} {row}".rstrip() for name, row in rows]


def _heading(number: str, pitch: int) -> str:
    """The number of a move above its column; in a narrow window, only the first of two that would touch."""
    return "" if len(number) >= pitch and number.endswith("b") else number


def _segment(signs: dict[int, int], ply: int, sign: int, mark: str, marks: ChartMarks, pitch: int) -> str:
    """A point of the line, and the stroke to the next one."""
    if signs[ply] != sign:
        return " " * pitch
    if ply + 1 not in signs:
        return mark.ljust(pitch)
    after = signs[ply + 1]
    if after == sign:
        return mark + marks.same * (pitch - 1)
    return (mark + (marks.down if after < sign else marks.up)).ljust(pitch)
