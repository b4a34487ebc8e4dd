"""A client of plain sockets and http.client, which knows the server only by its documentation."""

from __future__ import annotations

import json
from dataclasses import dataclass
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit

TIMEOUT = 60.0
EVERYBODY: list[Stranger] = []  # whose connection may still be open


@dataclass(frozen=True, slots=True)
class Said:
    """What the server answered."""

    status: int
    body: Any
    size: int
    headers: dict[str, str]


class Stranger:
    """One connection from one address of this machine, perhaps with a session."""

    def __init__(self, url: str, source: str = "127.0.0.1", agent: str = "") -> None:
        parts = urlsplit(url)
        assert parts.hostname is not None
        self._line = HTTPConnection(parts.hostname, parts.port, TIMEOUT, source_address=(source, 0))
        self.token: str | None = None
        self._agent = agent
        EVERYBODY.append(self)

    def __enter__(self) -> Stranger:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Hang up."""
        self._line.close()

    def ask(self, method: str, path: str, body: object = None, **headers: str) -> Said:
        """Send one request on the connection, and read its answer."""
        if body is not None:
            headers["Content-Type"] = "application/json"
        if self.token is not None:
            headers["Authorization"] = f"Bearer {self.token}"
        if self._agent:
            headers["User-Agent"] = self._agent
        self._line.request(method, path, None if body is None else json.dumps(body), headers)
        answer = self._line.getresponse()
        data = answer.read()
        named = {name.lower(): value for name, value in answer.getheaders()}
        is_json = named.get("content-type", "").startswith("application/json")
        return Said(answer.status, json.loads(data) if is_json else data, len(data), named)

    def begin(self) -> Stranger:
        """Start a session."""
        self.token = self.ask("POST", "/api/sessions", {"bearer": True}).body["token"]
        return self

    def command(self, game: str, version: int, do: str, **more: object) -> Said:
        """Send a command under an id that follows from the version."""
        body = {"id": f"{do}-{version}", "version": version, "do": do, **more}
        return self.ask("POST", f"/api/games/{game}/commands", body)


def duel(
    url: str, variant: str = "classic", source: str = "127.0.0.1", **more: object
) -> tuple[Stranger, Stranger, str]:
    """Two people in a game that has begun: Ada, who opened it and moves first, and Bob."""
    ada, bob = Stranger(url, source).begin(), Stranger(url, source).begin()
    wish = {"variant": variant, "opponent": "friend", "name": "Ada", **more}
    opened = ada.ask("POST", "/api/games", wish).body
    secret = opened["invite"]["url"].partition("#")[2]
    joined = bob.ask("POST", f"/api/games/{opened['game']}/join", {"name": "Bob", "invite": secret})
    assert joined.status == 200, joined.body
    return ada, bob, opened["game"]
