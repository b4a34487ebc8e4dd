"""Many placing games between two levels at once, on arrays: the same choices as the bots, only faster.

Axes are games, then digits, then slots (both boards in one row, see Slots). A state is the mask of its filled
slots, the number of the selection of digits in them, the margin so far, and the digits left.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from digit_duel.bots.batches.noisy_choices import ERRORS, Flags, Floats, Numbers, dice, misses, noisy_scores
from digit_duel.bots.error_model import ErrorModel
from digit_duel.core.game import Pair
from digit_duel.core.variant import AnyGame, AnyVariant
from digit_duel.games._placement import Goal, Pick, Placement, Reach, Tie
from digit_duel.solve.placing.pooled import fits, with_one_more
from digit_duel.solve.placing.solver import placing_table

USUAL = 10_000  # games for each pair of levels by default: about ten seconds of work
TOGETHER = 1_000  # games per batch, so that the arrays stay small
MOST_CELLS = 20_000_000  # in the table: a few seconds to solve


@dataclass(frozen=True)
class States:
    """States of many games with equally many digits placed."""

    mask: Numbers
    selection: Numbers
    settled: Numbers
    left: Numbers  # copies of each digit, by game

    def __getitem__(self, at: Numbers | Flags | slice) -> States:
        return States(self.mask[at], self.selection[at], self.settled[at], self.left[at])


def can_batch(game: AnyGame) -> bool:
    """Whether games can be played in batches: players choose the digits, and the table is not too big."""
    if not isinstance(game, Placement) or game.pick is not Pick.CHOOSE:
        return False
    estimate = fits(game)
    return estimate.fits and estimate.cells <= MOST_CELLS


def play(variant: AnyVariant, pair: Pair[str], games: int, seed: str) -> Floats:
    """Play games between two levels; returns a row for each of FIGURES and a column for each game."""
    rules, source = Rules(variant.game_as(Placement)), dice(pair, seed)
    return in_parts(games, lambda number: Batch(rules, pair, source).figures(rules.start(number)))


def in_parts(games: int, figures: Callable[[int], Floats]) -> Floats:
    """The figures of many games, played a part of them at a time."""
    parts = [figures(min(TOGETHER, games - begun)) for begun in range(0, games, TOGETHER)]
    return np.concatenate(parts, axis=1)


class Rules:
    """The rules and the solved table as arrays."""

    def __init__(self, game: Placement) -> None:
        table = placing_table(game)
        slots, pools = table.slots, table.pools
        self.game, self.count = game, slots.count
        self.digits, self.weights = np.array(slots.digits), np.array(slots.weights)
        self.pool = np.array([game.pool.count(digit) for digit in slots.digits])
        place = np.arange(self.count) % game.places
        self.valuable = game.places - place  # the weight that the tips give a place
        self.board = np.arange(self.count) // game.places
        self.bits = 1 << np.arange(self.count)
        self.rows = np.zeros(1 << self.count, np.int64)
        self.layers: list[Numbers] = []
        self.more: list[Numbers] = []
        for filled in range(self.count):
            masks = slots.masks(filled)
            self.rows[list(masks)] = np.arange(len(masks))
            layer = np.asarray(table.layers[filled]).reshape(len(masks), -1)
            self.layers.append(np.pad(layer, ((0, 0), (0, 1))))  # a last column for digits that are used up
            self.more.append(with_one_more(pools, filled))
        self.layers.append(np.zeros((1, pools.count(self.count) + 1), np.int64))

    def start(self, games: int) -> States:
        zeros = np.zeros(games, np.int64)
        return States(zeros, zeros, zeros, np.tile(self.pool, (games, 1)))

    def results(self, margins: Numbers) -> Numbers:
        """The first player's results, 1, 0 or -1, from the final margins."""
        apart = margins - self.game.bonus
        tie = {Tie.FIRST: 1, Tie.DRAW: 0, Tie.SECOND: -1}[self.game.tie]
        return np.where(apart == 0, tie, np.sign(apart))

    def legal(self, states: States, filled: int) -> Flags:
        """A mask of the legal moves."""
        free = (states.mask[:, np.newaxis] & self.bits) == 0
        if self.game.reach is Reach.OWN:
            free = free & (self.board == filled % 2)
        return np.asarray((states.left > 0)[:, :, np.newaxis] & free[:, np.newaxis])

    def margins(self, states: States, filled: int) -> Numbers:
        """The margin that best play leads to after each move; meaningless for illegal moves."""
        later = self.layers[filled + 1]
        rows = self.rows[states.mask[:, np.newaxis] | self.bits].clip(max=len(later) - 1)
        chosen = self.more[filled][:, states.selection].T
        opened = later[rows[:, np.newaxis], chosen[:, :, np.newaxis]]
        worth = self.digits[:, np.newaxis] * self.weights
        return np.asarray(states.settled[:, np.newaxis, np.newaxis] + worth + opened)

    def after(self, states: States, filled: int, digit: Numbers, slot: Numbers) -> States:
        left = states.left.copy()
        left[np.arange(len(left)), digit] -= 1
        return States(
            states.mask | self.bits[slot],
            self.more[filled][digit, states.selection],
            states.settled + self.digits[digit] * self.weights[slot],
            left,
        )

    def likings(self, states: States, filled: int, legal: Flags) -> Floats:
        """How the tips rate each move, from 0 to 1; below 0 if it is illegal."""
        lower = np.cumsum(states.left, axis=1) - states.left
        higher = states.left.sum(axis=1, keepdims=True) - lower - states.left
        quality = lower - higher if self.game.goal is Goal.HIGH else higher - lower
        side = np.where(self.board == filled % 2, 1, -1) * self.valuable
        liked = (quality[:, :, np.newaxis] * side).astype(float)
        low = np.where(legal, liked, np.inf).min(axis=(1, 2), keepdims=True)
        span = np.where(legal, liked, -np.inf).max(axis=(1, 2), keepdims=True) - low
        found = np.where(span > 0, (liked - low) / np.where(span > 0, span, 1), 1.0)
        return np.where(legal, found, -1.0)


