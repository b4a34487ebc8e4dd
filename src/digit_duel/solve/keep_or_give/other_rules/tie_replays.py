"""Bounds on rounds whose ties are replayed with the cards that are left (C5)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from itertools import combinations_with_replacement, permutations
from math import comb, perm

import numpy as np

from digit_duel.solve.effort import Progress
from digit_duel.solve.keep_or_give.counterfactual import EndValues, Profile
from digit_duel.solve.keep_or_give.other_rules.other_decks import Bounds, after_tie, bounds, tied_hands
from digit_duel.solve.keep_or_give.payoffs import (
    FullHandRule,
    Payoffs,
    Round,
    draw_weights,
    payoffs,
    spread,
)
from digit_duel.solve.keep_or_give.public_tree import (
    GIVE,
    KEEP,
    SECOND,
    STARTER,
    Array,
    Ints,
    Tree,
    hand_draws,
    mover,
)

LARGE = 7  # all decks up to this size are enumerated
MOST_DEALS = 10**6  # the most sequences of draws for a bound over all decks


def replay_bounds(round_: Round, profile: Profile, progress: Progress | None = None) -> Bounds:
    """The bounds that a profile proves for a round whose ties are replayed with the cards left."""
    exact = payoffs(round_)
    if round_.facing_full is FullHandRule.MUST_KEEP:
        return _without_discards(exact, profile, progress)
    if round_.pile or len(round_.deck) ** round_.tree.draws > MOST_DEALS:
        return bounds(exact, profile, (0.0, 1.0))
    return _with_discards(exact, profile)


def _without_discards(exact: Payoffs, profile: Profile, progress: Progress | None) -> Bounds:
    """Without discards every tied hand leaves one deck; bound the replay by the same profile in that deck."""
    round_ = exact.round
    if sum(round_.deck) < 4 * round_.hand_size:  # the replay itself could run out of cards
        return bounds(exact, profile, (0.0, 1.0))
    shape = (len(round_.deck),) * round_.hand_size
    low, high = np.zeros(shape), np.ones(shape)
    hands = list(tied_hands(round_))
    for done, hand in enumerate(hands):
        if progress:
            progress(done, len(hands), "hands that tie")
        found = bounds(payoffs(after_tie(round_, hand)), profile, (0.0, 1.0))
        for order in set(permutations(hand)):
            low[order], high[order] = found.low, found.high
    return bounds(exact, profile, (low, high))


# With free discards the hunter also shapes the deck of the replay. All cards are in the deck or in the pile
# when the replay begins, and a hunt gets its cards from both, so the deck matters only for the first draws.
# There are two bounds:
#  - from any deck: the starter follows a fixed strategy, and the other knows the order of all cards and plays
#    a best response. The worst deck is found by enumerating all small ones; the draws from a larger deck are
#    draws from a random part of it. Both tied hands have the highest card that was in no hand, so at least
#    two cards of the highest digit, or all of them, are in the pile;
#  - after a seat's own hunt: the seat can wait until the deck has run out once, when all cards are known, and
#    take the first ones that complete its hand. What is left then is a random rest of the deck.

Deck = tuple[int, ...]  # its cards, in order


def least_after_tie(exact: Payoffs, profile: Profile) -> float:
    """A lower bound on the starter's value of a replay, whatever deck the hunter has left for it."""
    tree, low = exact.round.tree, 0.0
    plans = [profile, *(constant_profile(tree, keep) for keep in (0.0, 1.0))]
    for _ in range(2):  # a tie leads to another such replay
        low = _worst_deck(exact.round, [against_foresight(exact, plan, SECOND, low) for plan in plans])
    return low


def constant_profile(tree: Tree, keep: float) -> Profile:
    """The profile that keeps with the same probability at every information set."""
    return Profile(tree, (np.full(tree.size(STARTER), keep), np.full(tree.size(SECOND), keep)))


def _worst_deck(round_: Round, values: list[Array]) -> float:
    """The value of the best of some strategies in its worst deck."""
    means = [_small_decks(round_, value) for value in values]
    low = min(max(mean[deck] for mean in means) for deck in means[0])
    for size in range(round_.tree.draws + 1, LARGE + 1):
        means = [_one_card_more(round_, mean, size) for mean in means]
        low = min([low, *(max(mean[deck] for mean in means) for deck in means[0])])
    # The starter does not know which part of a larger deck is drawn, so one strategy must serve for all.
    return max(min([low, *mean.values()]) for mean in means)


def _small_decks(round_: Round, value: Array) -> dict[Deck, float]:
    """The mean of a value over the draws, for every deck that is no larger than the number of draws."""
    draws, found = value.ndim, {}
    weight = draw_weights(round_, draws).astype(np.float64)
    for cards in range(draws + 1):
        rest = tuple(range(cards, draws))
        ways = weight.sum(axis=rest)
        mean = np.divide((value * weight).sum(axis=rest), ways, out=np.zeros(ways.shape), where=ways > 0)
        orders = list(permutations(range(cards)))
        symmetric = reduce(np.add, (mean.transpose(order) for order in orders)) / len(orders)
        for deck in combinations_with_replacement(range(len(round_.deck)), cards):
            if _can_be_left(round_, deck):
                found[deck] = float(symmetric[deck])
    return found


