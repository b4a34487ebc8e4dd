"""The endpoints about sessions: who somebody is, and which games they have."""

from __future__ import annotations

from digit_duel.core.game import Seat
from digit_duel.web.http.context import Answer, RequestContext, Services
from digit_duel.web.http.endpoints.answers import (
    Deal,
    GameResult,
    GameSummary,
    Me,
    MySession,
    MySessions,
    NewCode,
    Ok,
    SessionStarted,
)
from digit_duel.web.http.input.requests import LeaveOptions, Nothing, ResumeSession, StartSession
from digit_duel.web.play.live_game import LiveGame
from digit_duel.web.play.online_game import OnlineGame
from digit_duel.web.replies import Code, Refusal
from digit_duel.web.store import Listed
from digit_duel.web.views.game_view import phase

_MOST_LISTED = 50
_SUMMARY = 0.2  # of a small request: what a game in the list costs
_REPLAYED = 20  # events of a log that cost as much to replay as a small request


async def start_session(context: RequestContext, body: StartSession) -> Answer[SessionStarted]:
    """Start a session: with a cookie, or with a token for programs."""
    context.services.limits.opens.spend(context.address)
    if context.caller.person is not None and not body.bearer:
        return Answer(SessionStarted("ok"))
    token = await context.services.sessions.start(device=context.device)
    return _started(context.services, token, body.bearer)


async def resume_session(context: RequestContext, body: ResumeSession) -> Answer[SessionStarted]:
    """Start a session as the person who made a code on another device."""
    context.services.limits.opens.spend(context.address)
    person = await context.services.sessions.redeem(body.code)
    if person is None:
        raise Refusal(Code.FORBIDDEN, "This code is not valid, was used before, or is too old.")
    token = await context.services.sessions.start(person, device=context.device)
    return _started(context.services, token, body.bearer)


def _started(services: Services, token: str, bearer: bool) -> Answer[SessionStarted]:
    if bearer:
        return Answer(SessionStarted("ok", token), 201)
    return Answer(SessionStarted("ok"), 201, (("set-cookie", services.sessions.set_cookie(token)),))


async def end_session(context: RequestContext, query: Nothing) -> Answer[Ok]:
    """End the session of this device."""
    await context.services.sessions.end(context.known())
    return Answer(Ok("ok"), 200, (("set-cookie", context.services.sessions.drop_cookie()),))


async def list_sessions(context: RequestContext, query: Nothing) -> Answer[MySessions]:
    """List the caller's sessions."""
    caller = context.known()
    assert caller.person is not None
    rows = await context.services.game_service.store.sessions_of(caller.person)
    return Answer(
        MySessions(
            [
                MySession(row.started or None, row.seen, row.device or None, row.token == caller.session)
                for row in rows[:_MOST_LISTED]
            ]
        )
    )


async def leave(context: RequestContext, query: LeaveOptions) -> Answer[Ok]:
    """End all sessions of the caller, and make their codes worthless."""
    await context.services.sessions.leave(context.known(), query.keep_this)
    dropped = (("set-cookie", context.services.sessions.drop_cookie()),)
    return Answer(Ok("ok"), 200, () if query.keep_this else dropped)


async def new_code(context: RequestContext, query: Nothing) -> Answer[NewCode]:
    """Make a code with which to go on on another device."""
    context.services.limits.opens.spend(context.address)
    person = context.known().person
    assert person is not None
    code = await context.services.sessions.new_code(person)
    return Answer(NewCode(code, context.services.settings.code_seconds))


async def me(context: RequestContext, query: Nothing) -> Answer[Me]:
    """List the caller's games."""
    services, caller = context.services, context.caller
    deal = Deal(*services.lobby.reserve())
    if caller.person is None:
        return Answer(Me(False, [], deal))
    found = []
    for row in await services.game_service.store.games_of(caller.person, _MOST_LISTED):
        kept = services.game_service.keeps(row.id)
        try:
            live = await services.game_service.get(row.id)
        except Refusal:
            continue  # damaged: the rest is shown
        found.append(_summary(live, live.held(caller), row))
        context.charge(_SUMMARY if kept else 1 + live.game.version / _REPLAYED)
    return Answer(Me(True, found, deal))


def _summary(live: LiveGame, held: tuple[Seat, ...], row: Listed) -> GameSummary:
    game = live.game
    return GameSummary(
        game=game.id,
        variant=game.variant.id,
        title=game.variant.title,
        names=(game.players[0].name, game.players[1].name),
        seat=held[0] if len(held) == 1 else None,
        phase=phase(game),
        your_turn=any(seat in game.acting for seat in held),
        result=_result(game, held),
        changed=row.changed,
    )


def _result(game: OnlineGame, held: tuple[Seat, ...]) -> GameResult | None:
    if game.outcome is None:
        return None
    if game.same_device or game.session is None:
        return "over"
    if game.outcome.winner is None:
        return "draw"
    return "you won" if game.outcome.winner in held else "you lost"
