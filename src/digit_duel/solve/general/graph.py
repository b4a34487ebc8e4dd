"""The state graph of a game, with numbered states: who chooses, and where each choice leads."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeAlias

from digit_duel.core.game import Game, M, S, Seat, V
from digit_duel.solve.effort import Progress
from digit_duel.solve.errors import TooBig
from digit_duel.solve.value import Value

Nexts: TypeAlias = tuple[int, ...]  # the numbers of the successor states


@dataclass(frozen=True, slots=True)
class EndNode:
    """The game has ended, or the value of the state is known already."""

    value: Value
    nexts: Nexts = ()


@dataclass(frozen=True, slots=True)
class ChoiceNode:
    """One seat chooses the next state."""

    seat: Seat
    nexts: Nexts


@dataclass(frozen=True, slots=True)
class ChanceNode:
    """Nature chooses the next state, with weights."""

    weights: tuple[int, ...]
    nexts: Nexts


@dataclass(frozen=True, slots=True)
class SecretsNode:
    """Both seats choose at once: a row of the next states for each choice of the first seat."""

    width: int
    nexts: Nexts

    @property
    def rows(self) -> list[Nexts]:
        """The next states, a row for each choice of the first seat."""
        return [self.nexts[at : at + self.width] for at in range(0, len(self.nexts), self.width)]


Node: TypeAlias = EndNode | ChoiceNode | ChanceNode | SecretsNode


@dataclass(frozen=True)  # no slots: Python 3.11 cannot subscript a generic one
class Graph(Generic[S]):
    """All reachable states by number, with their nodes."""

    numbers: dict[S, int] = field(default_factory=dict)
    states: list[S] = field(default_factory=list)
    nodes: list[Node] = field(default_factory=list)

    def number(self, state: S) -> int:
        """The number of a state; new states get the next number."""
        number = self.numbers.setdefault(state, len(self.states))
        if number == len(self.states):
            self.states.append(state)
        return number


def _node(game: Game[S, M, V], graph: Graph[S], state: S) -> Node:
    """The node of a state; two simultaneous choices are one step, so there are no half-chosen states."""
    if outcome := game.outcome(state):
        return EndNode(Value(outcome.score(Seat.FIRST), 0, game.margin(state)))
    play, essence, number = game.play, game.essence, graph.number
    if draws := game.chance(state):
        nexts = tuple([number(essence(play(state, draw))) for draw, _ in draws])
        return ChanceNode(tuple([weight for _, weight in draws]), nexts)
    acting = game.acting(state)
    if len(acting) == 1:
        seat = acting[0]
        return ChoiceNode(
            seat, tuple([number(essence(play(state, move))) for move in game.legal(state, seat)])
        )
    firsts, seconds = (game.legal(state, seat) for seat in Seat)
    halves = [play(state, first) for first in firsts]
    after = [number(essence(play(half, second))) for half in halves for second in seconds]
    return SecretsNode(len(seconds), tuple(after))


def explore(
    game: Game[S, M, V],
    start: S,
    progress: Progress | None = None,
    known: Callable[[S], Value | None] = lambda state: None,
    most: int | None = None,
) -> Graph[S]:
    """Explore all states reachable without passing one whose value is known; raises TooBig."""
    graph: Graph[S] = Graph()
    graph.number(start)
    for state in graph.states:  # grows in the loop
        value = known(state)
        graph.nodes.append(_node(game, graph, state) if value is None else EndNode(value))
        if most is not None and len(graph.nodes) > most:
            raise TooBig(f"this game is too big to solve: it has more than {most:,} states.")
        if progress is not None and len(graph.nodes) % 5000 == 0:
            progress(len(graph.nodes))
    return graph


def components(nexts: Sequence[Nexts], start: int) -> Iterator[list[int]]:
    """The strongly connected components, each after those it can lead to (Tarjan's algorithm)."""
    unseen = len(nexts)
    index = [unseen] * len(nexts)
    low = [unseen] * len(nexts)
    on_stack = bytearray(len(nexts))
    stack: list[int] = []
    work: list[tuple[int, Iterator[int]]] = []
    seen = 0

    def enter(state: int) -> None:
        index[state] = low[state] = seen
        stack.append(state)
        on_stack[state] = True
        work.append((state, iter(nexts[state])))

    enter(start)
    while work:
        state, rest = work[-1]
        for next in rest:
            if index[next] == unseen:
                seen += 1
                enter(next)
                break
            if on_stack[next] and index[next] < low[state]:
                low[state] = index[next]
        else:
            work.pop()
            if work:
                parent = work[-1][0]
                low[parent] = min(low[parent], low[state])
            if low[state] == index[state]:
                cycle: list[int] = []
                while not cycle or cycle[-1] != state:
                    cycle.append(stack.pop())
                    on_stack[cycle[-1]] = False
                yield cycle
