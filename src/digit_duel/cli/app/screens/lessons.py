"""The screen of a tutorial."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import ClassVar

from digit_duel.cli.app.drawing.canvas import Canvas
from digit_duel.cli.app.drawing.table import draw_table
from digit_duel.cli.app.screens.base import CanvasScreen
from digit_duel.cli.app.screens.table import TableScreen
from digit_duel.cli.app.state.choice import Offer
from digit_duel.cli.app.state.lessons import Lessons
from digit_duel.cli.app.state.opening import new_table
from digit_duel.cli.app.state.settings import against_computer
from digit_duel.cli.errors import Problem


class LessonScreen(CanvasScreen):
    """Learn a game in a few steps, which can be skipped, left and resumed."""

    keys: ClassVar = {"q": "leave", "escape": "back", "u": "back", "r": "rules"}

    def __init__(self, lessons: Lessons, go_home: Callable[[], None]) -> None:
        super().__init__()
        self.lessons, self._go_home = lessons, go_home

    def help(self) -> tuple[str, ...]:
        return (
            "Do what the lesson says.",
            "Arrows and Enter choose, or a click, or the key shown.",
            "",
            "Esc  one choice back",
            "s    skip this lesson",
            "r    the rules",
            "q    leave; your place is saved",
        )

    def draw(self, canvas: Canvas) -> None:
        view = replace(self.lessons.view(), note=self.place_note())
        draw_table(view, canvas, footer="? keys  q leave  r rules")

    def first_focus(self, canvas: Canvas) -> str:
        offers = [offer.action for offer in self.offers]
        return next(filter(None, (self.lessons.pointed_at(), *offers)), super().first_focus(canvas))

    @property
    def offers(self) -> Sequence[Offer]:
        return self.lessons.view().offers

    def extra_key(self, key: str) -> str:
        view = self.lessons.view()
        named = [(offer.key, offer.action) for offer in view.offers]
        named += [(shown, action) for action, shown, _ in view.actions]
        return next((action for shown, action in named if shown and shown == key.lower()), "")

    def act(self, action: str) -> None:
        offer = next((offer for offer in self.offers if offer.action == action), None)
        if offer is not None:
            self.lessons.pick(offer)
        elif action == "rules":
            self.duel.show_rules(self.lessons.variant)
            return
        elif action == "play":
            self._play()
            return
        elif action == "back" and self.lessons.choice is not None:
            self.lessons.choice.back()
        elif action in ("go on", "skip") and not self.lessons.over:
            before = self.lessons.number
            self.lessons.go_on()
            if self.lessons.number == before:
                self._go_home()
                return
        else:
            self._go_home()
            return
        self._focus = ""
        self.redraw()

    def _play(self) -> None:
        """Play the game against the computer; leaving it leaves the lessons, too."""
        try:
            table = new_table(against_computer(self.lessons.variant, self.duel.settings))
        except Problem as problem:
            self.duel.tell(problem)
            return
        self.duel.switch_screen(TableScreen(table, self._go_home))
