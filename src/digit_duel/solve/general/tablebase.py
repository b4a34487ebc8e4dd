"""The general solver: strongly solves any game without hidden information, simultaneous choices excepted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Generic

from digit_duel.core.game import Game, M, S, Seat
from digit_duel.solve.effort import Progress
from digit_duel.solve.general.cycles import solve_cycle
from digit_duel.solve.general.graph import (
    ChanceNode,
    ChoiceNode,
    EndNode,
    Graph,
    Node,
    SecretsNode,
    components,
    explore,
)
from digit_duel.solve.general.matrix import solve_matrix
from digit_duel.solve.value import Score, Value


class Tablebase(Generic[S, M]):
    """The exact value of every state that can be reached from a start.

    Views are states here (Game[S, M, S]), so the type checker rejects games with hidden hands. Raises TooBig
    if there are more than `most` states.
    """

    def __init__(
        self,
        game: Game[S, M, S],
        start: S | None = None,
        progress: Progress | None = None,
        known: Callable[[S], Value | None] = lambda state: None,
        most: int | None = None,
    ) -> None:
        self.game = game
        self.start = game.essence(game.start() if start is None else start)
        self._graph = explore(game, self.start, progress, known, most)
        self._values: dict[int, Value] = {}
        for cycle in components([node.nexts for node in self._graph.nodes], 0):
            self._solve(cycle)

    @property
    def states(self) -> int:
        """The number of states solved."""
        return len(self._values)

    @property
    def graph(self) -> Graph[S]:
        """The states by number, with the successors of each."""
        return self._graph

    @property
    def values(self) -> Mapping[int, Value]:
        """The value of each state, by number."""
        return self._values

    def value(self, state: S) -> Value:
        """The value of a state for the first seat; raises KeyError if the state is unreachable."""
        return self._values[self._graph.numbers[self.game.essence(state)]]

    def __contains__(self, state: S) -> bool:
        return self.game.essence(state) in self._graph.numbers

    def __iter__(self) -> Iterator[S]:
        return iter(self._graph.states)

    def _solve(self, cycle: list[int]) -> None:
        node = self._graph.nodes[cycle[0]]
        if len(cycle) > 1 or cycle[0] in node.nexts:
            self._values |= solve_cycle({at: self._graph.nodes[at] for at in cycle}, self._values)
        else:
            self._values[cycle[0]] = self._single(node)

    def _single(self, node: Node) -> Value:
        values = self._values
        match node:
            case EndNode(value):
                return value
            case ChoiceNode(seat, nexts):
                best = max if seat is Seat.FIRST else min
                return best([values[next] for next in nexts]).a_move_earlier()
            case ChanceNode(weights, nexts):
                total = sum(weights)
                expected: Score = sum(
                    (values[next].score * Fraction(w, total) for next, w in zip(nexts, weights, strict=True)),
                    Fraction(0),
                )
                return Value(expected)
            case SecretsNode():
                return _at_once([[values[next] for next in row] for row in node.rows])


def _at_once(grid: list[list[Value]]) -> Value:
    """The value of two simultaneous choices; if one seat wins by force, also how soon."""
    score = solve_matrix([[value.score for value in row] for row in grid]).value
    if score == 1:
        return max(min(row) for row in grid).a_move_earlier().a_move_earlier()
    if score == -1:
        columns: list[tuple[Value, ...]] = list(zip(*grid, strict=True))
        return min(max(column) for column in columns).a_move_earlier().a_move_earlier()
    return Value(score)
