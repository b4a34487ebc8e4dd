"""Many placing games with drawn digits at once, on arrays.

Axes are games, then slots. A state is a number with one digit per slot: 0 if the slot is empty, else one more
than the index of the digit that lies there.
"""

from __future__ import annotations

import numpy as np

from digit_duel.bots.batches.noisy_choices import ERRORS, Flags, Floats, Numbers, dice, noisy_scores
from digit_duel.core.game import Pair
from digit_duel.core.variant import AnyGame, AnyVariant
from digit_duel.games._placement import Goal, Pick, Placement, Reach
from digit_duel.solve.families import oracle
from digit_duel.solve.placing.drawn import DrawnTable, ways
from digit_duel.solve.placing.slots import bits, score

USUAL = 100_000  # games for each pair of levels by default: about ten seconds of work
MOST_CELLS = 20_000_000  # in the table as one array


def can_batch(game: AnyGame) -> bool:
    """Whether games can be played in batches: the digits are drawn, and the table is not too big."""
    if not isinstance(game, Placement) or game.pick is not Pick.DRAW:
        return False
    cells: int = (len(set(game.pool)) + 1) ** (2 * game.places)
    return cells <= MOST_CELLS


def play(variant: AnyVariant, pair: Pair[str], games: int, seed: str) -> Floats:
    """Play games between two levels; returns a row for each of FIGURES and a column for each game."""
    table = oracle(variant.game)
    assert isinstance(table, DrawnTable)
    return _Batch(_Rules(table), pair, games, dice(pair, seed)).figures()


class _Rules:
    """The rules, and the solved table as one array over all states: expected result times ways to draw."""

    def __init__(self, table: DrawnTable) -> None:
        self.game, self.slots = table.game, table.slots
        self.count, base = self.slots.count, len(self.slots.digits)
        self.steps = (base + 1) ** np.arange(self.count)
        self.cells = np.zeros((base + 1) ** self.count, np.int64)
        for mask, cube in table.cubes.items():
            self.cells[_codes(self.steps, mask, base).reshape(-1)] = cube.reshape(-1)
        self._add_ends(base)
        self.ways = [ways(self.game, filled) for filled in range(self.count + 1)]
        self.board = np.arange(self.count) // self.game.places
        self.valuable = self.game.places - np.arange(self.count) % self.game.places

    def _add_ends(self, base: int) -> None:
        """Add the results of the full boards."""
        every = (1 << self.count) - 1
        margins = np.zeros((base,) * self.count, np.int64)
        for slot in range(self.count):
            worth = np.array(self.slots.digits) * self.slots.weights[slot]
            margins += worth.reshape([-1 if axis == slot else 1 for axis in range(self.count)])
        found, where = np.unique(margins, return_inverse=True)
        results = np.array([score(self.game, int(margin)) for margin in found])
        self.cells[_codes(self.steps, every, base).reshape(-1)] = results[where.reshape(-1)]

    def legal(self, empty: Flags, filled: int) -> Flags:
        """Which slots may be filled."""
        return empty if self.game.reach is Reach.ANY else np.asarray(empty & (self.board == filled % 2))

    def likings(self, left: Numbers, digit: Numbers, legal: Flags, filled: int) -> Floats:
        """How the tips rate each slot, from 0 to 1; below 0 if it may not be filled."""
        index = np.arange(left.shape[1])
        lower = np.where(index < digit[:, np.newaxis], left, 0).sum(axis=1, keepdims=True)
        higher = np.where(index > digit[:, np.newaxis], left, 0).sum(axis=1, keepdims=True)
        quality = lower - higher if self.game.goal is Goal.HIGH else higher - lower
        liked = (quality * np.where(self.board == filled % 2, 1, -1) * self.valuable).astype(float)
        low = np.where(legal, liked, np.inf).min(axis=1, keepdims=True)
        span = np.where(legal, liked, -np.inf).max(axis=1, keepdims=True) - low
        return np.where(legal, np.where(span > 0, (liked - low) / np.where(span > 0, span, 1), 1.0), -1.0)


def _codes(steps: Numbers, mask: int, base: int) -> Numbers:
    """The state numbers of all fillings of a mask, with an axis for each filled slot."""
    filled = list(bits(mask))
    codes = np.zeros((base,) * len(filled), np.int64)
    for axis, slot in enumerate(filled):
        part = np.arange(1, base + 1) * steps[slot]
        codes += part.reshape([-1 if other == axis else 1 for other in range(len(filled))])
    return codes


class _Batch:
    """Games that are played together."""

    def __init__(self, rules: _Rules, pair: Pair[str], games: int, source: np.random.Generator) -> None:
        self.rules, self.pair, self.games, self.source = rules, pair, games, source
        self.changes, self.until, self.decisions, self.only = np.zeros((4, games))
        self.lead = np.sign(np.full(games, rules.cells[0]))

    def figures(self) -> Floats:
        """A row for each of FIGURES, a column for each game."""
        rules, every = self.rules, np.arange(self.games)
        pool = rules.game.pool
        left = np.tile([pool.count(digit) for digit in rules.slots.digits], (self.games, 1))
        code, empty = np.zeros(self.games, np.int64), np.ones((self.games, rules.count), bool)
        for filled in range(rules.count):
            digit = (self.source.random((self.games, 1)) * left.sum(axis=1, keepdims=True)) >= left.cumsum(1)
            drawn = digit.sum(axis=1)
            left[every, drawn] -= 1
            legal = rules.legal(empty, filled)
            sign = 1 if filled % 2 == 0 else -1
            codes = code[:, np.newaxis] + (drawn + 1)[:, np.newaxis] * rules.steps
            found = sign * rules.cells[codes.clip(max=len(rules.cells) - 1)]
            worth = np.where(legal, found, -rules.ways[0] - 1)
            best = worth.max(axis=1)
            self._follow(sign * best, filled)
            choice = np.count_nonzero(legal, axis=1) > 1
            self.decisions += choice
            self.only += choice & (np.count_nonzero(worth == best[:, np.newaxis], axis=1) == 1)
            slot = self._chosen(worth, legal, left, drawn, filled)
            code = codes[every, slot]
            empty[every, slot] = False
            self._follow(rules.cells[code], filled + 1)
        end = rules.cells[code]
        length = np.full(self.games, float(rules.count))
        found = [end == 1, end == 0, length, self.changes, self.until, self.decisions, self.only]
        return np.array(found, float)

    def _follow(self, value: Numbers, moves: int) -> None:
        """Record in which games best play now favours another seat than before."""
        changed = np.sign(value) != self.lead
        self.changes += changed
        self.until[changed] = moves
        self.lead = np.sign(value)

    def _chosen(self, worth: Numbers, legal: Flags, left: Numbers, drawn: Numbers, filled: int) -> Numbers:
        """The slot that the level to move fills in each game."""
        level = self.pair[filled % 2]
        if level == "random":
            order = np.where(legal, self.source.random(legal.shape), -1)
        elif level == "perfect":
            best = worth == worth.max(axis=1, keepdims=True)
            order = np.where(best, self.source.random(legal.shape), -1)
        else:
            errors, ways_left = ERRORS[level], self.rules.ways[filled + 1]
            likes = self.rules.likings(left, drawn, legal, filled)
            follows = errors.follows(2 * (self.rules.count - filled - 1))
            lost = np.where(worth == -ways_left, follows, 0.0)
            order = noisy_scores(
                likes,
                errors,
                self.source,
                lambda games, slots: np.take_along_axis(lost[games], slots, axis=1),
            )
        return np.asarray(order.argmax(axis=1))
