"""The endpoints of a person's own games: running games, finished games, and statistics."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from digit_duel import games
from digit_duel.core.game import Seat
from digit_duel.web.http.context import Answer, RequestContext, charged_for_loading
from digit_duel.web.http.endpoints.answers import (
    Deal,
    GameResult,
    GameSummary,
    Me,
    MyGames,
    OpponentStatistics,
    Statistics,
)
from digit_duel.web.http.input.requests import ListPage, Nothing
from digit_duel.web.play.ended.results import ending
from digit_duel.web.play.live_game import LiveGame
from digit_duel.web.replies import Code, Refusal
from digit_duel.web.store import Ending, Listed, Result, Tally
from digit_duel.web.views.game_view import phase

_MOST_LISTED = 50
_ON_A_PAGE = 20
_MOST_COUNTED = 5000  # games, the latest
_COUNTED = 150  # this many counts cost as much as a small request
_MOST_OPPONENTS = 100  # the latest, each counted once for each kind of game
_SUMMARY = 0.2  # the cost of a running game in the list, in small requests
_LATEST = (1 << 62, "")  # after all results
_RESULTS: dict[Ending, GameResult] = {"won": "you won", "lost": "you lost", "drawn": "draw", "over": "over"}


async def me(context: RequestContext, query: Nothing) -> Answer[Me]:
    """List the caller's games."""
    services, caller = context.services, context.caller
    deal = Deal(*services.lobby.reserve())
    if caller.person is None:
        return Answer(Me(False, [], deal))
    found = await _running(context, caller.person)
    ended = await services.game_service.store.results_of(caller.person, _LATEST, _MOST_LISTED)
    found += [_ended(result) for result in ended]
    found.sort(key=lambda game: -game.changed)
    return Answer(Me(True, found[:_MOST_LISTED], deal))


async def my_games(context: RequestContext, query: ListPage) -> Answer[MyGames]:
    """List all of the caller's games, in pages."""
    person, store = context.known().person, context.services.game_service.store
    assert person is not None
    running = [] if query.before else await _running(context, person)
    ended = await store.results_of(person, query.after_this or _LATEST, _ON_A_PAGE + 1)
    shown, more = ended[:_ON_A_PAGE], len(ended) > _ON_A_PAGE
    following = f"{shown[-1].ended}.{shown[-1].game}" if more else None
    return Answer(MyGames(running, [_ended(result) for result in shown], following))


async def statistics(context: RequestContext, query: Nothing) -> Answer[Statistics]:
    """Count the caller's results against each level of the computer and each person."""
    person, store = context.known().person, context.services.game_service.store
    assert person is not None
    tallies = await store.tallies_of(person, _MOST_COUNTED)
    context.charge(len(tallies) / _COUNTED)
    return Answer(Statistics(_counted(tallies)))


async def _running(context: RequestContext, person: str) -> list[GameSummary]:
    game_service, found = context.services.game_service, []
    for row in await game_service.store.running_games_of(person, _MOST_LISTED):
        try:
            with charged_for_loading(context.services, context.address, row.id):
                live = await game_service.get(row.id)
        except Refusal as refusal:
            if refusal.code is not Code.NOT_FOUND:
                raise
            continue  # damaged: show the others
        found.append(_summary(live, live.held(context.caller), row))
        context.charge(_SUMMARY)
    return found


def _summary(live: LiveGame, held: tuple[Seat, ...], row: Listed) -> GameSummary:
    game, seat = live.game, held[0] if len(held) == 1 else None
    return GameSummary(
        game=game.id,
        variant=game.variant.id,
        title=game.variant.title,
        names=(game.players[0].name, game.players[1].name),
        seat=seat,
        phase=phase(game),
        your_turn=any(mine in game.acting for mine in held),
        result=_RESULTS[ending(game, seat)] if game.over else None,  # it may have just ended
        changed=row.changed,
        level=game.opening.level,
    )


def _ended(result: Result) -> GameSummary:
    return GameSummary(
        game=result.game,
        variant=result.variant,
        title=_title(result.variant),
        names=(result.first_name, result.second_name),
        seat=None if result.seat is None else Seat(result.seat),
        phase="over",
        your_turn=False,
        result=_RESULTS[result.ending],
        changed=result.ended,
        level=result.level,
    )


@lru_cache(maxsize=64)  # the catalogue scans folders
def _title(variant: str) -> str:
    """The title of a game; its id if the catalogue no longer has it."""
    found = games.catalogue().get(variant)
    return variant if found is None else found.title


def _counted(tallies: Iterable[Tally]) -> list[OpponentStatistics]:
    """Add up the counts by game and opponent; a person who changed names appears under the last one."""
    found: dict[tuple[str, str], OpponentStatistics] = {}
    people: dict[str, str] = {}  # numbered, because ids of other people are secret
    for tally in sorted(tallies, key=lambda tally: -tally.last):
        who = tally.level or tally.rival
        if who is None or tally.ending == "over":
            continue
        if (counts := found.get((tally.variant, who))) is None:
            if len(found) == _MOST_OPPONENTS:
                continue
            opponent = tally.level or people.setdefault(who, f"person {len(people) + 1}")
            counts = OpponentStatistics(
                tally.variant, _title(tally.variant), opponent, tally.name, tally.level, tally.last
            )
            found[tally.variant, who] = counts
        counts.played += tally.games
        setattr(counts, tally.ending, getattr(counts, tally.ending) + tally.games)
    return list(found.values())
