"""A seeded WebSocket proxy that loses, duplicates, delays and reorders messages, and disconnects (FP)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from random import Random
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed, InvalidHandshake

Line = ClientConnection | ServerConnection


@dataclass(frozen=True, slots=True)
class Faults:
    """How likely each fault is, for each message in each direction."""

    lost: float = 0.1
    doubled: float = 0.1
    late: float = 0.1  # and so overtaken by what comes after
    cut: float = 0.005
    longest: float = 0.04  # seconds that a late message takes

    @property
    def all(self) -> float:
        """How likely something goes wrong."""
        return self.lost + self.doubled + self.late + self.cut


@dataclass(slots=True)
class Proxy:
    """One running proxy, and what it has done."""

    port: int
    upstream: int
    faults: Faults
    rng: Random
    dark: bool = False  # a black hole: nothing gets through, and no error appears
    passed: int = 0
    done: dict[str, int] = field(default_factory=lambda: {"lost": 0, "doubled": 0, "late": 0, "cut": 0})
    tasks: set[asyncio.Task[None]] = field(default_factory=set)

    async def relay(self, near: ServerConnection) -> None:
        """Carry messages both ways, as well as the network allows."""
        assert near.request is not None
        headers = {"Authorization": near.request.headers.get("Authorization", "")}
        url = f"ws://127.0.0.1:{self.upstream}{near.request.path}"
        try:
            far = await connect(
                url, additional_headers=headers, compression=None, ping_interval=None, proxy=None
            )
        except (InvalidHandshake, OSError):
            near.transport.abort()
            return
        pumps = [asyncio.create_task(self._pump(near, far)), asyncio.create_task(self._pump(far, near))]
        await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
        for pump in pumps:
            pump.cancel()
        await asyncio.gather(*pumps, return_exceptions=True)
        near.transport.abort()
        far.transport.abort()

    async def _pump(self, source: Line, sink: Line) -> None:
        with suppress(ConnectionClosed):
            async for message in source:
                self.passed += 1
                if self.dark:
                    continue
                match self._fault():
                    case "lost":
                        continue
                    case "doubled":
                        await sink.send(message)
                        await sink.send(message)
                    case "late":
                        task = asyncio.create_task(self._later(sink, message))
                        self.tasks.add(task)
                        task.add_done_callback(self.tasks.discard)
                    case "cut":
                        return
                    case _:
                        await sink.send(message)

    def _fault(self) -> str | None:
        at = self.rng.random()
        for name in self.done:
            at -= getattr(self.faults, name)
            if at < 0:
                self.done[name] += 1
                return name
        return None

    async def _later(self, sink: Line, message: Any) -> None:
        await asyncio.sleep(self.rng.random() * self.faults.longest)
        with suppress(ConnectionClosed):
            await sink.send(message)


@asynccontextmanager
async def faulty_network(upstream: int, faults: Faults, seed: int) -> AsyncIterator[Proxy]:
    """A proxy before a server of this machine."""
    proxy = Proxy(0, upstream, faults, Random(seed))
    async with serve(proxy.relay, "127.0.0.1", 0, compression=None, ping_interval=None) as server:
        proxy.port = next(iter(server.sockets)).getsockname()[1]
        yield proxy
        for task in list(proxy.tasks):
            task.cancel()
        await asyncio.gather(*proxy.tasks, return_exceptions=True)
