"""The context of a request: who sent it, from where, and the services it may use."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

from starlette.requests import HTTPConnection, Request

from digit_duel.web.analysis.analyst import Analyst
from digit_duel.web.http.devices import device
from digit_duel.web.http.limits.rate_limits import network
from digit_duel.web.http.limits.server_limits import Limits
from digit_duel.web.http.security import same_origin
from digit_duel.web.http.sessions import Sessions
from digit_duel.web.play.commands import Commands
from digit_duel.web.play.game_service import GameService
from digit_duel.web.play.live_game import Caller
from digit_duel.web.play.lobby import Lobby
from digit_duel.web.replies import Code, Refusal
from digit_duel.web.settings import Settings

A = TypeVar("A")
Headers: TypeAlias = tuple[tuple[str, str], ...]
LONGEST_ID = 40
_EVENTS = 20  # replaying this many costs as much as a small request


@dataclass(slots=True)
class Services:
    """The objects that all requests of a process share."""

    settings: Settings
    game_service: GameService
    commands: Commands
    lobby: Lobby
    sessions: Sessions
    analyst: Analyst
    limits: Limits


@dataclass(slots=True)
class RequestContext:
    """A request after the checks that all requests share."""

    request: Request
    services: Services
    caller: Caller
    address: str

    @property
    def game_id(self) -> str:
        """The game's id in the path."""
        return str(self.request.path_params["game"])[:LONGEST_ID]

    @property
    def by_cookie(self) -> bool:
        """Whether the request relies on a cookie, as browsers do, and not on a token in a header."""
        return "authorization" not in self.request.headers

    @property
    def device(self) -> str:
        """The kind of device that sent the request."""
        return device(self.request.headers.get("user-agent", ""))

    def spend(self, cost: float) -> None:
        """Charge the caller's address for work before doing it; raise Refusal if it has too little credit."""
        self.services.limits.requests.spend(self.address, cost)

    def charge(self, cost: float) -> None:
        """Charge the caller's address afterwards for work that exceeded the route's usual cost."""
        self.services.limits.requests.charge(self.address, cost)

    def known(self) -> Caller:
        """The caller, who must have a session."""
        if self.caller.person is None:
            raise Refusal(Code.FORBIDDEN, "You have no session yet: start or join a game first.")
        return self.caller


@dataclass(frozen=True)  # no slots: Python 3.11 cannot subscript a generic one
class Answer(Generic[A]):
    """An endpoint's answer: a struct, a string, or bytes that are already encoded."""

    body: A | bytes
    status: int = 200
    headers: Headers = ()


def address(connection: HTTPConnection, settings: Settings) -> str:
    """The client's network; X-Forwarded-For is believed only from proxies that the operator trusts."""
    hops = [hop.strip() for line in connection.headers.getlist("x-forwarded-for") for hop in line.split(",")]
    if 0 < settings.trusted_proxies <= len(hops):
        return network(hops[-settings.trusted_proxies][:64])
    return network(connection.client.host) if connection.client else "local"


@contextmanager
def charged_for_loading(services: Services, where: str, game_id: str) -> Iterator[None]:
    """Charge an address by the length of a game's log if the block loads it; raise Refusal without credit."""
    game_service, credit = services.game_service, services.limits.requests
    if game_service.keeps(game_id):
        yield
        return
    credit.spend(where)
    try:
        yield
    finally:
        credit.charge(where, game_service.length(game_id) / _EVENTS)


def base_url(connection: HTTPConnection, settings: Settings) -> str:
    """The address of this server, for links."""
    return (settings.public_url or f"http://{connection.headers.get('host', 'localhost')}").rstrip("/")


async def who(connection: HTTPConnection, services: Services, safe: bool) -> Caller:
    """Identify the caller by a token in a header, or by a cookie that a page of this server sent."""
    origin = same_origin(connection, services.settings)
    if origin is False:
        raise Refusal(Code.FORBIDDEN, "Another site's page sent this request.")
    authorization = connection.headers.get("authorization", "")
    if authorization:
        kind, _, token = authorization.partition(" ")
        caller = await services.sessions.caller(token) if kind.lower() == "bearer" else Caller()
        if caller.person is None:
            raise Refusal(Code.FORBIDDEN, "This session is unknown or has ended.")
        return caller
    if origin is None and not safe:
        return Caller()  # without an Origin, a cookie must not change anything
    return await services.sessions.caller(services.sessions.token(connection.headers.get("cookie", "")))
