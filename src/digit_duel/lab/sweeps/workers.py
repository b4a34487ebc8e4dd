"""The workers of a sweep: processes on this machine, or a Dask cluster."""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import CancelledError, ProcessPoolExecutor, as_completed
from importlib import import_module
from multiprocessing import get_context
from typing import Any

from digit_duel.lab.sweeps.sweep import Row, Task, row_of

_PARTS, _MOST_TOGETHER = 64, 32  # parts that a sweep is sent to a cluster in, and rule sets in each at most


class NoCluster(ConnectionError):
    """The cluster cannot be reached, or was lost; the message says what to do."""


class Processes:
    """Processes on this machine."""

    def __init__(self, count: int) -> None:
        self.count = count

    def rows(self, tasks: Sequence[Task]) -> Iterable[tuple[int, Row]]:
        """Yield the row of each task, in the order in which they finish."""
        if self.count == 1 or len(tasks) < 2:
            yield from map(row_of, tasks)
            return
        pool = ProcessPoolExecutor(
            self.count, mp_context=get_context("spawn"), initializer=_end_with, initargs=(os.getpid(),)
        )
        with pool:
            try:
                for done in as_completed([pool.submit(row_of, task) for task in tasks]):
                    yield done.result()
            except BaseException:
                pool.shutdown(cancel_futures=True)
                raise


def _end_with(parent: int) -> None:
    """Exit when the parent process is gone, because a killed parent cannot stop its children."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


class Cluster:
    """A Dask cluster; its workers need this package."""

    def __init__(self, address: str, patience: float = 20) -> None:
        self.address = address
        self.patience = patience  # seconds to wait for the scheduler, and then for its first worker

    def rows(self, tasks: Sequence[Task]) -> Iterable[tuple[int, Row]]:
        """Yield the row of each task, in the order in which they finish; raises NoCluster."""
        try:
            distributed: Any = import_module("distributed")  # has no types
        except ImportError as missing:
            raise NoCluster("--cluster needs Dask: pip install 'digit-duel[cluster]'.") from missing
        again = "Run the same command again to continue where it stopped."
        try:
            client = distributed.Client(self.address, timeout=self.patience, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            raise NoCluster(
                f"no Dask scheduler answers at {self.address}. Start one: dask scheduler"
            ) from error
        try:
            self._wait_for_workers(client)
            futures = client.map(_rows_of, _parts(tasks), pure=False, retries=3)
            for done in distributed.as_completed(futures, loop=client.loop):
                yield from done.result()
        except NoCluster:
            raise
        except (OSError, TimeoutError, CancelledError, asyncio.CancelledError) as error:
            raise NoCluster(
                f"lost the connection to the Dask scheduler at {self.address}. {again}"
            ) from error
        finally:
            client.close(timeout=2)

    def _wait_for_workers(self, client: Any) -> None:
        try:
            client.wait_for_workers(1, timeout=self.patience)
        except TimeoutError as error:
            raise NoCluster(
                f"the Dask scheduler at {self.address} has no workers. Start one: dask worker {self.address}"
            ) from error


def _parts(tasks: Sequence[Task]) -> list[Sequence[Task]]:
    """Group tasks: a scheduler takes longer to hand out a small rule set than a worker takes to solve it."""
    size = min(max(len(tasks) // _PARTS, 1), _MOST_TOGETHER)
    return [tasks[at : at + size] for at in range(0, len(tasks), size)]


def _rows_of(tasks: Sequence[Task]) -> list[tuple[int, Row]]:
    return [row_of(task) for task in tasks]
