"""A process that thinks for the server: started when first asked, ended when it takes too long."""

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
from digit_duel.web.analysis.questions import Question
from digit_duel.web.replies import Code, Refusal

_START = 60.0  # seconds for an interpreter and its libraries to load, on a machine that is busy
_MOST_GAMES = 16  # customised games whose tables are kept before the process begins anew
_MOST_MEMORY = 1_000_000  # KiB of tables, after which it begins anew as well
_EXIT_TIMEOUT = 1.0  # seconds for an idle process to end by itself
_POLITE = 10  # moves come first
_TOO_BIG = "too big"

A = TypeVar("A")


class TooLong(Exception):
    """The time was up; the process that was at it is gone."""


class Gone(Exception):
    """The process could not be started, or was ended by somebody else."""


class TooBig(Refusal):
    """Nobody would wait for a game with these rules to be solved."""

    def __init__(self) -> None:
        super().__init__(
            Code.BAD_REQUEST,
            "With these rules the game is too big to be analysed here; digit-duel analyze takes its time.",
        )


class AnalysisProcess:
    """One process, asked one thing at a time by one thread."""

    def __init__(self) -> None:
        self._process: BaseProcess | None = None
        self._line: Connection | None = None
        self._busy = self._stopped = False

    def ask(self, question: Question[A], variant: AnyVariant, seconds: float) -> A:
        """Have a question answered, or raise Refusal; TooLong or Gone if there is no answer."""
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
        raise TooBig if code == _TOO_BIG else Refusal(Code(code), answer)

    def stop(self) -> None:
        """Let go of whatever is being thought about; any thread may ask for it."""
        self._stopped = True
        if self._busy and (process := self._process) is not None:
            with suppress(ValueError):  # it has been closed just now
                process.kill()

    def close(self, timeout: float = _EXIT_TIMEOUT) -> None:
        """End the process; the next question starts another."""
        process, line, self._process, self._line = self._process, self._line, None, None
        if line is not None:
            line.close()  # which it hears, unless it is thinking
        if process is not None:
            process.join(timeout)
            process.kill()
            process.join()
            process.close()

    def _connected(self) -> Connection:
        """A line to a process that is ready, or OSError."""
        if self._stopped:
            raise Gone
        if self._line is not None and self._process is not None and self._process.is_alive():
            return self._line
        self.close()
        # A fresh interpreter: a fork of a server with threads may hang, and would hold its secrets.
        spawn = get_context("spawn")
        self._line, other = spawn.Pipe()
        self._process = spawn.Process(target=_think, args=(other,), name="analysis", daemon=True)
        self._process.start()
        other.close()
        if not self._line.poll(_START):
            raise TimeoutError
        self._line.recv()
        return self._line


def _think(line: Connection) -> None:
    """Answer until nobody asks any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which then ends us
    if hasattr(os, "nice"):
        os.nice(_POLITE)
    # Strangers choose the rules here: what is solved for them must not fill the disk.
    os.environ["DIGIT_DUEL_HOME"] = os.devnull
    from digit_duel.web.analysis import analysis_json  # noqa: F401  # loaded before the first question

    try:
        line.send("ready")
        known: set[str] = set()
        while len(known) < _MOST_GAMES and getrusage(RUSAGE_SELF).ru_maxrss < _MOST_MEMORY:
            question, id, settings = line.recv()
            line.send(_answered(question, id, settings))
            known |= {f"{id} {settings}"} if settings else set()
    except (EOFError, OSError):
        return  # nobody listens any more


def _answered(question: Question[A], id: str, settings: dict[str, str]) -> tuple[str | None, A | str]:
    from digit_duel.games import variant

    try:
        return None, question.answer(variant(id).customised(settings))
    except TooBig:
        return _TOO_BIG, ""
    except Refusal as refusal:
        return str(refusal.code), refusal.message
