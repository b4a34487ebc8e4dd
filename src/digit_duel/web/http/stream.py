"""A game as it goes on: over a socket, or as server-sent events where sockets do not get through."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack, suppress
from typing import Any, Protocol

import msgspec
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.websockets import WebSocket, WebSocketDisconnect

from digit_duel.core.game import Seat
from digit_duel.web.http import endpoints
from digit_duel.web.http.context import Services, address, query_number, refused, who
from digit_duel.web.http.json_input import bad, parse
from digit_duel.web.logs import complain
from digit_duel.web.play.live_games import Caller, LiveGame, busy
from digit_duel.web.play.subscriptions import Subscriber
from digit_duel.web.replies import Code, Refusal
from digit_duel.web.settings import PROTOCOL
from digit_duel.web.store import Unavailable
from digit_duel.web.views.view_types import GameView

FLOOD, TOO_LARGE, BAD_TEXT, RESTART, FORBIDDEN, NOT_FOUND, OLD_PROTOCOL = (
    1008,
    1009,
    1007,
    1012,
    4003,
    4004,
    4026,
)
WIRE = "digit_duel.wire"  # the extension of a socket's scope that holds its Wire
_MOST_VERSIONS = 1_000_000
_MOST_MISTAKES = 20  # of one socket, before it is taken for a broken or hostile one


class Wire(Protocol):
    """The short way to a socket's other end: past the layers between, which take longer than a move does."""

    writable: asyncio.Event
    drained: Callable[[], None] | None  # called when it is ready again

    @property
    def ready(self) -> bool:
        """Whether what is told now goes out now."""

    def tell(self, message: bytes) -> None:
        """Send a text; nothing happens if the other end is gone."""

    async def receive(self) -> Any:
        """What came, as ASGI has it."""


class Following:
    """One observer of one game, from a version on."""

    def __init__(
        self,
        services: Services,
        live: LiveGame,
        caller: Caller,
        seat: Seat | None,
        stranger: bool,
        after: int,
    ) -> None:
        self._live_games, self._live, self._caller, self._stranger = (
            services.live_games,
            live,
            caller,
            stranger,
        )
        self._wanted = seat
        self._version = min(after, live.game.version)
        self._eyes = services.live_games.eyes(live, caller, seat, stranger)
        self.game_id = live.game.id

    def subscriber(self, notify: Callable[[], None]) -> Subscriber:
        """The observer as the hub counts it; to be counted at once."""
        self._live = self._live_games.kept(self._live)
        self._counted = Subscriber(self.game_id, self._eyes, self._held(), notify)
        return self._counted

    def view(self) -> GameView:
        """What is to be seen now, with the news since the last time."""
        live_games, counted = self._live_games, self._counted
        counted.seat = eyes = live_games.eyes(self._live, self._caller, self._wanted, self._stranger)
        counted.held = self._held()  # for the watcher may have sat down
        found = live_games.seen(self._live, self._caller, eyes, self._version)
        self._version = found.version
        return found

    def _held(self) -> tuple[Seat, ...]:
        return () if self._stranger else self._live.held(self._caller)


async def follow(connection: Any, services: Services, safe: bool) -> tuple[Following, Caller]:
    """The observer that a connection asks to be, or Refusal."""
    caller = await who(connection, services, safe)
    after = query_number(connection, "after", _MOST_VERSIONS) or 0
    last = connection.headers.get("last-event-id", "")
    if last:
        if not (last.isascii() and last.isdigit() and len(last) <= 7):
            raise bad("'Last-Event-ID' must be a version.")
        after = int(last)
    seat = None if (number := query_number(connection, "seat", 1)) is None else Seat(number)
    stranger = connection.query_params.get("as") == "watcher"
    live = await services.live_games.get(str(connection.path_params["game"])[:40])
    return Following(services, live, caller, seat, stranger, after), caller


def events(services: Services) -> Any:
    """The endpoint of server-sent events."""

    async def answer(request: Request) -> Response:
        places = ExitStack()
        try:
            services.memory.check()
            where = address(request, services.settings)
            services.request_credit.spend(where)
            following, caller = await follow(request, services, safe=True)
            places.enter_context(services.by_address.take(where))
            if caller.person is not None:
                places.enter_context(services.by_person.take(caller.person))
        except Refusal as refusal:
            places.close()
            return refused(refusal)
        except Unavailable:
            places.close()
            return refused(busy())
        headers = {"X-Accel-Buffering": "no"}
        return StreamingResponse(
            _told(services, following, places), media_type="text/event-stream", headers=headers
        )

    return answer


async def _told(services: Services, following: Following, places: ExitStack) -> AsyncIterator[str]:
    subscriptions, bell = services.live_games.subscriptions, asyncio.Event()
    subscriber = following.subscriber(bell.set)
    with places:
        subscriptions.enter(subscriber)
        try:
            while not subscriptions.closing:
                bell.clear()
                view = following.view()
                yield f"id: {view.version}\ndata: {msgspec.json.encode(view).decode()}\n\n"
                while not await _rung(bell, services.settings.heartbeat):
                    yield ": still here\n\n"
        finally:
            subscriptions.leave(subscriber)


async def _rung(bell: asyncio.Event, seconds: float) -> bool:
    """Whether there was news before the time was up."""
    try:
        async with asyncio.timeout(seconds):
            return await bell.wait()
    except TimeoutError:
        return False


