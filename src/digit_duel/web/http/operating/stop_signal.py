"""Ends event streams as soon as a signal asks the process to stop."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def on_stop_signal(stop: Callable[[], object]) -> Iterator[None]:
    """Call stop in the running loop as soon as a signal asks the process to stop.

    ASGI servers wait for open event streams before they shut the application down, so the streams must end
    first.
    """
    if threading.current_thread() is not threading.main_thread():  # only the main thread gets signals
        yield
        return
    loop = asyncio.get_running_loop()
    handlers = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}

    def handle(number: int, frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(stop)
        server = handlers[signal.Signals(number)]
        if callable(server):
            server(number, frame)

    replaced = [number for number, server in handlers.items() if callable(server)]
    for number in replaced:
        signal.signal(number, handle)
    try:
        yield
    finally:
        for number in replaced:
            signal.signal(number, handlers[number])
