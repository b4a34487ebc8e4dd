"""Rounds in which the value of a win depends on the cards that the round used (deck=persistent)."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from digit_duel.solve.keep_or_give.payoffs import (
    FullHandRule,
    Payoffs,
    Round,
    draw_weights,
    numbers,
    spread,
)
from digit_duel.solve.keep_or_give.public_tree import STARTER, Array, Ints, hand_draws

# With must_keep a round takes a card for each place in both hands, whatever the players choose, and the
# reveal shows them all. So the distribution of the cards used does not depend on the players, but the value
# of a win depends on these cards.


@lru_cache(maxsize=2)
def used_cards(kinds: int, draws: int) -> tuple[Ints, Ints]:
    """All multisets of this many cards, one per row, and the row of each sequence of draws."""
    sequences = np.sort(np.indices((kinds,) * draws).reshape(draws, -1), axis=0)
    code = (sequences * (kinds ** np.arange(draws))[:, None]).sum(axis=0)
    _codes, first, rows = np.unique(code, return_index=True, return_inverse=True)
    chosen = sequences[:, first]
    counts = np.stack([(chosen == digit).sum(axis=0) for digit in range(kinds)], axis=1)
    return counts, rows.reshape((kinds,) * draws)


def payoffs_by_cards(round_: Round, win: Array, loss: Array, tie: float) -> Payoffs:
    """Payoffs, as probabilities, with values of a win and a loss by the row of the cards used."""
    tree, kinds, draws = round_.tree, len(round_.deck), 2 * round_.hand_size
    if round_.facing_full is not FullHandRule.MUST_KEEP or round_.cap:
        raise ValueError("with discards the cards that a round uses depend on the players' choices")
    if sum(round_.deck) < draws:
        raise ValueError("the deck runs out within the round")
    _counts, rows = used_cards(kinds, draws)
    ranks, weights = numbers(kinds, round_.hand_size), draw_weights(round_, draws) / round_.ways(0, draws)
    won, lost, tied = weights * win[rows], weights * loss[rows], weights * tie
    shared: dict[tuple[int, int], Array] = {}
    worth = {}
    for end in tree.ends:
        hunter = tree.hunter(end)
        full, held = hand_draws(end, 1 - hunter), hand_draws(end, hunter)
        key = len(held), hunter
        if key not in shared:  # the probability of draws does not depend on their order
            rest = tuple(range(len(end), draws))
            theirs = spread(ranks, tuple(range(len(full))), draws)
            mine = spread(ranks, (*range(len(full), len(end)), *rest), draws)
            better, worse = (won, lost) if hunter == STARTER else (lost, won)
            results = np.where(mine > theirs, better, np.where(mine == theirs, tied, worse))
            shared[key] = results.sum(axis=rest)
        worth[end] = shared[key].transpose(np.argsort(full + held))
    nothing = np.zeros(())  # ties are included in the wins already
    return Payoffs(round_, 1, worth, dict.fromkeys(tree.ends, nothing))
