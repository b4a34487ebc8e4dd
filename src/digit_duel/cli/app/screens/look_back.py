"""The screen that replays or reviews a game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import ClassVar

from textual import work

from digit_duel.cli.app.drawing.canvas import Canvas
from digit_duel.cli.app.drawing.table import WIDE, draw_table
from digit_duel.cli.app.screens.base import CanvasScreen
from digit_duel.cli.app.state.choice import Offer
from digit_duel.cli.app.state.look_back import LookBack
from digit_duel.cli.app.state.opening import saved_table
from digit_duel.cli.app.state.values import ChoiceValue
from digit_duel.cli.errors import Problem
from digit_duel.cli.records.find_games import SavedGame
from digit_duel.cli.records.save_file import new_save


class LookBackScreen(CanvasScreen):
    """A replay, or with the coach's opinion a review."""

    keys: ClassVar = {
        "q": "leave", "escape": "leave", "home": "start", "end": "end", "v": "review",
        "m": "turn", "p": "again", "b": "previous", "n": "next", "r": "rules",
    }  # fmt: skip

    def __init__(self, game: LookBack, judged: bool, go_home: Callable[[], None]) -> None:
        super().__init__()
        self.game, self._go_home = game, go_home
        self._judged = judged
        self._explained = False

    def on_mount(self) -> None:
        super().on_mount()
        if self._judged:
            self._judge()

    @work(thread=True)
    def _judge(self) -> None:
        from digit_duel.coach.review import review  # slow to import: it brings the solvers

        found = review(self.game.variant, self.game.record)
        self.duel.from_thread(self._reviewed, found)

    def _reviewed(self, found: object) -> None:
        from digit_duel.coach.review import Review

        assert isinstance(found, Review)
        self.game.judge(found)
        self._evaluate()
        self.redraw()

    def _evaluate(self) -> None:
        """Evaluate the choices here, unless that is done."""
        if self.game.unvalued:
            self._ask_for_values()

    @work(thread=True)
    def _ask_for_values(self) -> None:
        at, values = self.game.evaluate()
        self.duel.from_thread(self._evaluated, at, values)

    def _evaluated(self, at: int, values: tuple[ChoiceValue, ...]) -> None:
        self.game.evaluated(at, values)
        self.redraw()

    def help(self) -> tuple[str, ...]:
        return (
            "Left and right go through the moves,",
            "Home and End to the start and the end.",
            "",
            "v      ask the coach about the whole game",
            "m      the next mistake: choose something better",
            "Enter  show what was better, and why",
            "p      play on from here, as a new game",
            "r      the rules",
            "q      back",
            "",
            "▲ wins, ◆ is even, ▼ loses; % is the chance to win.",
        )

    def draw(self, canvas: Canvas) -> None:
        view = self.game.view(self.duel.settings.notation == "notation")
        if self._judged and self.game.review is None:
            view = replace(view, message="The coach is looking at every move …")
        if canvas.width < WIDE and not self._explained:
            view = replace(view, coach=())
        view = replace(view, note=self.place_note())
        judging = "Enter show" if self._judged else "v review"
        mistake = "m next mistake  " if self.game.mistakes_to_come else ""
        draw_table(view, canvas, footer=f"? keys  ← → moves  {judging}  {mistake}p play on  q back")

    def arrow(self, key: str) -> bool:
        if key in ("left", "right"):
            self.act("previous" if key == "left" else "next")
        return True

    def first_focus(self, canvas: Canvas) -> str:
        return "explain"

    @property
    def offers(self) -> Sequence[Offer]:
        return self.game.view().offers

    def extra_key(self, key: str) -> str:
        return next((offer.action for offer in self.offers if offer.key and offer.key == key.lower()), "")

    def act(self, action: str) -> None:
        explained, self._explained = self._explained, False
        offer = next((offer for offer in self.offers if offer.action == action), None)
        if offer is not None:
            self.game.pick(offer)
            self.redraw()
            return
        match action:
            case "leave":
                self._go_home()
                return
            case "rules":
                self.duel.show_rules(self.game.variant)
            case "previous" | "next":
                self.game.go(-1 if action == "previous" else 1)
            case "start" | "end":
                self.game.go(-self.game.last if action == "start" else self.game.last)
            case "turn":
                if said := self.game.go_to_turning_point():
                    self.duel.tell(said)
            case "review":
                self._judged = True
                self._judge()
            case "again":
                self._play_from_here()
            case _:
                self._explain(explained)
        self._evaluate()
        self.redraw()

    def _explain(self, explained: bool) -> None:
        """Show the better move on the table, then the reason; after that, continue."""
        if self.game.asking:
            self.game.show_answer()
        elif self.game.judged() is None or explained or self.size.width >= WIDE:
            self.game.go(1)
        else:
            self._explained = True

    def _play_from_here(self) -> None:
        if self.game.partial:
            self.duel.tell("This record shows only what one player saw, so nobody can play on from it.")
            return
        if self.game.at == self.game.last:
            self.duel.tell("The game is over here. Go back to a move first.")
            return
        save = new_save()
        try:
            save.write(self.game.played_on())
            table = saved_table(SavedGame(save, save.read(), self.game.variant))
        except (Problem, OSError) as problem:
            self.duel.tell(problem)
            return
        self.duel.sit_down(table)
