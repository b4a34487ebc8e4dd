"""The endpoints of one game: opening, joining, playing and looking at it."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from hmac import digest
from typing import TypeVar

from msgspec import UNSET, UnsetType

from digit_duel.bots import DEFAULT_LEVEL, DESCRIPTIONS
from digit_duel.core.game import Seat
from digit_duel.core.match import Match
from digit_duel.web.http.context import Answer, Headers, RequestContext, Services, base_url
from digit_duel.web.http.endpoints.answers import (
    CommandDone,
    Invitation,
    JoinedGame,
    NewInvitation,
    NewsPage,
    Ok,
    OpenedGame,
    Past,
)
from digit_duel.web.http.endpoints.qr import rows
from digit_duel.web.http.input.requests import (
    CommandOptions,
    FromSeat,
    JoinGame,
    Look,
    NewGame,
    Nothing,
    read_query,
)
from digit_duel.web.http.input.validation import bad_request
from digit_duel.web.http.sessions import hashed
from digit_duel.web.play.command_types import Command
from digit_duel.web.play.commands import further_events
from digit_duel.web.play.fair_deals.proof import Proof, proof, proven_headers
from digit_duel.web.play.live_game import Caller, LiveGame
from digit_duel.web.play.lobby import Wish, wished
from digit_duel.web.play.online_game import OnlineGame
from digit_duel.web.replies import Code, Refusal
from digit_duel.web.views.game_view import news_after
from digit_duel.web.views.history import positions
from digit_duel.web.views.view_types import GameView

T = TypeVar("T")
_LONG_PAST = 60  # replaying this many events takes about 2 ms
_REPLAYED = 40  # replaying this many events costs as much as a small request
_INVITATION = 2  # the cost of a game that waits for a friend; other games cost 1
_EXPLAINED_BY_VIEW = (Code.STALE_VERSION, Code.NOT_YOUR_TURN, Code.ILLEGAL_MOVE, Code.GAME_OVER)


async def open_game(context: RequestContext, body: NewGame) -> Answer[OpenedGame]:
    """Open a new game, and seat its owner."""
    services = context.services
    services.limits.opens.spend(context.address, _INVITATION if body.opponent == "friend" else 1)
    wish, names = _wish(body), _names(body)
    async with _in_session(context, body) as person:
        live, secret = await services.lobby.open(person.caller, wish, names, body.seed)
    game = live.game
    invite = None if secret is None else _invitation(context, game.id, secret)
    view = _own_view(services, live, person.caller, 0) if names else UNSET
    opened = OpenedGame("ok", game.id, game.owner_seat, game.opening.seal, invite, view, person.token)
    return Answer(opened, 201, person.headers)


def _names(body: NewGame) -> list[str]:
    """The name for the owner's seat and, on one device, the other player's name."""
    if body.name is None:
        return []
    return [body.name, body.second_name or "Player 2"] if body.opponent == "same_device" else [body.name]


def _wish(body: NewGame) -> Wish:
    level = None
    if body.opponent == "computer":
        level = body.level or DEFAULT_LEVEL
        if level not in DESCRIPTIONS:
            raise bad_request(f"'level' must be one of: {', '.join(DESCRIPTIONS)}.")
    variant = wished(body.variant, body.settings)
    return Wish(variant, body.opponent, level, body.start, body.hints, _match(body.match), body.game)


def _match(rule: str | None) -> Match | None:
    if rule is None:
        return None
    limit = int(rule.rpartition(" ")[2])
    return Match(first_to=limit) if rule.startswith("first to") else Match(best_of=limit)


@dataclass(frozen=True, slots=True)
class _Person:
    """A caller who takes a seat, and the header or token that carries their new session."""

    caller: Caller
    headers: Headers = ()
    token: str | UnsetType = UNSET


@asynccontextmanager
async def _in_session(context: RequestContext, body: NewGame | JoinGame) -> AsyncIterator[_Person]:
    """Start a session for a caller without one, or with a browser's first seat: the old may be planted."""
    services, caller = context.services, context.caller
    if caller.person is not None and (
        not context.by_cookie or await services.game_service.store.games_of(caller.person, 1)
    ):
        yield _Person(caller)
        return
    person = _new_person(services, caller, body.attempt)
    token = await services.sessions.start(person, caller.session, context.device)
    fresh = Caller(person, hashed(token))
    try:
        if body.bearer:
            yield _Person(fresh, token=token)
        else:
            yield _Person(fresh, (("set-cookie", services.sessions.set_cookie(token)),))
    except BaseException:
        await services.sessions.end(fresh)  # the request failed, so the caller keeps the old session
        raise


def _new_person(services: Services, caller: Caller, attempt: str | None) -> str:
    """The id of a new person; the same one if the client repeats the request because the answer was lost."""
    if caller.session is not None:
        known = f"person/{caller.session}"
    elif attempt is not None:
        known = f"newcomer/{attempt}"
    else:
        return secrets.token_hex(12)
    return digest(services.game_service.keys.newest, known.encode(), "sha256").hex()[:24]


def _invitation(context: RequestContext, game_id: str, secret: str) -> Invitation:
    """Make a link; browsers never send what follows the #, so only the page sees the secret."""
    url = f"{base_url(context.request, context.services.settings)}/j/{game_id}#{secret}"
    return Invitation(url, rows(url))


