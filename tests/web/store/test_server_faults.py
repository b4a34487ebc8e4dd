"""A PostgreSQL server that restarts, and replies that get lost (SAFETY F10 and F11)."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest
from tests.web.postgres import Postgres
from tests.web.store import workers
from tests.web.store.samples import event, open_game, opened, with_store

from digit_duel.web.store import Store, Unavailable, sql_store, writer


@pytest.fixture(scope="module")
def own_server() -> Iterator[Postgres]:
    """A server that a test may stop."""
    server = Postgres(fsync=True)
    yield server
    server.remove()


@pytest.mark.slow
def test_killing_postgres_under_load_loses_nothing(own_server: Postgres, tmp_path: Path) -> None:
    """F10."""
    address, journal = own_server.create_database(), tmp_path / "journal"
    with_store(address, lambda store: store.versions([]))
    processes = [workers.start(address, journal, name, 6, 1_000_000) for name in ("one", "other")]
    before = 0
    for _ in range(2):
        _until(lambda before=before: len(workers.told(journal)) > before + 20)  # type: ignore[misc]
        own_server.stop("immediate")
        own_server.start()
        before = len(workers.told(journal))
    _until(lambda: len(workers.told(journal)) > before + 20)  # they found back by themselves
    for process in processes:
        assert process.exitcode is None
        process.kill()
        process.join(20)
    with_store(address, lambda store: workers.check(store, journal, 6))


def _until(holds: Callable[[], bool]) -> None:
    wait = threading.Event()
    for _ in range(6000):
        if holds():
            return
        wait.wait(0.02)
    raise AssertionError("it did not happen within two minutes")


def test_a_restart_between_two_moves_is_not_noticed(own_server: Postgres) -> None:
    async def scenario(store: Store) -> None:
        heard: list[tuple[str, int]] = []
        store.listen(lambda game, version: heard.append((game, version)))
        await open_game(store, "g")
        assert await store.versions(["g"]) == {"g": 1}
        await asyncio.to_thread(own_server.stop, "immediate")
        await asyncio.to_thread(own_server.start)
        await store.append("g", event(2))
        assert [one.version for one in await store.log("g")] == [1, 2]
        async with opened(address) as other, asyncio.timeout(60):
            version = 2
            while not heard:  # it listens again, too, soon
                version += 1
                await other.append("g", event(version))
                await asyncio.sleep(0.05)

    address = own_server.create_database()
    with_store(address, scenario)


def test_a_server_that_is_down_is_unavailable_and_then_back(
    own_server: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sql_store, "WRITE_TIMEOUT", 60.0)  # a busy machine may start it slowly
    monkeypatch.setattr(writer, "ANSWER_TIMEOUT", 60.0)

    async def scenario(store: Store) -> None:
        await open_game(store, "g")
        await asyncio.to_thread(own_server.stop, "fast")
        with pytest.raises(Unavailable):
            await store.log("g")
        waiting = asyncio.create_task(store.append("g", event(2)))
        await asyncio.sleep(0.3)
        assert not waiting.done()  # a restart may take a moment
        await asyncio.to_thread(own_server.start)
        await waiting
        assert [one.version for one in await store.log("g")] == [1, 2]

    with_store(own_server.create_database(), scenario)


class Proxy:
    """Stands between a store and its server, and loses what is wanted when the next COMMIT comes by."""

    def __init__(self, port: int) -> None:
        self._port = port
        self.fault = (
            ""  # "lost": never reaches the server; "unheard": no reply; "late": reaches it a second later
        )
        self.faults = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there_reader, there_writer = await asyncio.open_connection("127.0.0.1", self._port)
        back = asyncio.create_task(self._pass_on(there_reader, writer))
        with suppress(ConnectionError):
            while data := await reader.read(65536):
                if b"COMMIT" in data and self.fault:
                    fault, self.fault = self.fault, ""
                    self.faults += 1
                    back.cancel()
                    await asyncio.gather(back, return_exceptions=True)
                    writer.transport.abort()
                    if fault == "late":
                        await asyncio.sleep(1)
                    if fault != "lost":
                        there_writer.write(data)
                        with suppress(TimeoutError):  # it is done then, and not told if no Sync went along
                            await asyncio.wait_for(there_reader.read(1), 0.3)
                    break
                there_writer.write(data)
                await there_writer.drain()
        back.cancel()
        await asyncio.gather(back, return_exceptions=True)
        for end in (there_writer, writer):
            end.transport.abort()

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            while data := await reader.read(65536):
                writer.write(data)
                await writer.drain()
        writer.close()


@asynccontextmanager
async def behind_proxy(address: str, port: int) -> AsyncIterator[tuple[Store, Proxy]]:
    proxy = Proxy(port)
    tasks: list[asyncio.Task[None]] = []
    server = await asyncio.start_server(
        lambda reader, writer: tasks.append(asyncio.create_task(proxy.serve(reader, writer))), "127.0.0.1", 0
    )
    own_port = server.sockets[0].getsockname()[1]
    database = urlsplit(address).path.lstrip("/")
    plain = "sslmode=disable&gssencmode=disable"
    async with opened(f"postgresql://duel@127.0.0.1:{own_port}/{database}?{plain}") as store:
        yield store, proxy
    server.close()
    async with asyncio.timeout(60):
        await asyncio.gather(*tasks)
    await asyncio.sleep(0.01)  # the sockets are closed one turn of the loop later


@pytest.mark.parametrize("fault", ["unheard", "late"])
def test_a_commit_whose_reply_is_lost_is_reread_and_acknowledged(
    new_database: Callable[[], str], postgres: Postgres, fault: str
) -> None:
    """F11."""
    address = new_database()

    async def scenario() -> None:
        async with behind_proxy(address, postgres.port) as (store, proxy):
            await open_game(store, "g")
            await open_game(store, "h")
            for version in (2, 3, 4):
                proxy.fault = fault
                await asyncio.gather(
                    store.append("g", event(version, 0, f"c{version}")),
                    store.append("h", event(version, 0, f"c{version}")),
                )
            assert proxy.faults == 3
            for game in ("g", "h"):
                assert (await store.log(game))[1:] == [event(v, 0, f"c{v}") for v in (2, 3, 4)]

    asyncio.run(scenario())


def test_a_commit_that_never_arrives_is_unavailable_and_can_be_tried_again(
    new_database: Callable[[], str], postgres: Postgres
) -> None:
    address = new_database()

    async def scenario() -> None:
        async with behind_proxy(address, postgres.port) as (store, proxy):
            await open_game(store, "g")
            for version in (2, 3, 4):
                proxy.fault = "lost"
                with pytest.raises(Unavailable):
                    await store.append("g", event(version, 0, f"c{version}"))
                assert await store.versions(["g"]) == {"g": version - 1}
                await store.append("g", event(version, 0, f"c{version}"))
            assert proxy.faults == 3

    asyncio.run(scenario())


def test_a_session_whose_insertion_is_not_confirmed_is_unavailable(
    new_database: Callable[[], str], postgres: Postgres
) -> None:
    address = new_database()

    async def scenario() -> None:
        async with behind_proxy(address, postgres.port) as (store, proxy):
            proxy.fault = "unheard"
            with pytest.raises(Unavailable):  # nothing tells whether it is there, so nobody may rely on it
                await store.add_session("token", "anna", 0)
            await store.add_session("another", "anna", 0)

    asyncio.run(scenario())


def test_backends_that_are_ended_by_an_administrator_are_replaced(new_database: Callable[[], str]) -> None:
    address = new_database()

    async def scenario(store: Store) -> None:
        await open_game(store, "g")
        for version in range(2, 8):
            with psycopg.connect(address, autocommit=True) as connection:
                connection.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                    "WHERE datname = current_database() AND pid <> pg_backend_pid()"
                )
            await store.append("g", event(version))
            assert len(await store.log("g")) == version

    with_store(address, scenario)