def _can_be_left(round_: Round, deck: Deck) -> bool:
    """Whether these cards can be the deck after a tie."""
    highest = max(digit for digit, copies in enumerate(round_.deck) if copies)
    return all(
        deck.count(digit) <= max(copies - 2 * (digit == highest), 0)
        for digit, copies in enumerate(round_.deck)
    )


def _one_card_more(round_: Round, means: dict[Deck, float], size: int) -> dict[Deck, float]:
    """The mean for every deck of a size, from those with one card less."""
    found = {}
    for deck in combinations_with_replacement(range(len(round_.deck)), size):
        if _can_be_left(round_, deck):
            found[deck] = sum(means[deck[:i] + deck[i + 1 :]] for i in range(size)) / size
    return found


def against_foresight(exact: Payoffs, profile: Profile, seat: int, tie: float) -> Array:
    """The starter's value after each sequence of draws, if a seat foresees them and plays a best response."""
    round_, tree = exact.round, exact.round.tree
    shape = (len(round_.deck),) * tree.draws
    better = np.maximum if seat == STARTER else np.minimum
    found: dict[str, Array] = {}
    for word in reversed(tree.words):
        missing = (1,) * (tree.draws - len(word))
        if tree.is_end(word):
            weight = draw_weights(round_, len(word)) * round_.ways(len(word), tree.draws)
            won = (exact.win[word] + tie * exact.tie[word]) / np.maximum(weight, 1)
            found[word] = won.reshape(won.shape + missing)
        elif mover(word) == seat:
            found[word] = better(found[word + KEEP], found[word + GIVE])
        else:
            keep = profile.at(word)
            keep = keep.reshape(keep.shape + missing[1:])
            found[word] = keep * found[word + KEEP] + (1 - keep) * found[word + GIVE]
    return np.broadcast_to(found[""], shape)


def _with_discards(exact: Payoffs, profile: Profile) -> Bounds:
    tree, size = exact.round.tree, exact.round.hand_size
    anywhere = least_after_tie(exact, profile), 1.0
    found = []
    for seat in (STARTER, SECOND):
        value = against_foresight(exact, profile, 1 - seat, anywhere[seat])
        after = [_after_hunt(exact.round, value, places, anywhere[seat]) for places in range(1, size + 1)]
        tie: dict[str, Array] = {}
        for end in tree.ends:
            hunter = tree.hunter(end)
            full, places = hand_draws(end, 1 - hunter), size - len(hand_draws(end, hunter))
            own = spread(after[places - 1], full, len(end))
            tie[end] = own if hunter == seat else np.array(anywhere[seat])
        found.append(_ends(exact, tie).best_response(1 - seat, profile))
    return Bounds(profile, found[STARTER], found[SECOND])


def _ends(exact: Payoffs, tie: Mapping[str, Array]) -> EndValues:
    """The payoffs as probabilities, with a value of a tie for every end."""
    payoff = {end: (exact.win[end] + tie[end] * exact.tie[end]) / exact.total for end in exact.win}
    return EndValues(exact.round.tree, payoff)


def _after_hunt(round_: Round, value: Array, places: int, anywhere: float) -> Array:
    """The starter's value of the replay by tied hand, if the hunter takes the first cards that suffice."""
    kinds = len(round_.deck)
    found = np.full((kinds,) * round_.hand_size, anywhere)
    for hand in tied_hands(round_):
        needed = sorted(hand)[-places:]
        pool = np.array(round_.deck) - np.bincount(2 * hand, minlength=kinds)
        pool += np.bincount(needed, minlength=kinds)
        best = needed[-1]
        if needed[0] != best or pool[best + 1 :].any():
            continue  # the hunt could do better than tie, or is rare
        worth = _rest_of_deck(pool, best, places, value, anywhere)
        for order in set(permutations(hand)):
            found[order] = worth
    return found


def _rest_of_deck(pool: Ints, best: int, needed: int, value: Array, anywhere: float) -> float:
    """The mean value of the next draws, after `needed` cards of the best digit were taken from a pool."""
    kinds, draws = len(pool), value.ndim
    size, copies = int(pool.sum()), int(pool[best])
    others = pool.copy()
    others[best] = 0
    digits = np.indices((kinds,) * draws).reshape(draws, -1)
    top = (digits == best).sum(axis=0)
    # The probability of the other digits in this order, among themselves.
    ways = np.ones(digits.shape[1])
    for digit in range(kinds):
        if digit != best:
            many = (digits == digit).sum(axis=0)
            ways *= _falling(int(others[digit]), draws)[many]
    ways /= np.maximum(_falling(size - copies, draws)[draws - top], 1)
    worth = value.reshape(-1)
    by_top = np.array([(ways * worth)[top == count].sum() for count in range(draws + 1)])
    total = 0.0
    for stop in range(needed, size - (copies - needed) + 1):  # the draw that completes the hand
        chance = comb(stop - 1, needed - 1) * comb(size - stop, copies - needed) / comb(size, copies)
        left, tops = size - stop, copies - needed
        if left < draws:
            total += chance * anywhere
            continue
        high, low = _falling(tops, draws), _falling(left - tops, draws)
        # by_top sums over all orders, so each pattern of best digits counts once.
        likely = high * low[::-1] / _falling(left, draws)[draws]
        total += chance * float(likely @ by_top)
    return total


def _falling(number: int, most: int) -> Array:
    """Falling factorials of a number, up to a length."""
    return np.array([float(perm(number, length)) for length in range(most + 1)])
