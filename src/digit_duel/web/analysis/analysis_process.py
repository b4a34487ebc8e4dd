"""The analysis process: started by the first question, and killed when an answer takes too long."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from resource import RUSAGE_SELF, getrusage
from typing import TypeVar

from digit_duel.core.variant import AnyVariant
from digit_duel.web.analysis.questions import AnalysisQuestion
from digit_duel.web.replies import Code, Refusal

_START_TIMEOUT = 60.0  # seconds; loading Python and the solvers is slow on a busy machine
_MOST_GAMES = 16  # customised games whose tables are kept before the process is replaced
_MOST_MEMORY = 1_000_000  # KiB by which its memory may grow before it is replaced
_EXIT_TIMEOUT = 1.0  # seconds for an idle process to exit
_NICENESS = 10  # playing has priority over analysis
_TOO_BIG = "too big"

A = TypeVar("A")


class TooLong(Exception):
    """The answer took too long; the process was killed."""


class Gone(Exception):
    """The process could not start, or died while answering."""


class TooBigToAnalyse(Refusal):
    """Solving a game with these rules would take too long."""

    def __init__(self) -> None:
        super().__init__(
            Code.BAD_REQUEST,
            "With these rules the game is too big to analyse here: use digit-duel analyze in a terminal.",
        )


class AnalysisProcess:
    """One process, which one thread asks one question at a time."""

    def __init__(self) -> None:
        self._process: BaseProcess | None = None
        self._line: Connection | None = None
        self._busy = self._stopped = False

    def ask(self, question: AnalysisQuestion[A], variant: AnyVariant, seconds: float) -> A:
        """Answer a question; raise Refusal, or TooLong or Gone if there is no answer."""
        self._busy = True
        try:
            line = self._connected()
            line.send((question, variant.id, dict(variant.settings)))
            if not line.poll(seconds):
                raise TooLong
            code, answer = line.recv()
        except (EOFError, OSError):
            self.close()
            raise Gone from None
        except TooLong:
            self.close(timeout=0)
            raise
        finally:
            self._busy = False
        if code is None:
            found: A = answer
            return found
        raise TooBigToAnalyse if code == _TOO_BIG else Refusal(Code(code), answer)

    def stop(self) -> None:
        """Abort the question in progress and accept no more; safe to call from any thread."""
        self._stopped = True
        if self._busy and (process := self._process) is not None:
            with suppress(ValueError):  # already closed
                process.kill()

    def close(self, timeout: float = _EXIT_TIMEOUT) -> None:
        """Stop the process; the next question starts another."""
        process, line, self._process, self._line = self._process, self._line, None, None
        if line is not None:
            line.close()  # an idle process sees this and exits
        if process is not None:
            process.join(timeout)
            process.kill()
            process.join()
            process.close()

    def _connected(self) -> Connection:
        """A connection to a process that is ready; starts one if needed, or raises OSError."""
        if self._stopped:
            raise Gone
        if self._line is not None and self._process is not None and self._process.is_alive():
            return self._line
        self.close()
        # Not a fork: forking a process with threads can deadlock, and would copy the server's secrets.
        spawn = get_context("spawn")
        self._line, other = spawn.Pipe()
        self._process = spawn.Process(target=_answer_questions, args=(other,), name="analysis", daemon=True)
        self._process.start()
        other.close()
        if not self._line.poll(_START_TIMEOUT):
            raise TimeoutError
        self._line.recv()
        return self._line


def _answer_questions(line: Connection) -> None:
    """Answer questions until the server closes the connection, or it is time to be replaced."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C stops the server, which stops this process
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    # Strangers choose the rules here, so solved tables are not saved: they could fill the disk.
    os.environ["DIGIT_DUEL_HOME"] = os.devnull
    from digit_duel.web.analysis import analysis_json  # noqa: F401  # loaded before the first question

    try:
        line.send("ready")
        known: set[str] = set()
        # Linux counts the peak memory from that of the process that started this one.
        most = getrusage(RUSAGE_SELF).ru_maxrss + _MOST_MEMORY
        while len(known) < _MOST_GAMES and getrusage(RUSAGE_SELF).ru_maxrss < most:
            question, id, settings = line.recv()
            line.send(_answered(question, id, settings))
            known |= {f"{id} {settings}"} if settings else set()
    except (EOFError, OSError):
        return  # the server closed the connection


def _answered(question: AnalysisQuestion[A], id: str, settings: dict[str, str]) -> tuple[str | None, A | str]:
    from digit_duel.games import variant

    try:
        return None, question.answer(variant(id).customised(settings))
    except TooBigToAnalyse:
        return _TOO_BIG, ""
    except Refusal as refusal:
        return str(refusal.code), refusal.message
