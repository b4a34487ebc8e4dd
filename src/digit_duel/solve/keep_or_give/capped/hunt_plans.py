"""Plans for every hunt of a round: exact best responses to a strategy, and the payoffs they give."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from digit_duel.solve.keep_or_give.capped.best_hunts import AT_ONCE, Hunted, Hunts, best_hunts
from digit_duel.solve.keep_or_give.capped.multisets import number_of_sets, set_table
from digit_duel.solve.keep_or_give.counterfactual import fold, reached_values
from digit_duel.solve.keep_or_give.payoffs import Round, draw_weights
from digit_duel.solve.keep_or_give.public_tree import (
    STARTER,
    AnyArray,
    Array,
    Ints,
    hand_draws,
    hidden_draws,
)

Tables = Mapping[str, Array]


@dataclass(frozen=True)
class HuntPlan:
    """One way of hunting: the hunter's probabilities of winning and tying at every end, by all draws."""

    win: Tables = field(repr=False)
    tie: Tables = field(repr=False)


@dataclass(frozen=True)
class BestHunts:
    """The best hunts of a seat against a strategy, and their values, by what the seat has seen."""

    plan: HuntPlan
    # Multiplied by the reach probability from the draws and the other seat's choices.
    value: Tables = field(repr=False)


@dataclass(frozen=True)
class CappedRound:
    """A round with a limited number of discards, and the probability of every sequence of draws."""

    round: Round
    cap: int
    chance: Tables = field(repr=False)
    at_once: int = AT_ONCE

    def payoff(self, end: str, win: Array, tie: Array, tie_value: float) -> Array:
        """The starter's payoff at an end, from the hunter's probabilities of winning and tying."""
        if self.round.tree.hunter(end) != STARTER:
            win = 1 - win - tie
        return self.chance[end] * (win + tie_value * tie)


def capped_round(round_: Round, cap: int, like: Array, at_once: int = AT_ONCE) -> CappedRound:
    """A round with its probabilities, in the same array library as `like`; its deck must last."""
    if sum(round_.deck) < 2 * round_.hand_size + cap:
        raise ValueError("the deck could run out: this solver needs a deck that lasts the whole round")
    chance = {
        end: np.asarray(draw_weights(round_, len(end)) / round_.ways(0, len(end)), like=like)
        for end in round_.tree.ends
    }
    return CappedRound(round_, cap, chance, at_once)


class _Rows:
    """The hunts of one end, as rows of beliefs about the hidden cards, in any order."""

    def __init__(self, game: CappedRound, end: str, reach: AnyArray) -> None:
        tree, kinds = game.round.tree, len(game.round.deck)
        seat = tree.hunter(end)
        self.kinds, self.held, self.hidden = kinds, hand_draws(end, seat), hidden_draws(end, seat)
        self.given = tuple(i for i in hand_draws(end, 1 - seat) if i not in self.hidden)
        self.order = self.held + self.given + self.hidden
        chance = game.chance[end]
        weight = np.broadcast_to(chance * reach, (kinds,) * len(end)).transpose(self.order)
        sets = number_of_sets(kinds, len(self.hidden))
        self.sets = np.asarray(sets, like=chance)
        known = kinds ** (len(self.held) + len(self.given))
        together = np.eye(int(sets.max()) + 1)[sets]
        self.beliefs = weight.reshape(known, -1) @ np.asarray(together, like=chance)
        self.shape = tuple(1 if i in self.hidden else kinds for i in range(len(end)))

    @property
    def which(self) -> Ints:
        """The number of each row's hunt, among all hunts with as many cards held and given."""
        hands, given = (number_of_sets(self.kinds, len(draws)) for draws in (self.held, self.given))
        found: Ints = (hands[:, None] * (given.max() + 1) + given).reshape(-1)
        return found

    def by_draws(self, by_hidden: AnyArray) -> AnyArray:
        """Convert a table by row and hidden cards to one by draws."""
        full = by_hidden[:, self.sets].reshape((self.kinds,) * len(self.order))
        return full.transpose(np.argsort(self.order).tolist()).copy()

    def by_known(self, by_row: AnyArray) -> AnyArray:
        """Convert a table by row to one by the draws that the hunter knows."""
        known = self.held + self.given
        table = by_row.reshape((self.kinds,) * len(known))
        return table.transpose(np.argsort(known).tolist()).reshape(self.shape)


