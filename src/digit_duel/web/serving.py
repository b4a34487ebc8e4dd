"""Runs the server: one uvicorn process, with time and size limits set through uvicorn's options.

The process exits with code 0 only if a signal stopped it.
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
from digit_duel.web.http.limits.descriptors import raise_descriptor_limit
from digit_duel.web.http.limits.request_size import LARGEST_HEAD
from digit_duel.web.logs import log, log_everything
from digit_duel.web.preparing import CannotServe as CannotServe
from digit_duel.web.preparing import prepare
from digit_duel.web.settings import Settings
from digit_duel.web.systemd import notify

_UNREAD_TIMEOUT = 20  # seconds until the kernel drops a connection whose peer does not read
_BACKLOG = 2048  # connections waiting to be accepted
_SEND_BUFFER = 65_536  # bytes that the kernel buffers for a client that does not read; Linux doubles it
_KEEP_ALIVE = 15  # seconds that an idle HTTP connection stays open


def listen(host: str, port: int) -> socket.socket:
    """Bind the port, or raise CannotServe; it opens when the server is ready, so that a proxy waits."""
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
    """The URL to show to people."""
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
        """Exit at once before serving starts; afterwards uvicorn shuts down and raises the signal again."""
        self.asked = True
        if not self._serving:
            raise SystemExit(0)

    def serving(self) -> None:
        """Leave signals to uvicorn from now on."""
        self._serving = True


class _Server(uvicorn.Server):
    """Tells systemd when the port is open, and fails if another process has opened it."""

    def __init__(self, config: uvicorn.Config, stop: _Stop) -> None:
        super().__init__(config)
        self._stop = stop

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Record the signal: uvicorn does not raise it again if the application has not started yet."""
        self._stop.asked = True
        super().handle_exit(sig, frame)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if not all(map(_is_open, sockets or ())):
            await self.lifespan.shutdown()
            raise OSError(errno.EADDRINUSE, os.strerror(errno.EADDRINUSE))
        notify("READY=1")


def _is_open(listener: socket.socket) -> bool:
    """Whether the port is open: two servers can bind it, one can listen, and uvloop hides the error."""
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
        access_log=False,  # clients' addresses are not logged
        server_header=False,
        proxy_headers=False,  # the trusted_proxies setting governs X-Forwarded-For
        h11_max_incomplete_event_size=LARGEST_HEAD,
        ws_max_size=settings.largest_body,
        ws_per_message_deflate=False,  # a compressed view's length could reveal hidden digits
        ws_ping_interval=settings.heartbeat,
        ws_ping_timeout=settings.heartbeat,
        timeout_keep_alive=_KEEP_ALIVE,
        timeout_graceful_shutdown=max(1, round(settings.drain)),
    )
    try:
        with asyncio.Runner(loop_factory=partial(ServerLoop, settings.bytes_at_once)) as runner:
            runner.run(_Server(config, stop).serve([listener]))
    except SystemExit:
        if not stop.asked:
            raise CannotServe("the server could not start; the log lines above say why.") from None
    except OSError as wrong:
        raise CannotServe(f"cannot open the port: {wrong.strerror}.") from None
    if not stop.asked:
        raise CannotServe("the server stopped unexpectedly; the log lines above may say why.")
