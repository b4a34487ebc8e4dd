"""A game as its log tells it: a pure fold of events, and the only place that knows the whole truth."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any, Generic, NamedTuple, NoReturn, TypeVar

import orjson

from digit_duel.core.game import Outcome, Pair, Seat, put
from digit_duel.core.match import Match
from digit_duel.core.record import RESIGNATION, Record
from digit_duel.core.script import Names, Step
from digit_duel.core.session import AnySession, Session
from digit_duel.core.variant import AnyVariant
from digit_duel.web.play.deals import sealed_dealer
from digit_duel.web.play.variants import customised
from digit_duel.web.store import Event

T = TypeVar("T")


class DamagedLog(Exception):
    """The log does not follow from itself: somebody or something has changed it."""


@dataclass(frozen=True, slots=True)
class Player:
    """Who sits in a seat."""

    name: str = ""
    level: str | None = None  # of a computer
    seed: str = field(default="", repr=False)  # the seat's own part in the deal

    @property
    def open(self) -> bool:
        """Whether nobody sits here yet."""
        return not self.name


class News(NamedTuple):
    """What one event did: the steps it made, and its own words."""

    event: Event
    body: Mapping[str, Any]
    steps: tuple[Step[Any, Any], ...] = ()
    secret: bool = False  # the first of two choices made at once

    def __repr__(self) -> str:
        return f"<news {self.event.version}>"


class lazily(Generic[T]):  # noqa: N801  # reads as what it is, a decorator
    """Worked out when first asked for; functools.cached_property takes a lock for that up to Python 3.11."""

    def __init__(self, work: Callable[[Any], T]) -> None:
        self._work, self.__doc__ = work, work.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, owner: object, kind: type) -> T:
        found = vars(owner)[self._name] = self._work(owner)
        return found


@dataclass(frozen=True)
class OnlineGame:
    """One game at one version."""

    id: str
    version: int = 0
    digest: str = ""
    opening: Mapping[str, Any] = field(default_factory=dict)
    variant: AnyVariant | None = None
    owner_seat: Seat = Seat.FIRST
    invite: str | None = None  # the hash of the invitation's secret
    players: Pair[Player] = (Player(), Player())
    session: AnySession | None = None  # from when both sit
    ended: Outcome | None = None  # otherwise than by the rules
    offers: Mapping[str, tuple[Seat, Mapping[str, Any]]] = field(default_factory=dict)
    next: str | None = None
    clock: int | None = None  # minutes a seat
    used: Pair[int] = (0, 0)  # milliseconds
    asked: Pair[int] = (0, 0)  # the version from which each seat faces its present choice
    clients: Mapping[tuple[int, str], tuple[int, str]] = field(default_factory=dict)  # to version and body
    seals: tuple[tuple[int, int, str, int], ...] = ()  # version, seat, seal, time
    news: tuple[News, ...] = ()
    lasting: dict[str, Any] = field(default_factory=dict)  # what views have worked out about every version

    def __repr__(self) -> str:
        return f"<table {self.id} at {self.version}>"  # the truth does not belong in a log or a traceback

    def after(self, **changes: Any) -> OnlineGame:
        """The table with changes; dataclasses.replace would take three times as long, at every move."""
        twin = object.__new__(OnlineGame)
        vars(twin).update(vars(self), **changes)
        for name in _WORKED_OUT:
            vars(twin).pop(name, None)
        return twin

    def __reduce__(self) -> NoReturn:
        raise TypeError("a table is not for sending: send a view")

    @property
    def names(self) -> Names:
        """The names, or who is awaited."""
        return (self.players[0].name or "Player 1", self.players[1].name or "Player 2")

    @lazily
    def outcome(self) -> Outcome | None:
        """The result, however it came."""
        if self.ended is not None:
            return self.ended
        return self.session.outcome if self.session else None

    @property
    def over(self) -> bool:
        """Whether nothing can be played any more."""
        return self.outcome is not None

    @lazily
    def acting(self) -> tuple[Seat, ...]:
        """Who may choose now."""
        return () if self.session is None or self.over else self.session.acting

    @lazily
    def sights(self) -> dict[Any, dict[str, Any]]:
        """What views have worked out about this version, by whose eyes; no concern of the table."""
        return {}

    @lazily
    def legal(self) -> Pair[dict[str, Any]]:
        """The moves that each seat may choose from, by their notation."""
        return (self._legal(Seat.FIRST), self._legal(Seat.SECOND))

    def _legal(self, seat: Seat) -> dict[str, Any]:
        if self.session is None or seat not in self.acting:
            return {}
        game = self.session.game
        return {game.text(move): move for move in game.legal(self.session.state, seat)}

    @property
    def same_device(self) -> bool:
        """Whether both seats belong to one person."""
        return bool(self.opening.get("opponent") == "same_device")

    @property
    def computer(self) -> Seat | None:
        """The seat of the computer, if there is one."""
        first, second = self.players
        return Seat.FIRST if first.level else Seat.SECOND if second.level else None

    @property
    def people_apart(self) -> bool:
        """Whether two people play who need each other's consent."""
        return not self.same_device and self.computer is None

    @property
    def match(self) -> Match:
        """The score so far, before this game."""
        kept = self.opening.get("match", {})
        return Match(
            kept.get("first_to"), kept.get("best_of"), kept.get("number", 1), tuple(kept.get("score", (0, 0)))
        )

    def record(self, seat: Seat | None = None) -> Record:
        """The game so far; a seat's record holds what it saw."""
        assert self.session is not None
        found = self.session.record() if seat is None else self.session.record_for(seat)
        headers = dict(found.headers)
        if self.ended is not None:
            headers["Ended"] = self.ended.reason
            winner = self.ended.winner
            result = "1/2-1/2" if winner is None else "1-0" if winner is Seat.FIRST else "0-1"
            found = replace(found, result=result)
        headers |= {"Online": self.id, "Seal": str(self.opening["seal"])}
        return replace(found, headers=headers)


