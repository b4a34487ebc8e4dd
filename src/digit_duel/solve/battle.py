"""What solvers must know about battle: a view in sudden death may show that the other seat has chosen."""

from __future__ import annotations

from dataclasses import replace

from digit_duel.games._battle import Act, Fight
from digit_duel.solve.general.solver import GeneralSolver


class BattleSolver(GeneralSolver[Fight, Act]):
    """Battle, solved state by state."""

    def before_choices(self, view: Fight) -> Fight:
        # Both choose at once (B3): whoever is quicker, the question is the same for both.
        return replace(view, picks=(None, None))
