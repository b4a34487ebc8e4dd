"""The endpoints of sessions: a person's identity and devices."""

from __future__ import annotations

from digit_duel.web.http.context import Answer, RequestContext, Services
from digit_duel.web.http.endpoints.answers import (
    MySession,
    MySessions,
    NewCode,
    Ok,
    SessionStarted,
)
from digit_duel.web.http.input.requests import LeaveOptions, Nothing, ResumeSession, StartSession
from digit_duel.web.http.sessions import public_id
from digit_duel.web.play.live_game import Caller
from digit_duel.web.store import SessionRow


async def start_session(context: RequestContext, body: StartSession) -> Answer[SessionStarted]:
    """Start a session, with a cookie for browsers or a token for programs."""
    context.services.limits.opens.spend(context.address)
    if context.caller.person is not None and not body.bearer:
        return Answer(SessionStarted("ok"))
    token = await context.services.sessions.start(device=context.device)
    return _started(context.services, token, body.bearer)


async def resume_session(context: RequestContext, body: ResumeSession) -> Answer[SessionStarted]:
    """Start a session as the person who made a code on another device."""
    context.services.limits.opens.spend(context.address)
    token = await context.services.sessions.resume(body.code, context.device)
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
    rows = await context.services.sessions.latest_of(caller.person)
    return Answer(MySessions([_listed(row, caller) for row in rows]))


def _listed(row: SessionRow, caller: Caller) -> MySession:
    return MySession(
        id=public_id(row.token),
        started=row.started or None,
        seen=row.seen,
        device=row.device or None,
        this=row.token == caller.session,
    )


async def end_other_session(context: RequestContext, query: Nothing) -> Answer[Ok]:
    """End one session of the caller, by its id in the list."""
    caller, wanted = context.known(), context.request.path_params["session"]
    ended = await context.services.sessions.end_by_id(caller, wanted)
    dropped = (("set-cookie", context.services.sessions.drop_cookie()),)
    return Answer(Ok("ok"), 200, dropped if ended == caller.session else ())


async def leave(context: RequestContext, query: LeaveOptions) -> Answer[Ok]:
    """End all sessions of the caller, or all others, and revoke the caller's codes."""
    await context.services.sessions.leave(context.known(), query.keep_this)
    dropped = (("set-cookie", context.services.sessions.drop_cookie()),)
    return Answer(Ok("ok"), 200, () if query.keep_this else dropped)


async def new_code(context: RequestContext, query: Nothing) -> Answer[NewCode]:
    """Make a code for continuing on another device."""
    context.services.limits.opens.spend(context.address)
    code = await context.services.sessions.new_code(context.known())
    return Answer(NewCode(code, context.services.settings.code_seconds))
