"""The value of a game with one deck for all rounds (deck=persistent), if players cannot shape the deck."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from digit_duel.games._cards import Cards, Visibility
from digit_duel.solve.cards.knowledge import counts
from digit_duel.solve.cards.rounds_to_come import Follows, NextRound, first_round
from digit_duel.solve.effort import Progress
from digit_duel.solve.keep_or_give import FullHandRule, Payoffs, Profile, Round
from digit_duel.solve.keep_or_give.other_rules.by_cards_used import payoffs_by_cards, used_cards
from digit_duel.solve.keep_or_give.other_rules.deck_values import (
    Deck,
    DeckValues,
    fit,
    random_after_ties,
    random_decks,
    ties_possible,
)
from digit_duel.solve.keep_or_give.other_rules.open_hands import open_estimate
from digit_duel.solve.keep_or_give.other_rules.other_decks import improve
from digit_duel.solve.keep_or_give.public_tree import Array, Ints

# Why the bounds hold. With must_keep, which cards a round uses does not depend on the players' choices, and
# the reveal shows them. So the deck of a later round is random but known, and a round is a zero-sum game
# whose payoffs are the values of the match with the deck that is left. Let V(r, D) be the value of the match
# for the starter of round r with deck D.
#  1. The value of a game changes by at most the mean, over the cards used, of the largest change of a payoff,
#     because the distribution of these cards does not depend on the players. So an estimate Q of V suffices:
#     its error adds at most E max over r of (V - Q)+ to the value of the round before.
#  2. Backwards from the last round: solve the round for random decks with payoffs from Q, fit the next Q to
#     some of these values, and measure its error on the others. The errors of all rounds add up.
#  3. A tie is valued at m(r), the match with the same winning probability p in every round. A round can be
#     tied only if its cards make two equal hands, which has a known probability. V differs from m by at most
#     the mean of |p(D) - p| over the rounds to come, plus the effect of further ties.
# Solutions enclose the value of a round; their gap is part of the error. To means over random decks this many
# standard errors are added:
STANDARD_ERRORS = 3.0
SEED = 20261118  # of the decks
MOST_TIES = 3  # after this many ties the result is treated as unknown


@dataclass(frozen=True)
class Samples:
    """The numbers of decks to solve: to fit the estimates of later rounds, to check them, and after ties."""

    fit: int = 60
    check: int = 40
    tied: int = 15
    last: int = 4  # times as many for the last round, whose value depends most on the deck

    def of(self, is_last: bool) -> tuple[int, int]:
        """The numbers of decks that fit and that check the estimate of one round."""
        times = self.last if is_last else 1
        return times * self.fit, times * self.check


Encloses = Callable[[Payoffs], tuple[float, float]]  # bounds on the starter's value
_ITERATIONS = 10


def encloses(game: Cards, start: Profile) -> Encloses:
    """A function that bounds a round: exactly with open hands, else by a quick solve from a profile."""

    def openly(exact: Payoffs) -> tuple[float, float]:
        value = open_estimate(exact)
        return value, value

    def privately(exact: Payoffs) -> tuple[float, float]:
        found = improve(exact, start, ties=(0.0, 0.0), iterations=_ITERATIONS)
        return found.low, found.high

    return openly if game.visibility is Visibility.OPEN else privately


@dataclass(frozen=True)
class MatchBounds:
    """Bounds on the first seat's chance to win a match, with the confidence of the sampled means."""

    low: float
    high: float


@dataclass(frozen=True)
class _Errors:
    """By how much an estimate is too high, and too low, on the decks that check it."""

    below: Array  # how far the value lies below the estimate
    above: Array  # and above it


@dataclass
class _Decks:
    """Rounds from the decks that earlier rounds leave; all matches share cards, rules and probabilities."""

    game: Cards
    starter_wins: float  # the value of a round from a fresh deck
    bounds: Encloses
    samples: Samples
    random: np.random.Generator
    progress: Progress
    total: int
    solved: int = 0
    off_by: dict[tuple[int, int], float] = field(default_factory=dict)

    @property
    def cards(self) -> Deck:
        return counts(self.game.pool)

    def size(self, rounds: int) -> int:
        """The number of cards left in the deck; negative once the discards have been reshuffled."""
        return len(self.game.pool) - 2 * self.game.hand_size * rounds

    @property
    def used(self) -> Ints:
        """The combinations of cards that a round can use."""
        return used_cards(len(self.cards), 2 * self.game.hand_size)[0]

    def round_value(self, deck: Ints, win: Array, loss: Array, tie: float) -> tuple[float, float]:
        """Bounds on the value of a round for its starter, given the values of its results."""
        copies = tuple(int(many) for many in deck)
        round_ = Round(copies, (), self.game.hand_size, FullHandRule.MUST_KEEP)
        self.solved += 1
        self.progress(self.solved, self.total, unit="rounds")
        return self.bounds(payoffs_by_cards(round_, win, loss, tie))

    def value(
        self, deck: Ints, ahead: NextRound, later: Mapping[NextRound, DeckValues]
    ) -> tuple[float, float]:
        """Bounds on the value of the match for the starter, with estimates for the next round."""
        left = deck - self.used

        def worth(follows: Follows) -> Array:
            if isinstance(follows.then, bool):
                return np.full(len(left), float(follows.then))
            found = later[follows.then](left)
            return found if follows.same_starter else 1 - found

        return self.round_value(deck, worth(ahead.won), worth(ahead.lost), ahead.worth(self.starter_wins))

    def mean_difference(self, ties: int, rounds: int) -> float:
        """The mean distance of a round's value from that of a fresh deck, after ties and other rounds."""
        if self.size(rounds) < 2 * self.game.hand_size:
            return 1.0
        if (ties, rounds) not in self.off_by:
            one, off = np.ones(len(self.used)), []
            for _ in range(self.samples.tied):
                rest = random_after_ties(self.cards, self.game.hand_size, ties, self.random)
                deck = random_decks(rest, self.size(rounds), 1, self.random)[0]
                low, high = self.round_value(deck, one, 0 * one, self.starter_wins)
                off.append(max(abs(low - self.starter_wins), abs(high - self.starter_wins)))
            self.off_by[ties, rounds] = _at_most(np.array(off))
        return self.off_by[ties, rounds]


