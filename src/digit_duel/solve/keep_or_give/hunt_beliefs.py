"""The beliefs of a hunter, who faces a full hand, about the hidden cards."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import permutations

import numpy as np

from digit_duel.solve.keep_or_give.payoffs import Round, numbers
from digit_duel.solve.keep_or_give.public_tree import STARTER, Array, Ints, hand_draws, hidden_draws
from digit_duel.solve.keep_or_give.solved_round import Observation, RoundPlay, belief, narrow


@dataclass(frozen=True)
class HuntObservation:
    """What a hunter has seen: the round until the other hand was full, then each digit, kept or not."""

    seen: Observation
    since: tuple[tuple[int, bool], ...] = ()


@dataclass(frozen=True)
class CardBeliefs:
    """Where the cards may be: one row for every possible full hand of the other seat."""

    weight: Array  # probabilities by chance and by the strategy of the seat with the full hand
    chance: Array  # probabilities by chance alone, for opponents who follow no strategy
    hidden: Ints  # the face-down cards of the full hand, in no particular order
    theirs: Ints  # the full hand's number
    deck: Ints  # copies of each digit
    pile: Ints
    hand: tuple[int, ...]
    run_outs: int = 0  # while facing the full hand (C4)
    passed: int = 0

    def draw(self, digit: int) -> CardBeliefs:
        """The beliefs after a digit was drawn, by Bayes' rule."""
        cards = self.refill()
        rows = cards.deck[:, digit] > 0
        if not rows.any():
            raise ValueError(f"no card with the digit {digit} is left to draw")
        deck = cards.deck[rows]
        share = deck[:, digit] / deck.sum(axis=1)
        deck[:, digit] -= 1
        weight, chance = cards.weight[rows] * share, cards.chance[rows] * share
        return replace(
            cards,
            weight=weight,
            chance=chance,
            hidden=cards.hidden[rows],
            theirs=cards.theirs[rows],
            deck=deck,
            pile=cards.pile[rows],
        )

    def refill(self) -> CardBeliefs:
        """The beliefs with the pile reshuffled if a draw is due and the deck is empty."""
        if self.deck[0].any():  # all rows have equally many cards
            return self
        return replace(self, deck=self.pile, pile=np.zeros_like(self.pile), run_outs=self.run_outs + 1)

    def keep(self, digit: int) -> CardBeliefs:
        """The beliefs after the digit drawn was kept."""
        return replace(self, hand=tuple(sorted((*self.hand, digit))))

    def give(self, digit: int) -> CardBeliefs:
        """The beliefs after the digit drawn was passed."""
        pile = self.pile.copy()
        pile[:, digit] += 1
        return replace(self, pile=pile, passed=self.passed + 1)

    def in_any_order(self, round_: Round) -> CardBeliefs:
        """The beliefs if the full hand is laid out in random order: a row for every order of its digits."""
        orders = every_order(self.theirs, round_)
        theirs, copies = np.concatenate(orders), len(orders)
        weight, chance = (np.tile(part, copies) / copies for part in (self.weight, self.chance))
        hidden, deck, pile = (np.tile(part, (copies, 1)) for part in (self.hidden, self.deck, self.pile))
        return CardBeliefs(weight, chance, hidden, theirs, deck, pile, self.hand, self.run_outs, self.passed)

    def explained(self) -> CardBeliefs:
        """The beliefs, by chance alone if the observations are impossible under the strategy."""
        return self if self.weight.any() else replace(self, weight=self.chance)

    def mean(self, scores: Array) -> float:
        """The expected score."""
        weight = self.explained().weight
        return float(weight @ scores / weight.sum())


