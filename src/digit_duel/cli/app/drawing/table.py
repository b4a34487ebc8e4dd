"""The table, drawn from a snapshot: opponent above, pool or deck in the middle, you below."""

from __future__ import annotations

from dataclasses import dataclass, replace

from digit_duel.cli.app.drawing.canvas import (
    BOLD,
    DIM,
    Canvas,
    Ink,
    shortened,
    whole_sentences,
    width_of,
    with_short_names,
    wrapped,
)
from digit_duel.cli.app.drawing.chart import CHART, TALLEST, draw_chart
from digit_duel.cli.app.drawing.middle import brief_goal, draw_middle, goal_in_middle, middle_height
from digit_duel.cli.app.drawing.sheets import draw_note, draw_panel
from digit_duel.cli.app.drawing.side import SIDE, draw_side
from digit_duel.cli.app.drawing.tiles import (
    GREAT,
    MIDDLE,
    MINI,
    PLAYERS,
    Size,
    button_row,
    card_back,
    digit_at,
    empty_place,
    faded_tile,
    tile,
)
from digit_duel.cli.app.state.choice import Offer
from digit_duel.cli.app.state.score import counted
from digit_duel.cli.app.state.table import Phase, TableView
from digit_duel.core.game import Seat
from digit_duel.core.script import Meter, Row

WIDE = 110  # columns from which moves and coach fit beside the table
_ACTION = 14  # columns of a button beside the words
_BUTTON = 3  # rows of a large button
_GAPS = 4  # rows between the boards and the pool
_SMALL_METER = 9  # meters up to this maximum are words at the top; larger ones are a number and a bar


@dataclass(frozen=True, slots=True)
class Layout:
    """The sizes that fit a window."""

    cells: Size
    pool: Size
    button: int  # rows
    width: int  # of the table, without the panel beside it
    sentences: int = 2  # rows for what happened and what is asked

    @property
    def middle(self) -> int:
        """Rows of the pool or deck."""
        return self.pool.height


def layout(view: TableView, columns: int, rows: int) -> Layout:
    """The largest sizes that fit; the smallest if none does."""
    width = columns - SIDE if columns >= WIDE else columns
    sizes = [(GREAT, MIDDLE, 3), (GREAT, MINI, 3), (MIDDLE, MIDDLE, 3), (MIDDLE, MINI, 3), (MIDDLE, MINI, 1)]
    longest = max((len(cell.label) for row in view.scene.rows for cell in row.cells), default=0)
    room = (width - 2) // max(1, *(len(row.cells) for row in view.scene.rows)) - 1
    for cells, pool, button in [*sizes, (MINI, MINI, 1)]:
        wide = replace(cells, width=max(cells.width, min(longest + 2, room)))
        found = Layout(wide, pool, button, width)
        if _fits(view, found, rows):
            return found
    return found


def _fits(view: TableView, found: Layout, rows: int) -> bool:
    places = max(len(row.cells) for row in view.scene.rows)
    if places * (found.cells.width + 1) > found.width - 2:
        return False
    if len(view.scene.pool) * (found.pool.width + 1) > found.width and found.pool.digit is not None:
        return False
    return _spare(view, found, rows) >= 0


def _with_gaps(view: TableView, found: Layout, rows: int) -> Layout:
    """If boards and pool would touch, drop one sentence and the row of buttons."""
    if _spare(view, found, rows) > 1 or _buttons(view, found.width) or view.chart is not None:
        return found
    if not (view.scene.pool and view.scene.rows[0].cells):  # these games need the buttons within a turn
        return found
    return replace(found, button=0, sentences=1)


def _with_chart(view: TableView, found: Layout, rows: int) -> Layout:
    """Give a chart the rows that nothing else needs."""
    more = max(0, _spare(view, found, rows) - _GAPS) // 2 * 2
    return replace(found, button=min(found.button + more, TALLEST)) if found.button >= CHART else found


def _spare(view: TableView, found: Layout, rows: int) -> int:
    used = 4 + found.sentences + 2 * found.cells.height + middle_height(view, found.pool) + found.button
    return rows - used


