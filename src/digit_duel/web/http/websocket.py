"""A game over a WebSocket: it receives commands, and sends views with the replies."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import msgspec
from msgspec import UNSET
from starlette.types import Message
from starlette.websockets import WebSocket, WebSocketDisconnect

from digit_duel.web.event_loop import filter_of
from digit_duel.web.http.context import Services, address
from digit_duel.web.http.event_stream import SEND_TIMEOUT
from digit_duel.web.http.following import Following, admit
from digit_duel.web.http.input.json_input import parse
from digit_duel.web.http.input.requests import read_command
from digit_duel.web.http.input.validation import bad_request
from digit_duel.web.http.messages import DoneReply, PongMessage, RefusedMessage, ServerMessage, ViewMessage
from digit_duel.web.http.responses import refused
from digit_duel.web.http.store_refusals import store_refusals
from digit_duel.web.logs import log_unforeseen
from digit_duel.web.play.commands import further_events
from digit_duel.web.replies import Code, Refusal
from digit_duel.web.settings import PROTOCOL

BAD_TEXT, FLOOD, TOO_LARGE, RESTART = 1007, 1008, 1009, 1012  # close codes
SESSION_ENDED, OLD_PROTOCOL = 4003, 4026
_HEADER = 6  # bytes of a short frame besides its text
_MOST_MISTAKES = 20  # invalid messages before the socket is closed


def websocket_endpoint(services: Services) -> Callable[[WebSocket], Awaitable[None]]:
    """Make the WebSocket endpoint."""

    async def answer(websocket: WebSocket) -> None:
        try:
            _check_origin(websocket)
            following, places = await admit(websocket, services)
        except Refusal as refusal:
            if refusal.code is Code.RATE_LIMITED:
                await services.limits.delay(address(websocket, services.settings))
            await websocket.send_denial_response(refused(refusal))
            return
        with places:
            try:
                await websocket.accept()
            except OSError:
                return  # the client left during the handshake
            if websocket.query_params.get("protocol", str(PROTOCOL)) == str(PROTOCOL):
                await _Connection(services, websocket, following).run()
            else:
                await websocket.close(OLD_PROTOCOL)

    return answer


def _check_origin(websocket: WebSocket) -> None:
    """Refuse a request with neither Origin nor token: pages send the one, programs the other."""
    if not ("origin" in websocket.headers or "authorization" in websocket.headers):
        raise Refusal(Code.FORBIDDEN, "A WebSocket needs an Origin header or a token.")


class _Connection:
    """An accepted WebSocket: one task receives commands, another sends views."""

    def __init__(self, services: Services, websocket: WebSocket, following: Following) -> None:
        self._services, self._websocket, self._following = services, websocket, following
        self._news = asyncio.Event()
        self._news.set()  # the first view
        self._handling = asyncio.Lock()  # held while a message is handled
        self._sending = asyncio.Lock()
        self._closed = False
        self._mistakes = 0
        self._replies: list[DoneReply] = []  # to send with the next view
        self._filter = filter_of(websocket.client)

    async def run(self) -> None:
        """Serve until either side closes the socket."""
        if self._filter is not None:
            self._filter.on_flood = self._news.set
        try:
            with self._following.subscribed(self._news.set):
                async with asyncio.TaskGroup() as tasks:
                    sender = tasks.create_task(self._send_views())
                    await self._receive()
                    sender.cancel()
        except* (WebSocketDisconnect, TimeoutError):
            pass  # the client disconnected or does not read; commands that were committed stay
        finally:
            if self._filter is not None:
                self._services.limits.received_outside_messages(
                    self._following.address, self._filter.outside_messages
                )

    async def _send_views(self) -> None:
        """Send the latest view whenever there is a later one; a slow reader skips those in between."""
        try:
            while not self._closed:
                await self._news.wait()
                await self._services.limits.next_view(self._following.address)
                self._news.clear()
                await self._send_view()
        except (WebSocketDisconnect, TimeoutError):
            async with self._handling:  # raising cancels the receiver, so wait until its command is done
                raise

    async def _send_view(self) -> None:
        if self._services.game_service.subscriptions.closing:
            await self._close(RESTART)
            return
        if self._following.ended:
            await self._close(SESSION_ENDED)
            return
        if self._filter is not None and self._filter.flooded:
            self._services.limits.flooded(self._following.address)
            await self._close(FLOOD)
            return
        try:
            view = self._following.view()
        except Exception as wrong:
            log_unforeseen(wrong)
            await self._close(RESTART)
            return
        replies, self._replies = self._replies, []
        await self._send(ViewMessage(view, replies or UNSET))

    async def _receive(self) -> None:
        """Handle messages, one after the other, until the socket is closed."""
        while (message := await self._websocket.receive())["type"] == "websocket.receive":
            text = message.get("text")
            if self._filter is not None and text is not None:
                self._filter.message_read(len(text) + _HEADER)
            await self._services.limits.next_message(self._following.address)
            async with self._handling:
                code = await self._handle(text)
            if code is not None:
                await self._close(code)
                return

    async def _handle(self, text: str | None) -> int | None:
        """Handle one message; return a close code if the socket must be closed."""
        if text is None:
            return BAD_TEXT
        if len(text) > self._services.settings.largest_body:
            return TOO_LARGE
        try:
            self._services.limits.commands.spend(self._following.caller.person or id(self))
            body = parse(text, self._services.settings.largest_body)
            kind = body.pop("type", None)
            if kind == "ping" and not body:
                await self._send(PongMessage())
            elif kind == "command":
                await self._command(body)
            else:
                raise bad_request("A message must be a command or a ping.")
        except Refusal as refusal:
            self._mistakes += 1
            if refusal.code is Code.RATE_LIMITED or self._mistakes > _MOST_MISTAKES:
                return FLOOD
            await self._send(RefusedMessage.of(None, refusal))
        return None

    async def _command(self, body: dict[str, object]) -> None:
        """Carry out a command; the reply is sent with the resulting view, a refusal by itself."""
        command = read_command(body)
        caller, game_id = self._following.caller, self._following.game_id
        try:
            self._services.limits.events.spend(self._following.address)
            if caller.person is None:
                raise Refusal(Code.FORBIDDEN, "You are watching this game: only its players can do that.")
            with store_refusals():
                live, done = await self._services.commands.command(game_id, caller, command)
        except Refusal as refusal:
            await self._send(RefusedMessage.of(command.id, refusal))
            return
        self._services.limits.events.charge(self._following.address, further_events(live.game, done))
        # The sender task has not run since the game changed, so the view and the reply share a message.
        self._replies.append(DoneReply(command.id, done.code, done.version))
        self._news.set()

    async def _send(self, message: ServerMessage) -> None:
        text = msgspec.json.encode(message).decode()
        await self._put({"type": "websocket.send", "text": text})

    async def _close(self, code: int) -> None:
        await self._put({"type": "websocket.close", "code": code})

    async def _put(self, message: Message) -> None:
        """Send a message unless the socket is closed; TimeoutError if the client does not read."""
        async with self._sending, asyncio.timeout(SEND_TIMEOUT):
            if self._closed:
                return
            self._closed = message["type"] == "websocket.close"
            try:
                await self._websocket.send(message)
            except RuntimeError as closed:  # closed by the ASGI server, perhaps after a malformed frame
                raise WebSocketDisconnect from closed
