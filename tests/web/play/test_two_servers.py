"""Several servers, one database, SQLite and PostgreSQL: SAFETY A6, A7, B3, B5, F12 and F13.

Each server is a server of its own with a port of its own, so that a test decides which of them is asked.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from random import Random
from threading import Barrier
from typing import Any

import psycopg
import pytest
from tests.web.checker import Acked, Replica, check, read_log
from tests.web.client import Client, Reply, bearer, ending
from tests.web.postgres import Postgres
from tests.web.raw import RawSocket
from tests.web.server import Server, running_server, until

from digit_duel.web.settings import Settings

CLAIM_AFTER = 1.0  # seconds

STORES = ["sqlite", "postgres"]


@dataclass(slots=True)
class TwoServers:
    """Two servers, and two people with a connection to each of them."""

    servers: tuple[Server, Server]
    anna: tuple[Client, Client]
    ben: tuple[Client, Client]
    database: str

    def seated(self, variant: str, **more: Any) -> str:
        """A game that was opened at one server and joined at the other."""
        opened = self.anna[0].open(variant, **more)
        self.anna[1].join(opened.game, "Anna")
        self.ben[1].join(opened.game, "Ben", invite=opened.secret)
        self.settled(opened.game, 3)
        return opened.game

    def settled(self, game: str, version: int) -> None:
        """Wait until both servers show a version."""
        everybody = (*self.anna, *self.ben)
        until(lambda: {person.look(game)["version"] for person in everybody} == {version})


@pytest.fixture(scope="module", params=STORES)
def two(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    postgres: Postgres,
) -> Iterator[TwoServers]:
    folder = tmp_path_factory.mktemp("servers")
    database = str(folder / "shared.sqlite3")
    if request.param == "postgres":
        database = postgres.create_database()
    with ExitStack() as stack:
        one = stack.enter_context(running_server(folder, database=database))
        two = stack.enter_context(running_server(folder, database=database))
        yield stack.enter_context(met(one, two, database))


class met:  # noqa: N801  # reads as a sentence where it is used
    """People who talk to both servers."""

    def __init__(self, one: Server, two: Server, database: str) -> None:
        self._clients: list[Client] = []
        for _ in range(2):
            first = Client(one.url)
            self._clients += [first, Client(two.url, first.token)]
        anna, ben = (self._clients[0], self._clients[1]), (self._clients[2], self._clients[3])
        self.two = TwoServers((one, two), anna, ben, database)

    def __enter__(self) -> TwoServers:
        return self.two

    def __exit__(self, *_: object) -> None:
        for client in self._clients:
            client.close()


def at_once(*wishes: Callable[[], Reply]) -> list[Reply]:
    """The replies to requests that are sent in the same instant."""
    together = Barrier(len(wishes))

    def go(wish: Callable[[], Reply]) -> Reply:
        together.wait()
        return wish()

    with ThreadPoolExecutor(len(wishes)) as threads:
        return list(threads.map(go, wishes))


def races(two: TwoServers, rounds: int, seed: int) -> None:
    """A6: one seat moves on two devices at two servers, in the same instant, again and again."""
    rng = Random(seed)
    game, version, acks = "", 0, []
    replicas: list[Replica] = []
    for at in range(rounds):
        view = two.anna[0].look(game) if game else {"phase": "over"}
        if view["phase"] == "over":
            game = two.seated(rng.choice(["classic", "reverse", "sabotage"]))
            version = 3
            replicas += [Replica(game, 0), Replica(game, 1)]
        person = two.anna if two.anna[0].look(game)["turn"] else two.ben
        seat = 0 if person is two.anna else 1
        moves = person[0].look(game)["moves"]
        chosen = [rng.choice(moves) for _ in range(2)]
        wishes = [
            partial(person[device].move, game, chosen[device], version=version, id=f"{at}.{device}")
            for device in range(2)
        ]
        replies = at_once(*wishes)
        codes = [reply.code for reply in replies]
        assert codes.count("ok") == 1, codes
        assert set(codes) <= {"ok", "stale_version", "not_your_turn", "illegal_move", "game_over"}, codes
        won = next(device for device, reply in enumerate(replies) if reply.code == "ok")
        version += 1
        assert replies[won].body["applied"] == version
        wanted = {"do": "move", "move": chosen[won]}
        acks.append(Acked(game, seat, f"{at}.{won}", version, wanted))
        two.settled(game, version)
        for replica, watcher in zip(replicas[-2:], (two.anna[1], two.ben[0]), strict=True):
            replica.show(watcher.look(game, after=replica.versions[-1] if replica.versions else 0))
    check(read_log(two.database), acks, replicas)


def test_two_devices_at_two_servers_make_one_move(two: TwoServers) -> None:
    """A6: exactly one commits, the other gets a typed reply, and both servers show the same."""
    races(two, 25, 1)


@pytest.mark.campaign
@pytest.mark.slow
def test_two_devices_at_two_servers_make_one_move_a_thousand_times(two: TwoServers) -> None:
    """A6."""
    races(two, 500, 2)


def test_a_move_and_a_resignation_at_two_servers_are_in_one_order(two: TwoServers) -> None:
    """A6, A18: whichever is first, both people hear the same."""
    for _ in range(5):
        game = two.seated("classic")
        replies = at_once(
            partial(two.anna[0].move, game, "9a1", version=3),
            partial(two.ben[1].command, game, "resign", version=3),
        )
        kinds = [line.body["kind"] for line in read_log(two.database)[game]][3:]
        if replies[0].code == "ok":
            assert kinds == ["move", "resign"]
        else:
            assert (replies[0].code, kinds) == ("game_over", ["resign"])
        assert replies[1].code == "ok"
        two.settled(game, 3 + len(kinds))
        assert ending(two.anna[0].look(game)) == ending(two.ben[0].look(game)) is not None


def test_two_secret_choices_at_two_servers_are_both_sealed(two: TwoServers) -> None:
    """A7: one reveal, whatever the order."""
    game = two.seated("battle", settings={"pool": "1-2", "start_life": "20"})
    two.anna[0].move(game, "+1")
    two.settled(game, 4)
    two.ben[0].move(game, "+2")
    two.settled(game, 5)
    for at in range(5):
        version = 5 + 2 * at
        replies = at_once(
            partial(two.anna[0].move, game, "a5", version=version),
            partial(two.ben[1].move, game, "b5", version=version),
        )
        assert [reply.code for reply in replies] == ["ok", "ok"]
        two.settled(game, version + 2)
    lines = read_log(two.database)[game][5:]
    assert sorted((line.seat, line.body["move"]) for line in lines) == [(0, "a5")] * 5 + [(1, "b5")] * 5
    assert all("seal" in line.body for line in lines)


def test_an_invitation_is_used_once_at_two_servers(two: TwoServers) -> None:
    """B3."""
    for _ in range(10):
        opened = two.anna[0].open("classic")
        with Client(two.servers[1].url) as carl:
            replies = at_once(
                partial(two.ben[0].try_join, opened.game, invite=opened.secret),
                partial(carl.try_join, opened.game, invite=opened.secret),
            )
            assert sorted(reply.code for reply in replies) == ["ok", "seat_taken"]


def test_a_rematch_pressed_at_two_servers_is_one_game(two: TwoServers) -> None:
    """A17."""
    for _ in range(5):
        game = two.seated("classic")
        two.anna[0].command(game, "resign", version=3)
        two.settled(game, 4)
        replies = at_once(
            partial(two.anna[0].command, game, "rematch", version=4),
            partial(two.ben[1].command, game, "rematch", version=4),
        )
        assert [reply.code for reply in replies] == ["ok", "ok"]
        two.settled(game, 6)
        (following,) = {person.look(game)["next"] for person in (*two.anna, *two.ben)}
        assert {two.anna[at].look(following)["seat"] for at in range(2)} == {1}
        begun = [log for log in read_log(two.database).values() if log[0].body.get("previous") == game]
        assert len(begun) == 1


def test_a_session_ends_on_every_server_at_once(two: TwoServers) -> None:
    """B5: in the very next request."""
    for _ in range(10):
        with Client(two.servers[0].url) as here, Client(two.servers[1].url, here.token) as there:
            assert there.ask("GET", "/api/me").body["signed_in"] is True
            assert here.ask("DELETE", "/api/sessions").code == "ok"
            assert there.ask("GET", "/api/me").code == "forbidden"
            assert (
                there.ask("POST", "/api/games", {"variant": "classic", "opponent": "friend"}).code
                == "forbidden"
            )


@pytest.mark.parametrize("at", [(0, 0), (0, 1)], ids=["at one server", "at two"])
def test_two_tabs_in_one_seat_are_both_live_and_leave_each_other_alone(
    two: TwoServers, at: tuple[int, int]
) -> None:
    """A13: what is done in either is seen in both, and neither is closed."""
    game = two.seated("classic")
    path, tabs = f"/api/games/{game}/socket", []
    with ExitStack() as stack:
        for server in at:
            line = RawSocket(two.servers[server].port, path, bearer(two.anna[server]))
            tabs.append(stack.enter_context(line))
        for version, move in enumerate(("9a1", "8b1", "7a2", "6b2"), 3):
            if version % 2:
                wish = {"type": "command", "id": move, "version": version, "do": "move", "move": move}
                tabs[version // 2 % 2].say(wish)
            else:
                two.settled(game, version)
                assert two.ben[0].move(game, move, version=version).code == "ok"
            seen = []
            for tab in tabs:
                while (view := tab.hear("view")["view"])["version"] <= version:
                    pass
                seen.append((view["version"], view["seat"], view["scene"], view["moves"]))
            assert seen[0] == seen[1]
        for tab in tabs:
            tab.say({"type": "ping"})
            tab.hear("pong")


def test_news_reaches_the_other_server_quickly(two: TwoServers) -> None:
    """A13: a move at one server is seen on a socket of the other."""
    game = two.seated("classic")
    with RawSocket(two.servers[1].port, f"/api/games/{game}/socket", bearer(two.ben[1])) as line:
        assert line.hear("view")["view"]["version"] == 3
        waits = []
        for move, person in (("9a1", two.anna), ("8b1", two.ben), ("7a2", two.anna)):
            began = time.monotonic()
            reply = person[0].move(game, move)
            while line.hear("view")["view"]["version"] < reply.version:
                pass
            waits.append(time.monotonic() - began)
        assert min(waits) < 0.5, waits


def test_a_game_continues_when_its_server_dies(
    tmp_path_factory: pytest.TempPathFactory, new_database: Callable[[], str]
) -> None:
    """F12: with the next message, at another server; what was acknowledged is there."""
    for database in (None, new_database()):
        folder = tmp_path_factory.mktemp("dying")
        shared = database or str(folder / "shared.sqlite3")
        with (
            running_server(folder, database=shared) as one,
            running_server(folder, database=shared) as other,
            met(one, other, shared) as two,
        ):
            game = two.seated("classic")
            acked = two.anna[0].move(game, "9a1", id="before")
            assert acked.code == "ok"
            one.kill()
            again = two.anna[1].move(game, "9a1", version=3, id="before")
            assert (again.code, again.body["applied"]) == ("ok_repeat", 4)
            assert two.ben[1].move(game, "8b1").code == "ok"
            check(read_log(shared), [Acked(game, 0, "before", 4, {"do": "move", "move": "9a1"})])


def test_an_opponent_who_has_just_connected_to_the_other_server_cannot_be_claimed(
    tmp_path_factory: pytest.TempPathFactory, new_database: Callable[[], str]
) -> None:
    """F12: though the servers look at each other once in a minute."""
    folder, shared = tmp_path_factory.mktemp("claiming"), new_database()
    rarely: dict[str, Any] = {"database": shared, "poll": 60.0, "claim_after": CLAIM_AFTER}
    with (
        running_server(folder, **rarely) as one,
        running_server(folder, **rarely) as other,
        met(one, other, shared) as two,
    ):
        game = two.seated("classic")
        assert two.anna[0].move(game, "9a1").code == "ok"
        with RawSocket(other.port, f"/api/games/{game}/socket", bearer(two.ben[1])) as line:
            line.hear("view")
            time.sleep(1.5 * CLAIM_AFTER)
            assert two.anna[0].command(game, "claim").code == "illegal_move"
            assert two.anna[0].look(game)["players"][1]["here"]
            left = time.monotonic()
        early = two.anna[1].command(game, "claim").code
        assert early == "illegal_move" or time.monotonic() - left > CLAIM_AFTER, "Ben has only just left"
        if early == "illegal_move":
            until(lambda: two.anna[1].command(game, "claim").code == "ok")


@contextmanager
def silence(database: str) -> Iterator[None]:
    """Stop those processes of PostgreSQL that pass news on to the two servers."""
    sql = "SELECT pid FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND datname = current_database()"
    listening: list[int] = []

    def both_listen() -> bool:
        with psycopg.connect(database) as connection:
            listening[:] = [pid for (pid,) in connection.execute(sql).fetchall()]
        return len(listening) == 2

    until(both_listen)
    for pid in listening:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in listening:
            os.kill(pid, signal.SIGCONT)


def test_polling_makes_up_for_lost_notifications(
    tmp_path_factory: pytest.TempPathFactory, new_database: Callable[[], str]
) -> None:
    """F13: PostgreSQL notifies nobody, and a server that polls shows a move all the same."""
    assert Settings().poll <= 2
    folder, database = tmp_path_factory.mktemp("silent"), new_database()
    with (
        running_server(folder, database=database, poll=3600.0) as one,
        running_server(folder, database=database) as other,
        met(one, other, database) as two,
        silence(database),
    ):
        opened = two.anna[0].open("classic")
        two.anna[0].join(opened.game, "Anna")
        two.ben[1].join(opened.game, "Ben", invite=opened.secret)
        game = opened.game
        assert two.anna[0].look(game)["version"] == 2, "nobody has told the first server"
        watcher = Client(other.url)
        assert watcher.look(game)["version"] == 3
        with watcher, RawSocket(other.port, f"/api/games/{game}/socket", bearer(two.ben[1])) as line:
            assert line.hear("view")["view"]["version"] == 3
            assert two.anna[0].move(game, "9a1", version=3).code == "ok"
            while line.hear("view")["view"]["version"] < 4:
                pass
        # Nobody watches at the second server any more, and what it remembers is old.
        assert two.ben[0].look(game)["version"] == 4
        assert two.ben[0].move(game, "8b1", version=4).code == "ok"
        until(lambda: two.anna[1].look(game)["version"] == 5)
        assert two.anna[1].move(game, "7a2", version=5).code == "ok"
