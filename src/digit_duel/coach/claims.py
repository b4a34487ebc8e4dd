"""Claims: statements about a position that can be checked against the rules and the solver."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar

from digit_duel.coach.cases import AnyCase, Impossible, Path
from digit_duel.core.game import Seat
from digit_duel.solve.value import Score

C = TypeVar("C", bound=AnyCase, contravariant=True)


@dataclass(frozen=True)  # no slots: Python 3.11 cannot subscript a generic one
class Claim(ABC, Generic[C]):
    """A statement about the state that a path leads to; it is false if the path cannot be played."""

    path: Path

    @abstractmethod
    def holds(self, case: C) -> bool:
        """Whether the claim is true."""


AnyClaim: TypeAlias = Claim[Any]


def true(claim: AnyClaim, case: AnyCase) -> bool:
    """Whether a claim holds; one about a path that cannot be played does not."""
    try:
        return claim.holds(case)
    except Impossible:
        return False


@dataclass(frozen=True)
class Over(Claim[AnyCase]):
    """The game has ended, and this seat has won, or nobody has."""

    winner: Seat | None

    def holds(self, case: AnyCase) -> bool:
        outcome = case.outcome(self.path)
        return outcome is not None and outcome.winner is self.winner


@dataclass(frozen=True)
class ValueIs(Claim[AnyCase]):
    """Best play of both leads to this result for this seat."""

    seat: Seat
    score: Score

    def holds(self, case: AnyCase) -> bool:
        return case.score(self.path, self.seat) == self.score


@dataclass(frozen=True)
class ForcedIn(Claim[AnyCase]):
    """This seat can force a win in this many moves of both players together, and no sooner."""

    seat: Seat
    moves: int

    def holds(self, case: AnyCase) -> bool:
        value = case.value(self.path)
        return value.score_for(self.seat) == 1 and value.distance == self.moves > 0


@dataclass(frozen=True)
class Keeps(Claim[AnyCase]):
    """This move leads to the best result that the mover can get."""

    move: Hashable

    def holds(self, case: AnyCase) -> bool:
        return case.option(self.path, self.move).keeps


@dataclass(frozen=True)
class Best(Claim[AnyCase]):
    """No other move is better for the mover: by result, then by the number of moves, then by margin."""

    move: Hashable

    def holds(self, case: AnyCase) -> bool:
        return case.option(self.path, self.move).best


@dataclass(frozen=True)
class Only(Claim[AnyCase]):
    """This move alone leads to the best result; this many others do not."""

    move: Hashable
    others: int

    def holds(self, case: AnyCase) -> bool:
        keeping = [option.move for option in case.options(self.path) if option.keeps]
        return keeping == [self.move] and len(case.options(self.path)) - 1 == self.others > 0


@dataclass(frozen=True)
class Winning(Claim[AnyCase]):
    """This many of the mover's legal moves win."""

    winning: int
    legal: int

    def holds(self, case: AnyCase) -> bool:
        scores = [option.score for option in case.options(self.path)]
        return scores.count(1) == self.winning and len(scores) == self.legal


@dataclass(frozen=True)
class Keeping(Claim[AnyCase]):
    """This many of the mover's legal moves lead to the best result."""

    keeping: int
    legal: int

    def holds(self, case: AnyCase) -> bool:
        options = case.options(self.path)
        return sum(option.keeps for option in options) == self.keeping and len(options) == self.legal


@dataclass(frozen=True)
class OthersLoseTo(Claim[AnyCase]):
    """After every move but this one, the answer is legal and wins."""

    move: Hashable
    answer: Hashable

    def holds(self, case: AnyCase) -> bool:
        answerer = case.mover(self.path).other
        others = [(*self.path, move, self.answer) for move in case.moves(self.path) if move != self.move]
        return bool(others) and all(case.score(path, answerer) == 1 for path in others)


@dataclass(frozen=True)
class Unstoppable(Claim[AnyCase]):
    """Whatever the mover does, one of these answers is legal and wins, and none of them could be left out."""

    answers: tuple[Hashable, ...]

    def holds(self, case: AnyCase) -> bool:
        answerer = case.mover(self.path).other
        moves = case.moves(self.path)
        fitting = [
            {answer for answer in self.answers if self._wins(case, move, answer, answerer)} for move in moves
        ]
        needed = all(any(found == {answer} for found in fitting) for answer in self.answers)
        return bool(fitting) and all(fitting) and (len(self.answers) == 1 or needed)

    def _wins(self, case: AnyCase, move: Hashable, answer: Hashable, answerer: Seat) -> bool:
        try:
            return case.score((*self.path, move, answer), answerer) == 1
        except Impossible:
            return False


@dataclass(frozen=True)
class Costs(Claim[AnyCase]):
    """This move's result, and its margin, are worse than the best move's by this much."""

    move: Hashable
    score: Score
    margin: int

    def holds(self, case: AnyCase) -> bool:
        best, made = case.options(self.path)[0], case.option(self.path, self.move)
        return best.score - made.score == self.score and best.margin - made.margin == self.margin


@dataclass(frozen=True)
class Margin(Claim[AnyCase]):
    """Best play of both ends with this seat ahead by this margin, or behind if it is negative."""

    seat: Seat
    margin: int

    def holds(self, case: AnyCase) -> bool:
        return case.value(self.path).margin_for(self.seat) == self.margin


@dataclass(frozen=True)
class Secures(Claim[AnyCase]):
    """Both seats choose at once, and this choice secures at least this result."""

    seat: Seat
    move: Hashable
    score: Score

    def holds(self, case: AnyCase) -> bool:
        state = case.after((*self.path, self.move))
        if len(case.game.acting(case.after(self.path))) != 2:
            return False
        replies = (case.game.play(state, reply) for reply in case.game.legal(state, self.seat.other))
        return min(case.oracle.value(reply).score_for(self.seat) for reply in replies) == self.score


@dataclass(frozen=True)
class LikedMost(Claim[AnyCase]):
    """The rulebook's tips rate none of these moves higher than this one."""

    seat: Seat
    move: Hashable
    among: tuple[Hashable, ...]
    tips: Callable[..., int]  # the variant's own rule of thumb

    def holds(self, case: AnyCase) -> bool:
        liked = {move: self.tips(case.game, case.state, self.seat, move) for move in self.among}
        return liked[self.move] == max(liked.values())
