"""One game in memory: its state, who sits there, and since when the present choice has been waiting."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from time import monotonic

from digit_duel.core.game import Pair, Seat
from digit_duel.web.play.connected.presence import NEVER
from digit_duel.web.play.online_game import OnlineGame

_HELD = ((), (Seat.FIRST,), (Seat.SECOND,), (Seat.FIRST, Seat.SECOND))


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks: a person with a session, or a stranger with neither."""

    person: str | None = field(default=None, repr=False)
    session: str | None = field(default=None, repr=False)  # the token's hash


@dataclass(slots=True)
class LiveGame:
    """A game in memory, with what its log does not hold."""

    game: OnlineGame
    seed: str
    people: dict[int, str] = field(default_factory=dict)  # who sits where
    owner: str = ""
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    since: float = field(default_factory=monotonic)  # when the present choice was put
    checked: float = field(default_factory=monotonic)  # when this was known to be the last version
    last_seen: Pair[int] = NEVER  # when each seat was last connected, but for this server's connections now
    thinking: asyncio.Task[None] | None = None

    def __repr__(self) -> str:
        return f"<live {self.game!r}>"  # neither the seed nor who sits here

    def held(self, caller: Caller) -> tuple[Seat, ...]:
        """The seats that belong to the caller."""
        person = caller.person
        if person is None:
            return ()
        first, second = self.people.get(0) == person, self.people.get(1) == person
        return _HELD[first + 2 * second]

    def first_acting(self, held: tuple[Seat, ...]) -> Seat:
        """The first of some seats that is to choose, or else the first of them."""
        return next((seat for seat in held if seat in self.game.acting), held[0])

    def become(self, game: OnlineGame, since: float) -> None:
        """Move on to a later version, whose present choice was put at a time."""
        if (game.asked, game.clock_set) != (self.game.asked, self.game.clock_set):
            self.since = since
        self.checked = monotonic()
        self.game = game
