"""The result that the second player secures by copying every move of the first."""

from __future__ import annotations

from digit_duel.core.game import Game, M, S, Seat, V

_MOST = 20_000  # positions to examine before giving up


def copying(game: Game[S, M, V]) -> int | None:
    """The second player's worst score when copying; None if a move cannot be copied, or chance plays a part.

    Copying means making the move with the same number in one's own list of moves: the same digit in the same
    place of the other board.
    """
    own, copies = (list(game.moves(seat)) for seat in Seat)
    if len(own) != len(copies):
        return None
    copy = dict(zip(own, copies, strict=True))
    waiting, found, worst = [game.start()], {game.start()}, 1
    while waiting:
        state = waiting.pop()
        if game.acting(state) != (Seat.FIRST,):
            return None
        for move in game.legal(state, Seat.FIRST):
            after = game.play(state, move)
            if game.outcome(after) is None:
                if copy[move] not in game.legal(after, Seat.SECOND):
                    return None
                after = game.essence(game.play(after, copy[move]))
            if outcome := game.outcome(after):
                worst = min(worst, outcome.score(Seat.SECOND))
            elif after not in found:
                if len(found) == _MOST:
                    return None
                found.add(after)
                waiting.append(after)
    return worst
