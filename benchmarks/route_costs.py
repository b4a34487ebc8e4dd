"""The cost of every route in processor time and bytes: the median, and the worst case that a search finds.

The search covers games of every kind with the longest histories that the limits allow (moves taken back up to
the cap, and endless stand-offs up to the length of a log), and a person with as many games and sessions as
are listed and counted. Every route is requested for every game, with and without a player's token, after an
unmeasured round that fills caches. The server keeps one game in memory, so requests about other games read
their logs. Next to the worst time is the cost that the request was charged. The longest hold is the longest
processor time between two polls of the event loop, during which everybody else waits. Prints a Markdown
table.
"""

from __future__ import annotations

import argparse
import asyncio
import selectors
import sqlite3
import sys
from collections import defaultdict
from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager, closing
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time, thread_time
from typing import Any

from starlette.types import ASGIApp

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.shared.asgi_client import Ask, Heard, send  # noqa: E402
from benchmarks.shared.route_requests import ASKS, Table, bearer  # noqa: E402
from tests.web.server import GENEROUS  # noqa: E402  # the root is on the path only now

from digit_duel.web import app  # noqa: E402
from digit_duel.web.http.limits.rate_limits import Credit  # noqa: E402
from digit_duel.web.settings import Settings  # noqa: E402

ENDLESS = {"pool": "1-2", "start_life": "20", "standoff_limit": "none"}
HISTORIES: tuple[tuple[str, str, dict[str, str]], ...] = (
    ("classic", "begun", {}),
    ("classic", "to and fro", {}),
    ("sabotage", "to and fro", {}),
    ("reverse", "to and fro", {}),
    ("battle", "to and fro", {}),
    ("battle", "endless", ENDLESS),
    ("cards", "played", {}),
    ("classic", "played", {}),
)
RUNNING, ENDED, SESSIONS = 50, 5000, 200  # of the person with many games: the most listed or counted
COMMAND = ("POST", "/api/games/{game}/commands")


