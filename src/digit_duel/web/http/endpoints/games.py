"""The endpoints about one game: to open it, to join it, to play and to look."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from hmac import digest

from msgspec import UNSET

from digit_duel.bots import DESCRIPTIONS
from digit_duel.core.match import Match
from digit_duel.web.http.context import Answer, Headers, RequestContext, Services
from digit_duel.web.http.endpoints.answers import (
    CommandDone,
    Invitation,
    JoinedGame,
    NewInvitation,
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
from digit_duel.web.play.live_game import Caller, LiveGame
from digit_duel.web.play.lobby import Wish, wished
from digit_duel.web.play.proof import Proof, proof, proven_headers
from digit_duel.web.replies import Code, Refusal
from digit_duel.web.views.history import positions
from digit_duel.web.views.view_types import GameView

_EXPLAINED_BY_VIEW = (Code.STALE_VERSION, Code.NOT_YOUR_TURN, Code.ILLEGAL_MOVE, Code.GAME_OVER)


async def open_game(context: RequestContext, body: NewGame) -> Answer[OpenedGame]:
    """Open a new game."""
    services, caller = context.services, context.known()
    services.open_credit.spend(context.address)
    wish = _wish(body)
    async with _fresh(context, caller) as (headers, person):
        live, secret = await services.lobby.open(person, wish)
    game = live.game
    invite = None if secret is None else _invitation(context, game.id, secret)
    return Answer(OpenedGame("ok", game.id, game.owner_seat, game.opening.seal, invite), 201, headers)


def _wish(body: NewGame) -> Wish:
    level = None
    if body.opponent == "computer":
        level = body.level or "sensible"
        if level not in DESCRIPTIONS:
            raise bad_request(f"'level' must be one of: {', '.join(DESCRIPTIONS)}.")
    variant = wished(body.variant, body.settings)
    return Wish(variant, body.opponent, level, body.start, body.hints, _match(body.match))


def _match(rule: str | None) -> Match | None:
    if rule is None:
        return None
    limit = int(rule.rpartition(" ")[2])
    return Match(first_to=limit) if rule.startswith("first to") else Match(best_of=limit)


@asynccontextmanager
async def _fresh(context: RequestContext, caller: Caller) -> AsyncIterator[tuple[Headers, Caller]]:
    """Give a browser a new session with its first seat, so that a planted session is worth nothing."""
    sessions = context.services.sessions
    assert caller.person is not None
    if not context.by_cookie or await context.services.live_games.store.games_of(caller.person, 1):
        yield (), caller
        return
    assert caller.session is not None
    # A new person: a planted one may have other sessions. The same one again, if the answer gets lost.
    key = context.services.live_games.key
    person = digest(key, f"person/{caller.session}".encode(), "sha256").hex()[:24]
    token = await sessions.start(person, replaces=caller.session)
    fresh = Caller(person, hashed(token))
    try:
        yield (("set-cookie", sessions.set_cookie(token)),), fresh
    except BaseException:
        await sessions.end(fresh)  # who got no seat stays who they were
        raise


def _invitation(context: RequestContext, game_id: str, secret: str) -> Invitation:
    """Make a link; browsers never send what stands behind the #, so only the page sees the secret."""
    host = context.request.headers.get("host", "localhost")
    base = context.services.settings.public_url or f"http://{host}"
    url = f"{base.rstrip('/')}/j/{game_id}#{secret}"
    return Invitation(url, rows(url))


async def invite(context: RequestContext, query: Nothing) -> Answer[NewInvitation]:
    """Replace the invitation; the old link is no longer valid."""
    live, secret = await context.services.lobby.invite(context.game_id, context.known())
    made = _invitation(context, live.game.id, secret)
    return Answer(NewInvitation("ok", made.url, made.qr))


async def cancel(context: RequestContext, query: Nothing) -> Answer[Ok]:
    """Cancel a game that nobody has joined."""
    await context.services.lobby.cancel(context.game_id, context.known())
    return Answer(Ok("ok"))


async def join(context: RequestContext, body: JoinGame) -> Answer[JoinedGame]:
    """Take a seat."""
    services, caller = context.services, context.known()
    services.command_credit.spend(caller.person)
    async with _fresh(context, caller) as (headers, person):
        live, seat = await services.lobby.join(
            context.game_id, person, body.seat, body.name, body.seed, body.invite
        )
    view = services.live_games.seen(live, person, seat)
    return Answer(JoinedGame("ok", seat, live.game.version, view), 200, headers)


async def look(context: RequestContext, query: Look) -> Answer[GameView]:
    """Show the game as the caller may see it."""
    live_games = context.services.live_games
    return Answer(
        await live_games.look(context.game_id, context.caller, query.seat, query.after, query.stranger)
    )


async def command(context: RequestContext, body: Command) -> Answer[CommandDone]:
    """Carry out a command."""
    services, caller = context.services, context.known()
    services.command_credit.spend(caller.person)
    shows_view = read_query(context.request, CommandOptions).view is None
    try:
        live, done = await services.commands.command(context.game_id, caller, body)
    except Refusal as refusal:
        if shows_view:
            await explain(refusal, services, context.game_id, caller, body.version)
        raise
    view = _own_view(services, live, caller, body.version) if shows_view else UNSET
    return Answer(CommandDone(done.code, done.version, live.game.version, view))


def _own_view(services: Services, live: LiveGame, caller: Caller, after: int) -> GameView:
    """The view that the caller gets without naming a seat."""
    return services.live_games.seen(live, caller, services.live_games.eyes(live, caller, None), after)


async def explain(refusal: Refusal, services: Services, game_id: str, caller: Caller, after: int) -> None:
    """Add the present view to a refusal, where that explains it."""
    if refusal.code in _EXPLAINED_BY_VIEW:
        live = await services.live_games.get(game_id)
        refusal.version, refusal.view = live.game.version, _own_view(services, live, caller, after)


async def past(context: RequestContext, query: Look) -> Answer[Past]:
    """Show the first positions after a version, each as the caller saw it then."""
    live_games = context.services.live_games
    live = await live_games.get(context.game_id)
    eyes = live_games.eyes(live, context.caller, query.seat, query.stranger)
    return Answer(Past(eyes, positions(live.game, eyes, query.after)))


async def record(context: RequestContext, query: FromSeat) -> Answer[str]:
    """Write the game down, as far as the caller may know it."""
    services = context.services
    live = await services.live_games.get(context.game_id)
    game = live.game
    seat = services.live_games.eyes(live, context.caller, query.seat)
    if game.session is None:
        raise Refusal(Code.FORBIDDEN, "This game has not begun yet.")
    if game.over:
        found = game.record()
        headers = {**found.headers, **proven_headers(game, services.live_games.key)}
        return Answer(replace(found, headers=headers).text())
    if seat is None:
        raise Refusal(Code.FORBIDDEN, "Everybody can read the record when the game is over.")
    return Answer(game.record(seat).text())


async def proof_of(context: RequestContext, query: Nothing) -> Answer[Proof]:
    """Open everything that was sealed in a finished game."""
    live = await context.services.live_games.get(context.game_id)
    return Answer(proof(live.game, context.services.live_games.key))
