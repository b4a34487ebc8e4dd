"""Leaks around the view: headers, lengths, frames, logs and figures (SAFETY C2, C3, C8, C9, C16)."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from typing import Any

from msgspec import to_builtins
from starlette.requests import Request
from starlette.responses import Response
from tests.web.leaks.planting import Patch, in_answer, leak, on_append, telling

from digit_duel.web import logs, store
from digit_duel.web.background_tasks import BackgroundTasks
from digit_duel.web.http import event_stream, pages, security, websocket
from digit_duel.web.http.following import Following
from digit_duel.web.http.messages import RefusedMessage
from digit_duel.web.play.connected import subscriptions
from digit_duel.web.play.game_service import GameService
from digit_duel.web.play.live_game import LiveGame
from digit_duel.web.play.online_game import OnlineGame

# Answers around the view (C3, C8).


@leak()
def an_etag_of_the_state(patch: Patch) -> None:
    """A hash of the whole state, so that caches know when it changes."""
    in_answer(patch, lambda response, secret: response.headers.append("etag", f'"{secret:x}"'))


@leak()
def a_header_that_measures(patch: Patch) -> None:
    """A header with the time that the answer took, which depends on the cards."""
    in_answer(patch, lambda response, secret: response.headers.append("server-timing", f"dur={secret % 9}"))


@leak()
def a_cookie_that_remembers(patch: Patch) -> None:
    """A cookie with more in it than a token."""
    in_answer(patch, lambda response, secret: response.set_cookie("seen", str(secret % 100)))


@leak()
def the_order_of_headers_tells(patch: Patch) -> None:
    """The same headers, another order."""

    def change(response: Response, secret: int) -> None:
        response.raw_headers = response.raw_headers[:: 1 if secret % 2 else -1]

    in_answer(patch, change)


@leak()
def the_length_tells(patch: Patch) -> None:
    """Padding after the end of the JSON, as compression would make it."""

    def change(response: Response, secret: int) -> None:
        response.body = bytes(response.body) + b" " * (secret % 4)
        response.headers["content-length"] = str(len(response.body))

    in_answer(patch, change)


@leak()
def the_status_tells(patch: Patch) -> None:
    """Another status of success."""

    def change(response: Response, secret: int) -> None:
        response.status_code += secret % 2

    in_answer(patch, change)


@leak()
def a_preview_for_chats_tells(patch: Patch) -> None:
    """The page's head describes the game as it stands."""
    known: list[GameService] = []
    remember = GameService.__init__
    honest = pages.Page.shell

    def remembering(self: GameService, *parts: Any) -> None:
        known.append(self)
        remember(self, *parts)

    async def leaky(self: pages.Page, request: Request) -> Response:
        response = await honest(self, request)
        if live := known[-1]._games.find(request.path_params.get("game", "")):
            response.headers["x-og-description"] = f"{telling(live.game) % 1000} points"
        return response

    patch.setattr(GameService, "__init__", remembering)
    patch.setattr(pages.Page, "shell", leaky)


# Sockets and streams (C2, C9).


@leak()
def a_socket_says_it_twice(patch: Patch) -> None:
    """The number of frames depends on a secret."""
    honest = websocket._Connection._send_view

    async def leaky(self: Any) -> None:
        await honest(self)
        if telling(self._following._live.game) % 2:
            await self._send({"type": "pong"})

    patch.setattr(websocket._Connection, "_send_view", leaky)


@leak()
def a_stream_sighs(patch: Patch) -> None:
    """An extra comment between the events depends on a secret."""
    honest = event_stream._events

    async def leaky(following: Any, services: Any) -> AsyncIterator[str]:
        async for each in honest(following, services):
            yield each + ": sigh\n\n" * (telling(following._live.game) % 2)

    patch.setattr(event_stream, "_events", leaky)


