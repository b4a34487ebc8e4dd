"""The workers of a sweep: processes on this machine, or a Dask cluster."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import threading
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import CancelledError, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from importlib import import_module
from multiprocessing import get_context
from typing import Any

from digit_duel import __version__
from digit_duel.lab.sweeps.sweep import Row, Task, row_of

_PARTS, _MOST_TOGETHER = 64, 32  # parts that a sweep is sent to a cluster in, and rule sets in each at most


_AGAIN = "Run the same command again to continue where it stopped."


class NoWorkers(Exception):
    """The workers cannot be reached or used, or were lost; the message says what to do."""


class Processes:
    """Processes on this machine."""

    def __init__(self, count: int) -> None:
        self.count = count

    def rows(self, tasks: Sequence[Task]) -> Iterable[tuple[int, Row]]:
        """Yield the row of each task, in the order in which they finish; raises NoWorkers."""
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
            except BrokenProcessPool as broken:
                raise NoWorkers(
                    f"a worker process was killed, perhaps because memory ran out. {_AGAIN} Fewer --processes"
                    " need less memory."
                ) from broken
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
        """Yield the row of each task, in the order in which they finish; raises NoWorkers."""
        try:
            distributed: Any = import_module("distributed")  # has no types
        except ImportError as missing:
            raise NoWorkers("--cluster needs Dask: pip install 'digit-duel[cluster]'.") from missing
        # It logs every failure with a traceback; what matters is raised here.
        logging.getLogger("distributed.client").setLevel(logging.CRITICAL)
        client = self._client(distributed)
        if client is None:
            raise NoWorkers(f"no Dask scheduler answers at {self.address}. Start one: dask scheduler")
        try:
            self._wait_for_workers(client)
            self._check_versions(client)
            futures = client.map(_rows_of, _parts(tasks), pure=False, retries=3)
            for done in distributed.as_completed(futures, loop=client.loop):
                yield from done.result()
        except distributed.KilledWorker as killed:
            raise NoWorkers(
                "several workers of the cluster died on the same rule sets, perhaps because memory ran out."
                f" {_AGAIN}"
            ) from killed
        except (OSError, TimeoutError, CancelledError, asyncio.CancelledError) as error:
            raise NoWorkers(
                f"lost the connection to the Dask scheduler at {self.address}. {_AGAIN}"
            ) from error
        finally:
            client.close(timeout=2)

    def _client(self, distributed: Any) -> Any:
        """Connect to the scheduler; None if it does not answer."""
        with suppress(OSError, ValueError, TimeoutError):
            return distributed.Client(self.address, timeout=self.patience, set_as_default=False)
        gc.collect()  # collects the unfinished client while its event loop runs; at exit it would hang
        return None

    def _wait_for_workers(self, client: Any) -> None:
        try:
            client.wait_for_workers(1, timeout=self.patience)
        except TimeoutError as error:
            raise NoWorkers(
                f"the Dask scheduler at {self.address} has no workers. Start one: dask worker {self.address}"
            ) from error

    def _check_versions(self, client: Any) -> None:
        """Raise NoWorkers unless the scheduler and its workers have this version of the package."""
        told = client.get_versions(packages=["digit_duel"])
        for place in (told["scheduler"], *told["workers"].values()):
            found = place["packages"]["digit_duel"]
            if found != __version__:
                raise NoWorkers(
                    f"the Dask scheduler and its workers need digit-duel {__version__}; one of them has"
                    f" {found or 'none'}. Install it there."
                )


def _parts(tasks: Sequence[Task]) -> list[Sequence[Task]]:
    """Group tasks: a scheduler takes longer to hand out a small rule set than a worker takes to solve it."""
    size = min(max(len(tasks) // _PARTS, 1), _MOST_TOGETHER)
    return [tasks[at : at + size] for at in range(0, len(tasks), size)]


def _rows_of(tasks: Sequence[Task]) -> list[tuple[int, Row]]:
    return [row_of(task) for task in tasks]
