"""The probability with which each level makes each move, in every state of a small game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic

import numpy as np
from numpy.typing import NDArray

from digit_duel.bots.batches.noisy_choices import ERRORS
from digit_duel.bots.error_model import ErrorModel
from digit_duel.bots.move_chances import choice_chances
from digit_duel.bots.solved import secret_rank
from digit_duel.bots.tips import likings
from digit_duel.core.game import M, S, Seat
from digit_duel.core.variant import Variant
from digit_duel.solve.general.graph import ChoiceNode, EndNode, Node, SecretsNode
from digit_duel.solve.general.matrix import solve_matrix
from digit_duel.solve.general.tablebase import Tablebase
from digit_duel.solve.value import Value

LEVELS = ("random", "sensible", "careful", "sharp", "perfect")


class _Dangers:
    """The probability that a level sees a state is lost; kept by state, because many moves lead to each."""

    def __init__(self, solved: Tablebase[S, M], errors: ErrorModel) -> None:
        self.nodes, self.errors = solved.graph.nodes, errors
        self.losses = [
            [_follows_the_loss(solved.values[at], seat, errors) for at in range(solved.states)]
            for seat in Seat
        ]
        self.answers = [self._answer(node) for node in self.nodes]

    def answered(self, nexts: Sequence[int], seat: Seat) -> list[float]:
        """The probability of seeing a winning reply to each of a seat's moves, given where they lead."""
        mine = self.losses[seat]
        return [mine[at] if self._is_own(at, seat) else self.answers[at] for at in nexts]

    def _is_own(self, at: int, seat: Seat) -> bool:
        """Whether the other seat does not move here, so there is no reply to look for."""
        node = self.nodes[at]
        return not isinstance(node, ChoiceNode) or node.seat is seat

    def _answer(self, node: Node) -> float:
        """The probability that the seat that just moved sees a reply that beats it."""
        if not isinstance(node, ChoiceNode):
            return 0.0
        sees = 1 - self.errors.misses(len(node.nexts))
        lost = self.losses[node.seat.other]
        overlooked = 1.0
        for reply in node.nexts:
            overlooked *= 1 - sees * lost[reply]
        return 1 - overlooked


class LevelMoves(Generic[S, M]):
    """The move probabilities of the levels in a solved game; moves are in the order of the rules."""

    def __init__(self, variant: Variant[S, M, S], solved: Tablebase[S, M]) -> None:
        self.variant, self.game = variant, variant.game
        self.nodes, self.states = solved.graph.nodes, solved.graph.states
        self.values = solved.values
        self.winners = [_winner(node) for node in self.nodes]  # None where the game goes on, or is drawn
        self.dangers = {errors: _Dangers(solved, errors) for errors in ERRORS.values() if errors.greed < 1}

    def chances(self, at: int, seat: Seat) -> NDArray[np.float64]:
        """The probability with which each level makes each of the seat's moves: a row for each level."""
        node = self.nodes[at]
        legal = self.game.legal(self.states[at], seat)
        if len(legal) == 1:
            return np.ones((len(LEVELS), 1))
        alone = isinstance(node, ChoiceNode)
        liked = likings(self.variant, self.states[at], seat, legal)
        likes = [liked[move] for move in legal]
        winners = self.winners
        winning = [at for at, next in enumerate(node.nexts) if winners[next] is seat] if alone else []
        rows = [[1 / len(legal)] * len(legal)]
        for errors in ERRORS.values():
            if winning:
                rows.append(_at_once(winning, likes))
            else:
                looks = alone and errors.greed < 1
                answered = self.dangers[errors].answered(node.nexts, seat) if looks else None
                rows.append(choice_chances(likes, answered, errors))
        rows.append(self._perfect(node, seat) if alone else self._perfect_secret(at, seat, likes))
        return np.array(rows)

    def _perfect(self, node: Node, seat: Seat) -> list[float]:
        """The quickest wins with the best margin; without a win, the moves that are hardest to answer."""
        best = max if seat is Seat.FIRST else min
        reached = [self.values[next].a_move_earlier() for next in node.nexts]
        top = best(reached)
        if top.score_for(seat) == 1:
            return _even([value == top for value in reached])
        keeping = [at for at, value in enumerate(reached) if value.score == top.score]
        good = {at: self._good_replies(node.nexts[at], seat.other) for at in keeping}
        hardest = min(good.values())
        fewest = [at for at in keeping if good[at] == hardest]
        leading = best(reached[at] for at in fewest)
        return _even([at in fewest and value == leading for at, value in enumerate(reached)])

    def _good_replies(self, at: int, seat: Seat) -> int:
        node = self.nodes[at]
        if not (isinstance(node, ChoiceNode) and node.seat is seat):
            return 0
        return sum(self.values[reply].score == self.values[at].score for reply in node.nexts)

    def _perfect_secret(self, at: int, seat: Seat, likes: Sequence[float]) -> list[float]:
        node = self.nodes[at]
        assert isinstance(node, SecretsNode)
        grid = [[self.values[next] for next in row] for row in node.rows]
        solution = solve_matrix([[value.score for value in row] for row in grid])
        mixture = solution.rows if seat is Seat.FIRST else solution.columns
        if max(mixture) < 1:
            return [float(share) for share in mixture]
        mine = grid if seat is Seat.FIRST else [list(column) for column in zip(*grid, strict=True)]
        ranks = [(secret_rank(values, seat), liked) for values, liked in zip(mine, likes, strict=True)]
        chosen = ranks.index(max(ranks))
        return [float(choice == chosen) for choice in range(len(ranks))]


def _winner(node: Node) -> Seat | None:
    """Who has won in a state that ends the game; None if it goes on or is drawn."""
    if not isinstance(node, EndNode) or node.value.score not in (1, -1):
        return None
    return Seat.FIRST if node.value.score == 1 else Seat.SECOND


def _at_once(winning: Sequence[int], likes: Sequence[float]) -> list[float]:
    """No level overlooks a move that wins at once; the tips choose among several."""
    chosen = max(winning, key=lambda at: likes[at])
    return [float(at == chosen) for at in range(len(likes))]


def _follows_the_loss(value: Value, seat: Seat, errors: ErrorModel) -> float:
    return errors.follows(value.distance) if value.score_for(seat) == -1 else 0.0


def _even(chosen: Sequence[bool]) -> list[float]:
    return [picked / sum(chosen) for picked in chosen]
