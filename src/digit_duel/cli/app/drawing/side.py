"""Moves and coach: a panel beside the table on wide terminals; narrower ones show them in a sheet."""

from __future__ import annotations

from digit_duel.cli.app.drawing.canvas import BOLD, DIM, Canvas, Ink, wrapped
from digit_duel.cli.app.drawing.tiles import PLAYERS
from digit_duel.cli.app.state.table import MoveLine, Phase, TableView

SIDE = 40  # columns of the panel


def draw_side(view: TableView, canvas: Canvas) -> None:
    """The panel beside the table: moves above, the coach below."""
    left = canvas.width - SIDE
    for y in range(1, canvas.height):
        canvas.put(left, y, "│", Ink("line"))
    room = SIDE - 4
    invitation = (_INVITATIONS[view.phase],) if view.hints and view.phase in _INVITATIONS else ()
    coach = [line for text in view.coach or invitation for line in (*wrapped(text, room), "")]
    below = max(canvas.height // 2, canvas.height - 3 - len(coach))
    canvas.put(left + 2, 2, "Moves", BOLD)
    _draw_moves(view, canvas, left + 2, below - 5, room)
    if coach:
        canvas.put(left + 2, below, "Coach", BOLD)
    for at, text in enumerate(coach[: canvas.height - below - 2]):
        canvas.put(left + 2, below + 2 + at, text, DIM if not view.coach else Ink())


def _draw_moves(view: TableView, canvas: Canvas, x: int, rows: int, room: int) -> None:
    """The latest moves; in a replay, the moves around the position shown."""
    lines = [(move, first, text) for move in view.moves for first, text in _move_lines(move, room)]
    here = [at for at, (move, _, _) in enumerate(lines) if move.now]
    start = max(0, len(lines) - rows if not here else min(here[0] - rows // 2, len(lines) - rows))
    while 0 < start < len(lines) and not lines[start][1]:
        start += 1  # begin with the first line of a move
    for y, (move, first, text) in enumerate(lines[start : start + rows], 4):
        wrong = move.mistake and first
        colour = PLAYERS[move.seat] if move.seat is not None else "dim"
        canvas.put(x, y, "●" if wrong else "▌", Ink("bad" if wrong else colour))
        canvas.put(x + 2, y, text, Ink("on_tile", "focus", bold=True) if move.now else Ink())
    if not lines:
        canvas.put(x, 4, "Nobody has moved yet.", DIM)


_INVITATIONS = {
    Phase.TURN: "Press h for a hint, or w to hear what was good or bad about the last moves.",
    Phase.OVER: "Press v to look back on the game with the coach.",
}


def _move_lines(move: MoveLine, room: int) -> list[tuple[bool, str]]:
    """The lines of a move, and whether each is its first."""
    first, *more = wrapped(move.text, room - 6)
    return [(True, f"{move.number:<4}{first}"), *((False, f"    {line}") for line in more)]
