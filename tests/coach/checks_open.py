"""A second opinion on claims about any open game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tests.coach.minimax import reached, score, scores, value, values

from digit_duel.coach import claims
from digit_duel.core.game import Seat


def _over(game: Any, view: Any, claim: claims.Over) -> bool:
    outcome = game.outcome(reached(game, view, claim.path))
    return outcome is not None and outcome.winner == claim.winner


def _worth(game: Any, view: Any, claim: claims.ValueIs) -> bool:
    return bool(score(game, reached(game, view, claim.path), claim.seat) == claim.score)


def _forced_in(game: Any, view: Any, claim: claims.ForcedIn) -> bool:
    state = reached(game, view, claim.path)
    return score(game, state, claim.seat) == 1 and abs(value(game, state)[1]) == claim.moves


def _keeps(game: Any, view: Any, claim: claims.Keeps) -> bool:
    found = scores(game, reached(game, view, claim.path))
    return bool(found[claim.move] == max(found.values()))


def _best(game: Any, view: Any, claim: claims.Best) -> bool:
    found = values(game, reached(game, view, claim.path))
    return found[claim.move] == max(found.values())


def _only(game: Any, view: Any, claim: claims.Only) -> bool:
    found = scores(game, reached(game, view, claim.path))
    keeping = [move for move, one in found.items() if one == max(found.values())]
    return keeping == [claim.move] and len(found) == claim.others + 1


def _winning(game: Any, view: Any, claim: claims.Winning) -> bool:
    found = list(scores(game, reached(game, view, claim.path)).values())
    return (found.count(1), len(found)) == (claim.winning, claim.legal)


def _keeping(game: Any, view: Any, claim: claims.Keeping) -> bool:
    found = list(scores(game, reached(game, view, claim.path)).values())
    return (found.count(max(found)), len(found)) == (claim.keeping, claim.legal)


def _others_lose_to(game: Any, view: Any, claim: claims.OthersLoseTo) -> bool:
    state = reached(game, view, claim.path)
    (mover,) = game.acting(state)
    others = [game.play(state, move) for move in game.legal(state, mover) if move != claim.move]
    return all(
        claim.answer in game.legal(other, mover.other)
        and score(game, game.play(other, claim.answer), mover.other) == 1
        for other in others
    )


def _unstoppable(game: Any, view: Any, claim: claims.Unstoppable) -> bool:
    state = reached(game, view, claim.path)
    (mover,) = game.acting(state)
    answerer = mover.other

    def answered(answers: Sequence[Any]) -> bool:
        return all(
            any(
                answer in game.legal(after, answerer) and score(game, game.play(after, answer), answerer) == 1
                for answer in answers
            )
            for after in (game.play(state, move) for move in game.legal(state, mover))
        )

    fewer = [[one for one in claim.answers if one != left_out] for left_out in claim.answers]
    return answered(claim.answers) and not any(answered(answers) for answers in fewer)


def _costs(game: Any, view: Any, claim: claims.Costs) -> bool:
    found = values(game, reached(game, view, claim.path))
    best, made = max(found.values()), found[claim.move]
    return (best[0] - made[0], best[2] - made[2]) == (claim.score, claim.margin)


def _margin(game: Any, view: Any, claim: claims.Margin) -> bool:
    found = value(game, reached(game, view, claim.path))[2]
    return (found if claim.seat is Seat.FIRST else -found) == claim.margin


def _liked_most(game: Any, view: Any, claim: claims.LikedMost) -> bool:
    return all(
        claim.tips(game, view, claim.seat, claim.move) >= claim.tips(game, view, claim.seat, other)
        for other in claim.among
    )


CHECKS: dict[type, Callable[[Any, Any, Any], bool]] = {
    claims.Over: _over,
    claims.ValueIs: _worth,
    claims.ForcedIn: _forced_in,
    claims.Keeps: _keeps,
    claims.Best: _best,
    claims.Only: _only,
    claims.Winning: _winning,
    claims.Keeping: _keeping,
    claims.OthersLoseTo: _others_lose_to,
    claims.Unstoppable: _unstoppable,
    claims.Costs: _costs,
    claims.Margin: _margin,
    claims.LikedMost: _liked_most,
}
