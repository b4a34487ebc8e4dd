"""Reader threads, each with its own connection."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Lock, local
from time import monotonic
from typing import TypeVar

from digit_duel.web.store import DamagedDatabase, Unavailable
from digit_duel.web.store.connections import DatabaseConnection
from digit_duel.web.store.reporting import report

ANSWER_TIMEOUT = 6.0  # seconds; longer than the database's own limit for a lock


R = TypeVar("R")


class Readers:
    """A small pool of threads that query the database."""

    def __init__(self, connect: Callable[[], DatabaseConnection], threads: int) -> None:
        self._connect = connect
        self._threads = threads
        self._pool: ThreadPoolExecutor | None = None
        self._mine = local()
        self._all: set[DatabaseConnection] = set()
        self._lock = Lock()
        self._running = 0  # queries in progress
        self._stuck = False  # a query timed out, and none has succeeded since

    def start(self) -> None:
        """Start the threads."""
        self._pool = ThreadPoolExecutor(self._threads, "store-reader")

    async def stop(self, seconds: float) -> None:
        """Finish running queries and close; after this many seconds, interrupt those still running."""
        pool, self._pool = self._pool, None
        if pool is None:
            return
        pool.shutdown(wait=False, cancel_futures=True)
        deadline = monotonic() + seconds
        while self._running and monotonic() < deadline:
            await asyncio.sleep(0.005)
        if self._running:
            for connection in list(self._all):
                connection.abort()
        await asyncio.to_thread(pool.shutdown)
        while self._all:
            self._all.pop().close()

    async def ask(self, question: Callable[[DatabaseConnection], R]) -> R:
        """Run a query in a thread; raise Unavailable if the database does not answer in time."""
        if self._pool is None:
            raise Unavailable("The database is closed.", "closed")
        try:
            if self._stuck and self._running:  # fail at once; the running query clears the flag
                raise TimeoutError
            async with asyncio.timeout(ANSWER_TIMEOUT):
                return await asyncio.get_running_loop().run_in_executor(self._pool, self._answer, question)
        except TimeoutError:
            self._stuck = True
            wrong = Unavailable("The database does not answer.", "timeout")
            report(wrong)
            raise wrong from None
        except (Unavailable, DamagedDatabase) as wrong:
            report(wrong)
            raise

    def _answer(self, question: Callable[[DatabaseConnection], R]) -> R:
        with self._lock:
            self._running += 1
        try:
            return self._asked(question)
        finally:
            with self._lock:
                self._running -= 1
            self._stuck = False

    def _asked(self, question: Callable[[DatabaseConnection], R]) -> R:
        used: DatabaseConnection | None = getattr(self._mine, "connection", None)
        if used is not None:
            try:
                return self._put(question, used)
            except Unavailable:  # only this connection may be broken: try a new one
                if self._pool is None:
                    raise
        fresh = self._mine.connection = self._connect()
        with self._lock:
            self._all.add(fresh)
        return self._put(question, fresh)

    def _put(self, question: Callable[[DatabaseConnection], R], connection: DatabaseConnection) -> R:
        try:
            return question(connection)
        except BaseException:
            self._mine.connection = None
            with self._lock:
                self._all.discard(connection)
            connection.close()
            raise
