"""A game as server-sent events, for networks that let no WebSocket through."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import msgspec
from starlette.requests import Request
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from digit_duel.web.http.context import Services
from digit_duel.web.http.following import Following, admit
from digit_duel.web.http.responses import refused
from digit_duel.web.play.game_service import busy
from digit_duel.web.replies import Refusal
from digit_duel.web.store import Unavailable

_UNBUFFERED = {"X-Accel-Buffering": "no"}  # nginx passes each event on at once


class EventStream:
    """The endpoint that streams a game's views."""

    def __init__(self, services: Services) -> None:
        self._services = services

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, for as long as its client listens."""
        request = Request(scope, receive)
        try:
            following, places = await admit(request, self._services)
        except Refusal as refusal:
            await refused(refusal)(scope, receive, send)
            return
        except Unavailable:
            await refused(busy())(scope, receive, send)
            return
        events = _events(following, self._services.settings.heartbeat)
        with places:
            response = StreamingResponse(events, media_type="text/event-stream", headers=_UNBUFFERED)
            await response(scope, receive, send)


async def _events(following: Following, heartbeat: float) -> AsyncIterator[str]:
    """Yield a view whenever there is a later one, and a comment when nothing happened for a heartbeat."""
    news = asyncio.Event()
    subscriptions = following.game_service.subscriptions
    with following.subscribed(news.set):
        while not subscriptions.closing:
            news.clear()
            view = following.view()
            yield f"id: {view.version}\ndata: {msgspec.json.encode(view).decode()}\n\n"
            while not await _set_within(news, heartbeat):
                yield ": still here\n\n"


async def _set_within(event: asyncio.Event, seconds: float) -> bool:
    try:
        async with asyncio.timeout(seconds):
            return await event.wait()
    except TimeoutError:
        return False
