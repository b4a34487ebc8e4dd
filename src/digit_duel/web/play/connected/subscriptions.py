"""Subscribers to games: each is notified of changes and fetches them at its own pace."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass

from digit_duel.core.game import Pair, Seat


@dataclass(eq=False, slots=True)
class Subscriber:
    """One open connection; it gets notifications without data, so a slow one costs no memory."""

    game_id: str
    seat: Seat | None
    held: tuple[Seat, ...]
    notify: Callable[[], None]  # the game has changed; may be called repeatedly
    session: str | None = None  # the token's hash
    ended: bool = False  # the session has ended, so the connection must close


class Subscriptions:
    """All open connections of this process, by game."""

    def __init__(self) -> None:
        # Dicts keep the order of arrival; sets would notify in a different order every time.
        self._rooms: dict[str, dict[Subscriber, None]] = defaultdict(dict)
        self._by_session: dict[str, dict[Subscriber, None]] = defaultdict(dict)
        self._count = 0
        self.closing = False
        self.arrival = asyncio.Event()  # set when a player connects, to tell other servers soon

    def __len__(self) -> int:
        return self._count

    def games(self) -> list[str]:
        """The games that have subscribers."""
        return list(self._rooms)

    def anybody(self, game_id: str) -> bool:
        """Whether a game has subscribers."""
        return game_id in self._rooms

    def add(self, subscriber: Subscriber) -> None:
        """Add a connection; notify the others if it is the first of a seat."""
        before, _ = self.present(subscriber.game_id)
        self._rooms[subscriber.game_id][subscriber] = None
        self._count += 1
        if subscriber.session is not None:
            self._by_session[subscriber.session][subscriber] = None
        if subscriber.held:
            self.arrival.set()
        self._notify_change(subscriber.game_id, before)

    def remove(self, subscriber: Subscriber) -> None:
        """Remove a connection; notify the others if it was the last of a seat."""
        if subscriber.session is not None:
            mine = self._by_session[subscriber.session]
            mine.pop(subscriber, None)
            if not mine:
                del self._by_session[subscriber.session]
        room = self._rooms.get(subscriber.game_id)
        if room is None or subscriber not in room:
            return
        before, _ = self.present(subscriber.game_id)
        del room[subscriber]
        self._count -= 1
        if not room:
            del self._rooms[subscriber.game_id]
        else:
            self._notify_change(subscriber.game_id, before)

    def _notify_change(self, game_id: str, before: Pair[bool]) -> None:
        """Notify a game's subscribers if the connected seats have changed."""
        if self.present(game_id)[0] != before:
            self.notify(game_id)

    def notify(self, game_id: str) -> None:
        """Notify all subscribers of a game."""
        for subscriber in self._rooms.get(game_id, ()):
            subscriber.notify()

    def end_session(self, session: str) -> None:
        """Close the connections of a session; from now on they hold no seat."""
        for subscriber in list(self._by_session.get(session, ())):
            subscriber.ended, subscriber.held = True, ()
            self.notify(subscriber.game_id)

    def close(self) -> None:
        """Tell all connections that the server is stopping."""
        self.closing = True
        for game_id in self.games():
            self.notify(game_id)

    def connected(self) -> dict[str, frozenset[Seat]]:
        """The seats of every game that have an open connection here."""
        return {
            game_id: frozenset(seat for subscriber in room for seat in subscriber.held)
            for game_id, room in self._rooms.items()
        }

    def present(self, game_id: str) -> tuple[Pair[bool], int]:
        """Which seats have an open connection, and how many people watch."""
        first = second = False
        watchers = 0
        for subscriber in self._rooms.get(game_id, ()):
            if held := subscriber.held:
                first = first or Seat.FIRST in held
                second = second or Seat.SECOND in held
            else:
                watchers += 1
        return (first, second), watchers
