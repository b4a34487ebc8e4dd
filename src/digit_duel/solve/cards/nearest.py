"""The nearest shipped round, whatever the rules: for those who play on where nothing is proven."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from digit_duel.games._cards import Cards, Decks, FullTurn
from digit_duel.games._cards_table import Reveal, Sight
from digit_duel.solve.cards.knowledge import KEPT, hunt_seen, round_knowledge
from digit_duel.solve.cards.rounds import nearest_rule, shipped_round, shipped_strategy

if TYPE_CHECKING:  # NumPy is loaded only when somebody asks
    from digit_duel.solve.keep_or_give.public_tree import AnyArray, Array, Tree


def load(game: Cards, with_odds: bool) -> None:
    """Read now what the answers below need, so that the first one takes no longer than the next."""
    if (rule := nearest_rule(game)) is not None:
        shipped_strategy(rule)
        if with_odds or game.facing_full.most:  # capped hunts go by the odds
            shipped_round(rule)


def keep_probability(game: Cards, view: Sight) -> float | None:
    """How often the nearest solution keeps the card just drawn, before any hand is full."""
    if (rule := nearest_rule(game)) is None:
        return None
    strategy = shipped_strategy(rule)
    return _at(strategy.keep, game, view, strategy.round.tree) / strategy.scale


def keep_gain(game: Cards, view: Sight) -> float | None:
    """What keeping wins more than giving against the nearest solution, before any hand is full."""
    if (rule := nearest_rule(game)) is None:
        return None
    return _at(_gains(rule), game, view, shipped_round(rule).round.tree)


@lru_cache(maxsize=2)
def _gains(rule: str) -> tuple[Array, Array]:
    from digit_duel.solve.keep_or_give import SECOND, STARTER, keep_gains

    return keep_gains(shipped_round(rule), STARTER), keep_gains(shipped_round(rule), SECOND)


def _at(tables: tuple[AnyArray, AnyArray], game: Cards, view: Sight, tree: Tree) -> float:
    """The entry of the mover's table for what it has seen."""
    from digit_duel.solve.keep_or_give import mover

    known = round_knowledge(game, view)
    table = tree.at(tables[mover(known.word)], known.word)
    # The table has an axis of 1 for a digit that the mover has not seen.
    return float(table[tuple(digit or 0 for digit in (*known.digits, view.drawn))])


def capped_hunt_keeps(game: Cards, view: Sight) -> bool | None:
    """Whether a hunter with few discards keeps the card just drawn; None where no solution fits."""
    rule = nearest_rule(game)
    if rule is None or game.full_turn is FullTurn.ALTERNATE or not _from_fresh_deck(game, view):
        return None
    from digit_duel.solve.keep_or_give import hunt_choices

    assert view.drawn is not None
    hunt = hunt_seen(round_knowledge(game, view))
    return hunt_choices(shipped_round(rule), hunt, view.drawn, cap=game.facing_full.most).best == KEPT


def _from_fresh_deck(game: Cards, view: Sight) -> bool:
    reveals = [event for event in view.memory if isinstance(event, Reveal)]
    return not reveals or (game.deck is Decks.FRESH and reveals[-1].winner is not None)
