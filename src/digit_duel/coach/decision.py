"""A decision put to the coach: which move to make, and why a move is good or bad."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, Protocol

from digit_duel.coach.cases import AnyCase, Case, G
from digit_duel.coach.claims import LikedMost
from digit_duel.coach.generic import Reasons
from digit_duel.coach.reason import Reason, first_true
from digit_duel.coach.speech import sentence
from digit_duel.core.game import M, S, Seat, V
from digit_duel.core.variant import Variant


class Decision(Protocol[M]):
    """One seat's choice between its legal moves, based on what it sees."""

    @property
    def case(self) -> AnyCase:
        """The position that claims are checked against."""

    def named(self, move: M) -> str:
        """A move in words."""

    def chosen(self) -> M:
        """The move to recommend."""

    def explain(self, move: M) -> Reason:
        """Explain why a move is good, or what it loses; every claim in the reason has been checked."""


@dataclass(frozen=True)
class SolvedDecision(Generic[G, V, M]):
    """A decision in a game that is solved state by state."""

    seat: Seat
    reasons: Reasons[G, V, M]

    @property
    def case(self) -> Case[G, V, M]:
        return self.reasons.case

    def named(self, move: M) -> str:
        return self.reasons.named(self.seat, move)

    def chosen(self) -> M:
        return self.reasons.secretly_chosen(self.seat) if self.case.at_once else self.reasons.chosen(())

    def explain(self, move: M) -> Reason:
        return self.reasons.secret(self.seat, move) if self.case.at_once else self.reasons.explain((), move)


@dataclass(frozen=True)
class TipsDecision(Generic[G, V, M]):
    """A decision in an unsolved game: it quotes the rulebook's tips and claims no more."""

    variant: Variant[V, M, V]
    seat: Seat
    legal: tuple[M, ...]
    reasons: Reasons[G, V, M]

    @property
    def case(self) -> Case[G, V, M]:
        return self.reasons.case

    def named(self, move: M) -> str:
        return self.reasons.named(self.seat, move)

    def chosen(self) -> M:
        return liked_most(self.variant, self.case.state, self.seat, self.legal)

    def explain(self, move: M) -> Reason:
        liked = self.chosen()
        return first_true(
            self.case,
            (
                Reason(
                    sentence(f"{self.named(one)} {said}; this game is not solved."),
                    (LikedMost((), self.seat, one, self.legal, self.variant.tips),),
                )
                for one, said in ((move, "is what the tips say"), (liked, "is what the tips say instead"))
            ),
        )


def liked_most(variant: Variant[S, M, V], view: V, seat: Seat, legal: Sequence[M]) -> M:
    """The move that the rulebook's tips rate highest."""
    return max(legal, key=lambda move: variant.tips(variant.game, view, seat, move))
