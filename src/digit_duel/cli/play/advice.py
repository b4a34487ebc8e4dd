"""The coach's answers in a game on this computer, from what one seat knows."""

from __future__ import annotations

from collections.abc import Sequence

from digit_duel.core.game import Seat
from digit_duel.core.session import AnySession


def hint(session: AnySession, seat: Seat) -> Sequence[str]:
    """A good move and the reason."""
    from digit_duel.coach import advice  # slow to import: it brings the solvers
    from digit_duel.coach.opponent import opponent_of

    legal = tuple(session.game.legal(session.state, seat))
    opponent = opponent_of(session.headers, seat)
    found = advice.hint(session.variant, session.view(seat), seat, legal, session.names, opponent)
    assert found is not None  # a seat that is asked has a move
    return (f"Hint: {found.words} ({found.notation}).", found.reason.sentence)


def why(session: AnySession, seat: Seat) -> Sequence[str]:
    """What was good or bad about the last moves."""
    from digit_duel.coach import advice  # slow to import: it brings the solvers
    from digit_duel.coach.opponent import opponent_of

    opponent = opponent_of(session.headers, seat)
    found = advice.why(session.variant, session.steps, seat, session.names, opponent)
    return found or ("Nobody has moved yet.",)
