"""The app: what its screens share, how it starts, and how it ends."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from types import FrameType
from typing import Any, ClassVar

from textual.app import App
from textual.binding import Binding
from textual.screen import Screen

from digit_duel.cli.app.screens.base import CanvasScreen
from digit_duel.cli.app.state import settings as settings_file
from digit_duel.cli.app.state.local import LocalTable
from digit_duel.cli.app.state.settings import Settings
from digit_duel.cli.errors import INTERRUPTED, Problem
from digit_duel.core.record import Record
from digit_duel.core.variant import AnyVariant

_PAUSE = 0.5  # seconds that the computer takes at least, so that its move is noticed
_CLOSED = 1.0  # seconds after which a closed window is noticed, at the latest
_ENDINGS = [number for name in ("SIGTERM", "SIGHUP") if (number := getattr(signal, name, None)) is not None]


class DuelApp(App[int]):
    """Digit Duel, full screen."""

    ENABLE_COMMAND_PALETTE = False
    TITLE = "Digit Duel"
    BINDINGS: ClassVar = [
        Binding("ctrl+c", "interrupt", show=False, priority=True),
        Binding("ctrl+q", "quit_app", show=False, priority=True),
        Binding("ctrl+z", "suspend_process", show=False, priority=True),
    ]

    def __init__(self, start: Callable[[DuelApp], None], pause: float = _PAUSE) -> None:
        super().__init__()
        self.settings: Settings = settings_file.load()
        self.pause = pause
        self.last_words = ""  # printed when the app is gone
        self.leaving = False
        self._begin = start
        self._ended_by = 0  # a signal that arrived before the event loop started

    def keep_signals(self) -> None:
        """Keep signals for the event loop: an exception while Textual starts would lock its queues."""

        def keep(number: int, frame: FrameType | None) -> None:
            _end_without_window(number)
            self._ended_by = number

        for number in _ENDINGS:
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, keep)

    def _end(self, number: int) -> None:
        _end_without_window(number)
        self.leave(128 + number)

    def on_mount(self) -> None:
        loop = asyncio.get_running_loop()
        for number in _ENDINGS:
            if signal.getsignal(number) is not signal.SIG_IGN:
                with suppress(NotImplementedError, RuntimeError):  # Windows; a test's loop in another thread
                    loop.add_signal_handler(number, self._end, number)
        if not self.is_headless and hasattr(signal, "SIGHUP"):
            # Under make, only make receives the signal.
            self.set_interval(_CLOSED, partial(_end_without_window, signal.SIGHUP))
        self._begin(self)
        if self._ended_by:
            self.leave(128 + self._ended_by)

    def sit_down(self, table: LocalTable, go_home: Callable[[], None] | None = None) -> None:
        """Show a game; by default, leaving it returns to the previous screen."""
        from digit_duel.cli.app.screens.table import TableScreen

        self.push_screen(TableScreen(table, go_home or self.go_back))

    def tell(self, note: str | Exception) -> None:
        """Show a sentence on the screen until the next key."""
        text = str(note)
        if isinstance(self.screen, CanvasScreen):
            address = "://" in text.partition(" ")[0]
            self.screen.show_note(text if address else text[:1].upper() + text[1:])

    # Navigation between screens.

    def go_back(self) -> None:
        """Return to the previous screen."""
        self.pop_screen()
        self.refresh_screen()

    def refresh_screen(self) -> None:
        """Let the current screen read its files again."""
        refresh = getattr(self.screen, "look_again", None)
        if refresh is not None:
            refresh()

    def show(self, screen: Screen[Any]) -> None:
        """Show a screen over the current one."""
        self.push_screen(screen)

    def show_rules(self, variant: AnyVariant) -> None:
        """Show the rules of a game over the current screen."""
        from digit_duel.cli.app.screens.pages import rules_page

        self.push_screen(rules_page(variant))

    def look_back(self, variant: AnyVariant, record: Record, judged: bool) -> None:
        """Replay a game, with the coach's opinion if judged; or say why there is nothing to show yet."""
        from digit_duel.cli.app.screens.look_back import LookBackScreen
        from digit_duel.cli.app.state.look_back import LookBack

        try:
            game = LookBack(variant, record)
        except Problem as problem:
            self.tell(problem)
        else:
            self.push_screen(LookBackScreen(game, judged, self.go_back))

    def change_settings(self, settings: Settings) -> None:
        """Apply and save new settings."""
        self.settings = settings
        settings_file.save(settings)

    def remember_game(self, link: str) -> None:
        """Save the link of a game on a server until the game is over."""
        if link != self.settings.online_game:
            self.change_settings(replace(self.settings, online_game=link))

    # Leaving.

    def from_thread(self, then: Callable[..., None], *values: object) -> None:
        """Call something in the app's own thread, unless the app has ended."""
        if self.is_running:
            with suppress(RuntimeError):
                self.call_from_thread(then, *values)

    def leave(self, code: int = 0, last_words: str = "") -> None:
        """End the app; an open game is already saved."""
        from digit_duel.cli.app.screens.playing import PlayingScreen

        for screen in self.screen_stack:
            if isinstance(screen, PlayingScreen):
                screen.close_table()
                last_words = last_words or screen.goodbye
        self.last_words = last_words or self.last_words
        self.leaving = True  # draw an empty last frame: some terminals keep the alternate screen
        if isinstance(self.screen, CanvasScreen):
            self.screen.redraw()
        self.call_after_refresh(self.exit, code, code)

    def action_interrupt(self) -> None:
        """Ctrl-C."""
        self.leave(INTERRUPTED)

    def action_quit_app(self) -> None:
        """Ctrl-Q."""
        self.leave()


def _end_without_window(number: int) -> None:
    """End at once if the window is closed: every move is saved, and Textual would wait for its output."""
    try:
        os.get_terminal_size(sys.__stdin__.fileno() if sys.__stdin__ else 0)
    except OSError:
        os._exit(128 + number)
