"""Background tasks of the event loop, referenced until they end."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine

from digit_duel.web.logs import log_unforeseen


class BackgroundTasks:
    """The running background tasks; the event loop itself holds only weak references."""

    def __init__(self) -> None:
        self.running: set[asyncio.Task[None]] = set()

    def start(self, work: Coroutine[object, None, None]) -> asyncio.Task[None]:
        """Start a task."""
        task = asyncio.get_running_loop().create_task(work)
        self.running.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[None]) -> None:
        """Drop a finished task and log its exception; the loop's own handler would print its message."""
        self.running.discard(task)
        if not task.cancelled() and (wrong := task.exception()) is not None:
            log_unforeseen(wrong)

    async def stop(self) -> None:
        """Cancel all tasks and wait until they have ended."""
        tasks = list(self.running)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
