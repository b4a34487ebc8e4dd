"""Running the server: one process, or several workers that share a port and a database."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import sys
from dataclasses import asdict, dataclass
from types import FrameType
from typing import Any

from digit_duel.web.app import SETTINGS, build
from digit_duel.web.server_key import server_key
from digit_duel.web.settings import Settings
from digit_duel.web.store.opening import open_store

SLOWEST = 20  # seconds that a reader may leave what was sent to it
PATIENCE = 60  # seconds without a sign of life, after which a worker is replaced


class CannotServe(Exception):
    """A sentence that says why the server cannot start."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where the server listens."""

    host: str
    port: int
    workers: int = 1


def listen(place: Place) -> socket.socket:
    """The open port, or CannotServe."""
    family = socket.AF_INET6 if ":" in place.host else socket.AF_INET
    door = socket.socket(family, socket.SOCK_STREAM)
    door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        door.bind((place.host, place.port))
    except OSError as wrong:
        door.close()
        raise CannotServe(f"cannot listen at {place.host}, port {place.port}: {wrong.strerror}.") from None
    if hasattr(socket, "TCP_USER_TIMEOUT"):  # Linux; who does not read what was sent is cut off
        door.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 1000 * SLOWEST)
    door.listen(2048)
    door.set_inheritable(True)
    return door


def address(door: socket.socket, settings: Settings) -> str:
    """Where people find the server."""
    if settings.public_url is not None:
        return settings.public_url
    host, port = door.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def serve(place: Place, settings: Settings, door: socket.socket) -> None:
    """Serve until a signal comes."""
    import uvicorn

    from digit_duel.web.doors import BoundedHttp, BoundedSocket

    asyncio.run(_opened(settings))
    bounds: dict[str, Any] = {
        "http": BoundedHttp,
        "ws": BoundedSocket,
        "log_config": None,
        "access_log": False,  # addresses are people's own business
        "server_header": False,
        "proxy_headers": False,
        "ws_max_size": settings.largest_body,
        "ws_max_queue": 16,
        "ws_per_message_deflate": False,  # what is compressed together can be told apart
        "ws_ping_interval": settings.heartbeat,
        "ws_ping_timeout": settings.heartbeat,
        "timeout_keep_alive": 15,
        "timeout_graceful_shutdown": max(1, round(settings.drain)),
        "timeout_worker_healthcheck": PATIENCE,
        "lifespan": "on",
    }
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _heard)
    if place.workers > 1 and sys.platform != "linux":
        raise CannotServe("several workers need Linux; one worker runs everywhere.")
    if place.workers == 1:
        uvicorn.Server(uvicorn.Config(build(settings), **bounds)).run([door])
        return
    from digit_duel.web.relay import RelayedHttp
    from digit_duel.web.workers import Workers

    os.environ[SETTINGS] = json.dumps(asdict(settings))
    bounds["http"] = RelayedHttp
    config = uvicorn.Config("digit_duel.web.app:app", factory=True, workers=place.workers, **bounds)
    Workers(config, sockets=[door]).run()


async def _opened(settings: Settings) -> None:
    """Make the key and bring the database forward once, and say here what is wrong, not in each worker."""
    server_key(settings)
    try:
        store = open_store(settings.database)
    except ValueError as wrong:
        raise CannotServe(str(wrong)) from None
    try:
        await store.start()
    finally:
        await store.stop()


def _heard(number: int, frame: FrameType | None) -> None:
    """To end when one is asked to is no failure: uvicorn sends itself the signal again when all is done."""
