"""Group commit: one thread writes whatever waits in one transaction, then reports the results."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from queue import Empty, SimpleQueue
from threading import Thread
from time import sleep

from digit_duel.web.store import Unavailable
from digit_duel.web.store.orders import Order

LARGEST_BATCH = 512
CROWD = 8  # orders in a batch, after which the next one waits for company: each commit has its price
LINGER = 0.003  # seconds
MOST_WAITING = 20_000  # beyond this a quick refusal is kinder than a place in the queue


class Writer:
    """A queue of orders and the thread that carries them out in batches."""

    def __init__(self, write: Callable[[Sequence[Order]], None], rest: Callable[[], float]) -> None:
        """Write carries out a batch; rest does what else is due, and says in how many seconds it is again."""
        self._write = write
        self._rest = rest
        self._queue: SimpleQueue[Order | None] = SimpleQueue()
        self._waiting = 0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: Thread | None = None

    def start(self) -> None:
        """Begin to write for the running event loop."""
        self._loop = asyncio.get_running_loop()
        self._thread = Thread(target=self._work, name="store-writer", daemon=True)
        self._thread.start()

    async def stop(self) -> None:
        """Finish what waits, and end."""
        thread, self._thread = self._thread, None
        if thread is not None:
            self._queue.put(None)
            await asyncio.to_thread(thread.join)

    async def carry_out(self, order: Order) -> object:
        """Have an order written, and return or raise what came of it."""
        if self._thread is None:
            raise Unavailable("The database is closed.")
        if self._waiting >= MOST_WAITING:
            raise Unavailable("Too much waits to be written.")
        self._waiting += 1
        self._queue.put(order)
        return await order.future

    def _work(self) -> None:
        closing = crowded = False
        while not closing:
            pause = self._rest()
            batch: list[Order] = []
            try:
                order = self._queue.get(timeout=pause)
                if crowded:
                    sleep(LINGER)
                while order is not None and len(batch) < LARGEST_BATCH - 1:
                    batch.append(order)
                    order = self._queue.get_nowait()
                if order is None:
                    closing = True
                else:
                    batch.append(order)
            except Empty:
                if not batch:
                    continue
            if batch:
                self._carry_out(batch)
            crowded = len(batch) >= CROWD

    def _carry_out(self, batch: Sequence[Order]) -> None:
        try:
            self._write(batch)
        except Exception as error:  # nothing of the batch is there, and everybody must hear of it
            for order in batch:
                order.error = error
        assert self._loop is not None
        try:
            self._loop.call_soon_threadsafe(self._settle, batch)
        except RuntimeError:  # the loop is closed: nobody waits any more
            if not self._loop.is_closed():
                raise

    def _settle(self, batch: Sequence[Order]) -> None:
        self._waiting -= len(batch)
        for order in batch:
            order.settle()
