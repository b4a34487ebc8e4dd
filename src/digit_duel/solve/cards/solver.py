"""The solver of cards: round by round, from what one seat knows."""

from __future__ import annotations

from dataclasses import replace

from digit_duel.core.game import Seat
from digit_duel.games._cards import Cards
from digit_duel.games._cards_table import CardsMove, Give, Keep, Sight, Table
from digit_duel.games._digits import distinct
from digit_duel.solve.cards.knowledge import has_history
from digit_duel.solve.cards.odds import ChoiceOdds, Odds, odds
from digit_duel.solve.cards.player_model import NEVER_ERRS, PERSON, PlayerModel
from digit_duel.solve.cards.rounds import is_exact, is_quick
from digit_duel.solve.effort import PATIENT, Effort, Progress
from digit_duel.solve.errors import TooBig, Unsolved
from digit_duel.solve.evaluation import Evaluation, MoveValue
from digit_duel.solve.report import Report
from digit_duel.solve.solver import Solver


class CardsSolver(Solver[Table, CardsMove, Sight]):
    """Solves cards; its values are probabilities of winning the round."""

    game: Cards

    def __init__(self, game: Cards) -> None:
        super().__init__(game)
        # A tied round is played again; without equal cards there are no ties.
        self.is_finite = len(distinct(game.pool)) == len(game.pool)

    def evaluate(self, view: Sight, seat: Seat, effort: Effort = PATIENT) -> Evaluation[CardsMove]:
        if not has_history(self.game, view):
            raise Unsolved("the history of this round is missing, as in states that come from a batch.")
        if effort.exact and not is_exact(self.game, view):
            raise Unsolved("the exact odds of this round are not known.")
        if effort.states is not None and not is_quick(self.game):
            raise TooBig("odds with these options need a long solve, more than the time allowed here.")
        found = odds(self.game, view)
        if effort.exact:  # against the solution, as the proof has it
            found = replace(found, keep=_as_perfect(found.keep), give=found.give and _as_perfect(found.give))
            return as_evaluation(self.game, found, seat, NEVER_ERRS)
        return as_evaluation(self.game, found, seat, PERSON)

    def report(self, progress: Progress) -> Report:
        from digit_duel.solve.cards.report import cards_report

        return cards_report(self.game, progress)


def as_evaluation(game: Cards, found: Odds, seat: Seat, player: PlayerModel) -> Evaluation[CardsMove]:
    """Convert odds to the values of moves, the better one first."""
    choices: dict[CardsMove, ChoiceOdds] = {Keep(): found.keep}
    if found.give is not None:
        choices[Give()] = found.give
    best = max(choice.chance for choice in choices.values())
    moves = tuple(
        MoveValue(
            move,
            game.text(move),
            _result(choice.chance),
            _result(best) - _result(choice.chance),
            None,
            choice.chance == best,
            choice.chance == best,
            _more(choice, found.hands),
        )
        for move, choice in sorted(choices.items(), key=lambda item: -item[1].chance)
    )
    certainty = ", ".join(filter(None, (player.condition, found.certainty)))
    return Evaluation(seat, moves[0].value, moves, True, certainty)


def _as_perfect(choice: ChoiceOdds) -> ChoiceOdds:
    return replace(choice, chance=choice.perfect)


def _more(choice: ChoiceOdds, hands: int) -> dict[str, float]:
    """The odds by the cards alone, and against a player who never errs."""
    counted = {"hands": hands, "sure_wins": choice.wins, "sure_losses": choice.loses} if hands else {}
    return {**counted, "least": choice.least, "most": choice.most, "if_never_errs": choice.perfect}


def _result(chance: float) -> float:
    """Convert a winning probability to a result from -1 to 1."""
    return round(2 * chance - 1, 12)