def socket(services: Services) -> Any:
    """The endpoint of sockets: commands up, views and replies down."""

    async def answer(websocket: WebSocket) -> None:
        with ExitStack() as places:
            try:
                services.memory.check()
                where = address(websocket, services.settings)
                services.request_credit.spend(where)
                if not _told_apart(websocket):
                    raise Refusal(Code.FORBIDDEN, "A socket needs the Origin of a page, or a token.")
                following, caller = await follow(websocket, services, safe=True)
                places.enter_context(services.by_address.take(where))
                if caller.person is not None:
                    places.enter_context(services.by_person.take(caller.person))
            except (Refusal, Unavailable) as refusal:
                await websocket.send_denial_response(
                    refused(refusal if isinstance(refusal, Refusal) else busy())
                )
                return
            await websocket.accept()
            if websocket.query_params.get("protocol", str(PROTOCOL)) != str(PROTOCOL):
                await websocket.close(OLD_PROTOCOL)
                return
            await _Line(services, websocket, following, caller).run()

    return answer


def _told_apart(websocket: WebSocket) -> bool:
    """Whether a page says whose it is, as a browser always does, or a program shows a token."""
    return "origin" in websocket.headers or "authorization" in websocket.headers


def _nobody() -> None:
    """Somebody who has left."""


class _Line:
    """One open socket."""

    def __init__(
        self, services: Services, websocket: WebSocket, following: Following, caller: Caller
    ) -> None:
        self._services, self._websocket, self._following, self._caller = (
            services,
            websocket,
            following,
            caller,
        )
        self._subscriptions = services.live_games.subscriptions
        self._wire: Wire = websocket.scope["extensions"][WIRE]
        self._soon = asyncio.get_running_loop().call_soon
        self._due = False  # there is news that was not sent yet
        self._mistakes = 0
        self._ending: asyncio.Task[None] | None = None

    async def run(self) -> None:
        """Talk until one side hangs up."""
        subscriber = self._following.subscriber(self.notify)
        self._subscriptions.enter(subscriber)
        self._wire.drained = self._tell
        self.notify()
        try:
            while (message := await self._wire.receive())["type"] == "websocket.receive":
                if not await self._heard(message.get("text")):
                    return
        except (WebSocketDisconnect, RuntimeError):
            return  # gone; what was committed stays, and the client asks again
        finally:
            self._subscriptions.leave(subscriber)
            self._wire.drained = None
            subscriber.notify = _nobody  # which holds this line
            self._due = False
            if self._ending is not None:
                await self._ending

    def notify(self) -> None:
        """Have what is new sent, once for all that happens in this turn of the loop."""
        if not self._due:
            self._due = True
            self._soon(self._tell)

    def _tell(self) -> None:
        """Send what is new, at the reader's pace; if that goes wrong hang up, and the page asks again."""
        if not self._due or not self._wire.ready:
            return  # nothing new, or the wire will call again
        self._due = False
        if not self._subscriptions.closing:
            try:
                self._wire.tell(msgspec.json.encode({"type": "view", "view": self._following.view()}))
                return
            except Exception as wrong:
                complain(wrong)
        if self._ending is None:
            self._ending = asyncio.create_task(self._end())

    async def _end(self) -> None:
        with suppress(WebSocketDisconnect, RuntimeError):  # gone by itself
            await self._websocket.close(RESTART)

    async def _send(self, message: dict[str, Any]) -> None:
        await self._wire.writable.wait()
        self._wire.tell(msgspec.json.encode(message))

    async def _heard(self, text: str | None) -> bool:
        """Whether to go on after a message."""
        if text is None:
            await self._websocket.close(BAD_TEXT)
            return False
        if len(text) > self._services.settings.largest_body:
            await self._websocket.close(TOO_LARGE)
            return False
        try:
            self._services.command_credit.spend(self._caller.person or id(self))
            body = parse(text, self._services.settings.largest_body)
            kind = body.pop("type", None)
            if kind == "ping" and not body:
                await self._send({"type": "pong"})
            elif kind == "command":
                await self._send(await self._reply(body))
            else:
                raise bad("A message is a command or a ping.")
        except Refusal as refusal:
            return await self._complain(refusal)
        except Unavailable:
            await self._send({"type": "reply", "id": None, **busy().reply()})
        return True

    async def _complain(self, refusal: Refusal) -> bool:
        if refusal.code is Code.RATE_LIMITED or self._mistakes >= _MOST_MISTAKES:
            await self._websocket.close(FLOOD)
            return False
        self._mistakes += 1
        await self._send({"type": "reply", "id": None, **refusal.reply()})
        return True

    async def _reply(self, body: dict[str, Any]) -> dict[str, Any]:
        """A command carried out or refused; the view follows by itself, so a reply brings none."""
        command = endpoints.read_command(body)
        try:
            self._services.memory.check()
            if self._caller.person is None:
                raise Refusal(Code.FORBIDDEN, "You are watching this game: only its players can do that.")
            live, _, done = await self._services.commands.command(
                self._following.game_id, self._caller, command
            )
            reply = {**done.reply(), "version": live.game.version, "applied": done.version}
        except Refusal as refusal:
            reply = refusal.reply()
            if refusal.code is Code.STALE_VERSION:
                self.notify()
        return {"type": "reply", "id": command.id, **reply}
