"""The endpoints of the analysis: hints, reviews and positions."""

from __future__ import annotations

from digit_duel.core.game import public
from digit_duel.core.variant import AnyVariant
from digit_duel.web.analysis.answer_types import HintAnswer, PositionAnswer, ReviewAnswer
from digit_duel.web.http.context import Answer, RequestContext
from digit_duel.web.http.input.requests import AnalysePosition, FromSeat
from digit_duel.web.play.lobby import wished
from digit_duel.web.replies import Code, Refusal

_MOST_COMPARED = 50  # of the caller's games


async def hint(context: RequestContext, query: FromSeat) -> Answer[HintAnswer]:
    """Give a hint in a game against the computer that was opened with hints."""
    services = context.services
    live = await services.game_service.get(context.game_id)
    seat = services.game_service.eyes(live, context.known(), query.seat)
    return Answer(await services.analyst.hint(live.game, seat))


async def review(context: RequestContext, query: FromSeat) -> Answer[ReviewAnswer]:
    """Judge the moves of a finished game; where hands were hidden, only a player's own."""
    services = context.services
    live = await services.game_service.get(context.game_id)
    seat = services.game_service.eyes(live, context.caller, query.seat)
    rules = live.game.variant.game
    if query.seat is None and public(rules.view, rules.start()):
        seat = None
    return Answer(await services.analyst.review(live.game, seat))


async def analysis(context: RequestContext, body: AnalysePosition) -> Answer[PositionAnswer]:
    """Say what a position is worth, and each move in it."""
    services, variant = context.services, wished(body.variant, body.settings)
    await _check_not_playing(context, variant, body.moves)
    names = None if body.game is None else (await services.game_service.get(body.game)).game.names
    return Answer(await services.analyst.position(variant, body.moves, body.seat, names))


async def _check_not_playing(context: RequestContext, variant: AnyVariant, moves: list[str]) -> None:
    """Refuse to analyse the present position of a game between the caller and another person."""
    person, game_service = context.caller.person, context.services.game_service
    for row in await game_service.store.games_of(person, _MOST_COMPARED) if person else ():
        if row.over or row.variant != variant.id:
            continue
        game = (await game_service.get(row.id)).game
        if game.session is None or not game.people_apart or game.opening.settings != variant.settings:
            continue
        if [game.session.game.text(step.move) for step in game.session.steps] == moves:
            raise Refusal(Code.FORBIDDEN, "This is your own game, and it is not over: play without help.")
