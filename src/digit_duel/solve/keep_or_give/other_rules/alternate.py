"""Rounds in which a full hand keeps drawing (full_turn=alternate), bracketed between two other rounds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from digit_duel.solve.keep_or_give.capped.cap_bounds import (
    HuntRows,
    best_of_more,
    bounds_by_caution,
    hunts_with,
    results,
)
from digit_duel.solve.keep_or_give.cfr import RoundSolution
from digit_duel.solve.keep_or_give.other_rules.other_decks import Bounds
from digit_duel.solve.keep_or_give.payoffs import Payoffs, Round, draw_weights
from digit_duel.solve.keep_or_give.public_tree import SECOND, STARTER, Array, hand_draws, mover

# A player with a full hand gives cards to the hunter, or throws them away. Two simple strategies enclose what
# a hunter with m empty places gets:
#  - a hunter who keeps every card it draws fills a place each turn, so the other throws away at most m cards
#    before that, or m - 1 if the hunter draws first. Whatever the other chooses, the hunter gets at least the
#    m worst of all these cards;
#  - against a full hand that gives every card to the hunter, the hunter passes at most m cards, or m - 1 if
#    the other draws first. So it gets at most the m best of all these cards.
# Neither depends on a player's beliefs, so both are fixed payoffs.


def alternate_bracket(
    round_: Round,
    cap: int | None,
    *,
    target: float = 1e-6,
    limit: int = 300,
    progress: Callable[[RoundSolution], None] | None = None,
) -> Bounds:
    """Bounds on a round in which no turn is skipped, ties replayed from the same cards."""
    return bounds_by_caution(*alternate_payoffs(round_, cap), target=target, limit=limit, progress=progress)


def alternate_payoffs(round_: Round, cap: int | None) -> tuple[Payoffs, Payoffs]:
    """Payoffs that underestimate the starter in the true round, and payoffs that underestimate the second."""
    if sum(round_.deck) < 3 * round_.hand_size:
        raise ValueError("the deck could run out: this bracket needs a deck that lasts the whole round")
    # The modest hunter gets only what is certain, and the other one everything that is possible.
    return _folded(round_, cap, STARTER), _folded(round_, cap, SECOND)


def _folded(round_: Round, cap: int | None, modest: int) -> Payoffs:
    """The payoffs if one seat hunts modestly and the other gets everything that is possible."""
    tree = round_.tree
    found: dict[tuple[int, int, bool], tuple[Array, Array]] = {}
    win, tie = {}, {}
    for end in tree.ends:
        hunter = tree.hunter(end)
        full, held = hand_draws(end, 1 - hunter), hand_draws(end, hunter)
        places = round_.hand_size - len(held)
        turns = places - (mover(end) != hunter if hunter != modest else mover(end) == hunter)
        more = turns if hunter == modest or cap is None else min(turns, cap)
        key = places, more, hunter == modest
        if key not in found:
            found[key] = _hunted(hunts_with(round_, places), more, worst=hunter == modest)
        won, tied = (table.transpose(np.argsort(full + held)) for table in found[key])
        weights = draw_weights(round_, len(end)) / round_.ways(0, len(end))
        win[end] = weights * (won if hunter == STARTER else 1 - won - tied)
        tie[end] = weights * tied
    return Payoffs(round_, 1, win, tie)


def _hunted(hunts: HuntRows, more: int, worst: bool) -> tuple[Array, Array]:
    """The hunter's probabilities of winning and tying with the best, or worst, of `more` extra cards."""
    if not worst:
        return results(hunts, best_of_more(hunts, more))
    highest = hunts.deck.shape[1] - 1
    upside_down = replace(hunts, deck=hunts.deck[:, ::-1], sets=highest - hunts.sets)
    return results(hunts, best_of_more(upside_down, more))
