"""A round in which all but a few choices are fixed, as a small sequence-form game."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from digit_duel.solve.keep_or_give.counterfactual import Profile, Tables
from digit_duel.solve.keep_or_give.payoffs import Round, draw_weights
from digit_duel.solve.keep_or_give.public_tree import (
    GIVE,
    KEEP,
    SECOND,
    STARTER,
    AnyArray,
    Array,
    Ints,
    mover,
)

# A seat's plan (in sequence form) has an entry for keeping and one for giving at every free choice, and entry
# 0 for the root. An entry is the seat's own reach probability from its free choices. The payoff is linear in
# both plans, so one matrix captures the effect of chance and of the fixed choices.


@dataclass(frozen=True)
class FreeChoices:
    """The free choices of one seat, in the order of its flat table."""

    parent: Ints  # the entry of the plan that leads to each choice
    levels: tuple[Ints, ...]  # the choices by their number of earlier draws, early ones first
    payoff: Array  # this seat's payoff, by its own entry and the other seat's
    reach: Array  # each choice's reach probability from chance and fixed choices, by the other seat's entry

    @property
    def entries(self) -> int:
        """The size of the seat's plan."""
        return 1 + 2 * self.parent.size

    def plan(self, keep: Array) -> Array:
        """The plan with these keep-probabilities."""
        plan = np.ones(self.entries)
        for level in self.levels:
            before = plan[self.parent[level]]
            plan[_keeping(level)] = before * keep[level]
            plan[_giving(level)] = before * (1 - keep[level])
        return plan


def _keeping(choice: AnyArray) -> AnyArray:
    return 1 + 2 * choice


def _giving(choice: AnyArray) -> AnyArray:
    return 2 + 2 * choice


class _Walk:
    """One seat's latest free choice and the probability of its fixed ones, at every history by word."""

    def __init__(self, size: int, free: Ints) -> None:
        self.number = np.full(size, -1)
        self.number[free] = np.arange(free.size)
        self.entry: dict[str, Ints] = {"": np.zeros((), dtype=np.int64)}
        self.fixed: dict[str, Array] = {"": np.ones(())}
        self.parent = np.zeros(free.size, dtype=np.int64)
        self.depth = np.zeros(free.size, dtype=np.int64)
        self.own = np.ones(free.size)

    def watch(self, word: str) -> None:
        """Pass a choice of the other seat."""
        for said in (KEEP, GIVE):
            self.entry[word + said] = self.entry[word][..., None]
            self.fixed[word + said] = self.fixed[word][..., None]

    def choose(self, word: str, number: Ints, keep: Array) -> None:
        """Pass a choice of this seat."""
        free = number >= 0
        before = np.broadcast_to(self.entry[word][..., None], number.shape)
        fixed = np.broadcast_to(self.fixed[word][..., None], number.shape)
        self.parent[number[free]], self.depth[number[free]] = before[free], len(word)
        self.own[number[free]] = fixed[free]
        for said, entry, share in ((KEEP, _keeping(number), keep), (GIVE, _giving(number), 1 - keep)):
            self.entry[word + said] = np.where(free, entry, before)
            self.fixed[word + said] = fixed * np.where(free, 1.0, share)


def reduce_round(
    round_: Round, payoff: Tables, profile: Profile, free: tuple[Ints, Ints]
) -> tuple[FreeChoices, FreeChoices]:
    """The small game of the free choices of both seats, with all others fixed as in a profile."""
    tree = round_.tree
    walks = _Walk(tree.size(STARTER), free[STARTER]), _Walk(tree.size(SECOND), free[SECOND])
    sizes = [1 + 2 * choices.size for choices in free]
    reach = [np.zeros((free[seat].size, sizes[1 - seat])) for seat in (STARTER, SECOND)]
    for word in tree.nodes:
        seat = mover(word)
        mine, other = walks[seat], walks[1 - seat]
        number = tree.at(mine.number, word)
        if (number >= 0).any():
            chance = draw_weights(round_, len(word) + 1) / round_.ways(0, len(word) + 1)
            at = np.nonzero(np.broadcast_to(number, chance.shape) >= 0)
            who, entry, fixed = (
                np.broadcast_to(table, chance.shape)[at]
                for table in (number, other.entry[word][..., None], other.fixed[word][..., None])
            )
            np.add.at(reach[seat], (who, entry), chance[at] * fixed)
        mine.choose(word, number, profile.at(word))
        other.watch(word)
    first, second = walks
    flat = np.zeros(sizes[STARTER] * sizes[SECOND])
    for end in tree.ends:
        entry = np.broadcast_to(first.entry[end] * sizes[SECOND] + second.entry[end], payoff[end].shape)
        weight = payoff[end] * first.fixed[end] * second.fixed[end]
        flat += np.bincount(entry.ravel(), weight.ravel(), minlength=flat.size)
    wins = flat.reshape(sizes)
    made = [
        FreeChoices(
            walk.parent,
            tuple(np.flatnonzero(walk.depth == depth) for depth in np.unique(walk.depth)),
            matrix,
            came * walk.own[:, None],
        )
        for walk, matrix, came in zip(walks, (wins, -wins.T), reach, strict=True)
    ]
    return made[STARTER], made[SECOND]
