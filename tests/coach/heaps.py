"""Games without reasons of their own: a heap of counters, plain, with a coin, and with secret bids."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from digit_duel.core.game import Game, Outcome, Seat
from digit_duel.core.variant import AnyVariant, Rules, Variant

Heap = tuple[int, int, str]  # counters left, who moves, what is pending


@dataclass(frozen=True)
class Heaps(Game[Heap, str, Heap]):
    """Take one or two counters; who takes the last one wins. A coin may take one more after each turn."""

    counters: int = 5
    coin: bool = False

    def start(self) -> Heap:
        return (self.counters, 0, "")

    def outcome(self, state: Heap) -> Outcome | None:
        if state[0] > 0:
            return None
        return (
            Outcome(None, "the coin took it")
            if state[2] == "coin"
            else Outcome(Seat(1 - state[1]), "took it")
        )

    def chance(self, state: Heap) -> Sequence[tuple[str, int]]:
        return [("c0", 1), ("c1", 1)] if state[2] == "toss" and state[0] > 0 else ()

    def acting(self, state: Heap) -> tuple[Seat, ...]:
        return () if self.outcome(state) or self.chance(state) else (Seat(state[1]),)

    def legal(self, state: Heap, seat: Seat) -> Sequence[str]:
        return [str(n) for n in (1, 2) if n <= state[0]] if seat in self.acting(state) else ()

    def play(self, state: Heap, move: str) -> Heap:
        if move.startswith("c"):
            taken = int(move[1])
            return (state[0] - taken, state[1], "coin" if taken else "")
        return (state[0] - int(move), 1 - state[1], "toss" if self.coin else "")

    def view(self, state: Heap, seat: Seat) -> Heap:
        return state

    def text(self, move: str) -> str:
        return move

    def moves(self, seat: Seat) -> Sequence[str]:
        return ["1", "2"]

    def draws(self) -> Sequence[str]:
        return ["c0", "c1"]

    def why_not(self, view: Heap, seat: Seat, move: str) -> str:
        return "There are not so many."

    @property
    def bound(self) -> int:
        return 2 * self.counters


@dataclass(frozen=True)
class Bids(Game[tuple[str, str], str, tuple[str, str]]):
    """Both name a number at once; equal numbers win for the first seat, with no sure choice for either."""

    def start(self) -> tuple[str, str]:
        return ("", "")

    def outcome(self, state: tuple[str, str]) -> Outcome | None:
        if not all(state):
            return None
        return Outcome(Seat.FIRST if state[0][1] == state[1][1] else Seat.SECOND, "bids")

    def acting(self, state: tuple[str, str]) -> tuple[Seat, ...]:
        return tuple(seat for seat in Seat if not state[seat])

    def legal(self, state: tuple[str, str], seat: Seat) -> Sequence[str]:
        return [f"{seat.letter}1", f"{seat.letter}2"] if not state[seat] else ()

    def play(self, state: tuple[str, str], move: str) -> tuple[str, str]:
        return (move, state[1]) if move[0] == "a" else (state[0], move)

    def view(self, state: tuple[str, str], seat: Seat) -> tuple[str, str]:
        return state

    def text(self, move: str) -> str:
        return move

    def moves(self, seat: Seat) -> Sequence[str]:
        return [f"{seat.letter}1", f"{seat.letter}2"]

    def why_not(self, view: tuple[str, str], seat: Seat, move: str) -> str:
        return "You have bid."

    @property
    def bound(self) -> int:
        return 2


def table(game: Any) -> AnyVariant:
    """A variant of a game that has no voice."""

    def mute(game: Any) -> Any:
        raise AssertionError("nothing is shown here")

    return Variant("heaps", "Heaps", "Take the last one.", game, mute, Rules("", ""))