@dataclass(frozen=True)
class Scoring:
    """The scoring of one hunt."""

    number: Ints
    size: int
    tie: float

    def places(self, cards: CardBeliefs) -> int:
        """The number of the hunter's empty places."""
        return self.size - len(cards.hand)

    def score(self, hand: tuple[Ints | int, ...], theirs: Ints) -> Array:
        """1 for a win, 0 for a loss, and the tie value for a tie."""
        return self.compare(self.number[hand], theirs)

    def compare(self, mine: Ints, theirs: Ints) -> Array:
        """The score of one number against another."""
        return np.where(mine > theirs, 1.0, np.where(mine == theirs, self.tie, 0.0))

    def full(self, cards: CardBeliefs) -> float:
        """The expected score of a full hand."""
        return cards.mean(self.score(cards.hand, cards.theirs))

    def with_best(self, cards: CardBeliefs, count: int, stock: Ints) -> tuple[tuple[Ints | int, ...], Ints]:
        """The hand together with the highest cards of a stock, row by row, and the stock without them."""
        left, rows = stock.copy(), np.arange(len(stock))
        hand: list[Ints | int] = list(cards.hand)
        for _ in range(count):
            top = left.shape[1] - 1 - np.argmax(left[:, ::-1] > 0, axis=1)
            left[rows, top] -= 1
            hand.append(top)
        return tuple(hand), left

    def certain(self, cards: CardBeliefs) -> Array:
        """The score with the best cards that are in no hand; payoffs.py proves that no plan gets more."""
        return self.compare(self.highest(cards), cards.theirs)

    def highest(self, cards: CardBeliefs) -> Ints:
        """The number that the hand makes with the best cards that are in no hand."""
        hand, _left = self.with_best(cards, self.places(cards), cards.deck + cards.pile)
        return np.broadcast_to(self.number[hand], cards.theirs.shape)

    def lowest(self, cards: CardBeliefs) -> Ints:
        """The number that the hand makes with the worst cards that are in no hand."""
        stock, held = cards.deck + cards.pile, len(cards.hand)
        hand, _left = self.with_best(cards, self.places(cards), stock[:, ::-1])
        worst = (stock.shape[1] - 1 - digit for digit in hand[held:])
        return np.broadcast_to(self.number[(*cards.hand, *worst)], cards.theirs.shape)


def begin(
    solved: RoundPlay, hunt: HuntObservation, held: tuple[int, ...] | None = None
) -> tuple[Scoring, CardBeliefs]:
    """The hunter's scoring and its beliefs given everything it has seen.

    With open hands the full hand is known: `held` has those of its cards that would otherwise be face down,
    sorted.
    """
    round_, seen = solved.round, hunt.seen
    if not round_.tree.is_end(seen.word):
        raise ValueError("neither hand is full")
    hunter, kinds = round_.tree.hunter(seen.word), len(round_.deck)
    seen.check(round_.tree, hunter, drawn=0)
    number = numbers(kinds, round_.hand_size)
    scoring = Scoring(
        number, round_.hand_size, solved.tie_value if hunter == STARTER else 1 - solved.tie_value
    )
    chance = narrow(solved.chances[len(seen.word)], seen.digits)
    weight = belief(solved, hunter, seen)[0]
    # Only which digits are hidden matters now, not their order: add up the rows that differ only in it. If
    # the deck ran out before the hunt, it also matters which of them came out of the present deck.
    counts, first = round_.source(len(seen.word) - 1)
    hidden = hidden_draws(seen.word, hunter)
    groups: dict[tuple[tuple[int, ...], tuple[int, ...]], tuple[float, float]] = {}
    for at in np.argwhere(chance > 0).tolist():
        early = tuple(sorted(at[draw] for draw in hidden if draw < first))
        late = tuple(sorted(at[draw] for draw in hidden if draw >= first))
        if held is not None and held != tuple(sorted(early + late)):
            continue
        before = groups.get((early, late), (0.0, 0.0))
        groups[early, late] = before[0] + float(weight[tuple(at)]), before[1] + float(chance[tuple(at)])
    shares = np.array(list(groups.values()))
    known = tuple(digit for digit in seen.digits[first:] if digit is not None)
    deck = np.array([_without(counts, known + late) for _early, late in groups])
    pile = np.tile(np.array(round_.pile if round_.pile and not first else (0,) * kinds), (len(groups), 1))
    shown = tuple(seen.digits[i] for i in hand_draws(seen.word, 1 - hunter) if seen.digits[i] is not None)
    theirs = np.array([number[(*shown, *early, *late)] for early, late in groups])
    face_down = np.array([early + late for early, late in groups], dtype=np.int64)
    own = (seen.digits[i] for i in hand_draws(seen.word, hunter))
    hand = tuple(sorted(digit for digit in own if digit is not None))
    cards = CardBeliefs(shares[:, 0], shares[:, 1], face_down, theirs, deck, pile, hand)
    for digit, kept in hunt.since:
        cards = cards.draw(digit)
        cards = cards.keep(digit) if kept else cards.give(digit)
    if not scoring.places(cards):
        raise ValueError("both hands are full")
    return scoring, cards


def every_order(highest: Ints, round_: Round) -> list[Ints]:
    """The digits of each row in every order, as numbers."""
    base, places = len(round_.deck), range(round_.hand_size)
    digits = [highest // base**place % base for place in places]
    return [
        np.sum([base**place * digits[at] for place, at in enumerate(order)], axis=0)
        for order in permutations(places)
    ]


def _without(counts: tuple[int, ...], digits: tuple[int, ...]) -> list[int]:
    return [copies - digits.count(digit) for digit, copies in enumerate(counts)]