_WORKED_OUT = tuple(name for name, each in vars(OnlineGame).items() if isinstance(each, lazily))
_CANONICAL = json.JSONEncoder(ensure_ascii=True, separators=(",", ":"), sort_keys=True)


def canonical(body: Mapping[str, Any]) -> str:
    """JSON in its one form."""
    quick = orjson.dumps(body, option=orjson.OPT_SORT_KEYS).decode()
    # The two agree on plain text, which is what moves are; names may be anything.
    return quick if quick.isascii() and "\x7f" not in quick else _CANONICAL.encode(body)


def fold(game: OnlineGame, seed: str, events: Iterable[Event]) -> OnlineGame:
    """The table after events that are in the log, or DamagedLog."""
    for event in events:
        after = happen(game, seed, event)
        if after.digest != event.digest:
            raise DamagedLog(f"event {event.version} of game {game.id} is not what was written")
        game = after
    return game


def happen(game: OnlineGame, seed: str, event: Event) -> OnlineGame:
    """The table after one event, with the digest it ought to have."""
    if event.version != game.version + 1:
        raise DamagedLog(f"game {game.id} lacks event {game.version + 1}")
    try:
        body = orjson.loads(event.body)
        after: OnlineGame
        after, steps = _HAPPENINGS[body["kind"]](game, seed, event, body)
    except (ValueError, KeyError, TypeError, IndexError, AssertionError, AttributeError) as wrong:
        raise DamagedLog(f"event {event.version} of game {game.id} makes no sense") from wrong
    clients = dict(after.clients)
    if event.client is not None and event.seat is not None:
        clients[event.seat, event.client] = (event.version, event.body)
    both = body["kind"] == "move" and len(game.acting) == len(Seat)
    vars(after).update(  # which nobody has seen yet; another copy would work everything out again
        version=event.version,
        digest=_chained(game.digest, event, after, steps),
        clients=clients,
        asked=_asked(game, after, event, both),
        news=(*game.news, News(event, body, steps, secret=both)),
    )
    return after


def _chained(before: str, event: Event, after: OnlineGame, steps: tuple[Step[Any, Any], ...]) -> str:
    """A line's digest: of all lines up to it, and of what the rules made of it."""
    done = [after.session.game.text(step.move) for step in steps] if after.session else []
    text = canonical(
        {
            "before": before,
            "version": event.version,
            "seat": event.seat,
            "client": event.client,
            "at": event.at,
            "body": event.body,
            "did": done,
            "over": after.over,
        }
    )
    return sha256(text.encode()).hexdigest()


