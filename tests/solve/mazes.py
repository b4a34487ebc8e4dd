"""Tiny games drawn as graphs, for tests: who chooses where, and where each choice leads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from digit_duel.core.game import Game, Outcome, Seat

ENDS = {
    "win": Outcome(Seat.FIRST, "won"),
    "loss": Outcome(Seat.SECOND, "lost"),
    "draw": Outcome(None, "drawn"),
}


@dataclass(frozen=True)
class Maze(Game[str, str, str]):
    """A place begins with a, b or n: the first seat, the second or nature chooses where to go from there."""

    ways: tuple[
        tuple[str, tuple[str, ...]], ...
    ]  # a place once for each unit of weight, where nature chooses

    @classmethod
    def of(cls, ways: Mapping[str, Sequence[str]]) -> Maze:
        """A maze that starts at the first of its places."""
        return cls(tuple((place, tuple(nexts)) for place, nexts in ways.items()))

    def start(self) -> str:
        return self.ways[0][0]

    def outcome(self, state: str) -> Outcome | None:
        return ENDS.get(state)

    def chance(self, state: str) -> Sequence[tuple[str, int]]:
        nexts = dict(self.ways).get(state, ()) if state[0] == "n" else ()
        return [(next, nexts.count(next)) for next in dict.fromkeys(nexts)]

    def acting(self, state: str) -> tuple[Seat, ...]:
        if state in ENDS or state[0] == "n":
            return ()
        return (Seat("ab".index(state[0])),)

    def legal(self, state: str, seat: Seat) -> Sequence[str]:
        return dict(self.ways)[state] if seat in self.acting(state) else ()

    def play(self, state: str, move: str) -> str:
        return move

    def view(self, state: str, seat: Seat) -> str:
        return state

    def text(self, move: str) -> str:
        return move

    def moves(self, seat: Seat) -> Sequence[str]:
        return list(
            dict.fromkeys(next for place, nexts in self.ways if place[0] == "ab"[seat] for next in nexts)
        )

    def why_not(self, view: str, seat: Seat, move: str) -> str:
        return "There is no way."

    @property
    def bound(self) -> None:
        """None: one can walk in circles."""
