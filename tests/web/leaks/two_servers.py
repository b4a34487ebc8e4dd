"""Two worlds on real servers: games of cards that look alike to one player, at two servers of one database.

The cards of a game follow from the server's key, its id and the players' seeds. Whoever has the key can look
for a seed of Anna's with which given cards are drawn, so that two games differ in her hidden cards alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import httpx
from tests.web.client import Client, bearer
from tests.web.leaks.asks import NOBODY, STRANGER, Ask, Situation
from tests.web.leaks.outlets import OF_NO_GAME, OUTLETS
from tests.web.raw import TEXT, RawSocket
from tests.web.server import Server, running_server, until
from tests.worlds import Leak

from digit_duel import games
from digit_duel.core.game import Seat
from digit_duel.web.play.fair_deals.deals import sealed_dealer, server_seed

CHOICES = "kgkk"  # Anna keeps, Ben gives, and both keep
BENS_SEED = "b0b0"
# What follows from the id, from the time and from who is connected.
_BY_CHANCE = {"seal", "at", "since", "deal", "changed", "here", "watchers", "claim", "id", "started", "seen"}
_ABSENT = {"/metrics"}  # counts what all games do; the harness in memory compares it


@dataclass(frozen=True, slots=True)
class Site:
    """Two servers of one database, and its key."""

    servers: tuple[Server, Server]
    key: bytes
    http: httpx.Client


@contextmanager
def a_site(folder: Path, database: str) -> Iterator[Site]:
    """Two servers of one database, with their key in a folder."""
    key = folder / "key"
    with ExitStack() as stack:
        one, two = (
            stack.enter_context(running_server(folder, database=database, key_file=str(key)))
            for _ in range(2)
        )
        http = stack.enter_context(httpx.Client(trust_env=False, timeout=30))
        yield Site((one, two), key.read_bytes(), http)


@dataclass(slots=True)
class Shown:
    """What one world showed to Ben and to strangers, and to Anna, in order."""

    others: list[tuple[str, object]]
    anna: list[object]


def draws_of(rng: Random) -> tuple[list[int], list[int]]:
    """The cards of two worlds: those of Anna differ, those of Ben are the same."""
    bens = [rng.randrange(10) for _ in range(3)]
    annas = [rng.sample(range(10), 2) for _ in range(2)]
    one, two = (
        [a[0], bens[0], a[1], *bens[1:]] for a in annas
    )  # at last her hand is full, and his turn comes
    return (one, two) if one != two else draws_of(rng)


def play(site: Site, draws: Sequence[int], seed: str) -> Shown:
    """Play one world: Anna at the first server, Ben at the second; everybody asks at both."""
    first, second = site.servers
    with Client(first.url) as anna, Client(second.url) as ben, Client(first.url) as eve:
        game = anna.ask("GET", "/api/me").body["deal"]["game"]
        mine = _seed(server_seed(site.key, game), draws)
        wish = {"variant": "cards", "opponent": "friend", "name": "Anna", "seed": mine, "game": game}
        opened = anna.ask("POST", "/api/games", wish)
        assert opened.status == 201, opened.body
        assert opened.body["game"] == game
        secret = opened.body["invite"]["url"].partition("#")[2]
        ben.join(game, "Ben", invite=secret, seed=BENS_SEED)
        shown, rng = Shown([], []), Random(seed)  # the same questions in both worlds
        for at, choice in enumerate(CHOICES):
            person = (anna, ben)[at % 2]
            until(lambda at=at: _version(site, game) == {3 + at}, 20)  # type: ignore[misc]
            hand = person.look(game)
            assert person.move(game, choice, version=hand["version"]).code == "ok"
            until(lambda at=at: _version(site, game) == {4 + at}, 20)  # type: ignore[misc]
            shown.anna.append(_blank(anna.look(game), game))
            situation = Situation(game, 4 + at, Seat.SECOND, at % 2 == 0, rng)
            shown.others += _asked(site, situation, ben, eve)
    return shown


def _seed(servers: str, draws: Sequence[int]) -> str:
    """A seed of Anna's with which these cards are drawn."""
    rules = games.variant("cards").game
    for number in count():
        mine = f"{number:08x}"
        deal, state = sealed_dealer(servers, (mine, BENS_SEED)), rules.start()
        for turn, (wanted, choice) in enumerate(zip(draws, [*CHOICES, None], strict=True)):
            drawn = deal(rules.chance(state), 2 * turn)
            if drawn.digit != wanted:
                break
            if choice is None:
                return mine
            state = rules.play(state, drawn)
            (seat,) = rules.acting(state)
            state = rules.play(state, rules.parse(state, seat, choice))
    raise AssertionError


