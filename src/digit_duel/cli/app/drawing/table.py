"""The table, drawn from a snapshot: opponent above, pool or deck in the middle, you below."""

from __future__ import annotations

from dataclasses import dataclass, replace

from digit_duel.cli.app.drawing.canvas import (
    BOLD,
    DIM,
    Canvas,
    Ink,
    balanced,
    shortened,
    whole_sentences,
    width_of,
    with_short_names,
)
from digit_duel.cli.app.drawing.chart import CHART, TALLEST, draw_chart
from digit_duel.cli.app.drawing.middle import brief_goal, draw_middle, goal_in_middle, middle_height
from digit_duel.cli.app.drawing.player_row import SMALL_METER, draw_row
from digit_duel.cli.app.drawing.sheets import draw_note, draw_panel
from digit_duel.cli.app.drawing.side import SIDE, draw_side
from digit_duel.cli.app.drawing.tiles import (
    GREAT,
    MIDDLE,
    MINI,
    Size,
    button_row,
)
from digit_duel.cli.app.state.score import counted
from digit_duel.cli.app.state.table import Phase, TableView
from digit_duel.core.game import Seat

WIDE = 110  # columns from which moves and coach fit beside the table
_ACTION = 14  # columns of a button beside the words
_BUTTON = 3  # rows of a large button
_GAPS = 4  # rows between the boards and the pool


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
    draw_row(view, view.below.other, canvas, sizes.cells, sizes.width, y, flash)
    y += 1 + sizes.cells.height + gap
    if sizes.sentences == 1:
        canvas.centred(y - 1, _news(view, sizes.width), DIM, 0, sizes.width)
        if view.note:  # above the question it would hide whose turn it is
            draw_note(canvas, view.note, y, sizes.width)
    draw_middle(view, canvas, y, middle, sizes.pool, sizes.width)
    y += middle + gap
    draw_row(view, view.below, canvas, sizes.cells, sizes.width, y, flash)
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
    score = _games_won(view, width)
    room = width - 6 - width_of(score)
    title = shortened(view.title, room)
    for part in _known(view, room - width_of(title) - 3):  # as much as fits, the most important first
        if part and width_of(title) + 3 + width_of(part) <= room:
            title = f"{title} · {part}"
    canvas.key("q", 0, 0, canvas.put(x, 0, title, bar))
    canvas.put(width - width_of(score) - 1, 0, score, Ink("dim", "felt"))


def _games_won(view: TableView, width: int) -> str:
    """The score of the games in at most half of the top line; it leaves room for the rounds won."""
    if not view.score or view.phase is Phase.OVER:  # at the end it is in the middle
        return ""
    told, most = f"Games won: {view.score}", width // 2
    if not _rounds(view, width):
        return told if width_of(told) <= most else with_short_names(view.score, view.names, most)
    for score in (told, told.partition(" · ")[0]):  # the second without the rule of a match
        room = width - 9 - width_of(score) - width_of(view.title)
        if width_of(score) <= most and width_of(_rounds(view, room)) <= room:
            return score
    return ""


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
    if first is None or second is None or first.most > SMALL_METER:
        return ""
    first_name, second_name = (
        "you" if view.alone and seat is view.below else view.names[seat] for seat in Seat
    )
    won = counted((first_name, second_name), (first.value, second.value))
    told, goal = f"{first.label.capitalize()}: {won}", f", first to {first.most}"
    return told + goal if width_of(told + goal) <= room else with_short_names(told, view.names, room)


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
        x = canvas.keys(1, y, _how_to_choose(view), width, Ink())
    canvas.keys(x, y, footer, width)


def _how_to_choose(view: TableView) -> str:
    """How to choose what is offered, and how to go back to another digit."""
    what = "a digit" if view.offers[0].in_pool else "its key"
    how = f"Press {what}, or {'← → Enter' if view.arrows and not view.masked else 'click it'}"
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
    lines = balanced(asked, width - 2)[:2] if asked else []
    if view.note and len(lines) == 1:
        y += 1  # the note takes the line above
    for at, line in enumerate(lines):
        canvas.centred(y + at, line, BOLD, 0, width)
    return y if lines else y + 1
