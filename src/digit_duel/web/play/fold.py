"""Builds a game from its events: applies each in turn and checks its digest."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import replace
from hashlib import sha256

from msgspec import DecodeError, Struct

from digit_duel.core.game import Outcome, Pair, Seat, put
from digit_duel.core.record import RESIGNATION
from digit_duel.core.script import AnyStep
from digit_duel.core.session import Session, half_chosen
from digit_duel.web.field_types import OfferKind
from digit_duel.web.play import events
from digit_duel.web.play.events import Body, Offered
from digit_duel.web.play.fair_deals.deals import sealed_dealer
from digit_duel.web.play.online_game import News, OnlineGame, Player
from digit_duel.web.play.variants import customised
from digit_duel.web.store import Event

_LONG_LOG = 100  # applying this many events takes about 2 ms


class DamagedLog(Exception):
    """An event is missing, makes no sense, or was changed after it was written."""


def fold(game: OnlineGame, seed: str, log: Iterable[Event]) -> OnlineGame:
    """Apply stored events to a game, or raise DamagedLog."""
    news, clients = list(game.news), dict(game.clients)
    for event in log:
        try:
            body = events.decode(event.body)
        except (DecodeError, ValueError) as error:
            raise DamagedLog(f"event {event.version} of game {game.id} makes no sense") from error
        after, new = _happened(game, seed, event, body)
        if after.digest != event.digest:
            raise DamagedLog(f"event {event.version} of game {game.id} is not what was written")
        news.append(new)
        clients |= _client(event, body)
        game = after
    # Once, not with every event: copying these growing collections each time would be quadratic.
    return replace(game, news=tuple(news), clients=clients)


def apply_event(game: OnlineGame, seed: str, event: Event, body: Body) -> OnlineGame:
    """Apply one new event, which has no digest yet, or raise DamagedLog."""
    after, new = _happened(game, seed, event, body)
    return replace(after, news=(*game.news, new), clients={**game.clients, **_client(event, body)})


def _client(event: Event, body: Body) -> dict[tuple[int, str], tuple[int, str | None]]:
    """The client's id of an event, with the event's version and command."""
    if event.client is None or event.seat is None:
        return {}
    return {(event.seat, event.client): (event.version, body.asked)}


def _happened(game: OnlineGame, seed: str, event: Event, body: Body) -> tuple[OnlineGame, News]:
    """The game after an event, without updating its lists of news and client ids; and the news."""
    if event.version != game.version + 1:
        raise DamagedLog(f"game {game.id} lacks event {game.version + 1}")
    try:
        after, steps = _applied(game, seed, event, body)
    except (ValueError, KeyError, TypeError, IndexError, AssertionError, AttributeError) as error:
        raise DamagedLog(f"event {event.version} of game {game.id} makes no sense") from error
    both = isinstance(body, events.Moved) and len(game.acting) == len(Seat)
    session = game.session if isinstance(body, events.Moved) else None
    opens = session is not None and half_chosen(session.game, session.steps)
    after = replace(
        after,
        version=event.version,
        digest=_digest(game.digest, event, after, steps),
        asked=_asked(game, after, event, both),
    )
    return after, News(event, body, steps, secret=both, opens=opens)


class _Line(Struct):
    """What a digest covers; the fields are in the order of the canonical text."""

    at: int
    before: str
    body: str
    client: str | None
    did: list[str]
    over: bool
    seat: int | None
    version: int


def _digest(before: str, event: Event, after: OnlineGame, steps: tuple[AnyStep, ...]) -> str:
    """The digest of an event: it covers all earlier events and the moves that the rules derived from it."""
    did = [after.session.game.text(step.move) for step in steps] if after.session else []
    line = _Line(event.at, before, event.body, event.client, did, after.over, event.seat, event.version)
    return sha256(events.canonical(line).encode()).hexdigest()


def _asked(before: OnlineGame, after: OnlineGame, event: Event, both: bool) -> Pair[int]:
    """The version at which each seat's current choice arose; offers and the other's secret choice keep it."""
    asked = before.asked
    changed = before.session is not after.session
    for seat in after.acting:
        still = both and seat in before.acting and event.seat != seat and len(after.acting) == 1
        if changed and not still:
            asked = put(asked, seat, event.version)
    return asked


def _applied(game: OnlineGame, seed: str, event: Event, body: Body) -> tuple[OnlineGame, tuple[AnyStep, ...]]:
    """The game after an event, without updating its version and digest; and the steps made."""
    match body:
        case events.Moved():
            return _moved(game, event, body)
        case events.Joined():
            return _joined(game, seed, event, body)
        case events.TakenBack():
            return _taken_back(game, body), ()
        case events.Opened():
            assert game.version == 0
            rules = customised(body.variant, body.settings)
            return replace(game, opened=body, rules=rules, invite=body.invite), ()
        case events.Invited():
            return replace(game, invite=body.invite), ()
        case events.Offered():
            return replace(game, offers={**game.offers, body.what: (_seat(event), body)}), ()
        case events.Declined():
            return replace(game, offers=_without(game, body.what)), ()
        case events.ClockSet():
            offers = _without(game, "clock")
            return replace(game, clock=body.minutes, clock_set=event.version, used=(0, 0), offers=offers), ()
        case events.RematchBegun():
            return replace(game, next=body.next, offers=_without(game, "rematch")), ()
        case events.Resigned():
            return _ended(game, Outcome(_seat(event).other, RESIGNATION)), ()
        case events.Claimed():
            return _ended(game, Outcome(_seat(event), body.why)), ()
        case events.Cancelled():
            return _ended(game, Outcome(None, body.why)), ()


def _moved(game: OnlineGame, event: Event, body: events.Moved) -> tuple[OnlineGame, tuple[AnyStep, ...]]:
    assert game.session is not None
    seat, session = _seat(event), game.session.branch()
    assert seat in game.acting
    made = len(session.steps)
    session.play(seat, game.legal[seat][body.move])
    used = game.used if body.spent is None else put(game.used, seat, game.used[seat] + body.spent)
    after = replace(game, session=session, used=used, offers=_without(game, "takeback"))
    return after, tuple(session.steps[made:])


def _joined(
    game: OnlineGame, seed: str, event: Event, body: events.Joined
) -> tuple[OnlineGame, tuple[AnyStep, ...]]:
    seat = _seat(event)
    assert game.players[seat].open
    players = put(game.players, seat, Player(body.name, body.level, body.seed or ""))
    after = replace(game, players=players)
    if any(player.open for player in players):
        return after, ()
    deal = sealed_dealer(seed, (players[0].seed, players[1].seed))
    session = Session(game.variant, after.names, deal)
    return replace(after, session=session, invite=None), tuple(session.steps)


def _taken_back(game: OnlineGame, body: events.TakenBack) -> OnlineGame:
    assert game.session is not None
    session = game.session.branch()
    session.take_back(body.of)
    return replace(game, session=session, offers=_without(game, "takeback"))


def _ended(game: OnlineGame, outcome: Outcome) -> OnlineGame:
    assert not game.over
    return replace(game, ended=outcome, invite=None, offers={})


def _seat(event: Event) -> Seat:
    assert event.seat is not None
    return Seat(event.seat)


def _without(game: OnlineGame, what: OfferKind) -> dict[OfferKind, tuple[Seat, Offered]]:
    return {kind: offer for kind, offer in game.offers.items() if kind != what}


async def fold_apart(game: OnlineGame, seed: str, events: Sequence[Event]) -> OnlineGame:
    """Apply stored events; a long log in a thread, so that it does not block the event loop."""
    if len(events) < _LONG_LOG:
        return fold(game, seed, events)
    return await asyncio.to_thread(fold, game, seed, events)
