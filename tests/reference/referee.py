"""What the three references share: following a list of moves, and counting by ply."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

P = TypeVar("P")  # a position: any hashable value


class Seen(NamedTuple):
    """What a referee can say of a position: the result so far, who may choose what, what may be drawn."""

    result: str  # "1-0", "0-1", "1/2-1/2", or "*" while unfinished
    choices: dict[str, set[str]]  # seat letter -> the tokens that seat may play now
    draws: dict[int, int]  # digit -> copies in the deck, when a draw is due

    def legal(self) -> set[str]:
        """Every token that may come next, draws included."""
        return {f"d{digit}" for digit in self.draws}.union(*self.choices.values())


See = Callable[[P], Seen]
Step = Callable[[P, str], P]


def follow(start: P, see: See[P], step: Step[P], tokens: Sequence[str]) -> tuple[list[Seen], P]:
    """What is seen before the first token and after each one, and the last position."""
    position, seen = start, [see(start)]
    for number, token in enumerate(tokens, 1):
        if token not in seen[-1].legal():
            raise ValueError(f"token {number}, {token!r}, is illegal")
        position = step(position, token)
        seen.append(see(position))
    return seen, position


def walk(start: P, see: See[P], step: Step[P], plies: int) -> list[Counter[P]]:
    """For every ply, each distinct position with the number of sequences that lead to it."""
    levels = [Counter({start: 1})]
    for _ in range(plies):
        after: Counter[P] = Counter()
        for position, ways in levels[-1].items():
            for token in see(position).legal():
                after[step(position, token)] += ways
        levels.append(after)
    return levels


def states(levels: list[Counter[P]]) -> list[int]:
    """The number of distinct positions at every ply of a walk."""
    return [len(level) for level in levels]


def sequences(levels: list[Counter[P]]) -> list[int]:
    """The number of sequences of tokens of every length in a walk."""
    return [level.total() for level in levels]
