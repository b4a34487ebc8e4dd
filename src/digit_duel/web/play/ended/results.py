"""The results of a game for each person in it, for their list and statistics."""

from __future__ import annotations

from collections.abc import Mapping

from digit_duel.core.game import Seat
from digit_duel.web.play.online_game import OnlineGame
from digit_duel.web.store import Ending, Result


def results(game: OnlineGame, people: Mapping[int, str], at: int) -> tuple[Result, ...]:
    """One result for each person with a seat in a finished game."""
    return tuple(_result(game, people, person, at) for person in sorted(set(people.values())))


def _result(game: OnlineGame, people: Mapping[int, str], person: str, at: int) -> Result:
    held = [Seat(seat) for seat, whose in people.items() if whose == person]
    seat = held[0] if len(held) == 1 else None
    return Result(
        game=game.id,
        person=person,
        ended=at,
        seat=None if seat is None else int(seat),
        variant=game.variant.id,
        first_name=game.players[0].name,
        second_name=game.players[1].name,
        level=None if game.computer is None else game.players[game.computer].level,
        rival=None if seat is None else people.get(seat.other),
        ending=ending(game, seat),
    )


def ending(game: OnlineGame, seat: Seat | None) -> Ending:
    """How a game ended for a seat; just "over" for a person with both seats, or if nobody joined."""
    assert game.outcome is not None
    if seat is None or game.session is None:
        return "over"
    if game.outcome.winner is None:
        return "drawn"
    return "won" if game.outcome.winner is seat else "lost"
