"""Somebody who sits before the app: presses keys, waits, and reads the screen."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from textual.pilot import Pilot
from textual.widgets import Input

from digit_duel.cli.app.application import DuelApp
from digit_duel.cli.app.drawing.canvas import Canvas
from digit_duel.cli.app.screens.base import CanvasScreen
from digit_duel.cli.app.screens.home import HomeScreen
from digit_duel.cli.app.screens.look_back import LookBackScreen
from digit_duel.cli.app.screens.table import TableScreen
from digit_duel.cli.app.state.local import LocalTable
from digit_duel.cli.app.state.look_back import LookBack
from digit_duel.cli.app.state.opening import new_table
from digit_duel.cli.app.state.table import Phase
from digit_duel.cli.play.plan import Plan

SIZES = [(60, 20), (80, 24), (140, 45)]
TIMEOUT = 60.0  # seconds, on a busy machine


class Listener(DuelApp):
    """The app, with somebody who remembers its notes."""

    def __init__(self, start: Callable[[DuelApp], None]) -> None:
        super().__init__(start, pause=0)
        self.told: list[str] = []

    def tell(self, note: str | Exception) -> None:
        self.told.append(str(note))
        super().tell(note)


class Visitor:
    """One person, or two, at the app."""

    def __init__(self, app: Listener, pilot: Pilot[int]) -> None:
        self.app, self.pilot = app, pilot

    @property
    def canvas(self) -> Canvas:
        """What is drawn on the screen now."""
        screen = self.app.screen
        assert isinstance(screen, CanvasScreen)
        return screen.painted(screen.size)

    @property
    def text(self) -> str:
        """What can be read on the screen now."""
        return self.canvas.text

    @property
    def told(self) -> list[str]:
        """The notes that have been shown over the screen."""
        return self.app.told

    @property
    def field(self) -> Input:
        """The line to type in."""
        return self.app.screen.query_one(Input)

    async def click(self, action: str) -> None:
        """Click on what does something."""
        target = next(target for target in self.canvas.targets if target.action == action)
        await self.pilot.click(offset=(target.x + 1, target.y + target.height // 2))
        await self.pilot.pause()

    @property
    def table(self) -> LocalTable:
        """The game on the screen."""
        assert isinstance(self.app.screen, TableScreen)
        return self.app.screen.table

    @property
    def game(self) -> LookBack:
        """The game that is looked back upon."""
        assert isinstance(self.app.screen, LookBackScreen)
        return self.app.screen.game

    async def press(self, *keys: str) -> None:
        """Press keys one after the other."""
        await self.pilot.press(*keys)
        await self.pilot.pause()

    async def sees(self, *texts: str) -> str:
        """Wait until all texts are on the screen."""
        for _ in range(int(TIMEOUT / 0.02)):
            shown = self.text
            if all(text in shown for text in texts):
                return shown
            await self.pilot.pause(0.02)
        raise AssertionError(f"waited for {texts}, saw\n{self.text}")

    async def to_the_end(self, choose: Callable[[LocalTable], str]) -> None:
        """Play a game, choosing by the keys that a function names, until it is over."""
        for _ in range(20_000):
            if self.table.phase is Phase.OVER:
                return
            if self.table.phase is Phase.TURN:
                await self.press(choose(self.table))
            elif self.table.phase is Phase.THINKING:
                await self.pilot.pause(0.005)
            else:
                await self.press("enter")
        raise AssertionError("the game does not end")


def visit(
    then: Callable[[Visitor], Awaitable[None]], plan: Plan | None = None, size: tuple[int, int] = (80, 24)
) -> None:
    """Run the app without a terminal: at home, or at the table of a game."""

    def start(app: DuelApp) -> None:
        if plan is None:
            app.show(HomeScreen())
        else:
            app.sit_down(new_table(plan))

    async def session() -> None:
        app = Listener(start)
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await then(Visitor(app, pilot))

    run(session())


def run(session: Coroutine[Any, Any, None]) -> None:
    """Run a session to its end."""
    asyncio.run(asyncio.wait_for(session, 5 * TIMEOUT))
