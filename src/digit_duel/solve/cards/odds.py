"""The odds of a round of cards: what keeping and giving win, asked with one seat's view."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from digit_duel.games._cards import Cards, Decks, FullTurn, Visibility
from digit_duel.games._cards_table import Reveal, Sight
from digit_duel.solve.cards.knowledge import KEPT, RoundKnowledge, round_knowledge
from digit_duel.solve.cards.rounds import (
    answering,
    is_quick,
    nearest_rule,
    round_of,
    shipped_round,
    shipped_strategy,
)
from digit_duel.solve.errors import Unsolved

if TYPE_CHECKING:  # NumPy is loaded only when somebody asks
    from digit_duel.solve.keep_or_give import HuntObservation

_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class Odds:
    """The chances to win the round by keeping and by giving the card just drawn, best play following."""

    keep: float
    give: float | None  # None where the rules make the seat keep
    keeps: bool  # the better choice; between equals what the solution does
    certainty: str  # how the odds were found, in words
    exact: bool  # the solution is for these very cards and rules

    def of(self, keeping: bool) -> float:
        """What one of the choices wins."""
        found = self.keep if keeping else self.give
        assert found is not None
        return found

    @property
    def best(self) -> float:
        """What the better choice wins."""
        return self.keep if self.give is None else max(self.keep, self.give)


@lru_cache(maxsize=512)  # a claim asks again what a sentence has asked
def odds(game: Cards, view: Sight) -> Odds:
    """The odds of a seat that has drawn a card, or Unsolved; cards that are not standard take a while."""
    if view.drawn is None or view.to_move is not view.seat:
        raise Unsolved("there is no card to keep or give.")
    if game.visibility is Visibility.OPEN:
        raise Unsolved("visibility=open: only rounds with private hands are solved.")
    from digit_duel.solve.keep_or_give import Observation, choices, hunt_choices

    known, by = round_knowledge(game, view), answering(game, round_of(game, view))
    if not game.facing_full_hand(view):
        found = choices(by.solved, Observation(known.word, (*known.digits, view.drawn)))
        keep, give = _tidy(found.keep), _tidy(found.give)
        keeps = found.table_keep >= 0.5 if abs(keep - give) <= _ROUNDING else keep > give
        return Odds(keep, give, keeps, by.certainty, by.exact)
    hunted = hunt_choices(by.solved, _hunt(known), view.drawn, game.facing_full.most or None)
    # The better choice is one that costs nothing against any hand, so it is the solver's to say.
    discard = None if hunted.give is None else _tidy(hunted.give[0])
    return Odds(_tidy(hunted.keep[0]), discard, hunted.best == KEPT, by.certainty, by.exact)


def quick_odds(game: Cards, view: Sight) -> Odds | None:
    """The odds, where they are known without a long solve."""
    if not is_quick(game):
        return None
    try:
        return odds(game, view)
    except ValueError:
        return None  # rules, or cards, that no table covers


@lru_cache(maxsize=512)
def standing(game: Cards, view: Sight) -> float | None:
    """A seat's chance to win the round before the next draw; None where it is unknown, or a hand is full."""
    known, rule = round_knowledge(game, view), nearest_rule(game)
    if rule is None or not is_quick(game) or game.facing_full.most or known.hand_is_full or any(known.pile):
        return None
    from digit_duel.solve.keep_or_give import SECOND, STARTER, Observation
    from digit_duel.solve.keep_or_give import standing as stands

    seat = STARTER if view.seat is view.starter else SECOND
    try:
        return _tidy(stands(shipped_round(rule), seat, Observation(known.word, known.digits)))
    except ValueError:
        return None  # no seat could know just this


# The nearest shipped round, whatever the rules: for those who play on where nothing is proven.


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
    from digit_duel.solve.keep_or_give import mover

    strategy, known = shipped_strategy(rule), round_knowledge(game, view)
    parts = strategy.round.tree.at(strategy.keep[mover(known.word)], known.word)
    # The table has an axis of 1 for a digit that the mover has not seen.
    return float(parts[tuple(digit or 0 for digit in (*known.digits, view.drawn))]) / strategy.scale


def keep_gain(game: Cards, view: Sight) -> float | None:
    """What keeping wins more than giving against the nearest solution, before any hand is full."""
    if (rule := nearest_rule(game)) is None:
        return None
    from digit_duel.solve.keep_or_give import Observation, choices

    known = round_knowledge(game, view)
    found = choices(shipped_round(rule), Observation(known.word, (*known.digits, view.drawn)))
    return found.keep - found.give


def capped_hunt_keeps(game: Cards, view: Sight) -> bool | None:
    """Whether a hunter with few discards keeps the card just drawn; None where no solution fits."""
    rule = nearest_rule(game)
    if rule is None or game.full_turn is FullTurn.ALTERNATE or not _from_fresh_deck(game, view):
        return None
    from digit_duel.solve.keep_or_give import hunt_choices

    assert view.drawn is not None
    hunt = _hunt(round_knowledge(game, view))
    return hunt_choices(shipped_round(rule), hunt, view.drawn, cap=game.facing_full.most).best == KEPT


def _hunt(known: RoundKnowledge) -> HuntObservation:
    from digit_duel.solve.keep_or_give import HuntObservation, Observation

    since = tuple((digit, kept) for digit, kept in known.since if digit is not None)  # a hunter sees them all
    return HuntObservation(Observation(known.word, known.digits), since)


def _from_fresh_deck(game: Cards, view: Sight) -> bool:
    reveals = [event for event in view.memory if isinstance(event, Reveal)]
    return not reveals or (game.deck is Decks.FRESH and reveals[-1].winner is not None)


def _tidy(share: float) -> float:
    """A probability without the last bits of rounding, so that certain is certain."""
    return round(min(max(share, 0.0), 1.0), 12)
