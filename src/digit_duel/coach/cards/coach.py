"""The coach of cards: odds from one seat's sight, and what another's choice means to it."""

from __future__ import annotations

from collections.abc import Sequence

from digit_duel.coach.cards.news import news
from digit_duel.coach.cards.reasons import CardsReasons
from digit_duel.coach.coach import Coach, Expected, Glimpse, Judgement, Verdict
from digit_duel.coach.reason import Reason
from digit_duel.coach.speech import Speech
from digit_duel.core.game import Seat
from digit_duel.core.script import Step
from digit_duel.games._cards import Cards
from digit_duel.games._cards_table import Arrange, Deal, Keep, Sight, Table
from digit_duel.solve.cards.odds import quick_odds

SLIP = 0.02  # a chance to win the round that is lost without a mistake


class CardsCoach(Coach[Table, Deal, Sight]):
    """Judges by the chance to win the round."""

    chances = True

    def decision(self, view: Sight, seat: Seat, legal: Sequence[Deal], speech: Speech) -> CardsReasons:
        return CardsReasons(self.variant, view, legal, speech)

    def told(self, glimpse: Glimpse[Deal, Sight], seat: Seat, speech: Speech) -> Reason | None:
        if glimpse.mover is not seat:
            return news(self.variant.game_as(Cards), glimpse.after, speech)
        return super().told(glimpse, seat, speech)

    def judge(self, view: Sight, seat: Seat, legal: Sequence[Deal], move: Deal) -> Judgement:
        if isinstance(move, Arrange):
            highest = move.digits == max(other.digits for other in legal if isinstance(other, Arrange))
            return Judgement(Verdict.BEST if highest else Verdict.MISTAKE)
        found = quick_odds(self.variant.game_as(Cards), view)
        if found is None:
            return Judgement(Verdict.UNJUDGED)
        made = found.of(isinstance(move, Keep))
        cost = found.best - made
        verdict = Verdict.BEST if cost == 0 else Verdict.FINE if cost < SLIP else Verdict.MISTAKE
        return Judgement(verdict, Expected(found.best), Expected(made))

    def ends_round(self, step: Step[Table, Deal]) -> bool:
        return isinstance(step.move, Arrange) and bool(self.variant.game.chance(step.after))
