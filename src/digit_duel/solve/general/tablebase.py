"""The general solver: any game in which what is hidden is hidden for one choice only."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Generic

from digit_duel.core.game import Game, M, S, Seat
from digit_duel.solve.effort import Progress
from digit_duel.solve.general.cycles import solve_cycle
from digit_duel.solve.general.graph import (
    Chance,
    Choice,
    Node,
    Over,
    Secrets,
    components,
    explore,
    successors,
)
from digit_duel.solve.general.matrix import solve_matrix
from digit_duel.solve.value import Score, Value


class Tablebase(Generic[S, M]):
    """The exact value of every state that can be reached from a start.

    Views are states here (Game[S, M, S]), so the type checker refuses a game with hidden hands. More states
    than the caller allows are TooBig.
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
        self._values: dict[S, Value] = {}

        def is_known(state: S) -> bool:
            value = known(state)
            if value is not None:
                self._values[state] = value
            return value is not None

        self._graph = explore(game, self.start, progress, is_known, most)
        for cycle in components(self._graph, self.start):
            self._solve(cycle)

    @property
    def states(self) -> int:
        """How many states were solved."""
        return len(self._values)

    def value(self, state: S) -> Value:
        """What a state is worth to the first seat; KeyError if it was never reached."""
        return self._values[self.game.essence(state)]

    def __contains__(self, state: S) -> bool:
        return self.game.essence(state) in self._values

    def __iter__(self) -> Iterator[S]:
        return iter(self._values)

    def _solve(self, cycle: list[S]) -> None:
        node = self._graph[cycle[0]]
        if len(cycle) > 1 or cycle[0] in successors(node):
            self._values |= solve_cycle({state: self._graph[state] for state in cycle}, self._values)
        else:
            self._values[cycle[0]] = self._single(node)

    def _single(self, node: Node[S]) -> Value:
        values = self._values
        match node:
            case Over(score, margin):
                return Value(score, 0, margin)
            case Choice(seat, nexts):
                best = max if seat is Seat.FIRST else min
                return best(values[next] for next in nexts).a_move_earlier()
            case Chance(weighted):
                total = sum(weight for _, weight in weighted)
                expected: Score = sum(
                    (values[next].score * Fraction(w, total) for next, w in weighted), Fraction(0)
                )
                return Value(expected)
            case Secrets(rows):
                return _at_once([[values[next] for next in row] for row in rows])


def _at_once(grid: list[list[Value]]) -> Value:
    """The value of two secret choices; where one seat has won, it also knows how soon."""
    score = solve_matrix([[value.score for value in row] for row in grid]).value
    if score == 1:
        return max(min(row) for row in grid).a_move_earlier().a_move_earlier()
    if score == -1:
        columns: list[tuple[Value, ...]] = list(zip(*grid, strict=True))
        return min(max(column) for column in columns).a_move_earlier().a_move_earlier()
    return Value(score)
