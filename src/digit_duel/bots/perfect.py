"""The strongest computer there is for a game, and what it promises."""

from __future__ import annotations

from random import Random
from typing import Any

from digit_duel.bots.bot import Bot
from digit_duel.bots.tips import TipsBot
from digit_duel.core.game import Seat
from digit_duel.core.session import public
from digit_duel.core.variant import AnyVariant
from digit_duel.games._cards import Cards

# Solvers are imported where they are needed: they take longer to load than their tables.


def perfect(variant: AnyVariant, seat: Seat, rng: Random) -> Bot[Any, Any]:
    """The computer that gives nothing away; where nobody knows how, the strongest honest one."""
    game = variant.game
    if isinstance(game, Cards):
        from digit_duel.bots.cards.players import perfect_player

        return perfect_player(variant, seat, rng)
    if not public(game.view, game.start()):
        return TipsBot(variant, seat, rng)
    if _is_solved(game):
        from digit_duel.bots.solved import SolvedBot

        return SolvedBot(variant, seat, rng)
    from digit_duel.bots.look_ahead import LookAheadBot

    return LookAheadBot(variant, seat, rng)


def promise(variant: AnyVariant) -> str:
    """What the perfect computer of a variant is certain of, in one sentence."""
    game = variant.game
    if isinstance(game, Cards):
        from digit_duel.bots.cards.players import certified

        return certified(game)
    if not public(game.view, game.start()):
        return "It follows the tips: no solver knows this game of hidden hands."
    if _is_solved(game):
        return "It gives nothing away: every position of this game is solved exactly."
    return "It looks a few moves ahead and follows the tips: this game is too large to solve."


def _is_solved(game: Any) -> bool:
    from digit_duel.solve.knowledge import knowledge

    return knowledge(game) is not None
