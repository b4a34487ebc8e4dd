"""Events in words, as each viewer may see them."""

from __future__ import annotations

from bisect import bisect_left

from msgspec import UNSET

from digit_duel.core.game import Seat
from digit_duel.core.match import Match
from digit_duel.core.record import RESIGNATION
from digit_duel.core.script import AnyStep, Scene
from digit_duel.web.field_types import OfferKind
from digit_duel.web.play import events
from digit_duel.web.play.clocks import AWAY, TIME
from digit_duel.web.play.online_game import News, OnlineGame
from digit_duel.web.views.choices import cached_script
from digit_duel.web.views.scenes import common
from digit_duel.web.views.view_types import NewsItem, PlaceView, ResultView

_DECLINED = {"takeback": "the take-back", "rematch": "a rematch", "clock": "a clock"}
_WITHDRAWN = {**_DECLINED, "takeback": "to take a move back"}
_ENDINGS = {
    RESIGNATION: "{loser} resigned. {winner} wins.",
    TIME: "{loser}'s time is up. {winner} wins.",
    AWAY: "{loser} has been away for too long. {winner} wins.",
    "cancelled": "The game was cancelled.",
    "length": "The game has reached its maximum length. It is a draw.",
}
_YOURS = {  # said to the loser
    RESIGNATION: "You resigned.",
    TIME: "Your time is up.",
    AWAY: "You have been away for too long.",
}


def told(game: OnlineGame, news: News, seat: Seat | None) -> NewsItem | None:
    """Describe an event to a viewer; None for events that are not shown."""
    if isinstance(news.body, events.Invited | events.Cancelled):
        return None
    item = NewsItem(
        news.event.version,
        news.event.seat,
        events.kind(news.body),
        _notation(game, news, seat),
        _words(game, news, seat),
    )
    if isinstance(news.body, events.Moved) and news.body.seal is not None:
        item.seal, item.at = news.body.seal, news.event.at
    script = cached_script(game.variant)
    for step in news.steps:
        spot = None if step.seat is None else script.lands(step)
        if spot is not None and spot.row is not None:
            item.place = PlaceView(spot.row, spot.cell, UNSET if spot.points is None else spot.points)
        if (news.opens and step.seat is not None) or script.round_result(step, game.names):
            item.scene = _scene_after(game, step, seat)
            if game.same_device:
                item.text = _words(game, news, None)  # both look at the end of a round
    return item


def _scene_after(game: OnlineGame, step: AnyStep, seat: Seat | None) -> Scene:
    """The scene after a step, as a seat or a stranger sees it."""
    rules, script = game.variant.game, cached_script(game.variant)
    if seat is not None:
        return script.scene(rules.view(step.after, seat))
    return common(*(script.scene(rules.view(step.after, each)) for each in Seat))


def result(game: OnlineGame, seat: Seat | None = None) -> ResultView | None:
    """Tell a viewer how the game ended."""
    outcome = game.outcome
    if outcome is None:
        return None
    winner = outcome.winner
    if game.ended is not None or game.session is None:
        names = ("", "") if winner is None else (game.names[winner], game.names[winner.other])
        ending = _ENDINGS.get(outcome.reason, "The game has ended: {reason}.")
        closing = ending.format(winner=names[0], loser=names[1], reason=outcome.reason)
        why = _YOURS.get(outcome.reason) if winner is not None and seat is winner.other else None
        why = why or closing.removesuffix(f" {names[0]} wins.")
    else:
        script, state = cached_script(game.variant), game.session.state
        closing = script.closing(state, outcome, game.names)
        why = script.verdict(state, outcome, seat, game.names)
    match = game.match if game.opening.match.rule else Match()
    return ResultView(
        winner,
        outcome.reason,
        closing,
        _sealed(game),
        why,
        game.ended is not None,
        match.after(winner).decided,
    )


def _sealed(game: OnlineGame) -> bool:
    """Whether the game had draws or secret choices, which were sealed."""
    steps = [] if game.session is None else game.session.steps
    return any(step.seat is None for step in steps) or any(news.secret for news in game.news)


def _notation(game: OnlineGame, news: News, seat: Seat | None) -> str | None:
    """The move in notation, unless it is still hidden from the viewer."""
    if not isinstance(news.body, events.Moved):
        return None
    if news.secret and not game.over and news.event.seat != seat:
        return None
    return news.body.move


def _words(game: OnlineGame, news: News, seat: Seat | None) -> str:
    body, names = news.body, game.names
    you = seat is not None and news.event.seat == seat
    by = "" if news.event.seat is None else names[news.event.seat]
    match body:
        case events.Moved():
            script = cached_script(game.variant)
            return " ".join(filter(None, (script.brief(step, seat, names) for step in news.steps)))
        case events.Joined():
            return "The computer joined." if body.level else f"{body.name} joined."
        case events.TakenBack():
            return "Your move is taken back." if body.of is seat else f"{names[body.of]} took a move back."
        case events.Offered():
            return _offer(body, by, you)
        case events.Declined():
            return _declined(body, by, you, withdrawn=_offered_by(game, news, body.what) == news.event.seat)
        case events.ClockSet():
            return f"From now on each player has {body.minutes} minutes."
        case events.RematchBegun():
            return "The rematch is ready."
        case events.Resigned():
            return "You resigned." if you else f"{by} resigned."
        case events.Claimed():
            return f"{'You claim' if you else f'{by} claims'} the game."
        case _:
            return ""


def _offer(body: events.Offered, by: str, you: bool) -> str:
    match body.what:
        case "takeback":
            return f"{'You asked' if you else f'{by} asks'} to take a move back."
        case "clock":
            return f"{'You offered' if you else f'{by} offers'} a clock of {body.minutes} minutes."
        case _:
            return f"{'You offered' if you else f'{by} offers'} a rematch."


def _declined(body: events.Declined, by: str, you: bool, withdrawn: bool) -> str:
    if not withdrawn:
        return f"{'You declined' if you else f'{by} declines'} {_DECLINED[body.what]}."
    verb = "ask" if body.what == "takeback" else "offer"
    return f"{f'You no longer {verb}' if you else f'{by} no longer {verb}s'} {_WITHDRAWN[body.what]}."


def _offered_by(game: OnlineGame, declined: News, what: OfferKind) -> int | None:
    """The seat whose offer was declined or withdrawn."""
    at = bisect_left(game.news, declined.event.version, key=lambda news: news.event.version)
    for news in reversed(game.news[:at]):
        if isinstance(news.body, events.Offered) and news.body.what == what:
            return news.event.seat
    return None
