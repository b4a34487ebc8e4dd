"""Who was ahead: one column for each move, above the line for one player and below it for the other."""

from __future__ import annotations

from digit_duel.cli.app.drawing.canvas import DIM, Canvas, Ink, shortened, width_of
from digit_duel.cli.app.drawing.tiles import PLAYERS
from digit_duel.cli.app.state.table import Chart, TableView
from digit_duel.cli.screen.chart_axis import numbered_axis
from digit_duel.core.game import Seat

CHART = 3  # rows of the smallest chart
TALLEST = 9
_EVEN = 0.01
_NAME = 14  # columns for a player's name
_WIDEST = 4  # columns for a move, where there are few
_LEGEND = 15  # columns for what the signs mean
_AXIS = "after move"
_LINE = "─"
_MISTAKE = "●"


def draw_chart(view: TableView, chart: Chart, canvas: Canvas, y: int, height: int, width: int) -> None:
    """Draw the chart in one line, or in three or more: a player on each side of a line with the numbers."""
    if height < CHART:
        _one_line(view, chart, canvas, y, width)
        return
    rows = (height - 1) // 2  # of each side
    axis = y + rows
    sides = [f"{shortened(view.names[seat], _NAME)} ahead" for seat in Seat]
    left = 2 + max(map(width_of, (*sides, _AXIS)))
    room = max(1, width - left - _LEGEND - 2)
    wide = max(1, min(_WIDEST, room // max(1, len(chart.values))))  # columns of a move
    room //= wide
    start = max(0, min(chart.at - room // 2, len(chart.values) - room))
    shown = range(start, min(start + room, len(chart.values)))
    for text, row, ink in zip((sides[0], _AXIS, sides[1]), range(axis - 1, axis + 2), _SIDES, strict=True):
        canvas.put(left - 1 - width_of(text), row, text, ink)
    for at in shown:
        _bar(chart.values[at], canvas, left + (at - shown.start) * wide, axis, rows, wide)
    _axis(chart, canvas, left, axis, shown, wide)
    here = _mark_here(chart, canvas, left, axis, shown, wide)
    _legend(canvas, left + len(shown) * wide + 2, axis, here, bool(chart.turned))


_SIDES = (Ink(PLAYERS[0], bold=True), DIM, Ink(PLAYERS[1], bold=True))
_HERE = Ink("on_tile", "focus", bold=True)


def _bar(value: float, canvas: Canvas, x: int, axis: int, rows: int, wide: int) -> None:
    """How far ahead a player is: a bar that rises from the axis or hangs from it."""
    if abs(value) <= _EVEN:
        return
    up = value > 0
    eighths = max(1, round(abs(value) * 8 * rows))
    for row in range(-(-eighths // 8)):
        part = min(8, eighths - 8 * row)
        y = axis - 1 - row if up else axis + 1 + row
        canvas.put(x, y, _block(part, up) * wide, Ink(PLAYERS[0 if up else 1]))


def _block(part: int, up: bool) -> str:
    """Some eighths of a row, as one, four or eight: characters for others exist only for rising bars."""
    if part > 6:
        return "█"
    if part > 2:
        return "▄" if up else "▀"
    return "▁" if up else "▔"


def _mark_here(chart: Chart, canvas: Canvas, left: int, axis: int, shown: range, wide: int) -> str:
    """Point at the position on the table, from the side of the axis where it has no bar."""
    below = chart.values[chart.at] >= -_EVEN
    sign = "↑" if below else "↓"
    x = left + (chart.at - shown.start) * wide
    canvas.put(x + (wide - 1) // 2, axis + (1 if below else -1), sign, _HERE)
    return sign


def _axis(chart: Chart, canvas: Canvas, left: int, y: int, shown: range, wide: int) -> None:
    """The numbers of as many moves as fit, the mistakes, and the position on the table."""
    mistakes = [at - shown.start for at in shown if at in chart.turned]
    signs = numbered_axis([chart.numbers[at] for at in shown], mistakes, wide, _LINE, _MISTAKE)
    for column, sign in enumerate(signs):
        here = shown[column // wide] == chart.at
        plain = Ink("bad") if sign == _MISTAKE else Ink("line") if sign == _LINE else DIM
        canvas.put(left + column, y, sign, _HERE if here else plain)


def _legend(canvas: Canvas, x: int, axis: int, here: str, mistakes: bool) -> None:
    if mistakes:
        canvas.put(x, axis - 1, _MISTAKE, Ink("bad"))
        canvas.put(x + 2, axis - 1, "mistake", DIM)
    canvas.put(x, axis, here, _HERE)
    canvas.put(x + 2, axis, "you are here", DIM)


def _one_line(view: TableView, chart: Chart, canvas: Canvas, y: int, width: int) -> None:
    """Say who is ahead now; beside it a mark for each move, high for one player and low for the other."""
    value = chart.values[chart.at]
    seat = Seat.FIRST if value > 0 else Seat.SECOND
    ahead = abs(value) > _EVEN
    told = f"{shortened(view.names[seat], _NAME)} is ahead" if ahead else "Even"
    room = width - width_of(told) - 4
    start = max(0, min(chart.at - room // 2, len(chart.values) - room))
    shown = range(start, min(start + room, len(chart.values)))
    x = (width - width_of(told) - 2 - len(shown)) // 2
    x = canvas.put(x, y, told, Ink(PLAYERS[seat]) if ahead else DIM) + 2
    for at in shown:
        sign, colour = _sign(chart, at)
        x = canvas.put(x, y, sign, _HERE if at == chart.at else Ink(colour))


def _sign(chart: Chart, at: int) -> tuple[str, str]:
    """A position in a chart of one line: a character and its colour."""
    if at in chart.turned:
        return _MISTAKE, "bad"
    if abs(chart.values[at]) <= _EVEN:
        return _LINE, "line"
    return ("▀", PLAYERS[0]) if chart.values[at] > 0 else ("▄", PLAYERS[1])
