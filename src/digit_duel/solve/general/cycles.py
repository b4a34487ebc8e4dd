"""States that can recur: which seat can force an end, and which can hold out for ever."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from heapq import heappop, heappush

from digit_duel.core.game import Seat
from digit_duel.solve.errors import Unsolved
from digit_duel.solve.general.graph import ChanceNode, ChoiceNode, EndNode, Node, SecretsNode
from digit_duel.solve.value import Value


def solve_cycle(cycle: Mapping[int, Node], solved: Mapping[int, Value]) -> dict[int, Value]:
    """The value of each state of a cycle, given the values beyond it; endless play counts as a draw.

    A state is won for a seat that can force a win, and drawn if each seat can hold out for ever. Raises
    Unsolved for values in between, which need repeated mixing; no game here has them.
    """
    first, second = (_Side(cycle, solved, seat) for seat in Seat)
    wins, losses = first.forced(), second.forced()
    safe = first.held() & second.held()
    values: dict[int, Value] = {}
    for state in cycle:
        if state in wins:
            values[state] = Value(1, -wins[state])
        elif state in losses:
            values[state] = Value(-1, losses[state])
        elif state in safe:
            values[state] = Value(0)
        else:
            raise Unsolved("positions can repeat here, and solving that would need endless mixing.")
    return values


class _Side:
    """A cycle for one seat: its choices at each state, each with all the states that it may lead to."""

    def __init__(self, cycle: Mapping[int, Node], solved: Mapping[int, Value], seat: Seat) -> None:
        self.solved, self.seat = solved, seat
        self.choices = {state: _choices(node, seat) for state, node in cycle.items()}
        self.steps = {state: 2 if isinstance(node, SecretsNode) else 1 for state, node in cycle.items()}
        self.into: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)  # which choices lead here
        for state, choices in self.choices.items():
            for at, nexts in enumerate(choices):
                for next in nexts:
                    self.into[next].append((state, at))

    def forced(self) -> dict[int, int]:
        """The states where the seat can force a win, with the largest number of moves it takes."""
        waiting = {
            (state, at): len(nexts)
            for state, choices in self.choices.items()
            for at, nexts in enumerate(choices)
        }
        within: dict[int, int] = {}
        queue: list[tuple[int, int]] = []
        for state in self.into:
            if state in self.solved and self.solved[state].score_for(self.seat) == 1:
                heappush(queue, (self.solved[state].distance, state))
        # Nearest first: the last state that completes a choice is its longest line, and the first choice to
        # be completed is the quickest.
        while queue:
            moves, state = heappop(queue)
            if state in within:
                continue
            within[state] = moves
            for before, at in self.into[state]:
                waiting[before, at] -= 1
                if waiting[before, at] == 0 and before not in within:
                    heappush(queue, (moves + self.steps[before], before))
        return within

    def held(self) -> set[int]:
        """The states where the seat can surely avoid a loss, for ever if need be."""
        good = {state: set(range(len(choices))) for state, choices in self.choices.items()}
        lost = [s for s in self.into if s in self.solved and self.solved[s].score_for(self.seat) < 0]
        while lost:
            for before, at in self.into[lost.pop()]:
                if at in good[before]:
                    good[before].remove(at)
                    if not good[before]:
                        lost.append(before)
        return {state for state, choices in good.items() if choices}


def _choices(node: Node, seat: Seat) -> list[set[int]]:
    """The choices of a seat at a node, each as the set of states that it may lead to."""
    match node:
        case EndNode():
            return []
        case ChoiceNode(chooser, nexts):
            return [{next} for next in nexts] if chooser is seat else [set(nexts)]
        case ChanceNode(_, nexts):
            return [set(nexts)]
        case SecretsNode():
            rows = node.rows
            columns = rows if seat is Seat.FIRST else list(zip(*rows, strict=True))
            return [set(after) for after in columns]
