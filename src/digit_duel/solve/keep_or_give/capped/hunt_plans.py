"""Plans for every hunt of a round: exact best ones against a strategy, and payoffs made of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations_with_replacement
from typing import TypeVar

import numpy as np

from digit_duel.solve.keep_or_give.capped.best_hunts import Hunt, Hunted, best_hunts, open_hunts
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

_Item = TypeVar("_Item")
Task = tuple[list[Hunt], Array, float]
Run = Callable[[Callable[[Task], Hunted], Iterable[Task]], Iterable[Hunted]]  # such as map
Tables = Mapping[str, Array]
TOGETHER = 32  # hunts without hidden cards that are solved at once
DIGITS = 13  # of a belief: hunts whose beliefs differ less are one


@dataclass(frozen=True)
class Plan:
    """How often the hunter wins and ties at every end, by all draws, if it hunts in one way."""

    win: Tables = field(repr=False)
    tie: Tables = field(repr=False)


@dataclass(frozen=True)
class BestHunts:
    """The best hunts of a seat against a strategy, and what they win, by what the seat has seen."""

    plan: Plan
    value: Tables = field(
        repr=False
    )  # times the chance to be there by the draws and the other seat's choices


@dataclass(frozen=True)
class CappedRound:
    """A round with a limited number of discards, and the chance of every sequence of draws."""

    round: Round
    cap: int
    chance: Tables = field(repr=False)

    def payoff(self, end: str, win: Array, tie: Array, tie_value: float) -> Array:
        """What the starter wins at an end, from how often the hunter wins and ties."""
        if self.round.tree.hunter(end) != STARTER:
            win = 1 - win - tie
        return self.chance[end] * (win + tie_value * tie)


def capped_round(round_: Round, cap: int) -> CappedRound:
    """A round with its chances; the deck must last for all discards."""
    if sum(round_.deck) < 2 * round_.hand_size + cap:
        raise ValueError("the deck could run out: these hunts are only for decks that last")
    chance = {end: draw_weights(round_, len(end)) / round_.ways(0, len(end)) for end in round_.tree.ends}
    return CappedRound(round_, cap, chance)


class _Rows:
    """The hunts of one end, as rows of beliefs about the hidden cards, in any order."""

    def __init__(self, game: CappedRound, end: str, reach: AnyArray) -> None:
        tree, self.end = game.round.tree, end
        seat, kinds = tree.hunter(end), len(game.round.deck)
        self.kinds = kinds
        self.held, self.hidden = hand_draws(end, seat), hidden_draws(end, seat)
        self.given = tuple(i for i in hand_draws(end, 1 - seat) if i not in self.hidden)
        self.order = self.held + self.given + self.hidden
        weight = np.broadcast_to(game.chance[end] * reach, (kinds,) * len(end)).transpose(self.order)
        sets = {
            cards: i for i, cards in enumerate(combinations_with_replacement(range(kinds), len(self.hidden)))
        }
        ordered = np.indices((kinds,) * len(self.hidden)).reshape(len(self.hidden), kinds ** len(self.hidden))
        self.sets: Ints = np.array([sets[tuple(sorted(cards))] for cards in ordered.T.tolist()])
        known = kinds ** (len(self.held) + len(self.given))
        self.beliefs = weight.reshape(known, -1) @ np.eye(len(sets))[self.sets]
        self.shape = tuple(1 if i in self.hidden else kinds for i in range(len(end)))

    def groups(self) -> Iterator[tuple[tuple[int, ...], tuple[int, ...], int]]:
        """The hunter's hand and the digits it gave, both in order, for every row."""
        many = len(self.held)
        for row, digits in enumerate(np.ndindex((self.kinds,) * (many + len(self.given)))):
            yield tuple(sorted(digits[:many])), tuple(sorted(digits[many:])), row

    def by_draws(self, by_hidden: Array) -> Array:
        """A table by row and hidden cards, as one by draws."""
        full = by_hidden[:, self.sets].reshape((self.kinds,) * len(self.order))
        return np.ascontiguousarray(full.transpose(np.argsort(self.order)))


@dataclass(frozen=True)
class _Job:
    """Hunts to be solved together, and which rows of which ends they answer."""

    hunts: list[Hunt]
    beliefs: Array
    answers: list[tuple[str, int, int]]  # end, row, number of the answer