def _version(site: Site, game: str) -> set[int]:
    looks = (site.http.get(f"{server.url}/api/games/{game}") for server in site.servers)
    return {look.json()["version"] for look in looks}


def _asked(site: Site, at: Situation, ben: Client, eve: Client) -> Iterator[tuple[str, object]]:
    """What both servers answer at every outlet that only shows something."""
    asks = [
        ask
        for (method, path), outlet in OUTLETS.items()
        if method in ("GET", "WS") and (method, path) not in OF_NO_GAME and path not in _ABSENT
        for ask in outlet(at)
    ]
    for ask in asks:
        for number, server in enumerate(site.servers):
            said = _answer(site.http, server, ask, _headers(ask, ben, eve))
            yield f"{ask.who} {ask.method} {ask.target.replace(at.game, 'G')} {number}", _blank(said, at.game)


def _headers(ask: Ask, ben: Client, eve: Client) -> list[tuple[str, str]]:
    who = [] if ask.who == NOBODY else bearer(eve if ask.who == STRANGER else ben)
    return [*who, *ask.headers.items()]


def _answer(http: httpx.Client, server: Server, ask: Ask, headers: list[tuple[str, str]]) -> object:
    """A status and a body, or the first view of a socket or a stream."""
    if ask.method == "WS":
        named = headers or [("Host", server.url[7:]), ("Origin", server.url)]
        with RawSocket(server.port, ask.target, named) as line:
            found = line.read() if line.status == 101 else None
            return json.loads(found[1]) if found and found[0] == TEXT else [line.status, found]
    url = server.url + ask.target
    if ask.line:
        with http.stream("GET", url, headers=headers) as stream:
            heard = ""
            for text in stream.iter_text():
                heard += text
                if "\n\n" in heard:
                    break
            return [stream.status_code, *(json.loads(each) for each in re.findall(r"data: (.*)", heard)[:1])]
    answer = http.get(url, headers=headers)
    is_json = answer.headers.get("content-type", "").startswith("application/json")
    return [
        answer.status_code,
        answer.json() if is_json else answer.content.replace(server.url.encode(), b""),
    ]


def _blank(said: Any, game: str) -> Any:
    """The same without the game's id and what follows from it or from the time."""
    if isinstance(said, dict):
        return {key: "" if key in _BY_CHANCE else _blank(value, game) for key, value in said.items()}
    if isinstance(said, list | tuple):
        return [_blank(each, game) for each in said]
    if isinstance(said, bytes):
        return re.sub(rb'(Seal|Date|Time) "[^"]*"', rb"\1", said.replace(game.encode(), b"G"))
    return said.replace(game, "G") if isinstance(said, str) else said


def compare(site: Site, seed: str) -> int:
    """Play two worlds that are alike to Ben and to strangers, or Leak; how many answers were compared."""
    one, two = (play(site, draws, seed) for draws in draws_of(Random(seed)))
    assert one.anna != two.anna, "her own cards differ, and she sees them"
    assert [asked for asked, _ in one.others] == [asked for asked, _ in two.others]
    for (asked, first), (_, second) in zip(one.others, two.others, strict=True):
        if first != second:
            raise Leak(f"seed {seed!r}: {asked}\n{first}\n--- but in a world that looks alike ---\n{second}")
    return len(one.others)
