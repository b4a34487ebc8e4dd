"""Running the server: one process on uvicorn, with time and size limits from its options.

The process ends with code 0 only if a signal asked it to end.
"""

from __future__ import annotations

import asyncio
import errno
import os
import signal
import socket
from functools import partial
from types import FrameType

import uvicorn

from digit_duel.web.app import build
from digit_duel.web.event_loop import ServerLoop
from digit_duel.web.http.limits.connections import raise_descriptor_limit
from digit_duel.web.http.limits.request_size import LARGEST_HEAD
from digit_duel.web.logs import log, log_everything
from digit_duel.web.preparing import CannotServe as CannotServe
from digit_duel.web.preparing import prepare
from digit_duel.web.settings import Settings
from digit_duel.web.systemd import notify

_UNREAD_TIMEOUT = 20  # seconds until the system drops a connection whose peer does not read
_BACKLOG = 2048  # connections that wait to be accepted
_SEND_BUFFER = 65_536  # bytes that the system keeps of what a client does not read; Linux takes twice as much
_KEEP_ALIVE = 15  # seconds that an idle HTTP connection stays open


def listen(host: str, port: int) -> socket.socket:
    """The port, or CannotServe; it is opened when the server is ready, so that a proxy asks others first."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError as wrong:
        listener.close()
        raise CannotServe(f"cannot listen at {host}, port {port}: {wrong.strerror}.") from None
    if hasattr(socket, "TCP_USER_TIMEOUT"):  # Linux; connections inherit it
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 1000 * _UNREAD_TIMEOUT)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _SEND_BUFFER)
    return listener


def address(listener: socket.socket, settings: Settings) -> str:
    """Where people find the server."""
    if settings.public_url is not None:
        return settings.public_url
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


class _Stop:
    """The handler of SIGTERM and SIGINT."""

    def __init__(self) -> None:
        self.asked = False
        self._serving = False

    def __call__(self, number: int, frame: FrameType | None) -> None:
        """End at once while nothing is served; later uvicorn ends by itself, and raises the signal again."""
        self.asked = True
        if not self._serving:
            raise SystemExit(0)

    def serving(self) -> None:
        """Say that uvicorn takes the signals from now on."""
        self._serving = True


class _Server(uvicorn.Server):
    """Tells systemd when the port is open, and ends if somebody else has opened it."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if not all(map(_is_open, sockets or ())):
            await self.lifespan.shutdown()
            raise OSError(errno.EADDRINUSE, os.strerror(errno.EADDRINUSE))
        notify("READY=1")


def _is_open(listener: socket.socket) -> bool:
    """Whether a port is open: two servers can bind one at once, and uvloop hides that only one opened it."""
    try:
        return listener.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN) != 0
    except OSError:  # uvloop has closed it
        return False


def serve(settings: Settings, listener: socket.socket) -> None:
    """Serve until a signal comes, or raise CannotServe."""
    log_everything()
    log.info("limits", descriptors=raise_descriptor_limit())
    stop = _Stop()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, stop)
    prepare(settings)
    stop.serving()
    config = uvicorn.Config(
        build(settings),
        backlog=_BACKLOG,
        http="h11",
        ws="websockets-sansio",
        lifespan="on",
        log_config=None,
        access_log=False,  # addresses of people are not logged
        server_header=False,
        proxy_headers=False,  # X-Forwarded-For is read by our own rule, trusted_proxies
        h11_max_incomplete_event_size=LARGEST_HEAD,
        ws_max_size=settings.largest_body,
        ws_per_message_deflate=False,  # the length of a compressed view could tell what is hidden in it
        ws_ping_interval=settings.heartbeat,
        ws_ping_timeout=settings.heartbeat,
        timeout_keep_alive=_KEEP_ALIVE,
        timeout_graceful_shutdown=max(1, round(settings.drain)),
    )
    try:
        with asyncio.Runner(loop_factory=partial(ServerLoop, settings.bytes_at_once)) as runner:
            runner.run(_Server(config).serve([listener]))
    except SystemExit:
        raise CannotServe("the server could not start; the lines before this one say why.") from None
    except OSError as wrong:
        raise CannotServe(f"cannot open the port: {wrong.strerror}.") from None
    if not stop.asked:
        raise CannotServe("the server ended without being asked to.")
