"""Who looks on: each subscriber is told when its game moves on, and takes what is new at its own pace."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass

from digit_duel.core.game import Pair, Seat


@dataclass(eq=False, slots=True)
class Subscriber:
    """One open connection: it is told that there is news, never more, so that a slow one costs no memory."""

    game: str
    seat: Seat | None
    held: tuple[Seat, ...]
    ring: Callable[[], None]  # says that there is news, as often as one likes


class Hub:
    """All open connections of this process, by game."""

    def __init__(self) -> None:
        # In the order in which they came; a set would tell them in a different order every time.
        self._rooms: dict[str, dict[Subscriber, None]] = defaultdict(dict)
        self.closing = False
        self.sees_all: Callable[[str], bool] = lambda game: True  # whether all who are at a game are here

    def __len__(self) -> int:
        return sum(map(len, self._rooms.values()))

    def games(self) -> list[str]:
        """The games that somebody looks at."""
        return list(self._rooms)

    def anybody(self, game: str) -> bool:
        """Whether somebody looks at a game."""
        return game in self._rooms

    def enter(self, subscriber: Subscriber) -> None:
        """Count a connection in."""
        self._rooms[subscriber.game][subscriber] = None
        if subscriber.seat is not None:
            self.ring(subscriber.game)  # the others see who is here

    def leave(self, subscriber: Subscriber) -> None:
        """Count a connection out."""
        room = self._rooms.get(subscriber.game)
        if room is None:
            return
        room.pop(subscriber, None)
        if not room:
            del self._rooms[subscriber.game]
        elif subscriber.seat is not None:
            self.ring(subscriber.game)

    def ring(self, game: str) -> None:
        """Tell everybody at a game that there is news."""
        for subscriber in self._rooms.get(game, ()):
            subscriber.ring()

    def close(self) -> None:
        """Wake everybody, for the server is going down."""
        self.closing = True
        for game in self.games():
            self.ring(game)

    def present(self, game: str) -> tuple[Pair[bool], int]:
        """Which seats have an open connection, and how many strangers look on."""
        first = second = False
        watchers = 0
        for subscriber in self._rooms.get(game, ()):
            if held := subscriber.held:
                first = first or Seat.FIRST in held
                second = second or Seat.SECOND in held
            else:
                watchers += 1
        return (first, second), watchers
