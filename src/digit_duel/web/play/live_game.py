"""One game in memory: its state, the people in it, and when the current choice arose."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from time import monotonic

from digit_duel.core.game import Pair, Seat
from digit_duel.web.play.connected.presence import NEVER
from digit_duel.web.play.online_game import OnlineGame


@dataclass(frozen=True, slots=True)
class Caller:
    """Who sent a request: a person with a session, or a stranger with neither."""

    person: str | None = field(default=None, repr=False)
    session: str | None = field(default=None, repr=False)  # the token's hash


@dataclass(slots=True)
class LiveGame:
    """A game in memory, with what its log does not hold."""

    game: OnlineGame
    seed: str
    people: dict[int, str] = field(default_factory=dict)  # by seat
    owner: str = ""
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    since: float = field(default_factory=monotonic)  # when the current choice arose
    checked: float = field(default_factory=monotonic)  # when this was last known to be the latest version
    last_seen: Pair[int] = NEVER  # when each seat was last connected, without this server's open connections
    thinking: asyncio.Task[None] | None = None

    def __repr__(self) -> str:
        return f"<live {self.game!r}>"  # hides the seed and the people

    def held(self, caller: Caller) -> tuple[Seat, ...]:
        """The seats that belong to the caller."""
        if caller.person is None:
            return ()
        return tuple(seat for seat in Seat if self.people.get(seat) == caller.person)

    def first_acting(self, held: tuple[Seat, ...]) -> Seat:
        """The first of these seats that is to choose, or else the first of them."""
        return next((seat for seat in held if seat in self.game.acting), held[0])

    def become(self, game: OnlineGame, since: float) -> None:
        """Move on to a later version, whose current choice arose at a time."""
        if (game.asked, game.clock_set) != (self.game.asked, self.game.clock_set):
            self.since = since
        self.checked = monotonic()
        self.game = game
