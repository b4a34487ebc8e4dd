"""Group commit: a thread writes all waiting requests in one transaction, then reports the results."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from queue import Empty, SimpleQueue
from threading import Thread
from time import sleep

from digit_duel.web.logs import log_unforeseen
from digit_duel.web.store import DamagedDatabase, Unavailable
from digit_duel.web.store.readers import ANSWER_TIMEOUT
from digit_duel.web.store.reporting import report
from digit_duel.web.store.write_requests import WriteRequest

LARGEST_BATCH = 512
BUSY_BATCH = 8  # after a batch of this size, wait for more requests: each commit is expensive
LINGER = 0.003  # seconds of that wait
MOST_WAITING = 20_000  # requests; further ones are refused at once


class Writer:
    """A queue of write requests and the thread that carries them out in batches."""

    def __init__(self, write: Callable[[Sequence[WriteRequest]], None], rest: Callable[[], float]) -> None:
        """Take write, which commits a batch, and rest, which works between batches and returns a pause."""
        self._write = write
        self._rest = rest
        self._queue: SimpleQueue[WriteRequest | None] = SimpleQueue()
        self._waiting = 0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: Thread | None = None
        self._stopping = False
        self._stuck = False  # a request timed out, and none has succeeded since

    def start(self) -> None:
        """Start the writer thread for the running event loop."""
        self._loop = asyncio.get_running_loop()
        self._stopping = self._stuck = False
        self._thread = Thread(target=self._work, name="store-writer", daemon=True)
        self._thread.start()

    async def stop(self, seconds: float) -> bool:
        """Finish waiting requests and stop; return whether that took at most this many seconds."""
        if self._thread is None:
            return True
        if not self._stopping:
            self._stopping = True
            self._queue.put(None)
        await asyncio.to_thread(self._thread.join, seconds)
        return not self._thread.is_alive()

    async def carry_out(self, request: WriteRequest) -> object:
        """Carry out a request; return its result or raise its error, or Unavailable if it takes too long."""
        if self._thread is None or self._stopping:
            raise Unavailable("The database is closed.", "closed")
        try:
            if self._waiting >= MOST_WAITING:
                raise Unavailable("Too many writes are waiting.", "overloaded")
            if self._stuck and self._waiting:  # fail at once; a waiting request clears the flag
                raise TimeoutError
            self._waiting += 1
            self._queue.put(request)
            async with asyncio.timeout(ANSWER_TIMEOUT):
                return await request.future
        except TimeoutError:
            self._stuck = True
            wrong = Unavailable("The database does not answer.", "timeout")
            report(wrong)
            raise wrong from None
        except (Unavailable, DamagedDatabase) as wrong:
            report(wrong)
            raise

    def _work(self) -> None:
        closing = crowded = False
        while not closing:
            pause = self._rested()
            batch: list[WriteRequest] = []
            try:
                request = self._queue.get(timeout=pause)
                if crowded:
                    sleep(LINGER)
                while request is not None and len(batch) < LARGEST_BATCH - 1:
                    batch.append(request)
                    request = self._queue.get_nowait()
                if request is None:
                    closing = True
                else:
                    batch.append(request)
            except Empty:
                if not batch:
                    continue
            if batch:
                self._carry_out(batch)
            crowded = len(batch) >= BUSY_BATCH

    def _rested(self) -> float:
        """Do the work between batches; an error must not end the only thread that writes."""
        try:
            return self._rest()
        except Exception as wrong:
            log_unforeseen(wrong)
            return 1.0

    def _carry_out(self, batch: Sequence[WriteRequest]) -> None:
        wanted = [request for request in batch if not request.future.done()]  # the other callers gave up
        try:
            if wanted:
                self._write(wanted)
        except Exception as error:  # nothing was written: report it to every request
            for request in batch:
                request.error = error
        assert self._loop is not None
        try:
            self._loop.call_soon_threadsafe(self._settle, batch)
        except RuntimeError:  # the loop is closed: nobody is waiting
            if not self._loop.is_closed():
                raise

    def _settle(self, batch: Sequence[WriteRequest]) -> None:
        self._stuck = False
        self._waiting -= len(batch)
        for request in batch:
            request.settle()