def one_deck_bounds(
    games: Sequence[Cards],
    starter_wins: float,
    bounds: Encloses,
    samples: Samples,
    seed: int,
    progress: Progress,
) -> list[MatchBounds]:
    """Bounds on matches with one deck that differ only in who starts a round.

    `starter_wins` is the starter's winning probability in a round from a fresh deck; `bounds` encloses the
    value of a round, given its payoffs. Raises ValueError if the deck can run out.
    """
    rounds = 2 * games[0].wins_needed - 1
    if len(games[0].pool) < 2 * games[0].hand_size * rounds:
        raise ValueError("the deck runs out before the match is over")
    starts = [first_round(game) for game in games]
    levels = _levels(starts)
    kinds = [len(level) for level in levels[1:]]
    total = sum(samples.of(True)) * sum(kinds[-1:]) + sum(samples.of(False)) * sum(kinds[:-1]) + len(games)
    total += samples.tied * (MOST_TIES - 1) * rounds
    random = np.random.default_rng(seed)
    decks = _Decks(games[0], starter_wins, bounds, samples, random, progress, total)
    later: dict[NextRound, DeckValues] = {}
    errors: dict[NextRound, _Errors] = {}
    for played in reversed(range(1, rounds)):
        fitted, checked = samples.of(played == rounds - 1)
        some = random_decks(decks.cards, decks.size(played), fitted + checked, random)
        estimates = {}
        for ahead in levels[played]:
            low, high = np.array([decks.value(deck, ahead, later) for deck in some]).T
            estimates[ahead] = fit(some[:fitted], (low + high)[:fitted] / 2)
            guess = estimates[ahead](some[fitted:])
            errors[ahead] = _Errors(guess - low[fitted:], high[fitted:] - guess)
        later = estimates
    found = []
    for start in starts:
        low, high = decks.value(np.array(decks.cards), start, later)
        by_ties = _by_ties(decks, _levels([start]))
        below, above = (_error(errors, start, up) + by_ties for up in (False, True))
        found.append(MatchBounds(max(low - below, 0.0), min(high + above, 1.0)))
    return found


def _levels(starts: Sequence[NextRound]) -> list[list[NextRound]]:
    """The rounds that can be reached, by the number of rounds won before."""
    found = [list(dict.fromkeys(starts))]
    while True:
        follows = [follows.then for ahead in found[-1] for follows in (ahead.won, ahead.lost)]
        going_on = [then for then in dict.fromkeys(follows) if isinstance(then, NextRound)]
        if not going_on:
            return found
        found.append(going_on)


def _error(errors: Mapping[NextRound, _Errors], start: NextRound, up: bool) -> float:
    """By how much the value of a match can exceed, or fall short of, the estimates."""
    total, now = 0.0, [(start, up)]
    while True:
        # If the next round has another starter, what is good for that one is bad for this one.
        now = [
            (follows.then, upwards == follows.same_starter)
            for ahead, upwards in now
            for follows in (ahead.won, ahead.lost)
            if isinstance(follows.then, NextRound)
        ]
        if not now:
            return total
        off = [
            errors[ahead].above if upwards else errors[ahead].below for ahead, upwards in dict.fromkeys(now)
        ]
        total += _at_most(np.maximum(np.max(off, axis=0), 0))


def _by_ties(decks: _Decks, levels: Sequence[Sequence[NextRound]]) -> float:
    """The most by which ties can change the value of a match."""
    rounds = len(levels)
    possible = [ties_possible(decks.cards, decks.game.hand_size, ties) for ties in range(MOST_TIES + 1)]
    results = [[ahead.results(decks.starter_wins) for ahead in level] for level in levels]
    swings = [max(won - lost for won, lost in level) for level in results]
    # By rounds won so far: how far the match is from one with the same probability in every round. After many
    # ties nothing is known; with fewer, every round to come adds its difference.
    off = [1.0] * (rounds + 1)
    for ties in reversed(range(1, MOST_TIES)):
        here = [0.0] * (rounds + 1)
        if possible[ties]:
            again = possible[ties + 1] / possible[ties]
            for won in reversed(range(rounds)):
                by_round = swings[won] * decks.mean_difference(ties, ties + won) + again * off[won]
                here[won] = min(here[won + 1] + by_round, 1.0)
        off = here
    return possible[1] * sum(off[:rounds])


def _at_most(sampled: Array) -> float:
    """An upper bound on a sampled mean: some standard errors above it."""
    return float(sampled.mean() + STANDARD_ERRORS * sampled.std(ddof=1) / np.sqrt(len(sampled)))
