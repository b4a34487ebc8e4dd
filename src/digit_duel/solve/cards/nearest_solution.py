"""The nearest shipped solution for any rules, to play by where nothing is proven."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from digit_duel.games._cards import Cards, Decks, FullTurn, Visibility
from digit_duel.games._cards_table import Reveal, Sight, Turn, this_round
from digit_duel.solve.cards.knowledge import KEPT, face_down, hunt_seen, round_knowledge
from digit_duel.solve.cards.rounds import (
    is_quick,
    nearest_rule,
    shipped_open_round,
    shipped_play,
    shipped_round,
    shipped_strategy,
)

if TYPE_CHECKING:  # NumPy is loaded only when it is needed
    from digit_duel.solve.keep_or_give.public_tree import AnyArray, Array, Tree


def load(game: Cards, with_odds: bool) -> None:
    """Load the tables that the functions below need, so that the first call is as fast as later ones."""
    if (rule := nearest_rule(game)) is not None:
        shipped_strategy(rule)
        if with_odds:
            shipped_round(rule)
        if is_open_and_solved(game):
            shipped_open_round(rule)
        elif game.facing_full.most:  # capped hunts depend on beliefs
            shipped_play(rule)


def keep_probability(game: Cards, view: Sight) -> float | None:
    """How often the nearest solution keeps the card just drawn, before any hand is full."""
    if (rule := nearest_rule(game)) is None:
        return None
    if is_open_and_solved(game) and _from_fresh_deck(game, view):
        keep, give = open_odds(game, view)
        return float(keep >= give)
    strategy = shipped_strategy(rule)
    return _at(strategy.keep, game, view, strategy.round.tree) / strategy.scale


def is_open_and_solved(game: Cards) -> bool:
    """Whether rounds with open hands are solved exactly for the rules of a game."""
    return game.visibility is Visibility.OPEN and game.full_turn is FullTurn.SKIP and is_quick(game)


def open_odds(game: Cards, view: Sight) -> tuple[float, float]:
    """The winning probabilities of keeping and giving, with open hands, before any hand is full."""
    from digit_duel.solve.keep_or_give.other_rules.open_hands import open_choices

    rule, drawn = nearest_rule(game), view.drawn
    assert rule is not None
    assert drawn is not None
    digits = (turn.digit for turn in this_round(view.memory) if isinstance(turn, Turn))
    shown = tuple(digit for digit in digits if digit is not None)
    return open_choices(shipped_open_round(rule), round_knowledge(game, view).word, (*shown, drawn))


def keep_gain(game: Cards, view: Sight) -> float | None:
    """How much more often keeping wins than giving, by the nearest solution, before any hand is full."""
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
    """Whether a hunter with few discards keeps the card just drawn; None if no solution fits."""
    rule = nearest_rule(game)
    if rule is None or game.full_turn is FullTurn.ALTERNATE or not _from_fresh_deck(game, view):
        return None
    from digit_duel.solve.keep_or_give import hunt_choices

    assert view.drawn is not None
    hunt, cap = hunt_seen(round_knowledge(game, view)), game.facing_full.most
    if is_open_and_solved(game):
        held = face_down(game, view)
        return hunt_choices(shipped_open_round(rule), hunt, view.drawn, cap, held).best == KEPT
    return hunt_choices(shipped_play(rule), hunt, view.drawn, cap).best == KEPT


def _from_fresh_deck(game: Cards, view: Sight) -> bool:
    reveals = [event for event in view.memory if isinstance(event, Reveal)]
    return not reveals or (game.deck is Decks.FRESH and reveals[-1].winner is not None)
