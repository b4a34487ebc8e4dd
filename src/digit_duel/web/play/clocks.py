"""Clocks, and when a player may claim the game: the opponent's time is up, or the opponent stays away."""

from __future__ import annotations

from typing import NamedTuple

from digit_duel.core.game import Pair, Seat
from digit_duel.web.play.online_game import OnlineGame

TIME, AWAY = "time", "away"


class Around(NamedTuple):
    """What the log does not hold: who is connected, and how long the current choice has taken."""

    here: Pair[bool] = (False, False)
    watchers: int = 0
    elapsed: int = 0  # milliseconds
    away: Pair[int] = (0, 0)  # of these milliseconds, how many each seat has been away until now
    claim_after: float = 0.0  # seconds


class TimeLeft(NamedTuple):
    """The milliseconds that each seat has left, and the seat whose clock is running."""

    left: Pair[int]
    running: Seat | None


def time_left(game: OnlineGame, around: Around) -> TimeLeft | None:
    """The time that each seat has left; None without a clock."""
    if game.clock is None:
        return None
    running = game.acting[0] if len(game.acting) == 1 else None
    left = [max(0, game.clock * 60_000 - used) for used in game.used]
    if running is not None:
        left[running] = max(0, left[running] - around.elapsed)
    return TimeLeft((left[0], left[1]), running)


def flag_fell(game: OnlineGame, seat: Seat, around: Around) -> bool:
    """Whether a seat's time is up, so that its move comes too late."""
    time = time_left(game, around)
    return time is not None and time.running is seat and time.left[seat] == 0


def claimable(game: OnlineGame, seat: Seat, around: Around) -> str | None:
    """The reason why a seat may claim the game now; None if it may not."""
    if not game.people_apart or seat.other not in game.acting or seat in game.acting:
        return None
    time = time_left(game, around)
    if time is not None and time.left[seat.other] == 0:
        return TIME
    if not around.here[seat.other] and around.away[seat.other] >= 1000 * around.claim_after:
        return AWAY
    return None


def claimable_in(game: OnlineGame, seat: Seat | None, around: Around) -> int | None:
    """The seconds until a seat may claim the game if nothing changes; None for never."""
    if seat is None or seat in game.acting or seat.other not in game.acting or not game.people_apart:
        return None
    here = around.here[seat.other]
    if (game.clock is not None or not here) and claimable(game, seat, around):
        return 0
    return None if here else max(1, round(around.claim_after - around.away[seat.other] / 1000))
