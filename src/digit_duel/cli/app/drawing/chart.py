"""Who was ahead: one column for each move, above the line for one player and below it for the other."""

from __future__ import annotations

from digit_duel.cli.app.drawing.canvas import DIM, Canvas, Ink, shortened, width_of
from digit_duel.cli.app.drawing.tiles import PLAYERS
from digit_duel.cli.app.state.table import Chart, TableView
from digit_duel.core.game import Seat

_EVEN = 0.01
_NAME = 14  # columns for a player's name
_WIDEST = 4  # columns for a move, where there are few
_LEGEND = 15  # columns for what the signs mean


def draw_chart(view: TableView, chart: Chart, canvas: Canvas, y: int, height: int, width: int) -> None:
    """Draw the chart in one line, or in three with a player's name on each half."""
    if height < 3:
        _one_line(view, chart, canvas, y, width)
        return
    left = _NAME + 2
    room = max(1, width - left - _LEGEND - 2)
    canvas.put(1, y + 1, "Who was ahead", DIM)
    canvas.put(width - _LEGEND, y, "●", Ink("bad"))
    canvas.put(width - _LEGEND + 2, y, "a mistake", DIM)
    canvas.put(width - _LEGEND, y + 1, " ", Ink("on_tile", "focus"))
    canvas.put(width - _LEGEND + 2, y + 1, "you are here", DIM)
    wide = max(1, min(_WIDEST, room // max(1, len(chart.values))))  # columns of a move
    room //= wide
    start = max(0, min(chart.at - room // 2, len(chart.values) - room))
    for seat, row in ((Seat.FIRST, y), (Seat.SECOND, y + 2)):
        name = shortened(view.names[seat], _NAME)
        canvas.put(left - 1 - width_of(name), row, name, Ink(PLAYERS[seat], bold=True))
    for at, value in enumerate(chart.values[start : start + room]):
        x, here = left + at * wide, start + at == chart.at
        ground = "focus" if here else "paper"
        turned = start + at in chart.turned
        canvas.put(x, y + 1, "─" * wide, Ink("on_tile" if here else "line", ground))
        if turned:
            canvas.put(x, y + 1, "●", Ink("on_tile" if here else "bad", ground))
        if value > _EVEN:
            canvas.put(x, y, ("█" if value > 0.5 else "▄") * wide, Ink(PLAYERS[0]))
        elif value < -_EVEN:
            canvas.put(x, y + 2, ("█" if value < -0.5 else "▀") * wide, Ink(PLAYERS[1]))


def _one_line(view: TableView, chart: Chart, canvas: Canvas, y: int, width: int) -> None:
    """Say who is ahead now, where there is room for only one line."""
    value = chart.values[chart.at] if chart.at < len(chart.values) else 0.0
    if abs(value) <= _EVEN:
        canvas.centred(y, "Even.", DIM, 0, width)
        return
    seat = Seat.FIRST if value > 0 else Seat.SECOND
    canvas.centred(y, f"{view.names[seat]} is ahead.", Ink(PLAYERS[seat]), 0, width)
