"""The computer player: it sees only its seat's view, and takes the same time whatever cards it holds.

Games with house rules may have to be solved first. A separate process does that: it writes nothing, has a
time limit, and does not slow the server's own threads down.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Hashable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from random import SystemRandom
from time import monotonic
from typing import TypeVar

from digit_duel.core.game import Seat
from digit_duel.core.variant import AnyVariant
from digit_duel.web.analysis.analysis_process import AnalysisProcess, Gone, TooBigToAnalyse, TooLong
from digit_duel.web.analysis.questions import AffordableQuestion, AnalysisQuestion, ChoiceQuestion
from digit_duel.web.play.online_game import OnlineGame
from digit_duel.web.replies import Code, Refusal

A = TypeVar("A")
_QUICK_LEVELS = ("random", "sensible")  # these do not look ahead, and are quick with any rules
_JITTER = 8  # up to this fraction of a pause is added at random
_MOST_WAITING = 8  # checks of rules in the queue
_MOST_REMEMBERED = 1000  # rules whose check is remembered


class Computer:
    """Chooses moves in its own thread and process, so that nobody else waits for it."""

    def __init__(self, pace: float, seconds: float = 5.0) -> None:
        """Set the pause before a move, and the seconds that choosing may take with house rules."""
        self._pace, self._seconds = pace, seconds
        self._thread = ThreadPoolExecutor(1, "computer")
        self._apart = ThreadPoolExecutor(1, "computer-apart")
        self._analysis_process = AnalysisProcess()
        self._affordable: OrderedDict[Hashable, bool] = OrderedDict()  # by rules
        self._checking = 0

    async def accept(self, level: str, variant: AnyVariant) -> None:
        """Refuse rules that are too big for a level that looks ahead."""
        if level in _QUICK_LEVELS or not variant.settings:
            return
        rules = (variant.id, tuple(sorted(variant.settings.items())))
        if rules not in self._affordable:
            self._affordable[rules] = await self._is_affordable(variant)
            while len(self._affordable) > _MOST_REMEMBERED:
                self._affordable.popitem(last=False)
        if not self._affordable[rules]:
            quick = " or ".join(_QUICK_LEVELS)
            raise Refusal(
                Code.BAD_REQUEST,
                f"With these rules the game is too big for a computer that looks ahead: choose {quick}.",
            )

    async def choose(self, game: OnlineGame, seat: Seat) -> str:
        """Choose the computer's move, in notation, after a pause that reveals nothing."""
        session = game.session
        assert session is not None
        level = game.players[seat].level
        assert level is not None
        began = monotonic()
        # Random: timers fire on whole milliseconds, so a fixed pause would still reveal the thinking time.
        pause = self._pace * (1 + SystemRandom().random() / _JITTER)
        legal = tuple(session.game.legal(session.state, seat))
        question = ChoiceQuestion(level, seat, session.view(seat), legal)
        move = await self._decided(session.variant, question)
        await asyncio.sleep(max(0.0, pause - (monotonic() - began)))
        return move

    def stop(self) -> None:
        """Abort all choices in progress."""
        self._analysis_process.stop()
        self._thread.shutdown(wait=False, cancel_futures=True)
        self._apart.shutdown(cancel_futures=True)
        self._analysis_process.close()

    async def _is_affordable(self, variant: AnyVariant) -> bool:
        """Whether a game with these rules can be solved within the time limit."""
        if self._checking >= _MOST_WAITING:
            raise Refusal(Code.BUSY_RETRY, "The server is busy. Please try again in a moment.")
        self._checking += 1
        try:
            await self._ask(variant, AffordableQuestion())
        except (TooBigToAnalyse, TooLong):
            return False
        except Gone:
            raise Refusal(Code.BUSY_RETRY, "The game could not be opened. Please try again.") from None
        finally:
            self._checking -= 1
        return True

    async def _decided(self, variant: AnyVariant, question: ChoiceQuestion) -> str:
        """The move of the level, or of a simpler level if that takes too long."""
        if variant.settings and question.level not in _QUICK_LEVELS:
            try:
                return await self._ask(variant, question)
            except (Refusal, TooLong, Gone):
                question = replace(question, level=_QUICK_LEVELS[-1])  # it has to move all the same
        return await asyncio.get_running_loop().run_in_executor(self._thread, question.choose, variant)

    async def _ask(self, variant: AnyVariant, question: AnalysisQuestion[A]) -> A:
        """Ask the analysis process."""
        return await asyncio.get_running_loop().run_in_executor(
            self._apart, self._analysis_process.ask, question, variant, self._seconds
        )
