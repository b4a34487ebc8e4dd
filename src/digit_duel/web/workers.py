"""Several workers that share a port and a database, each with games of its own."""

from __future__ import annotations

import pickle
import socket
from collections.abc import Sequence
from multiprocessing.connection import wait
from typing import Any

import uvicorn
from uvicorn.config import STARTUP_FAILURE
from uvicorn.supervisors.multiprocess import Multiprocess, Process

from digit_duel.web.relay import Inbox, Relay, RelayedHttp, inboxes


class _Worker(uvicorn.Server):
    """A server that takes what other workers hand over."""

    def __init__(self, config: uvicorn.Config, relay: Relay) -> None:
        super().__init__(config)
        self._relay = relay

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        RelayedHttp.relay = self._relay
        await super().startup(sockets)
        self.lifespan.state["hub"].sees_all = self._relay.owns
        self._relay.start(self._adopt)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._relay.stop()
        await super().shutdown(sockets)

    def _adopt(self, request: bytes) -> RelayedHttp:
        protocol = RelayedHttp(self.config, self.server_state, self.lifespan.state)
        protocol.adopted = request
        return protocol


class _Process(Process):
    """A process that knows its worker's number."""

    def __init__(self, config: uvicorn.Config, sockets: Any, number: int, inboxes: Sequence[Inbox]) -> None:
        super().__init__(config, sockets)
        self._number, self._inboxes = number, inboxes

    @property
    def server(self) -> uvicorn.Server:
        """Made in the process itself."""
        if self._server is None:
            self._server = _Worker(self.config, Relay(self._number, self._inboxes))
        return self._server

    def _healthcheck(self, timeout: float) -> bool | None:
        # uvicorn would wait all that time for the answer of one that has died meanwhile.
        try:
            self.parent_conn.send(b"ping")
            if self.parent_conn in wait([self.parent_conn, self.process.sentinel], timeout):
                return bool(self.parent_conn.recv())
        except (OSError, EOFError, pickle.UnpicklingError):
            pass
        return None


class Workers(Multiprocess):
    """uvicorn's supervisor, with processes that are numbered: the number says which games are theirs."""

    def __init__(self, config: uvicorn.Config, sockets: list[socket.socket]) -> None:
        super().__init__(config, sockets)
        self._inboxes = inboxes(self.processes_num)

    def init_processes(self) -> None:
        """Start all."""
        self.processes = [self._started(number) for number in range(self.processes_num)]

    def keep_subprocess_alive(self) -> None:
        """Replace who died or hangs; stop if there is no point in it."""
        for number, process in enumerate(self.processes):
            if self.should_exit.is_set() or process.is_alive(self.config.timeout_worker_healthcheck):
                continue
            process.kill()
            process.join()
            if process.exitcode == STARTUP_FAILURE:
                self.should_exit.set()
            else:
                self.processes[number] = self._started(number)

    def restart_all(self) -> None:
        """Replace one after the other; the old one stays if the new one does not start."""
        for number, old in enumerate(self.processes):
            new = self._started(number)
            if not new.wait_until_ready(self.config.timeout_worker_healthcheck, self.should_exit):
                new.kill()
                new.join()
                return
            old.terminate()
            old.join()
            self.processes[number] = new

    def handle_ttin(self) -> None:
        """There are as many as there were at the start, for the games are divided among them."""

    handle_ttou = handle_ttin

    def _started(self, number: int) -> Process:
        process = _Process(self.config, self.sockets, number, self._inboxes)
        process.start()
        return process
