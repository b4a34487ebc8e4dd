"""Figures of a solved game without hidden information: best line, winning moves and replies."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tools.game_pages.markdown import percent, table

from digit_duel.core.game import Game, Seat
from digit_duel.solve.oracle import Oracle, line, options


def best_play(game: Game[Any, Any, Any], knows: Oracle[Any]) -> str:
    """The best line from the start, as one code span."""
    return "`" + " ".join(game.text(move) for move in line(game, knows, game.start())) + "`"


def winning(game: Game[Any, Any, Any], knows: Oracle[Any], state: Any) -> tuple[list[str], int]:
    """The moves that win for the seat to move, and how many moves it has."""
    (seat,) = game.acting(state)
    found = options(game, knows, state, seat)
    wins = {game.text(option.move) for option in found if option.score == 1}
    return [game.text(move) for move in game.legal(state, seat) if game.text(move) in wins], len(found)


def replies(game: Game[Any, Any, Any], knows: Oracle[Any]) -> str:
    """How many of the second player's replies win, after the openings that lose."""
    start = game.start()
    after = [game.play(start, move) for move in game.legal(start, Seat.FIRST)]
    found = [(len(wins), of) for wins, of in (winning(game, knows, state) for state in after) if wins]
    if not found:
        return ""
    counts, (_, of) = [wins for wins, _ in found], found[0]
    return (
        f"After a losing opening the second player has {min(counts)} to {max(counts)} winning replies out "
        f"of {of}; over all {len(found)} losing openings, {sum(counts):,} of {of * len(found):,} replies win."
    )


def won_table(rows: Iterable[tuple[int, int, int]]) -> str:
    """States in play by ply, and in how many the mover wins."""
    found = [
        [ply, "first" if ply % 2 == 0 else "second", states, won, percent(won, states)]
        for ply, states, won in rows
    ]
    return table(["ply", "to move", "states in play", "the mover wins", "share"], found)
