"""Answers requests for hints, reviews and analysed positions, without delaying anybody's move.

The work is done in a separate process. Answers are cached, identical questions asked at the same time share
one computation, the queue is short, and every answer has a time limit that the operator sets. Answers are
kept as JSON, which needs a third of the memory of its structs.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Hashable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any, TypeAlias

import msgspec

from digit_duel.core.game import Seat
from digit_duel.core.record import RESIGNATION, Record, level_header
from digit_duel.core.script import Names
from digit_duel.core.variant import AnyVariant
from digit_duel.web.analysis.analysis_process import AnalysisProcess, Gone, TooBigToAnalyse, TooLong
from digit_duel.web.analysis.questions import AnalysisQuestion, HintQuestion, PositionQuestion, ReviewQuestion
from digit_duel.web.play.online_game import OnlineGame
from digit_duel.web.replies import Code, Refusal
from digit_duel.web.settings import Settings

Known: TypeAlias = bytes | Refusal  # an answer as JSON
_MOST_WAITING = 8
_MOST_REMEMBERED = 400  # answers, most of them of 10 to 100 kB
_MOST_BYTES = 32 << 20  # of all remembered answers; the review of the longest game has 600 kB


class Analyst:
    """Gives hints, reviews games and evaluates positions."""

    def __init__(self, settings: Settings) -> None:
        self._seconds = settings.analysis_seconds
        self._analysis_process = AnalysisProcess()
        self._thread = ThreadPoolExecutor(1, "analysis")
        self._known: OrderedDict[Hashable, Known] = OrderedDict()
        self._asked: dict[Hashable, asyncio.Future[bytes]] = {}
        self._stopped = False

    async def hint(self, game: OnlineGame, seat: Seat | None) -> bytes:
        """A HintAnswer for a seat that plays the computer, from its own view; refused between people."""
        session = game.session
        if seat is None or session is None or game.computer in (None, seat):
            raise Refusal(Code.FORBIDDEN, "There are no hints in this game.")
        if game.over:
            raise Refusal(Code.GAME_OVER, "The game is over.")
        if seat not in game.acting:
            raise Refusal(Code.NOT_YOUR_TURN, "It is not your turn.")
        legal, level = tuple(session.game.legal(session.state, seat)), game.players[seat.other].level or ""
        question = HintQuestion(session.view(seat), seat, legal, game.names, level)
        return await self._answer(session.variant, question)

    async def review(self, game: OnlineGame, seat: Seat | None, reader: Seat | None = None) -> bytes:
        """A ReviewAnswer: what one seat's moves, or both seats', were worth, in words for a reader."""
        session = game.session
        if session is None or not game.over:
            raise Refusal(Code.FORBIDDEN, "You can review a game when it is over.")
        return await self._answer(session.variant, ReviewQuestion(_to_review(game).text(), seat, reader))

    async def position(
        self,
        variant: AnyVariant,
        moves: list[str],
        seat: Seat | None,
        names: Names | None = None,
        computer: tuple[Seat, str] | None = None,
    ) -> bytes:
        """A PositionAnswer: the value of each move; names and computer come from the game played."""
        return await self._answer(variant, PositionQuestion(tuple(moves), seat, names, computer))

    def stop(self) -> None:
        """Abort running questions and refuse new ones."""
        self._stopped = True
        self._analysis_process.stop()
        self._thread.shutdown(cancel_futures=True)
        self._analysis_process.close()

    async def _answer(self, variant: AnyVariant, question: AnalysisQuestion[Any]) -> bytes:
        """An answer from the cache, or else from the analysis process."""
        rules = (variant.id, tuple(sorted(variant.settings.items())))
        key = (rules, question)
        for remembered in (rules, key):
            found = self._known.get(remembered)
            if found is not None:
                self._known.move_to_end(remembered)
                if isinstance(found, Refusal):
                    raise Refusal(found.code, found.message)
                return found
        if key not in self._asked:
            self._asked[key] = self._start(variant, question, rules, key)
        # Shielded: when one caller disconnects, others may still wait for the same answer.
        return await asyncio.shield(self._asked[key])

    def _start(
        self, variant: AnyVariant, question: AnalysisQuestion[Any], rules: Hashable, key: Hashable
    ) -> asyncio.Future[bytes]:
        if self._stopped or len(self._asked) >= _MOST_WAITING:
            raise Refusal(Code.BUSY_RETRY, "The analysis queue is full. Please try again in a moment.")
        loop = asyncio.get_running_loop()
        future: asyncio.Future[bytes] = loop.run_in_executor(self._thread, self._ask, variant, question)

        def done(future: asyncio.Future[bytes]) -> None:
            del self._asked[key]
            if future.cancelled():
                return
            refusal = future.exception()
            if refusal is None:
                self._remember(key, future.result())
            elif isinstance(refusal, TooBigToAnalyse):
                self._remember(rules, TooBigToAnalyse())  # refuse every question about these rules
            elif isinstance(refusal, Refusal) and refusal.code is Code.BAD_REQUEST:
                self._remember(key, Refusal(refusal.code, refusal.message))

        future.add_done_callback(done)
        return future

    def _ask(self, variant: AnyVariant, question: AnalysisQuestion[Any]) -> bytes:
        try:
            return msgspec.json.encode(self._analysis_process.ask(question, variant, self._seconds))
        except TooLong:
            if variant.settings:
                raise TooBigToAnalyse from None
            raise Refusal(Code.BUSY_RETRY, "The server is too busy to analyse this now.") from None
        except Gone:
            raise Refusal(Code.BUSY_RETRY, "The analysis failed. Please try again.") from None

    def _remember(self, key: Hashable, answer: Known) -> None:
        self._known[key] = answer
        size = sum(len(each) for each in self._known.values() if isinstance(each, bytes))
        while len(self._known) > _MOST_REMEMBERED or size > _MOST_BYTES:
            _, dropped = self._known.popitem(last=False)
            size -= len(dropped) if isinstance(dropped, bytes) else 0


def _to_review(game: OnlineGame) -> Record:
    """The moves of a finished game; the reviewer treats any ending outside the rules as a resignation."""
    record = game.record()
    headers = {} if game.ended is None else {"Ended": RESIGNATION}
    if (computer := game.computer) is not None:
        headers |= level_header(computer, game.players[computer].level or "")
    return replace(record, headers=headers)
