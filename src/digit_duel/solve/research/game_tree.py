"""A small game as an extensive-form tree: every history, with the information sets of both seats."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic

from digit_duel.core.game import Game, M, Outcome, Pair, S, Seat, V
from digit_duel.solve.errors import TooBig
from digit_duel.solve.research.exploration import nexts, refuse_variant

MOST_NODES = 200_000


@dataclass(frozen=True)  # no slots: Python 3.11 cannot subscript a generic one
class Node(Generic[M, V]):
    """A history of a game: it is over, or nature moves, or a seat chooses."""

    number: int  # in order, starting with 1
    parent: int  # 0 for the root
    move: M | None  # the move that led here
    outcome: Outcome | None = None
    moves: Sequence[M] = ()  # the moves that can follow
    chances: Sequence[Fraction] = ()  # the probabilities of nature's moves
    seat: Seat | None = None  # who chooses
    view: V | None = None  # what the seat knows
    knows: int = 0  # the number of the seat's information set, starting with 1
    seen: str = ""  # the moves so far, as far as the seat knows them


def nodes(game: Game[S, M, V], limit: int = MOST_NODES) -> Iterator[Node[M, V]]:
    """Every node of a game's tree in depth-first order, children in the order of the moves; raises TooBig.

    An information set is everything that a seat has seen and done, so two paths to the same open state give
    two of them. In a simultaneous choice the first seat is asked first, hidden from the second.
    """
    refuse_variant(game)
    # Counted first, because an infinite tree would also be infinitely deep.
    if count(game, limit) > limit:
        raise TooBig(f"this game is too big for a tree: it has more than {limit:,} nodes.")
    growth = _Growth(game)
    waiting = [growth.root()]
    number = 0
    while waiting:
        number += 1
        here = waiting.pop()
        node = growth.node(here, number)
        yield node
        waiting.extend(growth.child(here, node, move) for move in reversed(node.moves))


def count(game: Game[S, M, V], limit: int = MOST_NODES) -> int:
    """The number of nodes of a game's tree; above the limit, some number that is above it."""
    # Breadth first: endless play would fill the memory with ever longer histories.
    found, waiting = 0, deque([game.start()])
    while waiting and found + len(waiting) <= limit:  # every waiting state is a node, too
        state = waiting.popleft()
        found += 1
        if len(game.acting(state)) == 2:
            found += len(game.legal(state, Seat.FIRST))  # the nodes at which the second seat is asked
        waiting.extend(nexts(game, state))
    return found + len(waiting)


@dataclass(frozen=True)
class _Place(Generic[S, M]):
    """A position of the walk: the path to it, and the number of each seat's memory."""

    path: tuple[tuple[S, M], ...]
    state: S
    parent: int
    move: M | None
    memories: Pair[int]
    secret: M | None = None  # the first seat's pending choice, while the second seat is asked


class _Growth(Generic[S, M, V]):
    """Builds the nodes of a tree."""

    def __init__(self, game: Game[S, M, V]) -> None:
        self.game = game
        self._memories = (_Memory[V, M](), _Memory[V, M]())

    def root(self) -> _Place[S, M]:
        start = self.game.start()
        return _Place((), start, 0, None, self._remembered((0, 0), {}, start))

    def node(self, here: _Place[S, M], number: int) -> Node[M, V]:
        game, state = self.game, here.state
        if outcome := game.outcome(state):
            return Node(number, here.parent, here.move, outcome)
        if draws := game.chance(state):
            total = sum(weight for _, weight in draws)
            chances = [Fraction(weight, total) for _, weight in draws]
            return Node(number, here.parent, here.move, None, [draw for draw, _ in draws], chances)
        seat = game.acting(state)[0] if here.secret is None else Seat.SECOND
        return Node(
            number,
            here.parent,
            here.move,
            moves=game.legal(state, seat),
            seat=seat,
            view=game.view(state, seat),
            knows=self._memories[seat].set_of(here.memories[seat]),
            seen=" ".join(game.seen(here.path, seat)),
        )

    def child(self, here: _Place[S, M], node: Node[M, V], move: M) -> _Place[S, M]:
        state = here.state
        if here.secret is None and len(self.game.acting(state)) == 2:
            return _Place(here.path, state, node.number, move, here.memories, secret=move)
        did = {} if node.seat is None else {node.seat: move}
        path, after = here.path, state
        if here.secret is not None:
            did[Seat.FIRST] = here.secret
            path, after = (*path, (after, here.secret)), self.game.play(after, here.secret)
        path, after = (*path, (after, move)), self.game.play(after, move)
        return _Place(path, after, node.number, move, self._remembered(here.memories, did, after))

    def _remembered(self, before: Pair[int], did: dict[Seat, M], state: S) -> Pair[int]:
        first, second = (
            self._memories[seat].after(before[seat], did.get(seat), self.game.view(state, seat))
            for seat in Seat
        )
        return first, second


class _Memory(Generic[V, M]):
    """Numbers everything that one seat may have seen and done."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[int, M | None, V | None], int] = {(0, None, None): 0}
        self._sights: list[V | None] = [None]
        self._sets: dict[int, int] = {}

    def after(self, before: int, did: M | None, sees: V) -> int:
        """The number of a memory after one more choice or a new view."""
        if did is None and self._sights[before] == sees:
            return before
        number = self._numbers.setdefault((before, did, sees), len(self._numbers))
        if number == len(self._sights):
            self._sights.append(sees)
        return number

    def set_of(self, memory: int) -> int:
        """The number of the information set of a memory; sets are numbered in the order of first use."""
        return self._sets.setdefault(memory, len(self._sets) + 1)
