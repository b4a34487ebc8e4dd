"""A decision put to the coach: which move to make there, and why a move is good or bad."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from digit_duel.coach.battle.reasons import BattleReasons
from digit_duel.coach.cards.reasons import CardsReasons
from digit_duel.coach.cases import Case
from digit_duel.coach.claims import LikedMost
from digit_duel.coach.generic import Reasons
from digit_duel.coach.placing.reasons import PlacingReasons
from digit_duel.coach.reason import Reason, Untrue, first_true, say
from digit_duel.coach.speech import Speech, sentence
from digit_duel.core.game import Seat
from digit_duel.core.variant import AnyVariant
from digit_duel.games._battle import Battle
from digit_duel.games._cards import Cards
from digit_duel.games._placement import Placement
from digit_duel.solve.errors import Unsolved

__all__ = ["Decision", "Reason", "Untrue", "decision", "explain", "say"]


class Decision(Protocol):
    """One seat's choice between its legal moves, from what it sees."""

    @property
    def case(self) -> Case:
        """The position, for claims to be checked against."""

    def named(self, move: Any) -> str:
        """A move in words."""

    def chosen(self) -> Any:
        """The move to recommend."""

    def explain(self, move: Any) -> Reason:
        """Why a move is good, or what it gives away; every claim of it has been checked."""


def decision(variant: AnyVariant, view: Any, seat: Seat, legal: Sequence[Any], speech: Speech) -> Decision:
    """The decision that a seat has to make, explained by the family that its game belongs to."""
    case = Case(variant.game, view)
    match variant.game:
        case Cards():
            return CardsReasons(variant, view, legal, speech)
        case Placement():
            found: Reasons = PlacingReasons(variant, case, speech)
        case Battle():
            found = BattleReasons(variant, case, speech)
        case _:
            found = Reasons(variant, case, speech)
    try:
        case.oracle  # noqa: B018  # asked once, so that nothing is promised that cannot be kept
    except Unsolved:
        return _ByTips(variant, case, seat, tuple(legal), found, speech)
    return _Open(case, seat, found)


def explain(
    variant: AnyVariant, view: Any, seat: Seat, legal: Sequence[Any], move: Any, speech: Speech
) -> Reason:
    """Why a move is good, or what it gives away."""
    return decision(variant, view, seat, legal, speech).explain(move)


@dataclass(frozen=True)
class _Open:
    """A decision in a game that is solved state by state."""

    case: Case
    seat: Seat
    reasons: Reasons

    def named(self, move: Any) -> str:
        return self.reasons.named(self.seat, move)

    def chosen(self) -> Any:
        if len(self.case.game.acting(self.case.state)) > 1:
            return self.reasons.secretly_chosen(self.seat)
        return self.reasons.chosen(())

    def explain(self, move: Any) -> Reason:
        if len(self.case.game.acting(self.case.state)) > 1:
            return self.reasons.secret(self.seat, move)
        return self.reasons.explain((), move)


@dataclass(frozen=True)
class _ByTips:
    """A decision in a game that nobody has solved: the rulebook's tips, and no more is claimed."""

    variant: AnyVariant
    case: Case
    seat: Seat
    legal: tuple[Any, ...]
    reasons: Reasons
    speech: Speech

    def named(self, move: Any) -> str:
        return self.reasons.named(self.seat, move)

    def chosen(self) -> Any:
        return max(self.legal, key=self._liking)

    def explain(self, move: Any) -> Reason:
        liked = self.chosen()
        return first_true(
            self.case,
            (
                Reason(
                    sentence(f"{self.named(one)} {said}; this game is not solved."),
                    (LikedMost((), self.seat, one, self.legal, self.variant.tips),),
                )
                for one, said in ((move, "is what the tips say"), (liked, "is what the tips would say"))
            ),
        )

    def _liking(self, move: Any) -> int:
        return self.variant.tips(self.variant.game, self.case.state, self.seat, move)
