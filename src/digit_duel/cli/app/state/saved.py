"""Details that distinguish saved games in a list."""

from __future__ import annotations

from digit_duel.cli.app.state.table import finished_numbers
from digit_duel.cli.records.find_games import SavedGame, played_on_from
from digit_duel.core.game import Seat
from digit_duel.core.match import Match
from digit_duel.core.record import level_of, replay


def details(game: SavedGame) -> str:
    """When it was played last, the level of the computer, how it stands, and its match."""
    record = game.record
    level = next((level for seat in Seat if (level := level_of(record.headers, seat))), None)
    match = Match.from_headers(dict(record.headers))
    parts = [
        game.played_at,
        f"{level} computer" if level else "two players",
        _standing(game),
        f"game {match.number} of a match, {match.text}" if match else "",
        played_on_from(record),
    ]
    return ", ".join(filter(None, parts))


def _standing(game: SavedGame) -> str:
    """The score of the table: life points and the like, or numbers that both players see."""
    rules, voice = game.variant.game, game.variant.voice
    steps = replay(rules, game.record)
    state = steps[-1].after if steps else rules.start()
    first, second = (voice.scene(rules.view(state, seat)) for seat in Seat)
    if first.rows[0].meters:
        ours, theirs = (row.meters[0] for row in first.rows)
        return f"{ours.label} {ours.value} to {theirs.value}"
    numbers = finished_numbers(first) if first == second else None
    if numbers is not None:
        return f"{numbers[0]} to {numbers[1]}"
    made = sum(step.seat is not None for step in steps)
    return "1 move" if made == 1 else f"{made} moves"
