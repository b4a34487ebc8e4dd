"""Decide whether the app can be shown, and run it until it is left."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from digit_duel.cli.errors import Leave

if TYPE_CHECKING:
    from digit_duel.cli.app.application import DuelApp
    from digit_duel.cli.app.drawing.canvas import Canvas
    from digit_duel.cli.app.state.local import LocalTable
    from digit_duel.cli.online.plan import OnlinePlan
    from digit_duel.cli.play.plan import Plan
    from digit_duel.cli.records.find_games import SavedGame
    from digit_duel.core.record import Record
    from digit_duel.core.variant import AnyVariant

SMALLEST = (60, 20)  # columns and rows


def fits() -> bool:
    """Whether this terminal can show the app; a pipe, a small window or an old encoding cannot."""
    streams = (sys.stdin, sys.stdout, sys.stderr)
    if any(stream is None or stream.closed or not stream.isatty() for stream in streams):
        return False
    if os.environ.get("TERM", "dumb" if os.name == "posix" else "") == "dumb":
        return False
    if (sys.stdout.encoding or "").lower().replace("-", "") != "utf8":
        return False
    columns, rows = shutil.get_terminal_size((0, 0))
    return columns >= SMALLEST[0] and rows >= SMALLEST[1]


def open_home() -> None:
    """Show the first screen."""
    from digit_duel.cli.app.drawing.home import draw_home
    from digit_duel.cli.app.state import settings
    from digit_duel.cli.app.state.home import home_view, waiting_game

    view = home_view(settings.load().level, waiting_game())

    def start(app: DuelApp) -> None:
        from digit_duel.cli.app.screens.home import HomeScreen

        app.show(HomeScreen())

    _run(start, lambda canvas: draw_home(view, canvas))


def learn(variant: AnyVariant, lesson: int | None) -> None:
    """Show a game's tutorial; leaving it leaves the app."""
    from digit_duel.cli.app.drawing.table import draw_table
    from digit_duel.cli.app.state.lessons import Lessons

    lessons = Lessons(variant, lesson)

    def start(app: DuelApp) -> None:
        from digit_duel.cli.app.screens.lessons import LessonScreen

        app.show(LessonScreen(lessons, lambda: app.leave(last_words=lessons.goodbye)))

    _run(start, lambda canvas: draw_table(lessons.view(), canvas))


def play(plan: Plan) -> None:
    """Play a game; leaving it leaves the app."""
    from digit_duel.cli.app.state.opening import new_table

    _play(new_table(plan))


def play_online(plan: OnlinePlan) -> None:
    """Play on a server; leaving it leaves the app."""
    from digit_duel.cli.app.screens.online_client import connect

    client = connect(plan)

    def start(app: DuelApp) -> None:
        from digit_duel.cli.app.screens.online import OnlineScreen

        app.show(OnlineScreen(client, app.leave))

    _run(start, lambda canvas: canvas.centred(canvas.height // 2, "Digit Duel"))


def resume(game: SavedGame) -> None:
    """Continue a saved game; leaving it leaves the app."""
    from digit_duel.cli.app.state.opening import saved_table

    _play(saved_table(game))


def replay(variant: AnyVariant, record: Record) -> None:
    """Replay a game, with the coach on request; leaving it leaves the app."""
    from digit_duel.cli.app.drawing.table import draw_table
    from digit_duel.cli.app.state.look_back import LookBack

    game = LookBack(variant, record)

    def start(app: DuelApp) -> None:
        from digit_duel.cli.app.screens.look_back import LookBackScreen

        app.show(LookBackScreen(game, False, app.leave))

    _run(start, lambda canvas: draw_table(game.view(), canvas))


def _play(table: LocalTable) -> None:
    from digit_duel.cli.app.drawing.table import draw_table

    _run(lambda app: app.sit_down(table, app.leave), lambda canvas: draw_table(table.view(), canvas))


def _run(start: Callable[[DuelApp], None], draw: Callable[[Canvas], None]) -> None:
    from digit_duel.cli.app.first_frame import first_frame
    from digit_duel.cli.app.state import settings

    with first_frame(draw, settings.load().theme):
        from digit_duel.cli.app.application import DuelApp  # slow to import: it brings Textual

        app = DuelApp(start)
        app.keep_signals()
        app.run()
    if app.last_words:
        with suppress(OSError):  # the window was closed
            sys.stdout.write(f"{app.last_words}\n")
            sys.stdout.flush()
    if app.return_code:
        raise Leave(app.return_code)
