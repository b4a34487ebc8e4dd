"""The analysis endpoints: hints, reviews and positions."""

from __future__ import annotations

from typing import Any

from digit_duel.coach.speech import sentence
from digit_duel.core.record import BadRecord, Steps, follow
from digit_duel.core.variant import AnyVariant
from digit_duel.web.analysis.answer_types import HintAnswer, PositionAnswer, ReviewAnswer
from digit_duel.web.http.context import Answer, RequestContext, charged_for_loading
from digit_duel.web.http.input.requests import AnalysePosition, FromSeat, Watch
from digit_duel.web.play.lobby import wished
from digit_duel.web.play.online_game import OnlineGame
from digit_duel.web.play.positions import digests, same_position
from digit_duel.web.replies import Code, Refusal

_MOST_COMPARED = 50  # of the caller's unfinished games
_AHEAD = 2  # an analysis this many choices beyond a game in progress would help in it too
_TELLING = 4  # two games that share this many choices are rarely alike by chance


async def hint(context: RequestContext, query: FromSeat) -> Answer[HintAnswer]:
    """Give a hint in a game against the computer."""
    services = context.services
    live = await services.game_service.get(context.game_id)
    seat = services.game_service.viewing_seat(live, context.known(), query.seat)
    if not _dealt(live.game):
        await _check_nobody_plays(context, digests(live.game.variant, _steps(live.game), _AHEAD))
    return Answer(await services.analyst.hint(live.game, seat))


async def review(context: RequestContext, query: Watch) -> Answer[ReviewAnswer]:
    """Judge the moves of a finished game; with hidden hands, a player's own moves, or all for a watcher."""
    services = context.services
    live = await services.game_service.get(context.game_id)
    seat = services.game_service.viewing_seat(live, context.caller, query.seat, query.stranger)
    if query.seat is None and not live.game.variant.hides_hands:
        seat = None
    if not _dealt(live.game):
        reviewed = digests(live.game.variant, _steps(live.game), fewest=_TELLING)
        await _check_nobody_plays(context, reviewed, live.game)
    held = live.held(context.caller)
    reader = held[0] if len(held) == 1 else None  # two people on one device: call nobody "you"
    return Answer(await services.analyst.review(live.game, seat, reader))


async def analysis(context: RequestContext, body: AnalysePosition) -> Answer[PositionAnswer]:
    """Evaluate a position and each move in it."""
    services, variant = context.services, wished(body.variant, body.settings)
    game = None if body.game is None else await _loaded(context, body.game)
    try:
        steps = follow(variant.game, body.moves)
    except BadRecord as wrong:
        raise Refusal(Code.BAD_REQUEST, sentence(str(wrong))) from None
    await _check_not_playing(context, variant, steps)
    all_from = None if variant.game.draws() else _TELLING  # what is drawn cannot be foreseen
    await _check_nobody_plays(context, digests(variant, steps, _AHEAD, all_from=all_from), game)
    names = None if game is None else game.names
    seat = None if game is None else game.computer
    computer = None if game is None or seat is None else (seat, game.players[seat].level or "")
    return Answer(await services.analyst.position(variant, body.moves, body.seat, names, computer))


def _dealt(game: OnlineGame) -> bool:
    """Whether the server deals, so that nobody can make a game follow another one."""
    return bool(game.variant.game.draws())


async def _check_not_playing(context: RequestContext, variant: AnyVariant, steps: Steps[Any, Any]) -> None:
    """Refuse to analyse the current position of a game that the caller is playing against a person."""
    person, store = context.caller.person, context.services.game_service.store
    for row in await store.running_games_of(person, _MOST_COMPARED) if person else ():
        if row.variant != variant.id:
            continue
        game = await _loaded(context, row.id)
        playing = game.people_apart and game.session is not None and not game.over
        same_rules = game.opening.settings == variant.settings
        if playing and same_rules and same_position(variant, _steps(game), steps):
            raise Refusal(
                Code.FORBIDDEN,
                "You are playing this game against a person: you can analyse it when it is over.",
            )


async def _check_nobody_plays(
    context: RequestContext, positions: list[str], source: OnlineGame | None = None
) -> None:
    """Refuse an analysis that would help in a game between two people, whoever asks for it.

    A player could ask without a token, so the digests of what would be analysed are compared with those of
    all such games. A source game that was over before those began is allowed: nobody played it to get help.
    """
    if not positions:
        return
    opened = await context.services.game_service.store.being_played(positions)
    if opened and not (source is not None and _was_played_before(source, positions, opened)):
        raise Refusal(
            Code.FORBIDDEN,
            "Two people are playing this position now. You can analyse it when they have moved on.",
        )


async def _loaded(context: RequestContext, game_id: str) -> OnlineGame:
    """A game that is not the one in the path, at the caller's expense."""
    with charged_for_loading(context.services, context.address, game_id):
        return (await context.services.game_service.get(game_id)).game


def _was_played_before(game: OnlineGame, positions: list[str], time: int) -> bool:
    """Whether a game went through the first of some positions and was over before a time."""
    ended = game.over and game.news[-1].event.at < time
    return ended and positions[0] in digests(game.variant, _steps(game))


def _steps(game: OnlineGame) -> Steps[Any, Any]:
    return [] if game.session is None else game.session.steps
