"""The computer player: it gets its seat's view, and takes the same time whatever cards it holds.

Games with rules of somebody's own making may have to be solved first: that is done in a process apart, which
writes nothing, has an end, and takes no turn from the server's own threads.
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
from digit_duel.web.analysis.analysis_process import AnalysisProcess, Gone, TooBig, TooLong
from digit_duel.web.analysis.questions import AffordableQuestion, ChoiceQuestion, Question
from digit_duel.web.play.online_game import OnlineGame
from digit_duel.web.replies import Code, Refusal

A = TypeVar("A")
_BY_TIPS = ("random", "sensible")  # levels that look nothing up, and so are quick with any rules
_UNEVEN = 8  # the part of a pause that is left to chance
_MOST_WAITING = 8  # to know whether a computer is up to their rules
_MOST_REMEMBERED = 1000  # rules, whether they can be thought through or not


class Computer:
    """Chooses moves in threads and processes of its own, so that nobody else waits for it."""

    def __init__(self, pace: float, seconds: float = 5.0) -> None:
        """With its pace, and the seconds that one thought may take in a game of customised rules."""
        self._pace, self._seconds = pace, seconds
        self._thread = ThreadPoolExecutor(1, "computer")
        self._apart = ThreadPoolExecutor(1, "computer-apart")
        self._analysis_process = AnalysisProcess()
        self._weighed: OrderedDict[Hashable, bool] = OrderedDict()
        self._weighing = 0

    async def accept(self, level: str, variant: AnyVariant) -> None:
        """Refuse rules that a level could not think through."""
        if level in _BY_TIPS or not variant.settings:
            return
        rules = (variant.id, tuple(sorted(variant.settings.items())))
        if rules not in self._weighed:
            self._weighed[rules] = await self._weigh(variant)
            while len(self._weighed) > _MOST_REMEMBERED:
                self._weighed.popitem(last=False)
        if not self._weighed[rules]:
            quick = " or ".join(_BY_TIPS)
            raise Refusal(
                Code.BAD_REQUEST,
                f"With these rules the game is too big for a computer that looks ahead: choose {quick}.",
            )

    async def choose(self, game: OnlineGame, seat: Seat) -> str:
        """The computer's move in notation, after a pause that tells nothing."""
        session = game.session
        assert session is not None
        level = game.players[seat].level
        assert level is not None
        began = monotonic()
        # A loop wakes on whole milliseconds, so that an even pause would still tell how long it thought.
        pause = self._pace * (1 + SystemRandom().random() / _UNEVEN)
        legal = tuple(session.game.legal(session.state, seat))
        question = ChoiceQuestion(level, seat, session.view(seat), legal)
        move = await self._decided(session.variant, question)
        await asyncio.sleep(max(0.0, pause - (monotonic() - began)))
        return move

    def stop(self) -> None:
        """Stop thinking."""
        self._analysis_process.stop()
        self._thread.shutdown(wait=False, cancel_futures=True)
        self._apart.shutdown(cancel_futures=True)
        self._analysis_process.close()

    async def _weigh(self, variant: AnyVariant) -> bool:
        """Whether the rules can be thought through in the time that there is."""
        if self._weighing >= _MOST_WAITING:
            raise Refusal(Code.BUSY_RETRY, "Too many are asking now. Please try again in a moment.")
        self._weighing += 1
        try:
            await self._ask(variant, AffordableQuestion())
        except (TooBig, TooLong):
            return False
        except Gone:
            raise Refusal(Code.BUSY_RETRY, "That cannot be opened now. Please try again.") from None
        finally:
            self._weighing -= 1
        return True

    async def _decided(self, variant: AnyVariant, question: ChoiceQuestion) -> str:
        """The move of a level, or of a simpler one if that takes too long."""
        if variant.settings and question.level not in _BY_TIPS:
            try:
                return await self._ask(variant, question)
            except (Refusal, TooLong, Gone):
                question = replace(question, level=_BY_TIPS[-1])  # too late or too big: a move must come
        return await asyncio.get_running_loop().run_in_executor(self._thread, question.choose, variant)

    async def _ask(self, variant: AnyVariant, question: Question[A]) -> A:
        """Ask the analysis process."""
        return await asyncio.get_running_loop().run_in_executor(
            self._apart, self._analysis_process.ask, question, variant, self._seconds
        )
