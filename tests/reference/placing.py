"""Second implementation of classic, reverse, sabotage and customised placing games.

A position is one string: the first seat's places from the left, then the second's; "." is an empty place.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from math import comb, perm
from typing import Literal, TypedDict, Unpack

from . import referee
from .referee import Seen


class Rules(TypedDict, total=False):
    """The rule parameters; one left out is as in classic."""

    places: int
    pool: tuple[int, ...]
    goal: Literal["high", "low"]
    reach: Literal["own", "any"]
    tie: Literal["second", "first", "draw"]


CLASSIC: Rules = {"places": 3, "pool": tuple(range(1, 10)), "goal": "high", "reach": "own", "tie": "second"}
REVERSE: Rules = {**CLASSIC, "goal": "low"}
SABOTAGE: Rules = {
    "places": 4,
    "pool": tuple(sorted([*range(10)] * 2)),
    "goal": "low",
    "reach": "any",
    "tie": "second",
}


def trace(tokens: Sequence[str], **rules: Unpack[Rules]) -> list[Seen]:
    """What is seen before the first move and after each one; ValueError on an illegal move."""
    r: Rules = {**CLASSIC, **rules}
    return referee.follow(_empty(r), partial(_see, r), partial(_step, r), tokens)[0]


def judge(tokens: Sequence[str], **rules: Unpack[Rules]) -> str:
    """The result after these moves: "1-0", "0-1", "1/2-1/2" or "*"."""
    return trace(tokens, **rules)[-1].result


def legal(tokens: Sequence[str], **rules: Unpack[Rules]) -> set[str]:
    """The moves that may come next."""
    return trace(tokens, **rules)[-1].legal()


def choices(tokens: Sequence[str], **rules: Unpack[Rules]) -> dict[str, set[str]]:
    """The moves that may come next, by the seat that may play them."""
    return trace(tokens, **rules)[-1].choices


def count_states_by_ply(**rules: Unpack[Rules]) -> list[int]:
    """The number of positions by filled places, in closed form."""
    r: Rules = {**CLASSIC, **rules}
    return [words * slots for words, slots in zip(_words(r), _slots(r, comb), strict=True)]


def count_sequences_by_ply(**rules: Unpack[Rules]) -> list[int]:
    """The number of move sequences by length, in closed form; copies of a digit are one move."""
    r: Rules = {**CLASSIC, **rules}
    return [words * slots for words, slots in zip(_words(r), _slots(r, perm), strict=True)]


def enumerate_by_ply(plies: int, **rules: Unpack[Rules]) -> tuple[list[int], list[int]]:
    """The same two counts, states and sequences, by playing every move up to a ply."""
    r: Rules = {**CLASSIC, **rules}
    levels = referee.walk(_empty(r), partial(_see, r), partial(_step, r), plies)
    return referee.states(levels), referee.sequences(levels)


def _empty(r: Rules) -> str:
    if len(r["pool"]) < 2 * r["places"]:
        raise ValueError("the pool cannot fill both boards")
    return "." * (2 * r["places"])


def _slot_names(r: Rules) -> list[str]:
    return [f"{seat}{place}" for seat in "ab" for place in range(1, r["places"] + 1)]


def _see(r: Rules, board: str) -> Seen:
    if "." not in board:
        return Seen(_result(r, board[: r["places"]], board[r["places"] :]), {}, {})
    used = board.replace(".", "")
    mover = "ab"[len(used) % 2]
    boards = {"own": mover, "any": "ab"}[r["reach"]]
    left = Counter(str(digit) for digit in r["pool"]) - Counter(used)
    free = [name for name, held in zip(_slot_names(r), board, strict=True) if held == "."]
    return Seen("*", {mover: {digit + name for digit in left for name in free if name[0] in boards}}, {})


def _step(r: Rules, board: str, token: str) -> str:
    at = _slot_names(r).index(token[1:])
    return board[:at] + token[0] + board[at + 1 :]


def _result(r: Rules, first: str, second: str) -> str:
    # Both have the same length, leading zeros kept (S3), so text order is the order of the numbers.
    if first == second:
        # S4 names the seat that went second; P1 the one that completed second: the same seat on own boards.
        return {"second": "0-1", "first": "1-0", "draw": "1/2-1/2"}[r["tie"]]
    best = {"high": max, "low": min}[r["goal"]](first, second)
    return "1-0" if first == best else "0-1"


def _words(r: Rules) -> list[int]:
    """The number of digit words of each length that the pool can spell."""
    words = [1] + [0] * (2 * r["places"])
    for copies in Counter(r["pool"]).values():
        # Choose which letters of the word are this digit; the rest is spelt with the digits before it.
        words = [sum(comb(n, k) * words[n - k] for k in range(min(copies, n) + 1)) for n in range(len(words))]
    return words


def _slots(r: Rules, choose: Callable[[int, int], int]) -> list[int]:
    """The ways to choose the places of the first n moves, as sets (comb) or in order (perm)."""
    places = r["places"]
    plies = range(2 * places + 1)
    if r["reach"] == "any":
        return [choose(2 * places, n) for n in plies]
    return [choose(places, (n + 1) // 2) * choose(places, n // 2) for n in plies]