def _all_hunts(game: CappedRound, held: int, given: int) -> Hunts:
    """All hunts with this many cards held and given, in the numbering of _Rows.which."""
    kinds = len(game.round.deck)
    hands, givens = set_table(kinds, held), set_table(kinds, given)
    both = np.repeat(hands, len(givens), axis=0), np.tile(givens, (len(hands), 1))
    return Hunts(game.round.deck, *both, game.round.hand_size, game.cap)


def best_plan(
    game: CappedRound,
    seat: int,
    reach: Mapping[str, AnyArray],
    tie_value: float,
    skip: float = 0.0,
    otherwise: HuntPlan | None = None,
) -> BestHunts:
    """The exact best hunts of a seat, given the other seat's reach probability of every end.

    Hunts whose reach probability is at most `skip` are not examined: they follow the plan `otherwise`, and
    their value is bounded as if they always won.
    """
    tree = game.round.tree
    worth = tie_value if seat == STARTER else 1 - tie_value
    alike: dict[tuple[int, int], dict[str, _Rows]] = {}
    for end in tree.ends:
        if tree.hunter(end) == seat:
            rows = _Rows(game, end, reach[end])
            alike.setdefault((len(rows.held), len(rows.given)), {})[end] = rows
    wins: dict[str, Array] = {}
    ties: dict[str, Array] = {}
    values: dict[str, Array] = {}
    for sizes, ends in alike.items():
        beliefs = np.concatenate([rows.beliefs for rows in ends.values()])
        which = np.concatenate([rows.which for rows in ends.values()])
        found, looked = _look_at(game, _all_hunts(game, *sizes), which, beliefs, worth, skip)
        at = 0
        for end, rows in ends.items():
            here = slice(at, at + len(rows.beliefs))
            at = here.stop
            wins[end], ties[end] = rows.by_draws(found.win[here]), rows.by_draws(found.tie[here])
            if otherwise is not None:
                seen = rows.by_draws(np.broadcast_to(looked[here, None], rows.beliefs.shape))
                wins[end] = np.where(seen, wins[end], otherwise.win[end])
                ties[end] = np.where(seen, ties[end], otherwise.tie[end])
            value = found.value[here]
            values[end] = rows.by_known(value if seat == STARTER else rows.beliefs.sum(axis=1) - value)
    return BestHunts(HuntPlan(wins, ties), values)


def _look_at(
    game: CappedRound, hunts: Hunts, which: Ints, beliefs: Array, tie: float, skip: float
) -> tuple[Hunted, AnyArray]:
    """The best plan of every row with a reach probability above `skip`, and a mask of these rows."""
    total = beliefs.sum(axis=1)
    looked = total > skip
    if not hunts.hidden.shape[1]:  # nothing is hidden: one plan is best, so each hunt is solved once
        hunt, of = np.unique(which, return_inverse=True)
        found = best_hunts(hunts, hunt, np.zeros((len(hunt), 1), like=beliefs) + 1, tie, game.at_once)
        row = np.asarray(of, like=beliefs)
        return Hunted(total * found.value[row], found.win[row], found.tie[row]), looked
    at = np.flatnonzero(looked)
    found = best_hunts(hunts, which[_on_host(at)], beliefs[at], tie, game.at_once)
    value, win, tied = total.copy(), np.zeros_like(beliefs), np.zeros_like(beliefs)
    value[at], win[at], tied[at] = found.value, found.win, found.tie
    return Hunted(value, win, tied), looked


def _on_host(values: AnyArray) -> AnyArray:
    """Copy an array to NumPy, from whatever device it is on."""
    return values if isinstance(values, np.ndarray) else values.get()


def best_response(
    game: CappedRound, seat: int, found: BestHunts, reach: Mapping[str, AnyArray], payoff: Tables
) -> float:
    """The starter's value if a seat plays and hunts a best response to fixed choices and hunts."""
    tree = game.round.tree
    others = reached_values(tree, seat, {**payoff}, reach)
    worth: dict[str, AnyArray] = {end: found.value.get(end, others[end]) for end in tree.ends}
    better = np.maximum if seat == STARTER else np.minimum
    return float(fold(tree, seat, worth, lambda _word, keep, give: better(keep, give)))
