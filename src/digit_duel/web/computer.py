"""The computer at a table: it sees its seat's view, and takes the same time whatever it holds."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from random import SystemRandom
from time import monotonic
from typing import Any

from digit_duel.bots import LEVELS
from digit_duel.core.game import Seat
from digit_duel.web.table import Table

_UNEVEN = 8  # the part of a pause that is left to chance


class Computer:
    """Chooses moves in a thread of its own, so that nobody else waits for it."""

    def __init__(self, pace: float) -> None:
        self._pace = pace
        self._thread = ThreadPoolExecutor(1, "computer")

    async def choose(self, table: Table, seat: Seat) -> str:
        """The computer's move in notation, after a pause that tells nothing."""
        session = table.session
        assert session is not None
        level = table.players[seat].level
        assert level is not None
        began = monotonic()
        # A loop wakes on whole milliseconds, so that an even pause would still tell how long it thought.
        pause = self._pace * (1 + SystemRandom().random() / _UNEVEN)
        legal = session.game.legal(session.state, seat)
        move = await asyncio.get_running_loop().run_in_executor(
            self._thread, _chosen, level, session.variant, seat, session.view(seat), legal
        )
        await asyncio.sleep(max(0.0, pause - (monotonic() - began)))
        return str(session.game.text(move))

    def stop(self) -> None:
        """Think no more."""
        self._thread.shutdown(wait=False, cancel_futures=True)


def _chosen(level: str, variant: Any, seat: Seat, view: Any, legal: Any) -> Any:
    return LEVELS[level](variant, seat, SystemRandom()).choose(view, legal)
