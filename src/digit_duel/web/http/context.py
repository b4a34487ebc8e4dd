"""One HTTP request, made safe: who asks, from where, with how much credit, and for what exactly."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import msgspec
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import Response

from digit_duel.core.game import Seat
from digit_duel.web.http.json_input import Fields, bad, parse
from digit_duel.web.http.rate_limits import Credit, Places
from digit_duel.web.http.responses import refused
from digit_duel.web.http.security import same_origin
from digit_duel.web.http.sessions import Sessions
from digit_duel.web.play.commands import Commands
from digit_duel.web.play.live_games import Caller, LiveGames, busy
from digit_duel.web.play.lobby import Lobby
from digit_duel.web.replies import Code, Refusal
from digit_duel.web.settings import Settings
from digit_duel.web.store import DamagedDatabase, Unavailable

_SAFE = ("GET", "HEAD")
_LONGEST_ID = 40


@dataclass(slots=True)
class Services:
    """All that requests need: one of each in a process."""

    settings: Settings
    live_games: LiveGames
    commands: Commands
    lobby: Lobby
    sessions: Sessions
    analyst: Any
    request_credit: Credit = field(init=False)
    open_credit: Credit = field(init=False)
    command_credit: Credit = field(init=False)
    by_address: Places = field(init=False)
    by_person: Places = field(init=False)

    def __post_init__(self) -> None:
        limits = self.settings
        self.request_credit = Credit(limits.asks_per_second, 5 * limits.asks_per_second)
        self.open_credit = Credit(limits.opens_per_minute / 60, 2 * limits.opens_per_minute)
        self.command_credit = Credit(limits.moves_per_second, 5 * limits.moves_per_second)
        self.by_address = Places(limits.sockets_per_address)
        self.by_person = Places(limits.sockets_per_person)


@dataclass(slots=True)
class RequestContext:
    """A request after the checks that all requests share."""

    request: Request
    services: Services
    caller: Caller
    address: str
    body: Fields

    @property
    def game_id(self) -> str:
        """The game's id in the path."""
        return str(self.request.path_params["game"])[:_LONGEST_ID]

    @property
    def by_cookie(self) -> bool:
        """Whether a browser asks, rather than a program with a token in a header."""
        return "authorization" not in self.request.headers

    def known(self) -> Caller:
        """The caller, who must have a session."""
        if self.caller.person is None:
            raise Refusal(Code.FORBIDDEN, "This needs a session: please start one first.")
        return self.caller

    def seat(self) -> Seat | None:
        """The seat in the query."""
        found = self.number("seat", 1)
        return None if found is None else Seat(found)

    def number(self, name: str, most: int) -> int | None:
        """A whole number in the query."""
        return query_number(self.request, name, most)


@dataclass(frozen=True, slots=True)
class Answer:
    """What an endpoint found."""

    body: Any
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    media: str = "application/json"


Endpoint = Callable[[RequestContext], Awaitable[Answer]]


def query_number(connection: HTTPConnection, name: str, most: int) -> int | None:
    """A whole number in the query, in plain digits; None if it is not there."""
    found = connection.query_params.getlist(name)
    if not found:
        return None
    text = found[0]
    if len(found) > 1 or not (text.isascii() and text.isdigit() and len(text) <= 10 and int(text) <= most):
        raise bad(f"'{name}' must be a whole number from 0 to {most}.")
    return int(text)


def address(connection: HTTPConnection, settings: Settings) -> str:
    """Where a request comes from; proxies are believed only as far as the operator says."""
    hops = [hop.strip() for line in connection.headers.getlist("x-forwarded-for") for hop in line.split(",")]
    if 0 < settings.trusted_proxies <= len(hops):
        return hops[-settings.trusted_proxies][:64]
    return connection.client.host if connection.client else "local"


async def who(connection: HTTPConnection, services: Services, safe: bool) -> Caller:
    """Who asks: by a token in a header, or by a cookie that a page of ours sends."""
    origin = same_origin(connection, services.settings)
    if origin is False:
        raise Refusal(Code.FORBIDDEN, "This was sent by a page of another site.")
    authorization = connection.headers.get("authorization", "")
    if authorization:
        kind, _, token = authorization.partition(" ")
        caller = await services.sessions.caller(token) if kind.lower() == "bearer" else Caller()
        if caller.person is None:
            raise Refusal(Code.FORBIDDEN, "This session has ended, or never was.")
        return caller
    if origin is None and not safe:
        return Caller()  # a cookie counts only where a page of ours is known to have sent it
    return await services.sessions.caller(services.sessions.token(connection.headers.get("cookie", "")))


def endpoint(services: Services, serve: Endpoint, body: bool) -> Callable[[Request], Awaitable[Response]]:
    """An endpoint with everything around it that keeps it safe."""

    async def answer(request: Request) -> Response:
        try:
            found = await _asked(request, services, serve, body)
        except Refusal as refusal:
            return refused(refusal)
        except Unavailable:
            return refused(busy())
        except DamagedDatabase:
            return refused(Refusal(Code.BUSY_RETRY, "The database is damaged; the operator must see to it."))
        content = found.body
        if found.media == "application/json" and not isinstance(content, bytes):
            content = msgspec.json.encode(content)
        response = Response(content, found.status, media_type=found.media)
        for name, value in found.headers:
            response.headers.append(name, value)
        return response

    return answer


async def _asked(request: Request, services: Services, serve: Endpoint, body: bool) -> Answer:
    where = address(request, services.settings)
    services.request_credit.spend(where)
    fields = Fields(await _body(request, services.settings) if body else {})
    caller = await who(request, services, request.method in _SAFE)
    return await serve(RequestContext(request, services, caller, where, fields))


async def _body(request: Request, settings: Settings) -> dict[str, Any]:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise bad("The body must be sent as application/json.")
    data = b""
    try:
        async for chunk in request.stream():
            data += chunk
    except ClientDisconnect:
        raise bad("The body ended too early.") from None
    return parse(data, settings.largest_body)