async def invite(context: RequestContext, query: Nothing) -> Answer[NewInvitation]:
    """Replace the invitation; the old link is no longer valid."""
    context.services.limits.opens.spend(context.address)
    live, secret = await context.services.lobby.invite(context.game_id, context.known())
    made = _invitation(context, live.game.id, secret)
    return Answer(NewInvitation("ok", made.url, made.qr))


async def cancel(context: RequestContext, query: Nothing) -> Answer[Ok]:
    """Cancel a game that nobody has joined."""
    await context.services.lobby.cancel(context.game_id, context.known())
    return Answer(Ok("ok"))


async def join(context: RequestContext, body: JoinGame) -> Answer[JoinedGame]:
    """Take a seat."""
    services = context.services
    if context.caller.person is None:
        services.limits.opens.spend(context.address)
    else:
        services.limits.commands.spend(context.caller.person)
    services.limits.events.spend(context.address)
    async with _in_session(context, body) as person:
        live, seat = await services.lobby.join(
            context.game_id, person.caller, body.seat, body.name, body.seed, body.invite
        )
    view = _own_view(services, live, person.caller, 0)
    return Answer(JoinedGame("ok", seat, live.game.version, view, person.token), 200, person.headers)


async def look(context: RequestContext, query: Look) -> Answer[GameView]:
    """Show the game as the caller may see it."""
    live, seat = await _viewed(context, query)
    return Answer(context.services.game_service.seen(live, context.caller, seat, query.after))


async def _viewed(context: RequestContext, query: Look) -> tuple[LiveGame, Seat | None]:
    """The game, and the seat whose view the caller gets."""
    game_service = context.services.game_service
    live = await game_service.get(context.game_id)
    return live, game_service.viewing_seat(live, context.caller, query.seat, query.stranger)


async def command(context: RequestContext, body: Command) -> Answer[CommandDone]:
    """Carry out a command."""
    services, caller = context.services, context.known()
    services.limits.commands.spend(caller.person)
    services.limits.events.spend(context.address)
    shows_view = read_query(context.request, CommandOptions).view is None
    try:
        live, done = await services.commands.command(context.game_id, caller, body)
    except Refusal as refusal:
        if shows_view:
            await explain(refusal, services, context.game_id, caller, body.version)
        raise
    services.limits.events.charge(context.address, further_events(live.game, done))
    view = _own_view(services, live, caller, body.version) if shows_view else UNSET
    return Answer(CommandDone(done.code, done.version, live.game.version, view))


def _own_view(services: Services, live: LiveGame, caller: Caller, after: int) -> GameView:
    """The view for a caller who names no seat."""
    return services.game_service.seen(
        live, caller, services.game_service.viewing_seat(live, caller, None), after
    )


async def explain(refusal: Refusal, services: Services, game_id: str, caller: Caller, after: int) -> None:
    """Add the current view to a refusal that it explains."""
    if refusal.code in _EXPLAINED_BY_VIEW:
        live = await services.game_service.get(game_id)
        refusal.version, refusal.view = live.game.version, _own_view(services, live, caller, after)


async def news(context: RequestContext, query: Look) -> Answer[NewsPage]:
    """Return the first news after a version; a view holds only the latest."""
    live, seat = await _viewed(context, query)
    return Answer(NewsPage(seat, news_after(live.game, seat, query.after)))


async def past(context: RequestContext, query: Look) -> Answer[Past]:
    """Return the first positions after a version, each as the caller saw it then."""
    live, seat = await _viewed(context, query)
    found = await _replayed(context, live.game, lambda: positions(live.game, seat, query.after))
    return Answer(Past(seat, found))


async def _replayed(context: RequestContext, game: OnlineGame, work: Callable[[], T]) -> T:
    """Do work that grows with the game's length: charge for it, and use a thread for a long game."""
    context.charge(game.version / _REPLAYED)
    return await asyncio.to_thread(work) if game.version > _LONG_PAST else work()


async def record(context: RequestContext, query: FromSeat) -> Answer[str]:
    """Return the game's record: all of it when the game is over, or what the caller's seat saw."""
    services = context.services
    live = await services.game_service.get(context.game_id)
    game = live.game
    seat = services.game_service.viewing_seat(live, context.caller, query.seat)
    if game.session is None:
        raise Refusal(Code.FORBIDDEN, "This game has not started yet.")
    if game.over and query.seat is None:
        return Answer(await _replayed(context, game, lambda: _whole_record(services, game)))
    if seat is None:
        raise Refusal(Code.FORBIDDEN, "You can read the record when the game is over.")
    return Answer(await _replayed(context, game, lambda: game.record(seat).text()))


def _whole_record(services: Services, game: OnlineGame) -> str:
    found = game.record()
    headers = {**found.headers, **proven_headers(game, services.game_service.key_of(game))}
    return replace(found, headers=headers).text()


async def proof_of(context: RequestContext, query: Nothing) -> Answer[Proof]:
    """Reveal everything that was sealed in a finished game."""
    game_service = context.services.game_service
    game = (await game_service.get(context.game_id)).game
    return Answer(await _replayed(context, game, lambda: proof(game, game_service.key_of(game))))
