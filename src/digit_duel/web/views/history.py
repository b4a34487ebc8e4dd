"""Earlier positions of a game, each as an observer saw it at the time."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from digit_duel.core.game import Seat
from digit_duel.core.script import Scene
from digit_duel.core.session import AnySession
from digit_duel.core.variant import AnyScript
from digit_duel.web.play.events import Joined, Moved, TakenBack
from digit_duel.web.play.online_game import OnlineGame
from digit_duel.web.views.choices import cached_script
from digit_duel.web.views.scenes import common
from digit_duel.web.views.view_types import EarlierPosition

MOST_POSITIONS = 100  # in one answer; few games have as many


def positions(game: OnlineGame, seat: Seat | None, after: int = 0) -> list[EarlierPosition]:
    """The first positions after a version, as a seat or a stranger saw them."""
    if game.session is None:
        return []
    script = cached_script(game.session.variant)
    later = (found for found in _stations(game, game.session.branch()) if found[0] > after)
    return [
        EarlierPosition(version, list(then.acting), _scene(script, then, seat))
        for version, then in islice(later, MOST_POSITIONS)
    ]


def _stations(game: OnlineGame, then: AnySession) -> Iterator[tuple[int, AnySession]]:
    """Replay the game: yield the version and position after the deal and after each move and take-back."""
    then.steps.clear()
    seats = list(Seat)  # not taken yet
    for news in game.news:
        match news.body:
            case Joined():
                seats.pop()
                then.steps.extend(news.steps)
            case Moved():
                then.steps.extend(news.steps)
            case TakenBack(of=seat):
                then.take_back(seat)
            case _:
                continue  # the position is unchanged
        if not seats:
            yield news.event.version, then


def _scene(script: AnyScript, then: AnySession, seat: Seat | None) -> Scene:
    if seat is not None:
        return script.scene(then.view(seat))
    return common(*(script.scene(then.view(each)) for each in Seat))
