"""A game as server-sent events, for networks that block WebSockets."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Message, Receive, Scope, Send

from digit_duel.web.http.context import Services, address
from digit_duel.web.http.following import Following, admit
from digit_duel.web.http.responses import refused
from digit_duel.web.replies import Code, Refusal

SEND_TIMEOUT = 20.0  # seconds that a client may take to read what was sent
_EVENTS = "text/event-stream"
_UNBUFFERED = {"X-Accel-Buffering": "no"}  # nginx passes each event on at once


class EventStream:
    """The endpoint that streams a game's views."""

    def __init__(self, services: Services) -> None:
        self._services = services

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, until its client disconnects."""
        request = Request(scope, receive)
        try:
            following, places = await admit(request, self._services)
        except Refusal as refusal:
            if refusal.code is Code.RATE_LIMITED:
                await self._services.limits.delay(address(request, self._services.settings))
            await refused(refusal)(scope, receive, send)
            return
        with places:
            response = Response(media_type=_EVENTS, headers=_UNBUFFERED)
            if request.method != "HEAD":
                events = _events(following, self._services)
                response = StreamingResponse(events, media_type=_EVENTS, headers=_UNBUFFERED)
            with suppress(TimeoutError, ClientDisconnect):  # the client does not read; uvicorn disconnects it
                await response(scope, receive, _timely(send))


def _timely(send: Send) -> Send:
    """Send, or raise TimeoutError if the client leaves too much unread for too long."""

    async def send_in_time(message: Message) -> None:
        async with asyncio.timeout(SEND_TIMEOUT):
            await send(message)

    return send_in_time


async def _events(following: Following, services: Services) -> AsyncIterator[str]:
    """Yield a view whenever the game changes, and a comment after a heartbeat without changes."""
    news = asyncio.Event()
    subscriptions = following.game_service.subscriptions
    with following.subscribed(news.set):
        while not (subscriptions.closing or following.ended):
            await services.limits.next_view(following.address)
            news.clear()
            view = following.view()
            yield f"id: {view.version}\ndata: {msgspec.json.encode(view).decode()}\n\n"
            while not await _set_within(news, services.settings.heartbeat):
                yield ": still here\n\n"


async def _set_within(event: asyncio.Event, seconds: float) -> bool:
    try:
        async with asyncio.timeout(seconds):
            return await event.wait()
    except TimeoutError:
        return False
