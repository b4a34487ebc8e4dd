"""When a placing game is decided: one player wins however the rest is filled."""

from __future__ import annotations

from digit_duel.core.game import Seat
from digit_duel.games._placement import Goal, Placement, Position, Tie


def worst_margin(game: Placement, state: Position, seat: Seat) -> int:
    """The margin for a seat, before any bonus, if every empty place is filled as badly for it as possible."""
    good = 1 if game.goal is Goal.HIGH else -1
    margin = 0
    open_weights: list[int] = []
    for board in Seat:
        for place, digit in enumerate(state.boards[board]):
            weight: int = good * 10 ** (game.places - 1 - place) * (1 if board is seat else -1)
            if digit is None:
                open_weights.append(weight)
            else:
                margin += weight * digit
    # Low digits go where they help, high ones where they hurt, the largest weights first: the worst case.
    helping = sorted((weight for weight in open_weights if weight > 0), reverse=True)
    hurting = sorted(weight for weight in open_weights if weight < 0)
    digits = sorted(state.pool if state.drawn is None else (*state.pool, state.drawn))
    margin += sum(weight * digit for weight, digit in zip(helping, digits, strict=False))
    return margin + sum(weight * digit for weight, digit in zip(hurting, reversed(digits), strict=False))


def decided(game: Placement, state: Position, seat: Seat) -> bool:
    """Whether the seat wins however the rest is played."""
    first = seat is Seat.FIRST
    margin = worst_margin(game, state, seat) + (-game.bonus if first else game.bonus)
    return margin > 0 or (margin == 0 and game.tie is (Tie.FIRST if first else Tie.SECOND))
