"""Running the server: one process on uvicorn, with time and size limits from its options."""

from __future__ import annotations

import asyncio
import signal
import socket
from types import FrameType

import uvicorn

from digit_duel.web.app import build
from digit_duel.web.http.request_size import LARGEST_HEAD
from digit_duel.web.server_key import server_key
from digit_duel.web.settings import Settings
from digit_duel.web.store.opening import open_store

_UNREAD_TIMEOUT = 20  # seconds until the system drops a connection whose peer does not read
_KEEP_ALIVE = 15  # seconds that an idle HTTP connection stays open


class CannotServe(Exception):
    """A sentence that says why the server cannot start."""


def listen(host: str, port: int) -> socket.socket:
    """The open port, or CannotServe."""
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
    listener.listen(2048)
    return listener


def address(listener: socket.socket, settings: Settings) -> str:
    """Where people find the server."""
    if settings.public_url is not None:
        return settings.public_url
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def serve(settings: Settings, listener: socket.socket) -> None:
    """Serve until a signal comes."""
    asyncio.run(_prepare(settings))
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _end)
    config = uvicorn.Config(
        build(settings),
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
    uvicorn.Server(config).run([listener])


async def _prepare(settings: Settings) -> None:
    """Make the key and migrate the database, so that what is wrong with them is said in one sentence."""
    server_key(settings)
    try:
        store = open_store(settings.database)
    except ValueError as wrong:
        raise CannotServe(str(wrong)) from None
    try:
        await store.start()
    finally:
        await store.stop()


def _end(number: int, frame: FrameType | None) -> None:
    """Do nothing: uvicorn raises the signal again after a clean shutdown, which is no failure."""
