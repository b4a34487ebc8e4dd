"""Serves a route: checks limits, parses the input, calls the endpoint and encodes its answer."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from digit_duel.web.http.context import Answer, RequestContext, Services, address, charged_for_loading, who
from digit_duel.web.http.input.json_input import parse
from digit_duel.web.http.input.requests import read_query
from digit_duel.web.http.input.validation import bad_request, checked
from digit_duel.web.http.responses import refused
from digit_duel.web.http.routes import A, I, Route
from digit_duel.web.http.store_refusals import store_refusals
from digit_duel.web.replies import Code, Refusal
from digit_duel.web.settings import Settings

_SAFE = ("GET", "HEAD")


def endpoint(services: Services, route: Route[I, A]) -> Callable[[Request], Awaitable[Response]]:
    """Make the Starlette endpoint of a route."""

    async def answer(request: Request) -> Response:
        where = address(request, services.settings)
        try:
            with store_refusals():
                return _response(await _served(request, services, route, where), route.media)
        except Refusal as refusal:
            if refusal.code is Code.RATE_LIMITED:
                await services.limits.delay(where)
            return refused(refusal)

    return answer


async def _served(request: Request, services: Services, route: Route[I, A], where: str) -> Answer[A]:
    services.limits.requests.spend(where, route.cost - 1)  # RequestRate has charged one
    if route.has_body:
        sent = checked(await _body(request, services.settings), route.takes)
    else:
        sent = read_query(request, route.takes)
    caller = await who(request, services, request.method in _SAFE)
    if caller.person is not None:
        services.limits.person.spend(caller.person, route.cost)
    context = RequestContext(request, services, caller, where)
    if "game" not in request.path_params:
        return await route.serve(context, sent)
    with charged_for_loading(services, where, context.game_id):
        return await route.serve(context, sent)


async def _body(request: Request, settings: Settings) -> dict[str, object]:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise bad_request("The body must be sent as application/json.")
    data = b""
    try:
        async for chunk in request.stream():
            data += chunk
    except ClientDisconnect:
        raise bad_request("The connection closed before the whole body arrived.") from None
    return parse(data, settings.largest_body)


def _response(answer: Answer[A], media: str) -> Response:
    content = answer.body if isinstance(answer.body, str | bytes) else msgspec.json.encode(answer.body)
    response = Response(content, answer.status, media_type=media)
    for name, value in answer.headers:
        response.headers.append(name, value)
    return response