def _asked(before: OnlineGame, after: OnlineGame, event: Event, both: bool) -> Pair[int]:
    """Since when each seat faces its choice; the other's secret choice, or an offer, does not change it."""
    asked = before.asked
    changed = before.session is not after.session
    for seat in after.acting:
        still = both and seat in before.acting and event.seat != seat and len(after.acting) == 1
        if changed and not still:
            asked = put(asked, seat, event.version)
    return asked


def _open(game: OnlineGame, seed: str, event: Event, body: Mapping[str, Any]) -> Any:
    assert game.version == 0
    variant = customised(body["variant"], body["settings"])
    return game.after(
        opening=body, variant=variant, owner_seat=Seat(body["seat"]), invite=body.get("invite")
    ), ()


def _sit(game: OnlineGame, seed: str, event: Event, body: Mapping[str, Any]) -> Any:
    assert event.seat is not None
    assert game.variant is not None
    seat = Seat(event.seat)
    assert game.players[seat].open
    players = put(game.players, seat, Player(body["name"], body.get("level"), body.get("seed", "")))
    after = game.after(players=players)
    if any(player.open for player in players):
        return after, ()
    deal = sealed_dealer(seed, (players[0].seed, players[1].seed))
    session = Session(game.variant, after.names, deal)
    return after.after(session=session, invite=None), tuple(session.steps)


def _invite(game: OnlineGame, seed: str, event: Event, body: Mapping[str, Any]) -> Any:
    return game.after(invite=body["invite"]), ()


def _move(game: OnlineGame, seed: str, event: Event, body: Mapping[str, Any]) -> Any:
    assert event.seat is not None
    assert game.session is not None
    seat, session = Seat(event.seat), game.session.branch()
    assert seat in game.acting
    made = len(session.steps)
    session.play(seat, game.legal[seat][body["move"]])
    used = put(game.used, seat, game.used[seat] + body.get("spent", 0))
    seals = game.seals
    if "seal" in body:
        seals = (*seals, (event.version, event.seat, body["seal"], event.at))
    offers = {what: offer for what, offer in game.offers.items() if what != "takeback"}
    after = game.after(session=session, used=used, seals=seals, offers=offers)
    return after, tuple(session.steps[made:])


def _takeback(game: OnlineGame, seed: str, event: Event, body: Mapping[str, Any]) -> Any:
    assert game.session is not None
    session = game.session.branch()
    session.undo(Seat(body["of"]))
    return game.after(session=session, offers=_without(game, "takeback")), ()


def _offer(game: OnlineGame, seed: str, event: Event, body: Mapping[str, Any]) -> Any:
    assert event.seat is not None
    return game.after(offers={**game.offers, body["what"]: (Seat(event.seat), body)}), ()


def _decline(game: OnlineGame, seed: str, event: Event, body: Mapping[str, Any]) -> Any:
    return game.after(offers=_without(game, body["what"])), ()


def _clock(game: OnlineGame, seed: str, event: Event, body: Mapping[str, Any]) -> Any:
    return game.after(clock=int(body["minutes"]), used=(0, 0), offers=_without(game, "clock")), ()


def _rematch(game: OnlineGame, seed: str, event: Event, body: Mapping[str, Any]) -> Any:
    return game.after(next=body["next"], offers=_without(game, "rematch")), ()


def _resign(game: OnlineGame, seed: str, event: Event, body: Mapping[str, Any]) -> Any:
    assert event.seat is not None
    return _ended(game, Outcome(Seat(event.seat).other, RESIGNATION))


def _claim(game: OnlineGame, seed: str, event: Event, body: Mapping[str, Any]) -> Any:
    assert event.seat is not None
    return _ended(game, Outcome(Seat(event.seat), body["why"]))


def _cancel(game: OnlineGame, seed: str, event: Event, body: Mapping[str, Any]) -> Any:
    return _ended(game, Outcome(None, body["why"]))


def _ended(game: OnlineGame, outcome: Outcome) -> Any:
    assert not game.over
    return game.after(ended=outcome, invite=None, offers={}), ()


def _without(game: OnlineGame, what: str) -> dict[str, Any]:
    return {key: offer for key, offer in game.offers.items() if key != what}


_HAPPENINGS = {
    "open": _open,
    "sit": _sit,
    "invite": _invite,
    "move": _move,
    "takeback": _takeback,
    "offer": _offer,
    "decline": _decline,
    "clock": _clock,
    "rematch": _rematch,
    "resign": _resign,
    "claim": _claim,
    "cancel": _cancel,
}
