"""The states of a game as a graph: who chooses, and where each choice leads."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import reduce
from typing import Generic, TypeAlias

from digit_duel.core.game import Game, M, S, Seat, V
from digit_duel.solve.effort import Progress
from digit_duel.solve.errors import TooBig


@dataclass(frozen=True, slots=True)
class Over:
    """The game has ended."""

    score: int
    margin: int


@dataclass(frozen=True)  # no slots: Python 3.11 cannot subscript a generic one
class Choice(Generic[S]):
    """One seat chooses where to go."""

    seat: Seat
    nexts: tuple[S, ...]


@dataclass(frozen=True)
class Chance(Generic[S]):
    """Nature chooses, with weights."""

    nexts: tuple[tuple[S, int], ...]


@dataclass(frozen=True)
class Secrets(Generic[S]):
    """Both seats choose at once: a row for each choice of the first seat."""

    nexts: tuple[tuple[S, ...], ...]


Node: TypeAlias = Over | Choice[S] | Chance[S] | Secrets[S]


def node_of(game: Game[S, M, V], state: S) -> Node[S]:
    """What happens at a state; two secret choices are one step, so no half-made one is ever a state here."""
    if outcome := game.outcome(state):
        return Over(outcome.score(Seat.FIRST), game.margin(state))

    def after(*moves: M) -> S:
        return game.essence(reduce(game.play, moves, state))

    if draws := game.chance(state):
        return Chance(tuple((after(draw), weight) for draw, weight in draws))
    acting = game.acting(state)
    if len(acting) == 1:
        return Choice(acting[0], tuple(after(move) for move in game.legal(state, acting[0])))
    firsts, seconds = (game.legal(state, seat) for seat in Seat)
    return Secrets(tuple(tuple(after(first, second) for second in seconds) for first in firsts))


def successors(node: Node[S]) -> Iterator[S]:
    """All states that may come next."""
    match node:
        case Over():
            return
        case Choice(_, nexts):
            yield from nexts
        case Chance(weighted):
            yield from (state for state, _ in weighted)
        case Secrets(rows):
            for row in rows:
                yield from row


def explore(
    game: Game[S, M, V],
    start: S,
    progress: Progress | None = None,
    stop: Callable[[S], bool] = lambda state: False,
    most: int | None = None,
) -> dict[S, Node[S]]:
    """Every state that can be reached without going through one where to stop, with its node; or TooBig."""
    graph: dict[S, Node[S]] = {}
    waiting = [start]
    while waiting:
        state = waiting.pop()
        if state in graph or stop(state):
            continue
        node = graph[state] = node_of(game, state)
        waiting.extend(next for next in successors(node) if next not in graph)
        if most is not None and len(graph) > most:
            raise TooBig(f"this game is too big to solve: it has more than {most:,} states.")
        if progress is not None and len(graph) % 5000 == 0:
            progress(len(graph))
    return graph


def components(graph: dict[S, Node[S]], start: S) -> Iterator[list[S]]:
    """The cycles of states that can reach each other, each after all that it can lead to (Tarjan)."""
    index: dict[S, int] = {}
    low: dict[S, int] = {}
    on_stack: set[S] = set()
    stack: list[S] = []
    work: list[tuple[S, Iterator[S]]] = []

    def enter(state: S) -> None:
        index[state] = low[state] = len(index)
        stack.append(state)
        on_stack.add(state)
        work.append((state, successors(graph[state])))

    if start in graph:
        enter(start)
    while work:
        state, rest = work[-1]
        for next in rest:
            if next not in graph:
                continue  # known already
            if next not in index:
                enter(next)
                break
            if next in on_stack:
                low[state] = min(low[state], index[next])
        else:
            work.pop()
            if work:
                parent = work[-1][0]
                low[parent] = min(low[parent], low[state])
            if low[state] == index[state]:
                cycle = []
                while True:
                    member = stack.pop()
                    on_stack.remove(member)
                    cycle.append(member)
                    if member == state:
                        break
                yield cycle
