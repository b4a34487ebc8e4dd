"""The first screen: an unfinished game, the games to start, and the other screens."""

from __future__ import annotations

from digit_duel.cli.app.drawing.canvas import (
    BOLD,
    DIM,
    Canvas,
    Ink,
    clipped,
    shortened,
    with_short_names,
    wrapped,
)
from digit_duel.cli.app.drawing.table import draw_table
from digit_duel.cli.app.drawing.tiles import button_row
from digit_duel.cli.app.state.home import HomeView
from digit_duel.cli.app.state.table import TableView

WITH_EXAMPLE = 124  # columns from which a miniature of every table fits beside the list
_LIST = 60  # columns of the list where a miniature stands beside it
MENU = (
    ("games", "g", "saved games"),
    ("online", "i", "online"),
    ("statistics", "s", "results"),
    ("settings", "o", "settings"),
    ("quit", "q", "quit"),
)


def draw_home(view: HomeView, canvas: Canvas) -> None:
    """Draw the first screen."""
    wide = canvas.width >= WITH_EXAMPLE and view.preview is not None
    width = _LIST if wide else canvas.width
    bar = Ink("text", "felt", bold=True)
    canvas.fill(0, 0, canvas.width, 1, bar)
    canvas.put(1, 0, "DIGIT DUEL", bar)
    canvas.put(14, 0, shortened("quick duels with digits", canvas.width - 15), Ink("dim", "felt"))
    y = 2
    if view.running:
        y = _running(view, canvas, y, width)
    y = _cards(view, canvas, y, width)
    y = min(y + 1, canvas.height - 7)
    _ways_to_play(canvas, y, width)
    _level(view, canvas, y + 2, width)
    button_row(canvas, canvas.height - 2, 1, list(MENU), 0, width, main=False)
    resuming = canvas.focus == "resume"
    foot = "Enter continue   ↑ ↓ other games" if resuming else "↑ ↓ choose a game   Enter play the computer"
    canvas.keys(1, canvas.height - 1, f"{foot}   ? keys", width)
    if wide and view.preview is not None:
        _preview(view.preview, canvas)


def _running(view: HomeView, canvas: Canvas, y: int, width: int) -> int:
    """The unfinished game, at the top."""
    focus = canvas.focus == "resume"
    ink = Ink("on_tile", "focus", bold=True) if focus else Ink("on_button", "button", bold=True)
    canvas.fill(1, y, width - 2, 3, ink)
    canvas.put(1, y, "▸" if focus else " ", ink)
    canvas.put(3, y, "Continue your game", ink)
    running = with_short_names(view.running, view.players, width - 6)
    canvas.put(3, y + 1, clipped(running, width - 6), ink)
    canvas.target("resume", 1, y, width - 2, 3)
    return y + 4


def _cards(view: HomeView, canvas: Canvas, y: int, width: int) -> int:
    """Each game with its rule; as many lines each as there is room for."""
    room = canvas.height - y - 7
    rows = next((rows for rows in (4, 3, 2) if room >= rows * len(view.cards)), 1)
    high = {4: 3, 3: 2}.get(rows, rows)  # the rest is a gap
    shown = max(1, room // rows)
    chosen = next((at for at, card in enumerate(view.cards) if canvas.focus == f"play {card.id}"), 0)
    first = max(0, min(chosen - shown // 2, len(view.cards) - shown))
    for at, card in enumerate(view.cards):
        action = f"play {card.id}"
        line = y + rows * (at - first)
        canvas.target(action, 1, line, width - 2, high)
        if not first <= at < first + shown:
            continue
        focus = canvas.focus == action
        ink = Ink("on_tile", "focus", bold=True) if focus else BOLD
        if focus:
            canvas.fill(1, line, width - 2, high, ink)
        canvas.put(1, line, "▸" if focus else " ", ink)
        x = canvas.put(3, line, f"{at + 1}  {card.id.capitalize():<11}", ink)
        summary = Ink("on_tile", "focus") if focus else DIM
        if rows == 1:
            canvas.put(x, line, clipped(card.summary, width - x - 2), summary)
        elif rows == 2:  # beside the name
            for below, text in enumerate(wrapped(card.summary, width - x - 2)[:2]):
                canvas.put(x, line + below, text, summary)
        else:
            lines = wrapped(card.summary, width - 8)
            if len(lines) >= high:  # an ellipsis marks what is cut
                lines[high - 2 :] = [shortened(" ".join(lines[high - 2 :]), width - 8)]
            for below, text in enumerate(lines, start=1):
                canvas.put(6, line + below, text, summary)
    return y + rows * min(shown, len(view.cards))


def _ways_to_play(canvas: Canvas, y: int, width: int) -> None:
    """What can be done with the chosen game."""
    enter = "enter" if canvas.focus.startswith("play ") else ""
    ways = [("computer", enter, "one player"), ("friend", "f", "two players")]
    button_row(canvas, y, 1, [*ways, ("learn", "t", "learn"), ("rules", "r", "rules")], 0, width, bool(enter))


def _level(view: HomeView, canvas: Canvas, y: int, width: int) -> None:
    """The computer's level as chips; below them how hard the chosen one is, and what it means."""
    x = canvas.put(1, y, "L Computer ", DIM)
    for level, _ in view.levels:
        action, chosen = f"level {level}", level == view.level
        ink = Ink("on_button", "button", bold=True) if chosen else Ink("text", "felt")
        if canvas.focus == action:
            ink = Ink("on_tile", "focus", bold=True)
        text = f" {'●' if chosen else ' '}{level} "
        canvas.target(action, x, y, len(text))
        x = canvas.put(x, y, text, ink) + (1 if width > 70 else 0)
    for at, (level, meaning) in enumerate(view.levels, start=1):
        if level == view.level:
            canvas.put(1, y + 1, clipped(f"{at} of {len(view.levels)}: it {meaning}.", width - 2), DIM)


def _preview(view: TableView, canvas: Canvas) -> None:
    """A miniature of the table, in a frame that says what it is."""
    width, height = min(canvas.width - _LIST - 4, 84), min(canvas.height - 4, 30)
    small = Canvas(width, height)
    draw_table(view, small)
    x, y = _LIST + 2, 2
    canvas.paste(small, x, y)
    canvas.box(x - 1, y, width + 2, height + 1, Ink("line"))  # covers its title bar and back arrow
    canvas.put(x + 1, y, f" {view.title} ", DIM)


def help_lines() -> tuple[str, ...]:
    """What the keys of the first screen do."""
    return (
        "Arrows choose a game; Enter plays the computer.",
        "",
        "1 to 9  play the game with that number",
        "f       play the chosen game, two people here",
        "l       the computer's next level",
        "t       learn the chosen game in a few steps",
        "r       its rules",
        "g       saved games",
        "i       play on a server",
        "s       results of finished games",
        "o       settings",
        "q       quit",
    )
