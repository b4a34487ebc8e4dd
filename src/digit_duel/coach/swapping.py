"""The coach of games with the pie rule: it explains the offer to swap, and the game's own coach the rest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from digit_duel.coach.cases import Case, Path
from digit_duel.coach.coach import Coach
from digit_duel.coach.decision import Decision
from digit_duel.coach.generic import Reasons
from digit_duel.coach.reason import Reason
from digit_duel.coach.speech import Speech
from digit_duel.core.game import M, S, Seat
from digit_duel.core.swap import SWAP, AnySwapGame, Seated, Stage, SwapChoice
from digit_duel.core.variant import Variant


class SwapCoach(Coach[Seated[S], M | SwapChoice, Seated[S]]):
    """Leaves positions after the offer to the coach of the underlying game."""

    def __init__(
        self, variant: Variant[Seated[S], M | SwapChoice, Seated[S]], inner: Coach[S, Any, S]
    ) -> None:
        super().__init__(variant, partial(SwapReasons, inner))
        self._inner = inner

    def decision(
        self, view: Seated[S], seat: Seat, legal: Sequence[M | SwapChoice], speech: Speech
    ) -> Decision[M | SwapChoice]:
        if view.stage is not Stage.NEVER:
            return super().decision(view, seat, legal, speech)
        told = speech if speech.to is None else replace(speech, to=view.side(speech.to))
        return self._inner.decision(
            view.state, view.side(seat), legal, replace(told, names=view.sides(speech.names))
        )


class SwapReasons(Reasons[AnySwapGame, Seated[Any], Any]):
    """Explains the first move, and the answer to the offer, from their values."""

    def __init__(
        self,
        inner: Coach[Any, Any, Any],
        variant: Variant[Seated[Any], Any, Seated[Any]],
        case: Case[AnySwapGame, Seated[Any], Any],
        speech: Speech,
    ) -> None:
        super().__init__(variant, case, speech)
        self._first = inner.decision(case.state.state, Seat.FIRST, (), speech)

    def named(self, mover: Seat, move: Any) -> str:
        if isinstance(move, SwapChoice):
            return "swapping seats" if move == SWAP else "keeping the seat"
        return self._first.named(move)

    def punished(self, path: Path) -> Iterator[Reason]:
        # Whose place a later move means depends on the answer to the offer, so only the answer is named.
        return iter(()) if self.case.after(path).stage is Stage.NEVER else super().punished(path)

    def _threatened(self, path: Path, move: Any) -> Iterator[Reason]:
        return iter(())  # after the offer, "every other move" would be the one other answer
