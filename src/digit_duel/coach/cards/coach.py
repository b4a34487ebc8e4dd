"""The coach of cards: odds from one seat's view, and what the other player's choices mean for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from digit_duel.bots.cards.players import LEVEL_MODELS
from digit_duel.coach.cards.news import news
from digit_duel.coach.cards.reasons import CardsReasons
from digit_duel.coach.coach import Coach, Expected, Glimpse, Judgement, Verdict
from digit_duel.coach.opponent import Opponent
from digit_duel.coach.reason import Reason
from digit_duel.coach.speech import Speech, chances, listed, sentence
from digit_duel.core.game import Seat
from digit_duel.core.script import Step
from digit_duel.core.variant import Variant
from digit_duel.games._cards import Cards
from digit_duel.games._cards_scene import highest, missed, number
from digit_duel.games._cards_table import Arrange, CardsMove, Keep, Reveal, Sight, Table
from digit_duel.solve.cards.odds import odds, quick_odds, standing
from digit_duel.solve.cards.player_model import PlayerModel
from digit_duel.solve.cards.solver import as_evaluation
from digit_duel.solve.effort import Effort
from digit_duel.solve.evaluation import Evaluation

SLIP = 0.02  # losing less of the chance to win the round than this is not called a mistake


class CardsCoach(Coach[Table, CardsMove, Sight]):
    """Judges moves by the probability of winning the round against this opponent."""

    chances = True

    def __init__(self, variant: Variant[Table, CardsMove, Sight], opponent: Opponent) -> None:
        super().__init__(variant)
        self._game = variant.game_as(Cards)
        self._player = LEVEL_MODELS.get(opponent.level) or PlayerModel(coin=opponent.errs)
        self.assumed = self._player.condition

    def decision(self, view: Sight, seat: Seat, legal: Sequence[CardsMove], speech: Speech) -> CardsReasons:
        return CardsReasons(self.variant, view, legal, speech, self._player)

    def told(self, glimpse: Glimpse[CardsMove, Sight], seat: Seat, speech: Speech) -> Reason | None:
        if glimpse.mover is not seat:
            if isinstance(glimpse.move, Arrange):
                return None  # the reveal has shown the number
            return news(self._game, glimpse.after, speech, self._player)
        return self.decision(glimpse.before, seat, glimpse.legal, speech).explain_fully(glimpse.move)

    def judge(self, view: Sight, seat: Seat, legal: Sequence[CardsMove], move: CardsMove) -> Judgement:
        if isinstance(move, Arrange):
            return Judgement(Verdict.BEST if move.digits == highest(move.digits) else Verdict.MISTAKE)
        found = quick_odds(self._game, view, self._player)
        if found is None:
            return Judgement(Verdict.UNJUDGED)
        keeping = isinstance(move, Keep)
        cost = found.cost(keeping)
        wrong = cost >= SLIP or (found.dominated and keeping is not found.keeps)
        verdict = Verdict.BEST if cost == 0 else Verdict.MISTAKE if wrong else Verdict.FINE
        return Judgement(verdict, Expected(found.best), Expected(found.of(keeping).chance))

    def hindsight(self, found: Judgement, later: Sequence[Step[Table, CardsMove]]) -> Judgement:
        """Excuse a number that was laid out too low if it did not change who won the round."""
        move = later[0].move
        if not isinstance(move, Arrange) or found.verdict is Verdict.BEST:
            return found
        ends = (step.after.memory[-1] for step in later if self.round_won(step, move.seat) is not None)
        reveal = next(ends, None)
        if not isinstance(reveal, Reveal):
            return found
        if missed(reveal, move.seat):
            return found
        theirs = number(reveal.numbers[move.seat.other])
        return replace(found, verdict=Verdict.FINE, note=f"Against {theirs} it made no difference.")

    def evaluate(self, view: Sight, seat: Seat, effort: Effort) -> Evaluation[CardsMove]:
        super().evaluate(view, seat, effort)  # refuses what would take too long
        return as_evaluation(self._game, odds(self._game, view, self._player), seat, self._player)

    def standing(self, view: Sight) -> float | None:
        return standing(self._game, view, self._player)

    def round_won(self, step: Step[Table, CardsMove], seat: Seat) -> float | None:
        last = step.after.memory[-1] if step.after.memory else None
        if not isinstance(step.move, Arrange) or not isinstance(last, Reveal):
            return None
        return 0.5 if last.winner is None else float(last.winner is seat)

    def truth(self, step: Step[Table, CardsMove], speech: Speech) -> str:
        seat = step.seat
        if seat is None or isinstance(step.move, Arrange):
            return ""
        view = self._game.view(step.before, seat)
        seen, held = view.hands[seat.other], step.before.hands[seat.other]
        hidden = tuple(sorted(card for card, known in zip(held, seen, strict=True) if known is None))
        found = quick_odds(self._game, view, self._player)
        if found is None or not hidden:
            return ""
        for hand in found.each:
            if hand.hidden == hidden:
                keep, give = chances(hand.keep, hand.give)
                cards = listed([str(card) for card in hidden])
                away = "throwing it away" if self._game.full(held) else "giving it away"
                were = "card was" if len(hidden) == 1 else "cards were"
                held_then = f"{speech.whose(seat.other)} hidden {were} {cards}"
                return sentence(f"{held_then}: keeping it was worth {keep}, {away} {give}.")
        return ""

    def ends_round(self, step: Step[Table, CardsMove]) -> bool:
        # A tied round keeps its number when it is replayed.
        decided = self.round_won(step, Seat.FIRST) in (0, 1)
        return decided and bool(self.variant.game.chance(step.after))
