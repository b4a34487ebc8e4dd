"""The settings of a server, including the limits on every resource that clients can use up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any
from urllib.parse import urlsplit

PROTOCOL = 2  # raised when open pages can no longer talk to the server; they then offer to reload
_MOST = {"port": 65_535}
_NOT_ZERO = (  # a rate, a pause or a limit of nothing would stop or flood the server
    "moves_per_second", "asks_per_person", "asks_per_second", "opens_per_minute", "events_per_second",
    "messages_per_second", "views_per_second", "probes_per_second", "heartbeat", "poll", "sweep_seconds",
    "most_events", "most_open_games", "largest_body",
)  # fmt: skip


class BadSetting(ValueError):
    """A setting cannot be used; the message says why."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of one server."""

    database: str = field(default="digit-duel.sqlite3", repr=False)  # may contain a password
    host: str = "127.0.0.1"  # the address to listen on
    port: int = 8642
    public_url: str | None = None  # the address people use, such as https://duel.example
    key_file: str | None = None  # the secret from which deals are derived; beside the database by default
    trusted_proxies: int = 0  # how many proxies in front of the server add to X-Forwarded-For
    # Required by /metrics; without one, only this machine may read it.
    metrics_token: str | None = field(default=None, repr=False)

    largest_body: int = 4096  # bytes of a request body or a WebSocket message
    bytes_at_once: int = 8192  # over a WebSocket: pings, and messages that were not read yet
    most_events: int = 2000  # in one game's log
    most_takebacks: int = 50  # in one game
    most_open_games: int = 200  # that one person has opened and not ended
    most_waiting_games: int = 30  # of these, games still waiting for a friend
    most_tables: int = 5000  # games kept in memory
    most_kept_events: int = 200_000  # in all games in memory together; an event takes about 2 kB
    sockets_per_person: int = 50
    sockets_per_address: int = 500
    reserved_for_players: float = 0.1  # share of all sockets and streams; strangers get only the rest

    servers: int = 1  # how many share the database; each allows its share of the rates below
    moves_per_second: float = 20.0  # commands of one person, with a burst of five times as many
    asks_per_person: float = 50.0  # units of work for one person a second; a small request is one
    asks_per_second: float = 100.0  # the same for one address
    opens_per_minute: float = 30.0  # new games and sessions from one address
    events_per_second: float = 10.0  # commands from one address, with a burst of a hundred times as many
    messages_per_second: float = 200.0  # read from the sockets of one address; later ones wait
    views_per_second: float = 200.0  # sent to the sockets and streams of one address; later ones wait
    probes_per_second: float = 10.0  # health, readiness and metrics for one address
    refusal_delay: float = 0.5  # seconds before a rate-limited request is answered

    computer_pace: float = 0.5  # seconds before the computer moves, whatever its cards
    analysis_seconds: float = 5.0
    heartbeat: float = 4.5  # seconds between pings on a quiet connection
    poll: float = 1.5  # seconds between queries for changes whose notification was lost
    claim_after: float = 15 * 60.0  # seconds until a game can be claimed from an absent opponent
    code_seconds: int = 600
    drain: float = 5.0  # seconds that a shutdown waits for requests in progress

    sweep_seconds: float = 3600.0  # between deletions of what is too old
    keep_unused: int = 24 * 3600  # games that nobody joined
    keep_abandoned: int = 60 * 24 * 3600  # unfinished games
    keep_over: int = 365 * 24 * 3600  # finished games
    keep_sessions: int = 400 * 24 * 3600

    @classmethod
    def of(cls, texts: Mapping[str, str]) -> Settings:
        """Build settings from strings by name, or raise BadSetting; the others keep their defaults."""
        known = {field.name: field.default for field in fields(cls)}
        chosen: dict[str, Any] = {}
        for name, text in texts.items():
            if name not in known:
                # An address in the place of a name may contain a password.
                named = f"setting '{name[:40]}'" if name.isidentifier() else "such setting"
                raise BadSetting(f"there is no {named}; there are: {', '.join(known)}.")
            default = known[name]
            chosen[name] = _number(name, text, type(default)) if isinstance(default, int | float) else text
        if "public_url" in chosen:
            chosen["public_url"] = _origin(chosen["public_url"])
        return cls(**chosen)

    @property
    def secure(self) -> bool:
        """Whether the public address uses TLS."""
        return bool(self.public_url and self.public_url.startswith("https://"))


def _number(name: str, text: str, kind: type[int] | type[float]) -> int | float:
    try:
        number = kind(text)
    except ValueError:
        raise BadSetting(f"{name} must be a number.") from None
    most = _MOST.get(name)
    if not 0 <= number <= (most or 1e12):
        raise BadSetting(f"{name} must be a number from 0 to {most or '10^12'}.")
    if not number and name in _NOT_ZERO:
        raise BadSetting(f"{name} must be more than 0.")
    return number


def _origin(url: str) -> str:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.netloc or parts.path.strip("/") or parts.query:
        raise BadSetting("public_url must be an address such as https://duel.example, without a path.")
    return f"{parts.scheme}://{parts.netloc}"
