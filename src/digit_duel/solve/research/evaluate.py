"""Exact evaluation of a policy: one row of the table of baselines."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from digit_duel.core.game import Seat
from digit_duel.core.variant import AnyVariant
from digit_duel.solve.research.exploration import LIMIT
from digit_duel.solve.research.policies import Number, TabularPolicy, over
from digit_duel.solve.research.responses import best_response, expected_value
from digit_duel.solve.research.size_ladder import ladder


@dataclass(frozen=True, slots=True)
class PolicyRow:
    """How a policy does against itself and against best responses."""

    game: str  # the id
    rung: str | None  # of the size ladder, if the game is one
    settings: dict[str, str]
    views: int  # the number of views that the policy was asked about
    value: Fraction | None  # of the game under best play, if it is a rung
    plays: Number  # the first seat's score when the policy plays itself
    first: Number  # the score of the first seat's best response
    second: Number  # the score of the second seat's best response

    @property
    def nash_conv(self) -> Number:
        """The sum of both seats' gains from a best response; 0 exactly in an equilibrium."""
        return self.first + self.second

    @property
    def exploitability(self) -> Number:
        """Half of NashConv."""
        return over(self.nash_conv, 2)


def evaluate(table: TabularPolicy, limit: int = LIMIT) -> PolicyRow:
    """Evaluate a policy exactly; raises BadPolicy or TooBig."""
    variant: AnyVariant = table.variant
    game = variant.game
    rung = next((rung for rung in ladder() if rung.game == variant.id and rung.variant.game == game), None)
    first, second = (best_response(game, table, seat, limit).value for seat in Seat)
    return PolicyRow(
        variant.id,
        rung.name if rung else None,
        variant.settings,
        len(table),
        rung.value if rung else None,
        expected_value(game, table, limit),
        first,
        second,
    )
