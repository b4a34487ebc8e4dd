"""Exact statistics of games between given levels: who wins, how long it takes, when it is decided."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from digit_duel.core.game import Pair, Seat
from digit_duel.core.variant import AnyVariant
from digit_duel.lab.equals.level_moves import LEVELS, LevelMoves
from digit_duel.lab.equals.linear import solve_linear
from digit_duel.lab.equals.pair_statistics import PAIRS, PairStatistics
from digit_duel.solve.effort import Progress
from digit_duel.solve.general.graph import ChanceNode, ChoiceNode, EndNode, Node, SecretsNode, components
from digit_duel.solve.general.tablebase import Tablebase

Floats: TypeAlias = NDArray[np.float64]

MOST_STATES = 300_000  # larger games are simulated instead
# The statistics for every pair of levels, in this order.
_KINDS = ("wins", "draws", "length", "changes", "settled", "until", "decisions", "only")
_WINS, _DRAWS, _LENGTH, _CHANGES, _SETTLED, _UNTIL, _DECISIONS, _ONLY = range(len(_KINDS))
_ENDS = {score: np.zeros((len(_KINDS), 1)) for score in (1, 0, -1)}  # of a finished game
_ENDS[1][_WINS] = _ENDS[0][_DRAWS] = 1
for _figures in _ENDS.values():
    _figures[_SETTLED] = 1


def between_levels(
    variant: AnyVariant, solved: Tablebase[Any, Any], progress: Progress | None = None
) -> dict[Pair[str], PairStatistics]:
    """Exact statistics for every pair of equal or neighbouring levels, from their move probabilities."""
    rows = _Expectations(variant, solved, progress).rows()
    start = rows[0]
    found = {}
    for at, pair in enumerate(PAIRS):
        told = dict(zip(_KINDS, map(float, start[:, at]), strict=True))
        del told["settled"]
        found[pair] = PairStatistics(**told)
    return found


# Endless play counts as a draw.
_ENDLESS = np.array([float(kind in (_DRAWS, _SETTLED)) for kind in range(len(_KINDS))])


class _Expectations:
    """The expected statistics of every state, computed from those of its successors."""

    def __init__(self, variant: AnyVariant, solved: Tablebase[Any, Any], progress: Progress | None) -> None:
        self.moves = LevelMoves(variant, solved)
        self.nodes, self.values, self.progress = solved.graph.nodes, solved.values, progress
        self.scores = np.array([float(solved.values[at].score) for at in range(len(self.nodes))])
        self.leads = np.sign(self.scores)  # which seat best play favours
        seats = [[LEVELS.index(pair[seat]) for pair in PAIRS] for seat in Seat]
        self.level = np.array(seats)  # by seat, of each pair
        self.found = np.zeros((len(self.nodes), len(_KINDS), len(PAIRS)))
        for at, node in enumerate(self.nodes):
            if isinstance(node, EndNode):
                self.found[at] = _ENDS[int(node.value.score)]

    def rows(self) -> Floats:
        """The statistics of every state."""
        done = 0
        for cycle in components([node.nexts for node in self.nodes], 0):
            if len(cycle) > 1 or cycle[0] in self.nodes[cycle[0]].nexts:
                self._solve_cycle(cycle)
            elif self.nodes[cycle[0]].nexts:
                self.found[cycle[0]] = self._expected(cycle[0])
            done += len(cycle)
            if self.progress and done % 2_000 < len(cycle):
                self.progress(done, len(self.nodes))
        return self.found

    def _expected(self, at: int) -> Floats:
        node = self.nodes[at]
        nexts = np.array(node.nexts)
        return self._stepped(at, node, nexts, self._chances(at, node), self.found[nexts])

    def _stepped(
        self, at: int, node: Node, nexts: NDArray[np.int64], chances: Floats, after: Floats
    ) -> Floats:
        """The statistics of a state, given those of the next states and the chances of each."""
        weights = chances.T  # by next state and pair
        steps = np.asarray((weights[:, np.newaxis] * after).sum(axis=0))
        kept = (self.leads[nexts] == self.leads[at])[:, np.newaxis] * weights
        steps[_SETTLED] = (kept * after[:, _SETTLED]).sum(axis=0)
        steps[_CHANGES] += (weights - kept).sum(axis=0)
        moved = 0.0 if isinstance(node, ChanceNode) else 2.0 if isinstance(node, SecretsNode) else 1.0
        steps[_LENGTH] += moved
        steps[_UNTIL] += moved * (1 - steps[_SETTLED])  # unless the lead has changed for the last time
        if isinstance(node, ChoiceNode) and len(nexts) > 1:
            steps[_DECISIONS] += 1
            steps[_ONLY] += np.count_nonzero(self.scores[nexts] == self.scores[at]) == 1
        return steps

    def _chances(self, at: int, node: Node) -> Floats:
        """The probability of each next state, for each pair of levels."""
        if isinstance(node, ChanceNode):
            return np.tile(np.array(node.weights) / sum(node.weights), (len(PAIRS), 1))
        if isinstance(node, ChoiceNode):
            return np.asarray(self.moves.chances(at, node.seat)[self.level[node.seat]])
        first, second = (self.moves.chances(at, seat)[self.level[seat]] for seat in Seat)
        return np.asarray((first[:, :, np.newaxis] * second[:, np.newaxis, :]).reshape(len(PAIRS), -1))

    def _solve_cycle(self, cycle: list[int]) -> None:
        """Solve states that can recur, as a system of linear equations for each pair of levels."""
        place = {at: number for number, at in enumerate(cycle)}
        chances = [self._chances(at, self.nodes[at]) for at in cycle]
        # First the probability that the lead changes no more, which the time of the last change depends on.
        self._solve_kinds(cycle, place, chances, [_SETTLED])
        rest = [kind for kind in range(len(_KINDS)) if kind != _SETTLED]
        self._solve_kinds(cycle, place, chances, rest)

    def _solve_kinds(
        self, cycle: list[int], place: dict[int, int], chances: list[Floats], kinds: list[int]
    ) -> None:
        shares = np.zeros((len(PAIRS), len(cycle), len(cycle)))
        told = np.zeros((len(PAIRS), len(cycle), len(kinds)))  # what leaving the cycle, and each step, adds
        for row, at in enumerate(cycle):
            node = self.nodes[at]
            after = self.found[list(node.nexts)]
            within = [number for number, next in enumerate(node.nexts) if next in place]
            settling = kinds == [_SETTLED]
            for number in within:
                kept = not settling or self.leads[node.nexts[number]] == self.leads[at]
                shares[:, row, place[node.nexts[number]]] += chances[row][:, number] * kept
            after[np.ix_(within, kinds)] = 0  # unknown: the system of equations determines it
            told[:, row] = self._stepped(at, node, np.array(node.nexts), chances[row], after)[kinds].T
        self.found[np.ix_(cycle, kinds)] = solve_linear(shares, told, _ENDLESS[kinds]).transpose(1, 2, 0)
