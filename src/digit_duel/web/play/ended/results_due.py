"""Adds results for games that ended before results were stored, a few at a time."""

from __future__ import annotations

import asyncio

from digit_duel.web.play.ended.results import results
from digit_duel.web.play.game_service import GameService
from digit_duel.web.replies import Code, Refusal

_AT_ONCE = 50
_PAUSE = 0.05  # seconds after each game, so that players are not delayed


async def add_due_results(game_service: GameService) -> None:
    """Add all missing results; if this server stops, the next one continues."""
    while found := await game_service.store.results_due(_AT_ONCE):
        for game_id in found:
            await _add(game_service, game_id)
            await asyncio.sleep(_PAUSE)


async def _add(game_service: GameService, game_id: str) -> None:
    try:
        live = await game_service.get(game_id)
    except Refusal as refusal:
        if refusal.code is not Code.NOT_FOUND:
            raise
        await game_service.store.add_results(game_id, ())  # damaged, or just deleted
        return
    at = live.game.news[-1].event.at
    await game_service.store.add_results(game_id, results(live.game, live.people, at))
