"""The writing thread, where a server loses time that its database did not take."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence

import pytest

from digit_duel.web.store import Unavailable, writer
from digit_duel.web.store.write_requests import WriteRequest
from digit_duel.web.store.writer import Writer


def test_a_server_that_was_suspended_during_a_write_continues(monkeypatch: pytest.MonkeyPatch) -> None:
    """F9: the result and the end of the waiting time arrive together, and nothing is left to wait for."""
    monkeypatch.setattr(writer, "ANSWER_TIMEOUT", 0.2)
    written: list[WriteRequest] = []

    def write(batch: Sequence[WriteRequest]) -> None:
        written.extend(batch)

    async def scene() -> None:
        found = Writer(write, lambda: 60.0)
        found.start()
        loop = asyncio.get_running_loop()
        try:
            first = WriteRequest(future=loop.create_future())
            waiting = asyncio.create_task(found.carry_out(first))
            await asyncio.sleep(0)
            while not written:  # as if the process stood still, but for its thread
                time.sleep(0.01)
            time.sleep(0.5)
            assert written == [first]
            with pytest.raises(Unavailable):
                await waiting
            for _ in range(3):
                await found.carry_out(WriteRequest(future=loop.create_future()))
        finally:
            assert await found.stop(10)

    asyncio.run(scene())
    assert len(written) == 4