def draw_table(view: TableView, canvas: Canvas, flash: bool = False, footer: str = "") -> None:
    """Draw the whole screen of a game."""
    if view.phase is Phase.COVER:
        draw_cover(view, canvas)
        return
    sizes = _with_gaps(view, layout(view, canvas.width, canvas.height), canvas.height)
    if view.chart is not None:
        sizes = _with_chart(view, sizes, canvas.height)
    middle = middle_height(view, sizes.pool)
    spare = max(0, _spare(view, sizes, canvas.height))
    gap = min(3 if spare > 8 else 2, spare // 2)
    y = 1 + (spare - 2 * gap) // 2
    _header(view, canvas, sizes.width)
    _row(view, view.below.other, canvas, sizes, y, flash)
    y += 1 + sizes.cells.height + gap
    if sizes.sentences == 1:
        canvas.centred(y - 1, _news(view, sizes.width), DIM, 0, sizes.width)
        if view.note:  # above the question it would hide whose turn it is
            draw_note(canvas, view.note, y, sizes.width)
    draw_middle(view, canvas, y, middle, sizes.pool, sizes.width)
    y += middle + gap
    _row(view, view.below, canvas, sizes, y, flash)
    y += sizes.cells.height + 1
    _foot(view, canvas, sizes, y, footer)
    if canvas.width >= WIDE:
        draw_side(view, canvas)
    elif view.coach:
        draw_panel(canvas, "Coach", view.coach, "Enter closes this", y)


def draw_cover(view: TableView, canvas: Canvas) -> None:
    """A screen that shows nothing but whose turn it is."""
    name, _, rest = view.message.rpartition(",")  # a name may have commas
    middle = canvas.height // 2
    canvas.centred(middle - 3, f"Pass the keyboard to {name}.", BOLD)
    canvas.centred(middle - 1, f"{name},{rest}")
    button_row(canvas, middle + 1, 3, [("go on", "enter", f"I am {name}")], 0, canvas.width)
    if view.note:
        draw_note(canvas, view.note, canvas.height)


def _header(view: TableView, canvas: Canvas, width: int) -> None:
    bar = Ink("text", "felt", bold=True)
    canvas.fill(0, 0, canvas.width, 1, bar)
    x = canvas.put(1, 0, "← ", bar)
    canvas.target("leave", 0, 0, 3)
    score = "" if view.phase is Phase.OVER else view.score  # at the end it is in the middle
    score = with_short_names(score, view.names, width // 2)
    room = width - 6 - width_of(score)
    title = shortened(view.title, room)
    for part in _known(view, room - width_of(title) - 3):  # as much as fits, the most important first
        if part and width_of(title) + 3 + width_of(part) <= room:
            title = f"{title} · {part}"
    canvas.put(x, 0, title, bar)
    canvas.put(width - width_of(score) - 1, 0, score, Ink("dim", "felt"))


def _known(view: TableView, room: int) -> list[str]:
    """The rounds won, what wins, and the facts that are not shown beside a deck."""
    scene = view.scene
    if scene.drawn is not None and not scene.pool:
        return [_rounds(view, room)]
    goal = scene.goal if width_of(scene.goal) <= room else brief_goal(view)
    return [_rounds(view, room), "" if goal_in_middle(view) else goal, scene.heading, *scene.facts]


def _rounds(view: TableView, room: int) -> str:
    """The small meters of both players in words, such as rounds won; the counts whatever the room."""
    first, second = (row.meters[0] if row.cells and row.meters else None for row in view.scene.rows)
    if first is None or second is None or first.most > _SMALL_METER:
        return ""
    first_name, second_name = (
        "you" if view.alone and seat is view.below else view.names[seat] for seat in Seat
    )
    won = counted((first_name, second_name), (first.value, second.value))
    told, goal = f"{first.label.capitalize()}: {won}", f", first to {first.most}"
    return told + goal if width_of(told + goal) <= room else with_short_names(told, view.names, room)


def _row(view: TableView, seat: Seat, canvas: Canvas, sizes: Layout, y: int, flash: bool) -> None:
    """A player's name and places, with the places towards the middle of the screen."""
    above = seat is not view.below
    row = view.scene.rows[seat]
    top = y + 1 if above else y
    _name(view, seat, canvas, sizes, y if above else y + sizes.cells.height)
    if row.cells:
        _cells(view, seat, canvas, sizes, top, flash)
    elif row.meters:
        _big_meter(row.meters[0], seat, canvas, sizes, top, flash and _hit(view, seat))


def _hit(view: TableView, seat: Seat) -> bool:
    return view.marked is not None and view.marked.row is seat


def _cells(view: TableView, seat: Seat, canvas: Canvas, sizes: Layout, y: int, flash: bool) -> None:
    row, size = view.scene.rows[seat], sizes.cells
    x = (sizes.width - len(row.cells) * (size.width + 1) + 1) // 2
    offers = {offer.cell: offer for offer in view.offers if offer.row is seat}
    decided = _deciding(view) if seat is view.winner else None
    for at, cell in enumerate(row.cells):
        offer = offers.get(at)
        last = view.marked is not None and (view.marked.row, view.marked.cell) == (seat, at)
        focus = offer is not None and canvas.focus == offer.action and not view.masked
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


def _name(view: TableView, seat: Seat, canvas: Canvas, sizes: Layout, y: int) -> None:
    """A player's name, marked if it is their turn, with notes beside it."""
    row, colour = view.scene.rows[seat], PLAYERS[seat]
    name = shortened(view.names[seat], max(8, sizes.width // 3))
    if view.winner is seat and view.phase is Phase.OVER:
        shown, ink = f" ★ {name} ", Ink("on_player", colour, bold=True)
    elif view.turn is seat:
        shown, ink = f" ▸ {_turn(view, name)} ", Ink("on_player", colour, bold=True)
    else:
        shown, ink = f" ● {name} ", Ink(colour, bold=True)
    ahead = f" ▲ {view.scene.lead} " if view.scene.leads is seat and view.phase is not Phase.OVER else ""
    more = ""
    for part in filter(
        None, (_note(view, row), _caption(view, row), *_meters(row), view.labels[seat])
    ):  # as much as fits
        if width_of(f"{shown}{ahead}{more}{part}") + 4 <= sizes.width:
            more = f"{more}  {part}".lstrip()
    x = (sizes.width - width_of(shown + ahead) - width_of(more) - (1 if more else 0)) // 2
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
    return [f"{meter.label} {meter.value} of {meter.most}" for meter in shown if meter.most > _SMALL_METER]


def _note(view: TableView, row: Row) -> str:
    """A row's note, unless the tiles or the middle of the table show it."""
    ended = view.phase in (Phase.REVEAL, Phase.OVER) and bool(row.meters)
    return "" if ended or row.note.isdigit() else row.note


def _caption(view: TableView, row: Row) -> str:
    """What the open digits of a row are, if they no longer count; at a reveal they do."""
    current = view.phase in (Phase.REVEAL, Phase.OVER) or all(cell.digit is None for cell in row.cells)
    return "" if current else view.scene.caption


def _big_meter(meter: Meter, seat: Seat, canvas: Canvas, sizes: Layout, y: int, hit: bool) -> None:
    """A number in block digits with a bar beside it."""
    size, text = sizes.cells, str(meter.value)
    digits = replace(size, width=(size.digit[0] + 1) if size.digit else 2)
    bar = max(10, min(40, sizes.width - 30))
    longest = max(len(text), len(str(meter.most)))  # so that both players' bars are aligned
    x = (sizes.width - longest * digits.width - 2 - bar) // 2 + (longest - len(text)) * digits.width
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


def _foot(view: TableView, canvas: Canvas, sizes: Layout, y: int, footer: str) -> None:
    """What happened, what is asked, the buttons and the keys."""
    last = canvas.height - 1
    spare = max(0, last - sizes.button - sizes.sentences - y)
    y = min(y, last - sizes.button - sizes.sentences) + min(1, spare // 2)
    if sizes.sentences == 1:  # the news are above the pool
        canvas.centred(y, _short(view, view.message, sizes.width), BOLD, 0, sizes.width)
    else:
        asked = _sentences(view, canvas, y, sizes.width)
        if view.note:
            draw_note(canvas, view.note, asked, sizes.width)
    y += sizes.sentences
    _choices(view, canvas, y, sizes.button, sizes.width)
    _keys(view, canvas, last, footer, sizes.width)


def _choices(view: TableView, canvas: Canvas, y: int, rows: int, width: int) -> None:
    """The buttons, or what the digit under the cursor would do; the chart of a review in the rows left."""
    words = any(offer.question is not None for offer in view.offers)
    if words or (view.chart is None and canvas.focus not in view.effects):
        buttons = min(rows, _BUTTON)
        main = words or view.turn is None  # otherwise the digits and places are the main choice
        button_row(canvas, y, buttons, _buttons(view, width), 0, width, main)
        y, rows = y + buttons, rows - buttons
    elif view.chart is None:
        _draw_effects(view, canvas, y + rows // 2, width)
    if view.chart is not None and (rows >= CHART or not words):
        draw_chart(view, view.chart, canvas, y, rows, width)


def _keys(view: TableView, canvas: Canvas, y: int, footer: str, width: int) -> None:
    """The keys in the last line: first those that choose, then as many others as fit."""
    x = 1
    if view.offers and footer:
        x = canvas.put(1, y, _how_to_choose(view), Ink()) + 2
    for part in footer.split("  "):
        if x + width_of(part) < width:
            x = canvas.put(x, y, part, DIM) + 2


def _how_to_choose(view: TableView) -> str:
    """How to choose what is offered, and how to go back to another digit."""
    what = "a digit" if view.offers[0].in_pool else "its key"
    how = f"Press {what}, or {'← → Enter' if view.arrows else 'click it'}"
    return f"{how}  Esc another digit" if any(offer.row is None for offer in view.picked) else how


def _buttons(view: TableView, width: int) -> list[tuple[str, str, str]]:
    """The words that can be chosen and the other actions, with captions as long as fit."""
    words = [offer for offer in view.offers if offer.question is not None]
    long = [view.captions.get(offer.action, offer.label) for offer in words]
    fits = sum(width_of(caption) + 6 for caption in long) + len(view.actions) * _ACTION <= width
    captions = long if fits else [offer.label for offer in words]
    return [
        *((offer.action, offer.key, caption) for offer, caption in zip(words, captions, strict=True)),
        *view.actions,
    ]


def _draw_effects(view: TableView, canvas: Canvas, y: int, width: int) -> None:
    """What the digit under the cursor would do, before it is chosen."""
    label = next((offer.label for offer in view.offers if offer.action == canvas.focus), "")
    told = [f" {effect.word}: {effect.text} " for effect in view.effects[canvas.focus]]
    x = (width - width_of(f"With {label} " + " ".join(told)) - 1) // 2
    x = canvas.put(x, y, f"With {label} ") + 1
    for text in told:
        x = canvas.put(x, y, text, Ink("text", "felt")) + 1


def _short(view: TableView, text: str, width: int) -> str:
    """A text in one line, with shorter names if there is no other way."""
    return with_short_names(text, view.names, width - 2)


def _news(view: TableView, width: int) -> str:
    """What happened in one line, with shorter names or else without the last sentences."""
    short = _short(view, view.news, width)
    if width_of(short) <= width - 2:
        return short
    return _short(view, whole_sentences(view.news, width - 2), width)


def _sentences(view: TableView, canvas: Canvas, y: int, width: int) -> int:
    """What happened in one line and what is asked in the next; a text too long for one line takes both.

    Return the row of the question.
    """
    asked = "" if view.phase is Phase.OVER else view.message  # a result is in the middle
    if width_of(short := _short(view, asked, width)) <= width - 2:
        asked = short
    told = view.phase is Phase.REVEAL and view.numbers is None  # in the middle, too
    if view.news and not told and width_of(asked) <= width - 2:
        canvas.centred(y, _news(view, width), DIM, 0, width)
        canvas.centred(y + 1, asked, BOLD, 0, width)
        return y + 1
    lines = wrapped(asked, width - 2)[:2] if asked else []
    if view.note and len(lines) == 1:
        y += 1  # the note takes the line above
    for at, line in enumerate(lines):
        canvas.centred(y + at, line, BOLD, 0, width)
    return y if lines else y + 1
