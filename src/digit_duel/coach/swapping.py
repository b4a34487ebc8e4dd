"""Explanations for games with the pie rule, from their values alone."""

from __future__ import annotations

from typing import Any

from digit_duel.coach.generic import Reasons
from digit_duel.core.game import M, Seat
from digit_duel.core.swap import KEEP, SWAP, AnySwapGame, Seated, SwapChoice

_WORDS = {SWAP: "swapping seats", KEEP: "keeping the seat"}


class SwapReasons(Reasons[AnySwapGame, Seated[Any], M | SwapChoice]):
    """Explains moves by their values; moves but swap and keep stay in notation, whose letters name sides."""

    def named(self, mover: Seat, move: M | SwapChoice) -> str:
        return _WORDS[move] if move in (SWAP, KEEP) else super().named(mover, move)
