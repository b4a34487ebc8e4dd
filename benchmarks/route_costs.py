"""What every route costs, in processor time and bytes: the median, and the worst that a search finds.

The search goes over games of every kind with the longest histories that the limits allow: moves that are
taken back up to the cap, and stand-offs without end up to the length of a log. Every route is asked about
every game, by a player and by nobody. The times include the client's, some 0.4 ms. Prints a Markdown table.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

import httpx

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from tests.web.server import GENEROUS  # noqa: E402  # the root is on the path only now

from digit_duel.web import app  # noqa: E402
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
READS = ("", "?after=1", "/news", "/past", "/past?after=1", "/record", "/proof", "/review", "/hint")
OTHERS = (
    "/api/catalogue",
    "/api/me",
    "/api/me/sessions",
    "/api/openapi.json",
    "/",
    "/help",
    "/readyz",
    "/metrics",
)


class Costs:
    """What requests have cost so far, by route."""

    def __init__(self, client: httpx.AsyncClient) -> None:
        self._client = client
        self.times: dict[str, list[float]] = defaultdict(list)
        self.sizes: dict[str, list[int]] = defaultdict(list)
        self.worst: dict[str, tuple[float, str]] = {}

    async def ask(self, route: str, method: str, path: str, about: str, **more: Any) -> httpx.Response:
        """Send one request, and note what it cost this process."""
        began = process_time()
        answer = await self._client.request(method, path, **more)
        cost = process_time() - began
        if answer.status_code < 400:
            self.times[route].append(cost)
            self.sizes[route].append(len(answer.content))
            self.worst[route] = max(self.worst.get(route, (0.0, "")), (cost, about))
        return answer


@asynccontextmanager
async def served(folder: Path) -> AsyncIterator[httpx.AsyncClient]:
    """A server in this process, with the limits on games as they are and none on rates."""
    found = app.build(Settings(database=str(folder / "server.sqlite3"), **GENEROUS))
    inner: Any = found._app
    transport = httpx.ASGITransport(found, client=("127.0.0.1", 1))
    async with (
        inner.router.lifespan_context(inner),
        httpx.AsyncClient(transport=transport, base_url="http://localhost", timeout=60) as client,
    ):
        yield client


async def play(
    costs: Costs, variant: str, history: str, settings: dict[str, str]
) -> tuple[str, dict[str, str]]:
    """A game with a history; its id, and the headers of the one who plays it."""
    about = f"{variant}, {history}"
    wish = {"variant": variant, "settings": settings, "opponent": "same_device", "bearer": True}
    names = {"name": "Ada", "second_name": "Bob"}
    opened = (await costs.ask("POST /api/games", "POST", "/api/games", about, json={**wish, **names})).json()
    game, headers = opened["game"], {"Authorization": f"Bearer {opened['token']}"}

    async def command(do: str, view: dict[str, Any], **more: Any) -> dict[str, Any]:
        body = {"id": f"{do}{view['version']}", "version": view["version"], "do": do, **more}
        path = f"/api/games/{game}/commands"
        answer = await costs.ask("POST .../commands", "POST", path, about, json=body, headers=headers)
        found: dict[str, Any] = answer.json()
        return found

    async def look(**query: Any) -> dict[str, Any]:
        path = f"/api/games/{game}"
        found: dict[str, Any] = (await costs._client.get(path, params=query, headers=headers)).json()
        return found

    answer: dict[str, Any] = {"view": await look()}
    while history != "begun" and "view" in answer:
        view = answer["view"]
        if view["phase"] == "over":
            break
        seat = view["acting"][0]
        moves = view["moves"] or (await look(seat=seat))["moves"]
        tied = ("+1", "a5") if seat == 0 else ("+2", "b5")  # both gain, and then stand off for ever
        wanted = [move for move in moves if move in tied] if history == "endless" else []
        answer = await command("move", view, move=(wanted or moves)[0], seat=seat)
        if history == "to and fro" and "view" in answer:
            answer = await command("takeback", answer["view"], seat=seat)
            if answer["code"] != "ok":
                break
    return game, headers


async def search(folder: Path, rounds: int) -> Costs:
    """Ask at every route about every history."""
    async with served(folder) as client:
        costs = Costs(client)
        for variant, history, settings in HISTORIES:
            about = f"{variant}, {history}"
            game, headers = await play(costs, variant, history, settings)
            for _ in range(rounds):
                for read in READS:
                    route = f"GET .../{read.partition('?')[0].lstrip('/') or '(view)'}"
                    for who in (headers, {}):
                        await costs.ask(route, "GET", f"/api/games/{game}{read}", about, headers=who)
                for path in OTHERS:
                    await costs.ask(f"GET {path}", "GET", path, about, headers=headers)
                await costs.ask(
                    "POST /api/analysis", "POST", "/api/analysis", about,
                    json={"variant": variant, "settings": settings, "moves": []},
                )  # fmt: skip
        return costs


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    with TemporaryDirectory() as folder:
        costs = asyncio.run(search(Path(folder), options.rounds))
    print("| route | median ms | worst ms | worst about | most bytes |\n|---|---|---|---|---|")
    for route in sorted(costs.times):
        worst, about = costs.worst[route]
        print(
            f"| {route} | {1000 * median(costs.times[route]):.2f} | {1000 * worst:.2f} | {about} "
            f"| {max(costs.sizes[route])} |"
        )


if __name__ == "__main__":
    main()
