"""The screen of a game being played."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from textual import work

from digit_duel.cli.app.screens.playing import PlayingScreen
from digit_duel.cli.app.state.local import LocalTable
from digit_duel.cli.app.state.opening import new_table
from digit_duel.cli.app.state.table import Phase, TableView
from digit_duel.cli.errors import Problem
from digit_duel.cli.play.plan import Plan
from digit_duel.core.game import Refused

_BUTTONS: dict[Phase, tuple[tuple[str, str, str], ...]] = {
    Phase.HAND_OVER: (("go on", "enter", "cover my hand"),),
    Phase.REVEAL: (("go on", "enter", "next round"),),
}
_HELP = (
    "Arrows and Enter choose, or a click, or the key shown.",
    "",
    "Esc  one choice back     u       take back a move",
    "h    a hint, and why     w       judge my moves",
    "m    type a move         l       all moves so far",
    "r    the rules           x       resign",
    "q    leave, go on later  Ctrl-Z  suspend",
    "s    save now (every move is saved as it is made)",
)


class TableScreen(PlayingScreen):
    """A game on this computer: shows what can be chosen now, and saves everything before it shows it."""

    keys: ClassVar = {**PlayingScreen.keys, "s": "save"}

    def __init__(self, table: LocalTable, go_home: Callable[[], None]) -> None:
        super().__init__()
        self.table, self._go_home = table, go_home
        self._turn = 0  # counts changes, so that a late answer is not used in another turn

    def on_mount(self) -> None:
        super().on_mount()
        self._tell_notes()
        self._go_on()

    @property
    def commands(self) -> str:
        return "h hint  u undo  x resign  w judge my moves  m type a move"

    @property
    def playable(self) -> LocalTable:
        return self.table

    def help(self) -> tuple[str, ...]:
        return _HELP

    def view(self) -> TableView:
        """What is shown now."""
        found = self.table.view(self.duel.settings.notation == "notation")
        if found.phase is Phase.OVER:
            again = "next game" if self.table.plan.match is not None else "rematch"
            more = (("again", "n", again),) if self.table.next_plan() is not None else ()
            return replace(found, actions=(*more, ("review", "v", "review"), ("leave", "q", "leave")))
        return replace(found, actions=_BUTTONS.get(found.phase, ()))

    def command(self, action: str) -> None:
        match action:
            case "go on":
                self.table.go_on()
                self._changed()
            case "hint" | "why":
                self._advise(action)
            case "undo" | "back":
                self._undo(action)
            case "again" | "review" | "leave":
                self._move_on(action)
            case "resign":
                self._resign()
            case "save":
                self.duel.tell(self.table.save_now())
            case _:
                self.pick(action)

    def play(self, move: Any) -> None:
        try:
            self.table.play(move)
        except Refused as refused:  # --draws asks for a card that is not in the deck
            self.duel.leave(1, f"digit-duel: {refused}")
            return
        self._changed(flash=True)

    # What happens by itself.

    def _changed(self, flash: bool = False) -> None:
        self._turn += 1
        self._focus = ""
        if flash:
            self.light_up()
        self._tell_notes()
        self._go_on()
        self.redraw()

    def _tell_notes(self) -> None:
        for note in self.table.notes:
            self.duel.tell(note)
        self.table.notes.clear()

    def _go_on(self) -> None:
        if self.table.phase is Phase.THINKING:
            self._think(self._turn)

    @work(thread=True)
    def _think(self, turn: int) -> None:
        began = time.monotonic()
        move = self.table.think()
        time.sleep(max(0.0, self.duel.pause - (time.monotonic() - began)))
        self.duel.from_thread(self._computer_moves, turn, move)

    def _computer_moves(self, turn: int, move: Any) -> None:
        if turn == self._turn and self.table.phase is Phase.THINKING:
            self.play(move)

    # Commands.

    def _advise(self, what: str) -> None:
        if self.table.phase is Phase.TURN:
            self.show_coach(("One moment …",))
            self._coach(self._turn, what)

    @work(thread=True)
    def _coach(self, turn: int, what: str) -> None:
        texts = self.table.hint() if what == "hint" else self.table.why()
        self.duel.from_thread(self._coached, turn, texts)

    def _coached(self, turn: int, texts: Sequence[str]) -> None:
        if turn == self._turn:
            self.show_coach(texts)

    def _undo(self, action: str) -> None:
        if self.table.choice is None:
            return
        if not self.choose_back() and action == "undo":
            try:
                question = self.table.may_take_back(self.duel.settings.notation == "notation")
            except Refused as refused:
                self.duel.tell(refused)
                return
            if question:
                self.ask(question, self._take_back)
            else:
                self._take_back()

    def _take_back(self) -> None:
        self.table.take_back()
        self._changed()

    def _resign(self) -> None:
        if self.table.phase is Phase.TURN:
            name = self.table.session.names[self.table.seat]
            who = f"{name}, do you" if self.table.hot_seat else "Do you"
            self.ask(f"{who} want to resign?", self._resigned)

    def _resigned(self) -> None:
        self.table.resign()
        self._changed()

    def _move_on(self, action: str) -> None:
        if action == "leave":
            self.close_table()
            self._go_home()
        elif self.table.phase is Phase.OVER:
            plan, record = self.table.next_plan(), self.table.session.record()
            if action == "review":
                self.duel.look_back(self.table.session.variant, record, judged=True)
            elif plan is not None:
                self._next_game(plan)

    def _next_game(self, plan: Plan) -> None:
        self.close_table()
        self.table = new_table(plan, self.table.tally)
        self._changed()

    @property
    def goodbye(self) -> str:
        return self.table.status if self.table.session.outcome is None else ""

    def close_table(self) -> None:
        """Unlock the game, and write its record."""
        try:
            self.table.close()
        except Problem as problem:
            self.duel.tell(problem)
