"""Each game has a worker of its own: another that is asked about it hands the connection over.

What depends on it is speed, and that everybody at a game is seen to be there. Any worker can serve any game
from its log, and does so where a connection cannot be handed over.
"""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any
from urllib.parse import unquote_to_bytes
from zlib import crc32

import httptools

from digit_duel.web.doors import BoundedHttp

_GAME = re.compile(rb"/api/games/([A-Za-z0-9_-]{1,40})(?:/|$)")
_LARGEST = 64_000  # bytes of a request that are handed over with its connection
_AGAIN, _PATIENCE = 0.01, 15.0  # seconds between attempts to hand over, and until it is answered here instead
Inbox = tuple[socket.socket, socket.socket]  # where its worker reads, and where all others write


def inboxes(workers: int) -> list[Inbox]:
    """One for each worker; what lies in it outlives the worker, and waits for the next one."""
    made = [socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET) for _ in range(workers)]
    for pair in made:
        for end in pair:
            end.setblocking(False)
    return made


class Relay:
    """One worker's part in it."""

    def __init__(self, number: int, inboxes: Sequence[Inbox]) -> None:
        self._number, self._inboxes = number, inboxes
        self._tasks: set[asyncio.Task[Any]] = set()

    def start(self, adopt: Callable[[bytes], asyncio.Protocol]) -> None:
        """Take what is handed over; adopt makes a protocol that begins with a request."""
        asyncio.get_running_loop().add_reader(self._inboxes[self._number][0], self._arrived, adopt)

    def stop(self) -> None:
        """Take nothing more."""
        asyncio.get_running_loop().remove_reader(self._inboxes[self._number][0])

    def elsewhere(self, address: bytes) -> int | None:
        """The worker whose game a request is about, if that is another one."""
        try:
            path = httptools.parse_url(address).path or b""  # of "http://host/path", too
        except httptools.HttpParserInvalidURLError:
            return None
        found = _GAME.match(unquote_to_bytes(path))
        owner = self._number if found is None else self._owner(found[1])
        return None if owner == self._number else owner

    def owns(self, game: str) -> bool:
        """Whether all who are at a game ought to be here."""
        return self._owner(game.encode()) == self._number

    def _owner(self, game: bytes) -> int:
        return crc32(game) % len(self._inboxes)

    def hand_over(self, worker: int, connection: int, request: bytes) -> bool:
        """Give a connection away, with the request that came over it; whether that could be done."""
        if len(request) > _LARGEST:
            return False
        try:
            socket.send_fds(self._inboxes[worker][1], [request], [connection])
        except OSError:  # too much lies there already
            return False
        return True

    def _arrived(self, adopt: Callable[[bytes], asyncio.Protocol]) -> None:
        with suppress(BlockingIOError):
            while True:
                request, found, _, _ = socket.recv_fds(self._inboxes[self._number][0], _LARGEST, 1)
                for line in found:  # none if this process has no room for it: the line is closed then
                    self._adopt(request, socket.socket(fileno=line), adopt)

    def _adopt(self, request: bytes, line: socket.socket, adopt: Callable[[bytes], asyncio.Protocol]) -> None:
        loop = asyncio.get_running_loop()
        line.setblocking(False)
        task = loop.create_task(loop.connect_accepted_socket(lambda: adopt(request), line))
        self._tasks.add(task)
        task.add_done_callback(self._adopted)

    def _adopted(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # that of a line which broke meanwhile


class RelayedHttp(BoundedHttp):
    """The protocol of a worker among several."""

    relay: Relay  # set once in each process
    adopted = b""  # the request that came with the connection
    _request: bytes | None = b""  # as far as it has come; None if it stays here, or did not come alone
    _whole = True  # the last request has come to its end
    _owner: int | None = None  # the worker that the present request is for

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        super().connection_made(transport)
        if self.adopted:
            self._take(self.adopted, stay=True)

    def data_received(self, data: bytes) -> None:
        self._take(data)

    def _take(self, data: bytes, stay: bool = False) -> None:
        if self._whole:
            self._request = b""
        self._request = None if stay or self._request is None else self._request + data
        super().data_received(data)
        if self._owner is not None:
            self._leave(self._owner, self.loop.time() + _PATIENCE)

    def on_message_begin(self) -> None:
        if not self._whole:
            self._request = None  # the next one is in the same piece: what belongs to whom is not known
        self._whole = False
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        if self.deaf:
            return  # the next one in the same piece goes with the one before
        busy = self.cycle is not None and not self.cycle.response_complete
        busy = busy or self.transport.get_write_buffer_size() > 0  # an answer that must leave first
        if self._request is not None and not busy:
            self._owner = self.relay.elsewhere(self.url)
        if self._owner is None:
            self._request = None
            super().on_headers_complete()
        else:
            self.deaf = True

    def on_message_complete(self) -> None:
        self._whole = True
        super().on_message_complete()

    def _leave(self, owner: int, until: float) -> None:
        """Hand the connection over; where that cannot be, begin again with the request, to answer it here."""
        if self.transport.is_closing():
            return  # what came behind the request made no sense, or nobody is there any more
        request = self._request or b""
        if self.relay.hand_over(owner, self.transport.get_extra_info("socket").fileno(), request):
            self.transport.pause_reading()
            self.transport.abort()  # this end of it; the other worker has its own
            return
        if len(request) <= _LARGEST and self.loop.time() < until:  # it has much to do: that takes a moment
            self.transport.pause_reading()
            self.loop.call_later(_AGAIN, self._leave, owner, until)
            return
        self._owner, self.deaf, self._whole = None, False, True
        self.parser = httptools.HttpRequestParser(self)
        self.parser.set_dangerous_leniencies(lenient_data_after_close=True)  # as uvicorn has it
        self.transport.resume_reading()
        self._take(request, stay=True)
