"""One player's row of the table: the name, and the places or a number with a bar."""

from __future__ import annotations

from dataclasses import replace

from digit_duel.cli.app.drawing.canvas import DIM, Canvas, Ink, shortened, width_of
from digit_duel.cli.app.drawing.tiles import (
    MIDDLE,
    PLAYERS,
    Size,
    card_back,
    digit_at,
    empty_place,
    faded_tile,
    tile,
)
from digit_duel.cli.app.state.choice import Offer
from digit_duel.cli.app.state.table import Phase, TableView
from digit_duel.core.game import Seat
from digit_duel.core.script import Meter, Row

SMALL_METER = 9  # meters up to this maximum are words at the top; larger ones are a number and a bar


def draw_row(
    view: TableView, seat: Seat, canvas: Canvas, size: Size, width: int, y: int, flash: bool
) -> None:
    """Draw a player's name and places, or number and bar, with the places towards the middle."""
    above = seat is not view.below
    row = view.scene.rows[seat]
    top = y + 1 if above else y
    _name(view, seat, canvas, width, y if above else y + size.height)
    if row.cells:
        _cells(view, seat, canvas, size, width, top, flash)
    elif row.meters:
        _big_meter(row.meters[0], seat, canvas, size, width, top, flash and _hit(view, seat))


def _hit(view: TableView, seat: Seat) -> bool:
    return view.marked is not None and view.marked.row is seat


def _cells(view: TableView, seat: Seat, canvas: Canvas, size: Size, width: int, y: int, flash: bool) -> None:
    row = view.scene.rows[seat]
    x = (width - len(row.cells) * (size.width + 1) + 1) // 2
    offers = {offer.cell: offer for offer in view.offers if offer.row is seat}
    decided = _deciding(view) if seat is view.winner else None
    for at, cell in enumerate(row.cells):
        offer = offers.get(at)
        last = view.marked is not None and (view.marked.row, view.marked.cell) == (seat, at)
        focus = offer is not None and canvas.focus == offer.action
        if cell.hidden:
            card_back(canvas, x, y, size)
        elif cell.digit is not None and _caption(view, row):
            faded_tile(canvas, x, y, size, cell.digit)
        elif cell.digit is not None:
            mark = view.mover if last else seat if at == decided else None
            tile(canvas, x, y, size, cell.digit, mark=mark, chosen=last and flash)
        else:
            key = "" if offer is None else offer.key
            sign = view.signs.get(Offer("", row=seat, cell=at).action)
            empty_place(canvas, x, y, size, cell.label, key, focus, seat if key else None, sign)
        if offer is not None:
            canvas.target(offer.action, x, y, size.width, size.height)
        x += size.width + 1


def _deciding(view: TableView) -> int | None:
    """The first place, from the left, in which two open numbers differ."""
    first, second = (row.cells for row in view.scene.rows)
    if any(cell.digit is None for cell in (*first, *second)):
        return None
    places = range(min(len(first), len(second)))
    return next((at for at in places if first[at].digit != second[at].digit), None)


def _name(view: TableView, seat: Seat, canvas: Canvas, width: int, y: int) -> None:
    """A player's name, marked if it is their turn, with notes beside it."""
    row, colour = view.scene.rows[seat], PLAYERS[seat]
    name = shortened(view.names[seat], max(8, width // 3))
    if view.winner is seat and view.phase is Phase.OVER:
        shown, ink = f" ★ {name} ", Ink("on_player", colour, bold=True)
    elif view.turn is seat:
        shown, ink = f" ▸ {_turn(view, name)} ", Ink("on_player", colour, bold=True)
    else:
        shown, ink = f" ● {name} ", Ink(colour, bold=True)
    ahead = f" ▲ {view.scene.lead} " if view.scene.leads is seat and view.phase is not Phase.OVER else ""
    more = ""
    parts = (view.clocks[seat], _note(view, row), _caption(view, row), *_meters(row), view.labels[seat])
    for part in filter(None, parts):  # as much as fits
        if width_of(f"{shown}{ahead}{more}{part}") + 4 <= width:
            more = f"{more}  {part}".lstrip()
    x = (width - width_of(shown + ahead) - width_of(more) - (1 if more else 0)) // 2
    x = canvas.put(x, y, shown, ink)
    x = canvas.put(x, y, ahead, Ink(colour, bold=True))
    canvas.put(x + 1, y, more, DIM)


def _turn(view: TableView, name: str) -> str:
    """Whose turn it is."""
    if not view.alone or view.turn is not view.below:
        return f"{name} to move"
    return "Your turn" if name == "You" else f"{name}, your turn"


def _meters(row: Row) -> list[str]:
    """Meters in words, except small ones, which are at the top, and the first if a bar shows it."""
    shown = row.meters[0 if row.cells else 1 :]
    return [f"{meter.label} {meter.value} of {meter.most}" for meter in shown if meter.most > SMALL_METER]


def _note(view: TableView, row: Row) -> str:
    """A row's note, unless the tiles or the middle of the table show it."""
    ended = view.phase in (Phase.REVEAL, Phase.OVER) and bool(row.meters)
    return "" if ended or row.note.isdigit() else row.note


def _caption(view: TableView, row: Row) -> str:
    """What the open digits of a row are, if they no longer count; at a reveal they do."""
    current = view.phase in (Phase.REVEAL, Phase.OVER) or all(cell.digit is None for cell in row.cells)
    return "" if current else view.scene.caption


def _big_meter(meter: Meter, seat: Seat, canvas: Canvas, size: Size, width: int, y: int, hit: bool) -> None:
    """A number in block digits with a bar beside it."""
    text = str(meter.value)
    digits = replace(size, width=(size.digit[0] + 1) if size.digit else 2)
    bar = max(10, min(40, width - 30))
    longest = max(len(text), len(str(meter.most)))  # so that both players' bars are aligned
    x = (width - longest * digits.width - 2 - bar) // 2 + (longest - len(text)) * digits.width
    ink = Ink("on_tile", "focus", bold=True) if hit else Ink(PLAYERS[seat], bold=True)
    for character in text:
        if character == "-":
            canvas.put(x, y + size.height // 2, "━" * max(1, digits.width - 1), ink)
        else:
            digit_at(canvas, x, y, int(character), digits, ink)
        x += digits.width
    full = min(bar, max(0, round(bar * meter.value / meter.most)))
    for line in (-1, 0) if size.height > MIDDLE.height else (0,):
        after = canvas.put(x + 2, y + size.height // 2 + line, "█" * full, Ink(PLAYERS[seat]))
        canvas.put(after, y + size.height // 2 + line, "░" * (bar - full), Ink("line"))
    canvas.put(x + 2, y + size.height // 2 + 1, f"{meter.label} {text} of {meter.most}", DIM)
