"""What keeping and giving a card win, from one seat's sight alone."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from digit_duel.coach.cards.rounds import Round, followed
from digit_duel.games._cards import Cards, FullTurn, Visibility
from digit_duel.games._cards_table import Sight
from digit_duel.solve import hands

_ROUNDING = 1e-12
_CERTIFIED = "by the shipped table"


@dataclass(frozen=True, slots=True)
class Odds:
    """The share of rounds that each choice wins against the solved opponent, best play following."""

    keep: float
    give: float | None  # None where the rules make the player keep
    keeps: bool  # the better choice; between equals what perfect play does
    exact: bool  # the opponent's table was made for these very cards and rules

    def of(self, keeping: bool) -> float:
        """What one of the choices wins."""
        found = self.keep if keeping else self.give
        assert found is not None
        return found

    @property
    def best(self) -> float:
        """What the better choice wins."""
        return self.keep if self.give is None else max(self.keep, self.give)


def supported(game: Cards) -> bool:
    """Whether the odds are known without a long solve."""
    return (
        game.visibility is Visibility.PRIVATE
        and game.full_turn is FullTurn.SKIP
        and (game.hand_size, game.pool) == (Cards.hand_size, Cards.pool)
    )


def odds(game: Cards, view: Sight) -> Odds | None:
    """The odds of a seat that has to keep or give; None where they are not known."""
    if not supported(game) or view.drawn is None or view.to_move is not view.seat:
        return None
    return _odds(game, view)


@lru_cache(maxsize=512)  # a claim asks again what a sentence has asked
def _odds(game: Cards, view: Sight) -> Odds | None:
    try:
        found = hands.odds(game, view)
    except ValueError:
        return None  # rules, or cards, that no table covers
    exact = found.bound == _CERTIFIED
    keep = _tidy(found.keep)
    if found.give is None:
        return Odds(keep, None, True, exact)
    give = _tidy(found.give)
    # A hunter's better choice is one that costs nothing against any hand, so it is the solver's to say.
    alike = game.facing_full_hand(view) or abs(keep - give) <= _ROUNDING
    return Odds(keep, give, found.keeps >= 0.5 if alike else keep > give, exact)


def standing(game: Cards, view: Sight) -> float | None:
    """What a seat wins before the next draw, while neither hand is full; None where that is not known."""
    now = followed(game, view)
    if not supported(game) or game.facing_full.most or now.hunting or any(now.pile):
        return None
    return _standing(
        "discard" if game.facing_full.most is None else "must_keep", now, view.seat is view.starter
    )


@lru_cache(maxsize=512)
def _standing(rule: str, now: Round, starting: bool) -> float | None:
    from digit_duel.solve.keep_or_give import SECOND, STARTER, Observation
    from digit_duel.solve.keep_or_give import standing as stands

    try:
        share = stands(
            hands.shipped_round(rule), STARTER if starting else SECOND, Observation(now.word, now.digits)
        )
    except ValueError:
        return None  # no seat could know just this
    return _tidy(share)


def _tidy(share: float) -> float:
    """A probability without the last bits of rounding, so that certain is certain."""
    return round(min(max(share, 0.0), 1.0), 12)