def _jobs(game: CappedRound, ends: Mapping[str, _Rows], skip: float) -> Iterator[_Job]:
    """All hunts that are reached with more than a chance, those with the same digits together."""
    alike: dict[tuple[tuple[int, ...], tuple[int, ...]], list[tuple[str, int]]] = {}
    for end, rows in ends.items():
        for hand, given, row in rows.groups():
            if rows.beliefs[row].sum() > skip:
                alike.setdefault((hand, given), []).append((end, row))
    size = game.round.hand_size
    open_ones: dict[int, list[tuple[Hunt, list[tuple[str, int]]]]] = {}
    for (hand, given), places in alike.items():
        deck = tuple(copies - (hand + given).count(digit) for digit, copies in enumerate(game.round.deck))
        hunt = Hunt(deck, hand, given, size, game.cap)
        if len(given) == size:
            open_ones.setdefault(len(hand), []).append((hunt, places))
            continue
        beliefs = np.array([ends[end].beliefs[row] for end, row in places])
        shares = np.round(beliefs / beliefs.sum(axis=1, keepdims=True), DIGITS)
        different, which = np.unique(shares, axis=0, return_inverse=True)  # orders of draws say little
        numbers = which.reshape(-1).tolist()
        yield _Job([hunt], different, [(*place, i) for place, i in zip(places, numbers, strict=True)])
    for hunts in open_ones.values():
        for some in _batched(hunts, TOGETHER):
            answers = [(*place, i) for i, (_hunt, places) in enumerate(some) for place in places]
            yield _Job([hunt for hunt, _places in some], np.empty(0), answers)


def _batched(items: Sequence[_Item], size: int) -> Iterator[Sequence[_Item]]:
    """The items in order, so many at a time."""
    return (items[i : i + size] for i in range(0, len(items), size))


def hunt_task(task: Task) -> Hunted:
    """The best hunts of one task: one hunt with some beliefs, or some hunts without hidden cards."""
    hunts, beliefs, tie = task
    if beliefs.size:
        return best_hunts(hunts[0], beliefs, tie)
    found = open_hunts(hunts, tie)
    return Hunted(found.value, found.win[:, None], found.tie[:, None])


def best_plan(
    game: CappedRound,
    seat: int,
    reach: Mapping[str, AnyArray],
    tie_value: float,
    run: Run = map,
    skip: float = 0.0,
    otherwise: Plan | None = None,
) -> BestHunts:
    """The exact best hunts of a seat, given how the other seat's choices lead to every end.

    Hunts that are reached with a chance of at most skip are not looked at: they follow another plan, and
    count as if they won always.
    """
    round_ = game.round
    tree, kinds = round_.tree, len(round_.deck)
    worth = tie_value if seat == STARTER else 1 - tie_value
    ends = {end: _Rows(game, end, reach[end]) for end in tree.ends if tree.hunter(end) == seat}
    total = {end: rows.beliefs.sum(axis=1) for end, rows in ends.items()}
    value = {end: weight.copy() for end, weight in total.items()}
    win = {end: np.zeros(rows.beliefs.shape) for end, rows in ends.items()}
    tie = {end: np.zeros(rows.beliefs.shape) for end, rows in ends.items()}
    looked = {end: np.zeros(len(rows.beliefs), dtype=bool) for end, rows in ends.items()}
    jobs = list(_jobs(game, ends, skip))
    tasks = ((job.hunts, job.beliefs, worth) for job in jobs)
    for job, found in zip(jobs, run(hunt_task, tasks), strict=True):
        for end, row, i in job.answers:
            value[end][row] *= found.value[i]
            win[end][row], tie[end][row] = found.win[i], found.tie[i]
            looked[end][row] = True
    wins: dict[str, Array] = {}
    ties: dict[str, Array] = {}
    values: dict[str, Array] = {}
    for end, rows in ends.items():
        wins[end], ties[end] = rows.by_draws(win[end]), rows.by_draws(tie[end])
        if otherwise is not None:
            seen = rows.by_draws(np.repeat(looked[end][:, None], len(rows.beliefs[0]), axis=1))
            wins[end] = np.where(seen, wins[end], otherwise.win[end])
            ties[end] = np.where(seen, ties[end], otherwise.tie[end])
        starter = value[end] if seat == STARTER else total[end] - value[end]
        known = rows.held + rows.given
        table: Array = starter.reshape((kinds,) * len(known))
        values[end] = table.transpose(np.argsort(known)).reshape(rows.shape)
    return BestHunts(Plan(wins, ties), values)


def best_response(
    game: CappedRound, seat: int, found: BestHunts, reach: Mapping[str, AnyArray], payoff: Tables
) -> float:
    """The starter's chance if a seat plays and hunts its best against fixed choices and hunts."""
    tree = game.round.tree
    others = reached_values(tree, seat, {**payoff}, reach)
    worth: dict[str, AnyArray] = {end: found.value.get(end, others[end]) for end in tree.ends}
    better = np.maximum if seat == STARTER else np.minimum
    return float(fold(tree, seat, worth, lambda _word, keep, give: better(keep, give)))