@leak()
def news_is_kept_back(patch: Patch) -> None:
    """Whether a subscriber is notified depends on what happened."""
    known: list[GameService] = []
    remember, honest = GameService.__init__, subscriptions.Subscriptions.notify

    def remembering(self: GameService, *parts: Any) -> None:
        known.append(self)
        remember(self, *parts)

    def leaky(self: subscriptions.Subscriptions, game: str) -> None:
        live = known[-1]._games.find(game)
        if live is None or telling(live.game) % 2:
            honest(self, game)

    patch.setattr(GameService, "__init__", remembering)
    patch.setattr(subscriptions.Subscriptions, "notify", leaky)


@leak()
def a_reply_quotes_the_last_event(patch: Patch) -> None:
    """The last event of the log, whichever player's it is."""
    honest = websocket._Connection._send

    async def leaky(self: Any, message: Any) -> None:
        if isinstance(message, RefusedMessage):
            last = self._following._live.game.news[-1].event.body
            message = {"type": "reply", **to_builtins(message), "last": last}
        await honest(self, message)

    patch.setattr(websocket._Connection, "_send", leaky)


@leak("cards")
def a_socket_forgets_who_wants_to_be_a_stranger(patch: Patch) -> None:
    """A player who watches in another window (C13)."""
    honest = Following.__init__

    def leaky(
        self: Any, services: Any, live: Any, caller: Any, seat: Any, stranger: bool, *others: Any
    ) -> None:
        honest(self, services, live, caller, seat, False, *others)

    patch.setattr(Following, "__init__", leaky)


@leak()
def a_stream_is_numbered_by_the_truth(patch: Patch) -> None:
    """The id of an event holds more than its version."""
    honest = event_stream._events

    async def leaky(following: Any, services: Any) -> AsyncIterator[str]:
        async for each in honest(following, services):
            yield each.replace("id: ", f"id: {telling(following._live.game) % 5}", 1)

    patch.setattr(event_stream, "_events", leaky)


# What an operator reads (C16).


@leak()
def a_complaint_quotes_the_mistake(patch: Patch) -> None:
    """The text of an exception is logged."""
    patch.setattr(security, "log_unforeseen", lambda wrong: logs.log.error("unforeseen", text=str(wrong)))


@leak()
def a_mistake_reaches_the_web_server(patch: Patch) -> None:
    """An exception reaches the web server, which prints it."""

    def dropped(wrong: BaseException) -> None:
        raise wrong

    patch.setattr(security, "log_unforeseen", dropped)


@leak()
def a_task_takes_its_mistake_along(patch: Patch) -> None:
    """Nobody awaits a background task, so the loop prints its exception."""
    patch.setattr(BackgroundTasks, "_ended", lambda self, task: self.running.discard(task))


@leak()
def moves_are_logged(patch: Patch) -> None:
    """A line for every event, for statistics."""
    on_append(patch, lambda self, live, body: logs.log.info("event", **body))


@leak("cards")
def the_state_is_printed(patch: Patch) -> None:
    """A print that somebody forgot to remove."""
    on_append(
        patch,
        lambda self, live, body: sys.stderr.write(str(telling(live.game))),
    )


@leak()
def metrics_count_moves_by_their_name(patch: Patch) -> None:
    """A label that holds what was played."""

    def count(self: GameService, live: LiveGame, body: dict[str, Any]) -> None:
        self.counts[body.get("move", "")] += 1

    on_append(patch, count)


@leak()
def a_gauge_tells(patch: Patch) -> None:
    """A metric that depends on the cards."""
    patch.setattr(GameService, "__len__", lambda self: sum(telling(live.game) % 10 for live in self._games))


@leak()
def a_table_prints_itself(patch: Patch) -> None:
    """A game as a dataclass prints it."""
    patch.setattr(
        OnlineGame, "__repr__", lambda self: f"Table({self.id!r}, {self.session and self.session.state})"
    )


@leak()
def a_live_table_prints_its_seed(patch: Patch) -> None:
    """The seed in a traceback."""
    patch.setattr(LiveGame, "__repr__", lambda self: f"Live({self.game!r}, seed={self.seed!r})")


@leak()
def an_event_prints_itself(patch: Patch) -> None:
    """An event with its body."""
    patch.setattr(store.Event, "__repr__", lambda self: f"Event({self.version}, {self.body})")
