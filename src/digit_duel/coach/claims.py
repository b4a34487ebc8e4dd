"""Claims: one checkable thing each about a position, checked against the rules and the solver."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from digit_duel.coach.cases import Case, Impossible, Path
from digit_duel.core.game import Seat
from digit_duel.solve.value import Score


@dataclass(frozen=True, slots=True)
class Claim(ABC):
    """Something said about the state that a path leads to; a path that cannot be played makes it false."""

    path: Path

    @abstractmethod
    def holds(self, case: Case) -> bool:
        """Whether it is so."""


def true(claim: Claim, case: Case) -> bool:
    """Whether a claim can be made and holds."""
    try:
        return claim.holds(case)
    except Impossible:
        return False


@dataclass(frozen=True, slots=True)
class Over(Claim):
    """The game has ended, and this seat has won, or nobody has."""

    winner: Seat | None

    def holds(self, case: Case) -> bool:
        outcome = case.outcome(self.path)
        return outcome is not None and outcome.winner is self.winner


@dataclass(frozen=True, slots=True)
class Worth(Claim):
    """Best play of both leads to this result for this seat."""

    seat: Seat
    score: Score

    def holds(self, case: Case) -> bool:
        return case.score(self.path, self.seat) == self.score


@dataclass(frozen=True, slots=True)
class ForcedIn(Claim):
    """This seat can force the end it wants within so many moves of both together, and not sooner."""

    seat: Seat
    moves: int

    def holds(self, case: Case) -> bool:
        value = case.value(self.path)
        return value.score_for(self.seat) == 1 and value.distance == self.moves > 0


@dataclass(frozen=True, slots=True)
class Keeps(Claim):
    """This move leads to the best result that the mover can have."""

    move: Any

    def holds(self, case: Case) -> bool:
        return case.option(self.path, self.move).keeps


@dataclass(frozen=True, slots=True)
class Best(Claim):
    """No other move is better for the mover, by result, then haste, then margin."""

    move: Any

    def holds(self, case: Case) -> bool:
        return case.option(self.path, self.move).best


@dataclass(frozen=True, slots=True)
class Only(Claim):
    """This move alone leads to that result; so many others do not."""

    move: Any
    others: int

    def holds(self, case: Case) -> bool:
        keeping = [option.move for option in case.options(self.path) if option.keeps]
        return keeping == [self.move] and len(case.options(self.path)) - 1 == self.others > 0


@dataclass(frozen=True, slots=True)
class Winning(Claim):
    """So many of so many moves win for the mover."""

    winning: int
    legal: int

    def holds(self, case: Case) -> bool:
        scores = [option.score for option in case.options(self.path)]
        return scores.count(1) == self.winning and len(scores) == self.legal


@dataclass(frozen=True, slots=True)
class Keeping(Claim):
    """So many of so many moves lead to the best result that the mover can have."""

    keeping: int
    legal: int

    def holds(self, case: Case) -> bool:
        options = case.options(self.path)
        return sum(option.keeps for option in options) == self.keeping and len(options) == self.legal


@dataclass(frozen=True, slots=True)
class OthersLoseTo(Claim):
    """Whatever the mover does but this move, the answer is possible and wins."""

    move: Any
    answer: Any

    def holds(self, case: Case) -> bool:
        answerer = case.mover(self.path).other
        others = [(*self.path, move, self.answer) for move in case.moves(self.path) if move != self.move]
        return bool(others) and all(case.score(path, answerer) == 1 for path in others)


@dataclass(frozen=True, slots=True)
class Unstoppable(Claim):
    """Whatever the mover does, one of these answers is possible and wins; no fewer of them would do."""

    answers: tuple[Any, ...]

    def holds(self, case: Case) -> bool:
        answerer = case.mover(self.path).other
        moves = case.moves(self.path)
        fitting = [
            {answer for answer in self.answers if self._wins(case, move, answer, answerer)} for move in moves
        ]
        needed = all(any(found == {answer} for found in fitting) for answer in self.answers)
        return bool(fitting) and all(fitting) and (len(self.answers) == 1 or needed)

    def _wins(self, case: Case, move: Any, answer: Any, answerer: Seat) -> bool:
        try:
            return case.score((*self.path, move, answer), answerer) == 1
        except Impossible:
            return False


@dataclass(frozen=True, slots=True)
class Costs(Claim):
    """Compared with the best move, this one gives away so much of the result, and so much of the margin."""

    move: Any
    score: Score
    margin: int

    def holds(self, case: Case) -> bool:
        best, made = case.options(self.path)[0], case.option(self.path, self.move)
        return best.score - made.score == self.score and best.margin - made.margin == self.margin


@dataclass(frozen=True, slots=True)
class Margin(Claim):
    """Best play of both ends with this seat so far ahead, or behind."""

    seat: Seat
    margin: int

    def holds(self, case: Case) -> bool:
        return case.value(self.path).margin_for(self.seat) == self.margin


@dataclass(frozen=True, slots=True)
class Secures(Claim):
    """Where both choose at once, this choice leads to this result at the worst."""

    seat: Seat
    move: Any
    score: Score

    def holds(self, case: Case) -> bool:
        state = case.after((*self.path, self.move))
        if len(case.game.acting(case.after(self.path))) != 2:
            return False
        replies = (case.game.play(state, reply) for reply in case.game.legal(state, self.seat.other))
        return min(case.oracle.value(reply).score_for(self.seat) for reply in replies) == self.score


@dataclass(frozen=True, slots=True)
class LikedMost(Claim):
    """The rulebook's tips like none of these moves better than this one."""

    seat: Seat
    move: Any
    among: tuple[Any, ...]
    tips: Callable[[Any, Any, Seat, Any], int]  # the variant's own rule of thumb

    def holds(self, case: Case) -> bool:
        liked = {move: self.tips(case.game, case.state, self.seat, move) for move in self.among}
        return liked[self.move] == max(liked.values())
