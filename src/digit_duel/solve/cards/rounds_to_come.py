"""The rounds of a short match, from the view of each round's starter: what follows a win and a loss."""

from __future__ import annotations

from dataclasses import dataclass

from digit_duel.core.game import Seat
from digit_duel.games._cards import Cards, Starter


@dataclass(frozen=True, slots=True)
class Follows:
    """What follows a round: another one, or the end of the match."""

    then: NextRound | bool  # at the end, whether the starter of the last round has won the match
    same_starter: bool = True


@dataclass(frozen=True, slots=True)
class NextRound:
    """A future round. Rounds with the same consequences are equal, whatever the score."""

    won: Follows  # if its starter wins
    lost: Follows  # if its starter loses

    def worth(self, starter_wins: float) -> float:
        """The starter's chance to win the match, if starters win each round with this probability."""
        won, lost = self.results(starter_wins)
        return starter_wins * won + (1 - starter_wins) * lost

    def results(self, starter_wins: float) -> tuple[float, float]:
        """The starter's chances to win the match after winning and after losing this round."""
        won, lost = (_worth(follows, starter_wins) for follows in (self.won, self.lost))
        return won, lost


def _worth(follows: Follows, starter_wins: float) -> float:
    if isinstance(follows.then, bool):
        return float(follows.then)
    worth = follows.then.worth(starter_wins)
    return worth if follows.same_starter else 1 - worth


def first_round(game: Cards) -> NextRound:
    """The first round of a game."""
    return _round(game.next_starter, game.wins_needed, game.wins_needed)


def _round(rule: Starter, starter_needs: int, other_needs: int) -> NextRound:
    won = _follows(rule, True, starter_needs - 1, other_needs)
    return NextRound(won, _follows(rule, False, starter_needs, other_needs - 1))


def _follows(rule: Starter, starter_won: bool, starter_needs: int, other_needs: int) -> Follows:
    if not (starter_needs and other_needs):
        return Follows(starter_won)
    starter, winner = Seat.FIRST, Seat.FIRST if starter_won else Seat.SECOND
    same = rule.after(starter, winner) is starter
    needs = (starter_needs, other_needs) if same else (other_needs, starter_needs)
    return Follows(_round(rule, *needs), same)
