"""People at a server, as programs: bearer sessions, games opened and joined, commands sent and checked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any
from uuid import uuid4

import httpx

TIMEOUT = 60.0  # seconds that an answer may take on a busy machine


def ending(view: dict[str, Any]) -> dict[str, Any] | None:
    """How a game ended, without the sentence that is worded for one viewer."""
    result: dict[str, Any] | None = view["result"]
    return result and {key: value for key, value in result.items() if key != "why"}


@dataclass(frozen=True, slots=True)
class Reply:
    """A response: the HTTP status and the JSON."""

    status: int
    body: dict[str, Any]
    headers: httpx.Headers

    @property
    def code(self) -> str:
        """The reply's code, one of Code."""
        return str(self.body["code"])

    @property
    def version(self) -> int:
        """The game's version."""
        return int(self.body["version"])

    @property
    def view(self) -> dict[str, Any]:
        """The game as the caller sees it."""
        found: dict[str, Any] = self.body["view"]
        return found


@dataclass(frozen=True, slots=True)
class Opened:
    """A game that was opened, and how a friend gets in."""

    game: str
    seat: int
    secret: str | None
    url: str | None


class Client:
    """One person at a server."""

    def __init__(self, url: str, token: str | None = None, *, stranger: bool = False) -> None:
        """With a new session of their own, with somebody's token, or as a stranger without any."""
        self.url = url.rstrip("/")
        self.http = httpx.Client(base_url=self.url, timeout=TIMEOUT, trust_env=False)
        self.token = token
        if token is None and not stranger:
            self.token = self.ask("POST", "/api/sessions", {"bearer": True}).body["token"]
        if self.token is not None:
            self.http.headers["Authorization"] = f"Bearer {self.token}"

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection."""
        self.http.close()

    def ask(self, method: str, path: str, body: Any = None, **more: Any) -> Reply:
        """Send one request, and return any reply."""
        if body is not None:
            more["json"] = body
        answer = self.http.request(method, path, **more)
        return Reply(answer.status_code, answer.json(), answer.headers)

    def open(self, variant: str, opponent: str = "friend", **more: Any) -> Opened:
        """A new game."""
        reply = self.ask("POST", "/api/games", {"variant": variant, "opponent": opponent, **more})
        assert reply.status == 201, reply.body
        invite = reply.body["invite"]
        url = None if invite is None else invite["url"]
        return Opened(reply.body["game"], reply.body["seat"], url and url.partition("#")[2], url)

    def try_join(self, game: str, name: str = "Anna", **more: Any) -> Reply:
        """Ask for a seat, and return any reply."""
        return self.ask("POST", f"/api/games/{game}/join", {"name": name, **more})

    def join(self, game: str, name: str = "Anna", **more: Any) -> int:
        """Take a seat."""
        reply = self.try_join(game, name, **more)
        assert reply.status == 200, reply.body
        return int(reply.body["seat"])

    def look(self, game: str, **query: Any) -> dict[str, Any]:
        """The game as this person sees it."""
        reply = self.ask("GET", f"/api/games/{game}", params=query)
        assert reply.status == 200, reply.body
        return reply.body

    def command(
        self, game: str, do: str, *, version: int | None = None, id: str | None = None, **more: Any
    ) -> Reply:
        """Send a command, by default at the current version with a new id, and return any reply."""
        if version is None:
            version = int(self.look(game)["version"])
        body = {"id": id or uuid4().hex, "version": version, "do": do, **more}
        return self.ask("POST", f"/api/games/{game}/commands", body)

    def move(self, game: str, move: str, **more: Any) -> Reply:
        """Send a move, and return any reply."""
        return self.command(game, "move", move=move, **more)


def play_on(game: str, people: Sequence[Client], rng: Random, moves: int = 10_000) -> dict[str, Any]:
    """Play a number of random moves, or until the end, and return the last view."""
    views = [person.look(game) for person in people]
    for _ in range(moves):
        turns = [at for at, view in enumerate(views) if view["turn"]]
        if not turns:  # over, or the computer thinks
            views = [person.look(game) for person in people]
            if any(view["phase"] != "playing" for view in views):
                break
            continue
        at = rng.choice(turns)
        chosen = rng.choice(views[at]["moves"])
        seat = views[at]["seat"]
        reply = people[at].move(game, chosen, version=views[at]["version"], seat=seat)
        assert reply.code == "ok", reply.body
        views = [person.look(game) for person in people]
    return views[0]


def play_to_end(game: str, people: Sequence[Client], rng: Random) -> dict[str, Any]:
    """Play random moves up to the end; the view from there."""
    view = play_on(game, people, rng)
    assert view["phase"] == "over"
    return view


def bearer(person: Client) -> list[tuple[str, str]]:
    """The Authorization header for a person's hand-made connections."""
    return [("Authorization", f"Bearer {person.token}")]


People = tuple[Client, Client]


def pair(url: str) -> People:
    """Two people."""
    return Client(url), Client(url)


def seated(one: Client, other: Client, variant: str, **more: Any) -> str:
    """Start a game between two people; the first opens it and by default takes the first seat."""
    opened = one.open(variant, **more)
    one.join(opened.game, "Anna", seed="a1")
    other.join(opened.game, "Ben", seed="b2", invite=opened.secret)
    return opened.game
