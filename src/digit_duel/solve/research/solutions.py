"""Solutions of the size ladder, decision by decision: an optimal policy and the regret of every move."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from digit_duel.core.game import Game, M, S, Seat, V
from digit_duel.solve.families import oracle, views_differ
from digit_duel.solve.general.matrix import MatrixSolution, solve_matrix
from digit_duel.solve.oracle import Oracle, secret_values
from digit_duel.solve.research.exploration import nexts as following
from digit_duel.solve.research.regret import regrets
from digit_duel.solve.research.size_ladder import Rung
from digit_duel.solve.value import Score, Value

MOST_DECISIONS = 200_000  # for one rung, which takes up to a minute


@dataclass(frozen=True, slots=True)
class RungDecision:
    """A decision of a seat, with an optimal mixture."""

    ply: int  # the number of earlier moves, not counting draws
    seat: Seat
    view: Hashable
    moves: tuple[str, ...]  # the legal ones, in notation, in the order of the rules
    play: tuple[Fraction, ...]  # the probability of each in an optimal policy
    regret: tuple[Score, ...] | None  # the regret of each; None if hands are hidden
    value: Score | None  # the seat's score under best play; None if hands are hidden


@dataclass(frozen=True, slots=True)
class RungSolution:
    """An optimal policy of a rung: all decisions, or those of the first plies up to a limit."""

    rung: Rung
    decisions: tuple[RungDecision, ...]
    complete: bool
    nash_conv: Fraction  # of the policy, proven; if the game has several rounds, of one round


def rung_solution(rung: Rung, limit: int = MOST_DECISIONS) -> RungSolution:
    """The solution of a rung; raises Unsolved.

    A rung with more decisions than the limit is cut after the last ply that fits. If hands are hidden, the
    decisions are those to keep or give before a hand is full, in a round from a fresh deck.
    """
    if views_differ(rung.variant.game):
        return _card_solution(rung, limit)
    decisions, complete = _open_decisions(rung.variant.game, limit)
    return RungSolution(rung, tuple(decisions), complete, Fraction(0))


def _card_solution(rung: Rung, limit: int) -> RungSolution:
    """The decisions to keep or give, and the NashConv of the policy in a round."""
    from digit_duel.solve.research.card_rounds import solved_round_sets

    game = rung.variant.game
    entries, proof = solved_round_sets(rung.variant)
    sizes = Counter(ply for ply, *_ in entries)
    fit = [ply for ply in sizes if sum(sizes[before] for before in sizes if before <= ply) <= limit]
    decisions = [
        RungDecision(ply, seat, view, tuple(map(game.text, legal)), (keep, 1 - keep), None, None)
        for ply, seat, view, legal, keep in entries
        if ply in fit
    ]
    # A score is 2p - 1 for a chance p to win.
    return RungSolution(rung, tuple(decisions), len(fit) == len(sizes), 2 * proof.nash_conv)


def _open_decisions(game: Game[S, M, V], limit: int) -> tuple[list[RungDecision], bool]:
    """The decisions of a game without hidden hands, by ply, and whether they are complete."""
    known, decisions = oracle(game), list[RungDecision]()
    layer, found, ply = [game.start()], {game.start()}, 0
    while layer:
        if len(decisions) + sum(len(game.acting(state)) for state in layer) > limit:
            return decisions, False
        after: dict[S, None] = {}
        for state in layer:
            nexts = following(game, state)
            acting = game.acting(state)
            if len(acting) == 1:
                decisions.append(_one(game, known, state, nexts, ply))
            elif acting:
                decisions += _both(game, known, state, ply)
            after.update(dict.fromkeys(nexts))
        layer = [state for state in after if state not in found]
        found.update(layer)
        ply += 1
    return decisions, True


def _one(game: Game[S, M, V], known: Oracle[S], state: S, nexts: Sequence[S], ply: int) -> RungDecision:
    """The decision of the only seat to move."""
    seat = game.acting(state)[0]
    values = [known.value(after) for after in nexts]
    scores = [value.score_for(seat) for value in values]
    best, wanted = max(scores), (max if seat is Seat.FIRST else min)(map(_hasty, values))
    # Mix only those best moves that make progress: others could put off the end for ever.
    share = Fraction(1, sum(_hasty(value) == wanted for value in values))
    return RungDecision(
        ply,
        seat,
        game.view(state, seat),
        tuple(map(game.text, game.legal(state, seat))),
        tuple(share if _hasty(value) == wanted else Fraction(0) for value in values),
        tuple(best - score for score in scores),
        best,
    )


def _both(game: Game[S, M, V], known: Oracle[S], state: S, ply: int) -> Iterator[RungDecision]:
    """The decisions of both seats in a simultaneous choice."""
    solution = _solved(tuple(tuple(map(_hasty, row)) for row in secret_values(game, known, state)))
    for seat, play, sign in zip(Seat, (solution.rows, solution.columns), (1, -1), strict=True):
        lost = regrets(game, state, seat)
        moves = game.legal(state, seat)
        yield RungDecision(
            ply,
            seat,
            game.view(state, seat),
            tuple(map(game.text, moves)),
            tuple(play),
            tuple(lost[move] for move in moves),
            sign * solution.value,
        )


def _hasty(value: Value) -> tuple[Score, int]:
    """A sort key of a value: the score, then how soon it is reached."""
    return value.score, value.haste


@lru_cache(maxsize=1024)
def _solved(rows: tuple[tuple[tuple[Score, int], ...], ...]) -> MatrixSolution:
    """Optimal mixtures; if pure ones exist, those that make most progress whatever the other seat does."""
    lows, highs = [min(row) for row in rows], [max(column) for column in zip(*rows, strict=True)]
    if max(lows)[0] == min(highs)[0]:
        first, second = lows.index(max(lows)), highs.index(min(highs))
        pure = [
            [Fraction(int(at == wanted)) for at in range(size)]
            for wanted, size in ((first, len(lows)), (second, len(highs)))
        ]
        return MatrixSolution(Fraction(max(lows)[0]), tuple(pure[0]), tuple(pure[1]))
    return solve_matrix([[score for score, _ in row] for row in rows])
