"""The first screen."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from digit_duel import games
from digit_duel.bots import DESCRIPTIONS
from digit_duel.cli.app.drawing.canvas import Canvas
from digit_duel.cli.app.drawing.home import WITH_EXAMPLE, draw_home, help_lines
from digit_duel.cli.app.screens.base import CanvasScreen
from digit_duel.cli.app.state.home import home_view, miniature, waiting_game
from digit_duel.cli.app.state.opening import new_table, saved_table
from digit_duel.cli.app.state.settings import against_computer
from digit_duel.cli.errors import Problem
from digit_duel.cli.play.plan import Plan
from digit_duel.core.variant import AnyVariant

_MOVE_SECONDS = 1.5  # seconds for each move of the miniature


class HomeScreen(CanvasScreen):
    """Choose a game, or continue one."""

    keys: ClassVar = {
        "f": "friend", "l": "level", "r": "rules", "t": "learn", "g": "games", "s": "statistics",
        "i": "online", "o": "settings", "q": "quit",
    }  # fmt: skip
    title_of_help = "Keys on this screen"

    def __init__(self) -> None:
        super().__init__()
        self._waiting_game = waiting_game()
        self._chosen = games.ids()[0]  # the game for rules, lessons and two people
        self._beat = 0

    def on_mount(self) -> None:
        super().on_mount()
        self.set_interval(_MOVE_SECONDS, self._next_beat)

    def _next_beat(self) -> None:
        if self.size.width >= WITH_EXAMPLE and self.duel.screen is self:
            self._beat += 1
            self.redraw()

    def look_again(self) -> None:
        """Look for an unfinished game after one was left."""
        self._waiting_game = waiting_game()
        self._focus = ""
        self.redraw()

    def help(self) -> tuple[str, ...]:
        return help_lines()

    def draw(self, canvas: Canvas) -> None:
        if self._focus.startswith("play "):
            self._chosen = self._focus.removeprefix("play ")
        preview = miniature(self._chosen, self._beat) if canvas.width >= WITH_EXAMPLE else None
        draw_home(home_view(self.duel.settings.level, self._waiting_game, preview), canvas)

    def extra_key(self, key: str) -> str:
        ids = games.ids()
        if key.isascii() and key.isdigit() and 0 < int(key) <= len(ids):
            return f"play {ids[int(key) - 1]}"
        return ""

    def act(self, action: str) -> None:
        word, _, rest = action.partition(" ")
        match word:
            case "play":
                self._play(games.variant(rest), alone=True)
            case "computer":
                self._play(games.variant(self._chosen), alone=True)
            case "friend":
                self._play(games.variant(self._chosen), alone=False)
            case "resume":
                self._resume()
            case "level":
                self._set_level(rest)
            case "rules":
                self.duel.show_rules(games.variant(self._chosen))
            case "quit":
                self.duel.leave()
            case _:
                self._open(word)

    def _open(self, word: str) -> None:
        from digit_duel.cli.app.screens import games as lists
        from digit_duel.cli.app.screens.settings import SettingsScreen

        if word == "games":
            self.duel.show(lists.GamesScreen())
        elif word == "statistics":
            self.duel.show(lists.statistics_page())
        elif word == "settings":
            self.duel.show(SettingsScreen())
        elif word == "online":
            from digit_duel.cli.app.screens.lobby import LobbyScreen  # slow: it brings the client

            self.duel.show(LobbyScreen(self._chosen))
        elif word == "learn":
            self._learn()

    def _learn(self) -> None:
        from digit_duel.cli.app.screens.lessons import LessonScreen
        from digit_duel.cli.app.state.lessons import Lessons

        try:
            self.duel.show(LessonScreen(Lessons(games.variant(self._chosen)), self.duel.go_back))
        except Problem as problem:
            self.duel.tell(problem)

    def _set_level(self, level: str) -> None:
        order = list(DESCRIPTIONS)
        found = level or order[(order.index(self.duel.settings.level) + 1) % len(order)]
        self.duel.change_settings(replace(self.duel.settings, level=found))
        self.redraw()

    def _play(self, variant: AnyVariant, alone: bool) -> None:
        settings = self.duel.settings
        two = Plan(variant, (settings.name, settings.friend))
        try:
            self.duel.sit_down(new_table(against_computer(variant, settings) if alone else two))
        except Problem as problem:
            self.duel.tell(problem)

    def _resume(self) -> None:
        if self._waiting_game is None:
            return
        try:
            self.duel.sit_down(saved_table(self._waiting_game))
        except Problem as problem:  # another window was faster
            self.look_again()
            self.duel.tell(problem)
