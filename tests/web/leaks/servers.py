"""A server in memory with its own key; the tests control its time, randomness and other outside input."""

from __future__ import annotations

import logging
import re
import traceback
from asyncio import get_running_loop
from base64 import urlsafe_b64encode
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from io import StringIO
from random import Random
from typing import Any
from unittest.mock import patch

import structlog
from tests.web.leaks.memory import Memory
from tests.web.leaks.wire import settle
from tests.web.server import GENEROUS

from digit_duel.core.game import Seat
from digit_duel.core.session import Dealer
from digit_duel.web import app, logs
from digit_duel.web.http import sessions
from digit_duel.web.play import fold, game_service, live_game, lobby
from digit_duel.web.play.connected import presence
from digit_duel.web.play.fair_deals.deals import sealed_dealer, server_seed
from digit_duel.web.settings import Settings

_TIMESTAMP = re.compile(r'"timestamp": "[^"]*"')
_SECRET = 24  # bytes of an invitation's secret; ids are shorter, and tokens longer


class Fate:
    """Controls time, randomness and the cards of a server."""

    def __init__(self) -> None:
        self.now = 0.0
        self.shared, self.private = Random(0), Random(0)
        self.deals: dict[str, Sequence[str]] = {}  # the moves of a world, draws included, by its seed

    def begin(self, shared: str, private: str) -> None:
        """Start one world of one story."""
        self.now = 0.0
        self.shared, self.private = Random(shared), Random(private)
        self.deals.clear()

    def monotonic(self) -> float:
        return self.now

    def time(self) -> float:
        return 1_800_000_000 + self.now

    def token_urlsafe(self, size: int) -> str:
        """Ids are the same in all worlds; the secret of somebody's invitation is not."""
        rng = self.private if size == _SECRET else self.shared
        return urlsafe_b64encode(rng.randbytes(size)).rstrip(b"=").decode()

    def choice(self, options: Sequence[Any]) -> Any:
        return self.shared.choice(options)

    def dealer(self, seed: str, seats: tuple[str, str]) -> Dealer:
        """The dealer of the world with this seed."""
        tokens = self.deals.get(seed)
        if tokens is None:
            return sealed_dealer(seed, seats)

        def deal(draws: Sequence[tuple[Any, int]], ply: int) -> Any:
            wanted = {f"d{move.digit}": move for move, _ in draws}
            return wanted[tokens[ply]] if ply < len(tokens) else draws[0][0]

        return deal

    @contextmanager
    def rules(self) -> Iterator[None]:
        """Make all servers take their outside input from here."""
        with (
            patch.object(fold, "sealed_dealer", self.dealer),
            patch.object(live_game, "monotonic", self.monotonic),
            patch.object(game_service, "monotonic", self.monotonic),
            patch.object(game_service, "time", self.time),
            patch.object(presence, "time", self.time),
            patch.object(lobby, "time", self.time),
            patch.object(sessions, "time", self.time),
            patch.object(lobby, "secrets", self),
            patch.object(sessions, "secrets", self),
        ):
            yield


class _Keys:
    """One key that is in no file."""

    def __init__(self, key: bytes) -> None:
        self.newest = key

    def of(self, game: str, seal: str) -> bytes:
        """The key of every game."""
        return self.newest


class _Printed(structlog.PrintLogger):
    """Writes down all that the program logs."""

    def msg(self, message: object, extra: object = None) -> None:
        """Write one line."""
        super().msg(str(message))

    debug = info = warning = error = critical = msg


class Server:
    """One server, used for one story after the other."""

    def __init__(self, fate: Fate) -> None:
        self.fate, self.store = fate, Memory()
        with (
            patch.object(app, "open_store", lambda url: self.store),
            patch.object(app, "ServerKeys", lambda path: _Keys(bytes(32))),
        ):
            self.app = app.build(
                Settings(database="in memory", **GENEROUS, heartbeat=3600.0)
            )  # no heartbeats
        inner: Any = self.app._app
        self.services = inner.state.services
        self.game_service = self.services.game_service
        self.game_service.computer.choose = self._chosen
        self.services.analyst._analysis_process.ask = (
            _asked  # what it is given tells what it could say, and sooner
        )
        self._log = StringIO()

    def clean(self, key: bytes) -> None:
        """Start again as a new server with another key."""
        self.store.clear()
        self.game_service._games.clear()
        self.game_service.counts.clear()
        self.services.analyst._known.clear()
        self.game_service.keys = _Keys(key)
        self._log.seek(0)
        self._log.truncate()

    async def end(self) -> None:
        """Cancel what is still running."""
        for task in list(self.game_service.tasks.running):
            task.cancel()
        await settle()

    async def close(self) -> None:
        """Shut the server down."""
        await self.game_service.stop()
        self.services.analyst.stop()

    async def _chosen(self, online_game: Any, seat: Seat) -> str:
        """The computer's move in this world; at the end of the story it thinks for ever."""
        tokens, ply = (
            self.fate.deals[server_seed(self.game_service.keys.newest, online_game.id)],
            len(online_game.session.steps),
        )
        if ply >= len(tokens):
            await get_running_loop().create_future()
        return tokens[ply]

    # What an operator can read.

    @property
    def log(self) -> bytes:
        """All of it, without the times."""
        return _TIMESTAMP.sub('"timestamp": ""', self._log.getvalue()).encode()

    @contextmanager
    def heard(self) -> Iterator[None]:
        """Record whatever is logged or printed."""
        ours, before = logging.StreamHandler(self._log), logs.log._logger
        logging.getLogger().addHandler(ours)
        logs.log._logger = _Printed(self._log)
        try:
            with redirect_stdout(self._log), redirect_stderr(self._log):
                yield
        finally:
            logs.log._logger = before
            logging.getLogger().removeHandler(ours)

    def complain(self, wrong: BaseException) -> None:
        """Print an exception with its message, as a web server does with one that reaches it."""
        traceback.print_exception(wrong, file=self._log)


def _asked(what: str, *known: Any) -> dict[str, Any]:
    return {"asked": f"{what} {known!r}"}