class HoldTimer(selectors.DefaultSelector):
    """Times the iterations of an event loop, in processor time of its thread."""

    def __init__(self) -> None:
        super().__init__()
        self._began = thread_time()
        self.longest = 0.0  # since it was last reset to zero

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Poll; the previous iteration ends here, and the next one begins."""
        self.longest = max(self.longest, thread_time() - self._began)
        found = super().select(timeout)
        self._began = thread_time()
        return found


class Bill(Credit):
    """Adds up what an address is charged, and never refuses."""

    def __init__(self) -> None:
        super().__init__(1, 1)
        self.units = 0.0

    def spend(self, key: Hashable, cost: float = 1.0) -> None:
        """Add a charge made before the work."""
        self.units += cost

    def charge(self, key: Hashable, cost: float) -> None:
        """Add a charge made after the work."""
        self.units += cost


class Costs:
    """What requests have cost so far, by route."""

    def __init__(self, app: ASGIApp, bill: Bill, timer: HoldTimer) -> None:
        self.app, self._bill, self._timer = app, bill, timer
        self.holds: dict[tuple[str, str], float] = defaultdict(float)
        self.times: dict[tuple[str, str], list[float]] = defaultdict(list)
        self.sizes: dict[tuple[str, str], int] = defaultdict(int)
        self.worst: dict[tuple[str, str], tuple[float, float, str]] = {}

    async def ask(self, route: tuple[str, str], ask: Ask, about: str) -> Heard:
        """Send one request, and record what it cost this process."""
        await asyncio.sleep(0)
        began, before, self._timer.longest = process_time(), self._bill.units, 0.0
        heard = await send(self.app, ask)
        await asyncio.sleep(0)  # so that the last iteration is counted
        cost = process_time() - began
        self.times[route].append(cost)  # refusals too: they may cost the most
        self.holds[route] = max(self.holds[route], self._timer.longest)
        self.sizes[route] = max(self.sizes[route], len(heard.data))
        found = (cost, self._bill.units - before, f"{about}: {heard.status}")
        self.worst[route] = max(self.worst.get(route, (0.0, 0.0, "")), found)
        return heard

    def forget(self) -> None:
        """Discard all measurements."""
        self.holds.clear()
        self.times.clear()
        self.sizes.clear()
        self.worst.clear()

    async def ask_everything(self, table: Table, about: str) -> None:
        """Request every route for a game."""
        for route, asks in ASKS.items():
            for ask in await asks(table):
                await self.ask(route, ask, about)


@asynccontextmanager
async def served(database: str) -> AsyncIterator[tuple[ASGIApp, Bill]]:
    """A server in this process, with the normal limits on games but no rate limits; and its credit."""
    found = app.build(Settings(database=database, most_tables=1, **GENEROUS))
    inner: Any = found._app
    inner.state.services.limits.requests = bill = Bill()
    async with inner.router.lifespan_context(inner):
        yield found, bill


async def play(costs: Costs, variant: str, history: str, settings: dict[str, str]) -> Table:
    """Play a game with a given history; returns it with its player."""
    about = f"{variant}, {history}"
    wish = {"variant": variant, "settings": settings, "opponent": "same_device", "bearer": True}
    ask = Ask("POST", "/api/games", body={**wish, "name": "Ada", "second_name": "Bob"})
    opened = await costs.ask(("POST", "/api/games"), ask, about)
    table = Table(costs.app, opened.body["game"], bearer(opened), variant, settings)

    async def command(do: str, view: dict[str, Any], **more: Any) -> dict[str, Any]:
        body = {"id": f"{do}{view['version']}", "version": view["version"], "do": do, **more}
        ask = Ask("POST", f"/api/games/{table.game}/commands", table.player, body)
        return (await costs.ask(COMMAND, ask, about)).body

    async def look(query: str = "") -> dict[str, Any]:
        return (await table.told(Ask("GET", f"/api/games/{table.game}{query}", table.player))).body

    answer: dict[str, Any] = {"view": await look()}
    while history != "begun" and "view" in answer:
        view = answer["view"]
        if view["phase"] == "over":
            break
        seat = view["acting"][0]
        moves = view["moves"] or (await look(f"?seat={seat}"))["moves"]
        tied = ("+1", "a5") if seat == 0 else ("+2", "b5")  # both defend, and then tie for ever
        wanted = [move for move in moves if move in tied] if history == "endless" else []
        answer = await command("move", view, move=(wanted or moves)[0], seat=seat)
        if history == "to and fro" and "view" in answer:
            answer = await command("takeback", answer["view"], seat=seat)
            if answer["code"] != "ok":
                break
    return table


async def have_many_games(table: Table, database: str) -> None:
    """Give a player the most games that are listed, results that are counted, and many sessions."""
    wish = {"variant": table.variant, "opponent": "computer", "level": "random", "name": "Ada"}
    lost = (await table.told(Ask("POST", "/api/games", table.player, wish))).body
    body = {"id": "enough", "version": lost["view"]["version"], "do": "resign"}
    await table.told(Ask("POST", f"/api/games/{lost['game']}/commands", table.player, body))
    for _ in range(RUNNING):
        await table.told(Ask("POST", "/api/games", table.player, {**wish, "opponent": "same_device"}))
    with closing(sqlite3.connect(database)) as file, file:  # playing so many would take hours
        file.execute(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) "
            "INSERT INTO results SELECT 'g' || i, person, ended + i, seat, variant, first_name, "
            "'Friend ' || i, NULL, 'rival' || i, result FROM results, n WHERE game = ?",
            (ENDED, lost["game"]),
        )
        file.execute(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) "
            "INSERT INTO sessions (token, person, started, seen, device) "
            "SELECT 't' || i, person, i, i, 'a phone' FROM results, n WHERE game = ?",
            (SESSIONS, lost["game"]),
        )


async def search(folder: Path, rounds: int, timer: HoldTimer) -> Costs:
    """Request every route for every history."""
    database = str(folder / "server.sqlite3")
    async with served(database) as (found, bill):
        costs = Costs(found, bill, timer)
        await costs.ask_everything(await play(costs, *HISTORIES[0]), "first of all")
        costs.forget()
        for variant, history, settings in HISTORIES:
            table = await play(costs, variant, history, settings)
            for _ in range(rounds):
                await costs.ask_everything(table, f"{variant}, {history}")
        await have_many_games(table, database)
        for _ in range(rounds):
            await costs.ask_everything(table, f"{RUNNING} games running and {ENDED} ended")
        return costs


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    with TemporaryDirectory() as folder:
        timer = HoldTimer()
        with asyncio.Runner(loop_factory=lambda: asyncio.SelectorEventLoop(timer)) as runner:
            costs = runner.run(search(Path(folder), options.rounds, timer))
    print(
        "| route | median ms | worst ms | units then | worst about: status | longest hold ms | most bytes |"
    )
    print("|---|---|---|---|---|---|---|")
    for route in sorted(costs.times, key=lambda route: route[::-1]):
        worst, units, about = costs.worst[route]
        print(
            f"| `{' '.join(route)}` | {1000 * median(costs.times[route]):.1f} | {1000 * worst:.1f} "
            f"| {units:.1f} | {about} | {1000 * costs.holds[route]:.1f} | {costs.sizes[route]:,} |"
        )


if __name__ == "__main__":
    main()
