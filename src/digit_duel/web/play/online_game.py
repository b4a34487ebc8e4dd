"""One game at one version, with all secrets, as the events of its log produce it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple, NoReturn

from digit_duel.core.game import Outcome, Pair, Seat
from digit_duel.core.match import Match
from digit_duel.core.record import Record, result_of
from digit_duel.core.script import AnyStep, Names
from digit_duel.core.session import AnySession
from digit_duel.core.variant import AnyVariant
from digit_duel.web.field_types import OfferKind
from digit_duel.web.play.events import Body, Offered, Opened
from digit_duel.web.store import Event
from digit_duel.web.views.view_types import GameView


@dataclass(frozen=True, slots=True)
class Player:
    """The player in a seat."""

    name: str = ""
    level: str | None = None  # of a computer
    seed: str = field(default="", repr=False)  # the player's contribution to the deal

    @property
    def open(self) -> bool:
        """Whether the seat is free."""
        return not self.name


class News(NamedTuple):
    """One event with the steps that it caused."""

    event: Event
    body: Body
    steps: tuple[AnyStep, ...] = ()
    secret: bool = False  # the first of two choices made at once
    opens: bool = False  # the second of them, which reveals both

    def __repr__(self) -> str:
        return f"<news {self.event.version}>"


@dataclass(frozen=True)
class OnlineGame:
    """One game at one version."""

    id: str
    version: int = 0
    digest: str = ""
    opened: Opened | None = None
    rules: AnyVariant | None = None
    invite: str | None = None  # the hash of the invitation's secret
    players: Pair[Player] = (Player(), Player())
    session: AnySession | None = None  # once both players have joined
    ended: Outcome | None = None  # if it ended otherwise than by the rules
    offers: Mapping[OfferKind, tuple[Seat, Offered]] = field(default_factory=dict)
    next: str | None = None  # the rematch
    clock: int | None = None  # minutes for each seat
    clock_set: int = 0  # the version from which the clock runs
    used: Pair[int] = (0, 0)  # milliseconds
    asked: Pair[int] = (0, 0)  # the version at which each seat's current choice arose
    clients: Mapping[tuple[int, str], tuple[int, str | None]] = field(
        default_factory=dict
    )  # by seat and client's id: the version and the command
    news: tuple[News, ...] = ()

    def __repr__(self) -> str:
        return f"<game {self.id} at {self.version}>"  # keeps secrets out of logs and tracebacks

    def __reduce__(self) -> NoReturn:
        raise TypeError("a game holds secrets and must not be pickled: send a view")

    @property
    def opening(self) -> Opened:
        """The first event."""
        assert self.opened is not None
        return self.opened

    @property
    def variant(self) -> AnyVariant:
        """The game with its chosen settings."""
        assert self.rules is not None
        return self.rules

    @property
    def owner_seat(self) -> Seat:
        """The seat of the person who opened the game."""
        return self.opening.seat

    @property
    def names(self) -> Names:
        """The players' names, with placeholders for players who have not joined."""
        return (self.players[0].name or "Player 1", self.players[1].name or "Player 2")

    @cached_property
    def outcome(self) -> Outcome | None:
        """The outcome, by the rules or otherwise; None while the game goes on."""
        if self.ended is not None:
            return self.ended
        return self.session.outcome if self.session else None

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.outcome is not None

    @cached_property
    def acting(self) -> tuple[Seat, ...]:
        """The seats that may choose now."""
        return () if self.session is None or self.over else self.session.acting

    @cached_property
    def sights(self) -> dict[Seat | None, GameView]:
        """The views of this version computed so far, by seat; None is for strangers."""
        return {}

    @cached_property
    def legal(self) -> Pair[dict[str, object]]:
        """Each seat's legal moves, by notation."""
        return (self._legal(Seat.FIRST), self._legal(Seat.SECOND))

    def _legal(self, seat: Seat) -> dict[str, object]:
        if self.session is None or seat not in self.acting:
            return {}
        game = self.session.game
        return {game.text(move): move for move in game.legal(self.session.state, seat)}

    @property
    def same_device(self) -> bool:
        """Whether both seats belong to one person."""
        return self.opening.opponent == "same_device"

    @property
    def computer(self) -> Seat | None:
        """The seat of the computer, if there is one."""
        first, second = self.players
        return Seat.FIRST if first.level else Seat.SECOND if second.level else None

    @property
    def people_apart(self) -> bool:
        """Whether two people play on separate devices, and so need each other's consent."""
        return not self.same_device and self.computer is None

    @property
    def match(self) -> Match:
        """The score before this game."""
        return self.opening.match.match

    def record(self, seat: Seat | None = None) -> Record:
        """The record of the game: all of it, or only what a seat saw."""
        assert self.session is not None
        found = self.session.record() if seat is None else self.session.record_for(seat)
        headers = dict(found.headers)
        if self.ended is not None:
            headers["Ended"] = self.ended.reason
            found = replace(found, result=result_of(self.ended))
        headers |= {"Online": self.id, "Seal": self.opening.seal}
        return replace(found, headers=headers)
