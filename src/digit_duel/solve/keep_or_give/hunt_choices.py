"""The values of a hunter's choices, under every rule for facing a full hand."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from digit_duel.solve.keep_or_give.capped.capped_hunt import affordable, best_threshold, look_ahead
from digit_duel.solve.keep_or_give.hunt_beliefs import CardBeliefs, HuntObservation, Scoring, begin
from digit_duel.solve.keep_or_give.payoffs import FullHandRule
from digit_duel.solve.keep_or_give.public_tree import GIVE, KEEP
from digit_duel.solve.keep_or_give.solved_round import RoundPlay

_NOTHING = 1e-12


@dataclass(frozen=True)
class HuntChoices:
    """Bounds on the values of keeping and passing the digit just drawn; equal if they are exact."""

    keep: tuple[float, float]
    give: tuple[float, float] | None  # None if the rules force the hunter to keep
    best: str


def _last_pass(scoring: Scoring, cards: CardBeliefs) -> float:
    """The best expected score in the last pass through a known deck."""
    # All cards in no hand are known now, and so is the full hand. The hunter can be certain of some of the
    # highest cards still in the deck; to get others the deck must run out again, and then every card must be
    # kept as it comes (C4). The higher of two cards is never worse. So the only choice is how many certain
    # ones to take: all of them, unless high cards were passed in this very pass.
    places, best = scoring.places(cards), 0.0
    for count in range(min(places, int(cards.deck[0].sum())) + 1):
        hand, left = scoring.with_best(cards, count, cards.deck)
        held = tuple(sorted(int(np.ravel(digit)[0]) for digit in hand))
        pool = left + cards.pile
        after = replace(cards, hand=held, deck=pool, pile=np.zeros_like(pool), run_outs=2)
        best = max(best, look_ahead(scoring, after, 0))
    return best


def _value(
    solved: RoundPlay, scoring: Scoring, cards: CardBeliefs, cap: int | None, exact: bool
) -> tuple[float, float]:
    """Bounds on a hunter's value before the next draw."""
    discarding = cap is None and solved.round.facing_full is FullHandRule.DISCARD
    if not scoring.places(cards):
        value = scoring.full(cards)
        return value, value
    cards = cards.refill()  # before asking how often the deck has run out
    if discarding and cards.run_outs == 0:
        value = cards.mean(scoring.certain(cards))
    elif discarding and cards.run_outs == 1:
        value = _last_pass(scoring, cards)
    else:
        discards = max((cap or 0) - cards.passed, 0) if cards.run_outs < 2 else 0  # C4
        if not exact:
            # A threshold is a legal plan, so its value is a lower bound, even though the hunter may choose a
            # new one after every draw. No plan gets more than the best cards that are in no hand.
            value = best_threshold(scoring, cards, discards)
            return value, max(value, cards.mean(scoring.certain(cards)))
        value = look_ahead(scoring, cards, discards)
    return value, value


def hunt_odds(solved: RoundPlay, hunt: HuntObservation, cap: int | None = None) -> tuple[float, float]:
    """Bounds on the hunter's value before the next draw; a cap overrides the round's rule."""
    scoring, cards = begin(solved, hunt)
    return _value(solved, scoring, cards, cap, affordable(scoring, cards, (cap or 0) - cards.passed))


def hunt_choices(
    solved: RoundPlay,
    hunt: HuntObservation,
    drawn: int,
    cap: int | None = None,
    held: tuple[int, ...] | None = None,
) -> HuntChoices:
    """The values of keeping and passing the digit drawn, and the best one; a cap overrides the round's rule.
    With open hands, `held` has the cards of the full hand that would otherwise be face down.
    """
    scoring, cards = begin(solved, hunt, held)
    if solved.any_order:
        cards = cards.in_any_order(solved.round)
    # Decided once for both choices, because they are compared.
    exact = affordable(scoring, cards, (cap or 0) - cards.passed)
    cards = cards.draw(drawn)
    kept, passed = cards.keep(drawn), cards.give(drawn)
    keep = _value(solved, scoring, kept, cap, exact)
    discarding = cap is None and solved.round.facing_full is FullHandRule.DISCARD
    if cards.run_outs >= 2 or not (discarding or (cap is not None and cards.passed < cap)):
        return HuntChoices(keep, None, KEEP)
    give = _value(solved, scoring, passed, cap, exact)
    if discarding and cards.run_outs == 0:
        # Passing costs nothing while the deck may still run out. So a digit is kept only if, whatever the
        # full hand holds (not just the hands that the strategy would have), it wins or does not lower the
        # final number. Even in a lost hunt the highest number is worth having.
        free = (scoring.highest(kept) >= scoring.highest(passed)) | (scoring.certain(kept) == 1)
        best = KEEP if free.all() else GIVE
    elif discarding and abs(keep[0] - give[0]) <= _NOTHING:
        higher = int(cards.deck[0, drawn + 1 :].sum())  # the deck is known: one row is left
        best = KEEP if keep[0] == 1 or higher < scoring.places(cards) else GIVE
    else:
        best = KEEP if keep[0] >= give[0] - _NOTHING else GIVE
    return HuntChoices(keep, give, best)
