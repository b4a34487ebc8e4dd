"""Reading threads, each with its own connection."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Lock, local
from typing import Generic, Protocol, TypeVar

from digit_duel.web.store import Unavailable


class Connection(Protocol):
    """What readers need of a connection."""

    def close(self) -> object:
        """Let go of it."""


C = TypeVar("C", bound=Connection)
R = TypeVar("R")


class Readers(Generic[C]):
    """A small pool of threads for questions to the database."""

    def __init__(self, connect: Callable[[], C], threads: int) -> None:
        self._connect = connect
        self._threads = threads
        self._pool: ThreadPoolExecutor | None = None
        self._mine = local()
        self._all: set[C] = set()
        self._lock = Lock()

    def start(self) -> None:
        """Begin to answer."""
        self._pool = ThreadPoolExecutor(self._threads, "store-reader")

    async def stop(self) -> None:
        """Finish what is being read, and close."""
        pool, self._pool = self._pool, None
        if pool is not None:
            await asyncio.to_thread(pool.shutdown)
        while self._all:
            self._all.pop().close()

    async def ask(self, question: Callable[[C], R]) -> R:
        """Put a question to the database."""
        if self._pool is None:
            raise Unavailable("The database is closed.")
        return await asyncio.get_running_loop().run_in_executor(self._pool, self._answer, question)

    def _answer(self, question: Callable[[C], R]) -> R:
        used: C | None = getattr(self._mine, "connection", None)
        if used is not None:
            try:
                return self._put(question, used)
            except Unavailable:
                pass  # an old connection may be broken where a new one is not
        fresh = self._mine.connection = self._connect()
        with self._lock:
            self._all.add(fresh)
        return self._put(question, fresh)

    def _put(self, question: Callable[[C], R], connection: C) -> R:
        try:
            return question(connection)
        except BaseException:
            self._mine.connection = None
            with self._lock:
                self._all.discard(connection)
            connection.close()
            raise
