"""Serves one route: checks the limits, reads what was sent, calls the endpoint and encodes its answer."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from digit_duel.web.http.context import Answer, RequestContext, Services, address, who
from digit_duel.web.http.input.json_input import parse
from digit_duel.web.http.input.requests import read_query
from digit_duel.web.http.input.validation import bad_request, checked
from digit_duel.web.http.responses import refused
from digit_duel.web.http.routes import A, I, Route
from digit_duel.web.play.game_service import busy
from digit_duel.web.replies import Code, Refusal
from digit_duel.web.settings import Settings
from digit_duel.web.store import DamagedDatabase, Unavailable

_SAFE = ("GET", "HEAD")


def endpoint(services: Services, route: Route[I, A]) -> Callable[[Request], Awaitable[Response]]:
    """Make the Starlette endpoint of a route."""

    async def answer(request: Request) -> Response:
        try:
            return _response(await _served(request, services, route))
        except Refusal as refusal:
            return refused(refusal)
        except Unavailable:
            return refused(busy())
        except DamagedDatabase:
            return refused(Refusal(Code.BUSY_RETRY, "The database is damaged; the operator must see to it."))

    return answer


async def _served(request: Request, services: Services, route: Route[I, A]) -> Answer[A]:
    where = address(request, services.settings)
    services.request_credit.spend(where)
    if route.has_body:
        sent = checked(await _body(request, services.settings), route.takes)
    else:
        sent = read_query(request, route.takes)
    caller = await who(request, services, request.method in _SAFE)
    return await route.serve(RequestContext(request, services, caller, where), sent)


async def _body(request: Request, settings: Settings) -> dict[str, object]:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise bad_request("The body must be sent as application/json.")
    data = b""
    try:
        async for chunk in request.stream():
            data += chunk
    except ClientDisconnect:
        raise bad_request("The body ended too early.") from None
    return parse(data, settings.largest_body)


def _response(answer: Answer[A]) -> Response:
    if isinstance(answer.body, str):
        response = Response(answer.body, answer.status, media_type="text/plain; charset=utf-8")
    else:
        content = answer.body if isinstance(answer.body, bytes) else msgspec.json.encode(answer.body)
        response = Response(content, answer.status, media_type="application/json")
    for name, value in answer.headers:
        response.headers.append(name, value)
    return response