class Batch:
    """Games that are played together, by a level for each board."""

    def __init__(self, rules: Rules, pair: Pair[str], source: np.random.Generator) -> None:
        self.rules, self.pair, self.source = rules, pair, source

    def figures(self, states: States, start: int = 0) -> Floats:
        """A row for each of FIGURES, a column for each game, from states with this many digits placed."""
        rules, games = self.rules, len(states.mask)
        changes, until, decisions, only = np.zeros((4, games))
        lead = None
        for filled in range(start, rules.count):
            legal = rules.legal(states, filled)
            sign = 1 if filled % 2 == 0 else -1
            results = np.where(legal, sign * rules.results(rules.margins(states, filled)), -2)
            best = results.max(axis=(1, 2))
            here = sign * best
            if lead is not None:
                changed = here != lead
                changes += changed
                until[changed] = filled
            lead = here
            choice = np.count_nonzero(legal, axis=(1, 2)) > 1
            decisions += choice
            only += choice & (np.count_nonzero(results == best[:, np.newaxis, np.newaxis], axis=(1, 2)) == 1)
            states = rules.after(states, filled, *self._chosen(states, filled, legal))
        end = rules.results(states.settled)
        changes += end != lead
        until[end != lead] = rules.count
        length = np.full(games, float(rules.count))
        return np.array([end == 1, end == 0, length, changes, until, decisions, only], float)

    def _chosen(self, states: States, filled: int, legal: Flags) -> tuple[Numbers, Numbers]:
        """The digit and the slot that the level to move chooses in each game."""
        level = self.pair[filled % 2]
        if level == "random":
            order = np.where(legal, self.source.random(legal.shape), -1)
        elif level == "perfect":
            order = self._perfect(states, filled, legal)
        else:
            order = self._fallible(states, filled, legal, ERRORS[level])
        move = order.reshape(len(legal), -1).argmax(axis=1)
        digit, slot = np.divmod(move, self.rules.count)
        return digit, slot

    def _fallible(self, states: States, filled: int, legal: Flags, errors: ErrorModel) -> Floats:
        """Scores whose highest is the move of a fallible level."""
        likes = self.rules.likings(states, filled, legal).reshape(len(legal), -1)
        scores = noisy_scores(
            likes, errors, self.source, lambda games, moves: self._seen(states[games], filled, moves, errors)
        )
        if filled == self.rules.count - 1:  # no level overlooks a move that wins at once
            won = self._wins(states, filled) & legal
            scores[won.reshape(len(likes), -1)] = np.inf
        return scores

    def _wins(self, states: States, filled: int) -> Flags:
        sign = 1 if filled % 2 == 0 else -1
        return np.asarray(self.rules.results(self.rules.margins(states, filled)) == sign)

    def _seen(self, states: States, filled: int, moves: Numbers, errors: ErrorModel) -> Floats:
        """The probability that the player sees a winning reply to each of these moves."""
        rules, left = self.rules, self.rules.count - filled - 1
        if left == 0:
            sign = -1 if filled % 2 == 0 else 1
            results = rules.results(rules.margins(states, filled)).reshape(len(moves), -1)
            return np.take_along_axis(results == sign, moves, axis=1).astype(float)
        games = np.arange(moves.size) // moves.shape[1]
        digit, slot = np.divmod(moves.reshape(-1), rules.count)
        playable = rules.legal(states, filled)[games, digit, slot]
        after = rules.after(states[games], filled, np.where(playable, digit, 0), slot)
        found = np.zeros(moves.size)
        at = np.flatnonzero(playable)
        found[at] = self.sees_an_answer(after[at], filled + 1, errors)
        return found.reshape(moves.shape)

    def sees_an_answer(self, states: States, filled: int, errors: ErrorModel) -> Floats:
        """The probability that a player sees a winning move of the opponent, whose turn it is."""
        legal = self.rules.legal(states, filled)
        losing = np.count_nonzero(self._wins(states, filled) & legal, axis=(1, 2))
        sees = 1 - misses(errors, np.count_nonzero(legal, axis=(1, 2)))
        return np.asarray(1 - (1 - sees * errors.follows(self.rules.count - filled - 1)) ** losing)

    def _perfect(self, states: States, filled: int, legal: Flags) -> Floats:
        """Scores whose highest is a best move, with ties broken at random."""
        table = np.column_stack([states.selection, states.mask, states.settled])
        _, first, inverse = np.unique(table, axis=0, return_index=True, return_inverse=True)
        best = np.array([self._best(states[at : at + 1], filled, legal[at : at + 1]) for at in first])
        return np.where(best[inverse.reshape(-1)], self.source.random(legal.shape), -1)

    def _best(self, state: States, filled: int, legal: Flags) -> Flags:
        """The moves of one state that the perfect computer picks from."""
        rules, sign = self.rules, 1 if filled % 2 == 0 else -1
        margins = rules.margins(state, filled)
        results = np.where(legal, sign * rules.results(margins), -2)[0]
        reached = np.where(legal, sign * margins, np.iinfo(np.int64).min)[0]
        good = np.asarray(results == results.max())
        if results.max() < 1 and filled < rules.count - 1:  # leave the opponent the fewest good replies
            digit, slot = np.nonzero(good)
            copies = rules.after(state[np.zeros(len(digit), np.int64)], filled, digit, slot)
            replies = np.where(
                rules.legal(copies, filled + 1),
                sign * rules.results(rules.margins(copies, filled + 1)),
                2,
            )
            kept = np.count_nonzero(replies == results.max(), axis=(1, 2))
            good[digit, slot] = kept == kept.min()
        return np.asarray(good & (reached == reached[good].max()))
