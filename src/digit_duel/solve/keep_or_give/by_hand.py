"""The odds of keeping and giving against each hand that the other player may hold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from digit_duel.solve.keep_or_give.counterfactual import fold, reached_values, reaches
from digit_duel.solve.keep_or_give.hunt_beliefs import (
    CardBeliefs,
    HuntObservation,
    Scoring,
    begin,
    every_order,
)
from digit_duel.solve.keep_or_give.payoffs import FullHandRule
from digit_duel.solve.keep_or_give.public_tree import (
    GIVE,
    KEEP,
    STARTER,
    AnyArray,
    hidden_draws,
    mover,
)
from digit_duel.solve.keep_or_give.solved_round import Observation, SolvedRound, belief, narrow

Flags = NDArray[np.bool_]


class Fate(Enum):
    """The forced result of a choice against a hand, whatever the cards and the other player's choices."""

    WON = "won"
    LOST = "lost"
    OPEN = "open"  # not forced, or the round is tied and played again


@dataclass(frozen=True, slots=True)
class HandOdds:
    """One hand that the other player may hold, and the odds of each choice against it."""

    hidden: tuple[int, ...]  # the cards that lie face down, sorted
    chance: float  # its probability by the cards alone
    weight: float  # its probability given the other player's choices so far, too
    keep: float
    give: float
    kept: Fate
    given: Fate


def against_each_hand(solved: SolvedRound, seen: Observation) -> tuple[HandOdds, ...]:
    """The odds of keeping and giving the digit just drawn against each hand, before any hand is full.

    The round's profile is how the opponent chooses, and this seat plays a best response to it. Fates hold
    against any opponent who hunts perfectly.
    """
    seat = mover(seen.word)
    seen.check(solved.round.tree, seat, drawn=1)
    weight, _slips = belief(solved, seat, seen)
    chance = narrow(solved.chances[len(seen.digits)], seen.digits)
    wins = [_wins(solved, seat, seen, said, weight) for said in (KEEP, GIVE)]
    fates = [_fates(solved, seat, seen, said) for said in (KEEP, GIVE)]
    return tuple(_by_hands(seen, seat, chance, weight, wins, fates))


def _wins(solved: SolvedRound, seat: int, seen: Observation, said: str, weight: AnyArray) -> AnyArray:
    """The value of a choice against each sequence of hidden digits, with a best response afterwards."""
    tree, word, drawn = solved.round.tree, seen.word + said, len(seen.digits)
    ends = [end for end in tree.ends if end.startswith(word)]
    payoff = {end: narrow(solved.worth.payoff[end], seen.digits) for end in ends}
    theirs = {
        node: narrow(solved.profile.at(node), seen.digits)
        for node in tree.nodes
        if node.startswith(word) and mover(node) != seat
    }
    chance = narrow(solved.chances[drawn], seen.digits)
    one = np.ones(chance.shape)
    mine: dict[str, AnyArray] = {}
    better = np.greater_equal if seat == STARTER else np.less_equal

    def best(node: str, keep: AnyArray, give: AnyArray) -> AnyArray:
        mine[node] = better(keep, give).astype(np.float64)
        return np.where(mine[node] > 0, keep, give)

    # Payoffs include the probability of the draws already, so divide it out of the belief.
    start = np.divide(weight, chance, out=np.zeros(weight.shape), where=chance > 0)
    believed = reaches(tree, 1 - seat, theirs, below=word, start=start)
    fold(tree, seat, reached_values(tree, seat, payoff, believed, below=word), best, below=word)
    other, own = (
        reaches(tree, 1 - seat, theirs, below=word, start=one),
        reaches(tree, seat, mine, below=word, start=one),
    )
    total = np.zeros(chance.shape)
    for end in ends:
        later = tuple(range(drawn, len(end)))
        total = total + (payoff[end] * other[end] * own[end]).sum(axis=later)
    share = np.divide(total, chance, out=np.zeros(chance.shape), where=chance > 0)
    return share if seat == STARTER else np.where(chance > 0, 1 - share, 0.0)


def _fates(solved: SolvedRound, seat: int, seen: Observation, said: str) -> tuple[AnyArray, AnyArray]:
    """The sequences of hidden digits against which a choice surely wins, and those where it surely loses."""
    tree, word, drawn = solved.round.tree, seen.word + said, len(seen.digits)
    won: dict[str, Flags] = {}
    lost: list[Flags] = []
    for end in tree.ends:
        if end.startswith(word):
            starter_wins, starter_loses = solved.sure[end]
            wins, loses = (starter_wins, starter_loses)[:: 1 if seat == STARTER else -1]
            won[end] = narrow(wins, seen.digits)
            later = tuple(range(drawn, len(end)))
            lost.append(np.asarray(narrow(loses, seen.digits).all(axis=later)))
    losses = np.logical_and.reduce(lost)
    if tree.is_end(word):
        return won[word], losses
    # The seat does not know the hidden digits, so a win is sure only if a single continuation wins against
    # all of them.
    sure = _sure(tree.nodes, seat, won, word)
    return np.broadcast_to(sure.all(), losses.shape), losses


def _sure(nodes: tuple[str, ...], seat: int, won: dict[str, Flags], word: str) -> Flags:
    """Whether a seat can force a win from a word on, given what it has seen."""
    known: dict[str, Flags] = {
        end: np.asarray(flags.all(axis=hidden_draws(end, seat), keepdims=True)) for end, flags in won.items()
    }
    for node in reversed(nodes):
        if not node.startswith(word):
            continue
        keep, give = known[node + KEEP], known[node + GIVE]
        here = keep | give if mover(node) == seat else keep & give.all(axis=-1, keepdims=True)
        known[node] = np.asarray(here.all(axis=-1))
    return known[word]


def _by_hands(
    seen: Observation,
    seat: int,
    chance: AnyArray,
    weight: AnyArray,
    wins: list[AnyArray],
    fates: list[tuple[AnyArray, AnyArray]],
) -> Iterator[HandOdds]:
    """Merge rows that differ only in the order of the hidden digits."""
    groups: dict[tuple[int, ...], list[tuple[int, ...]]] = {}
    hidden = hidden_draws(seen.word, seat)
    for at in np.argwhere(chance > 0).tolist():
        groups.setdefault(tuple(sorted(at[draw] for draw in hidden)), []).append(tuple(at))
    for digits, rows in sorted(groups.items()):
        each = tuple(np.array(rows).T)
        likely = weight[each] if weight[each].any() else chance[each]
        keep, give = (float(np.average(win[each], weights=likely)) for win in wins)
        kept, given = (
            Fate.WON if won[each].all() else Fate.LOST if lost[each].all() else Fate.OPEN
            for won, lost in fates
        )
        yield HandOdds(digits, float(chance[each].sum()), float(weight[each].sum()), keep, give, kept, given)


def hunt_against_each_hand(
    solved: SolvedRound, hunt: HuntObservation, drawn: int, held: tuple[int, ...] | None = None
) -> tuple[HandOdds, ...] | None:
    """The odds of keeping and of throwing away the digit just drawn, against each full hand.

    None if the hand alone does not determine them: throwing away is forbidden, or the deck has run out.
    """
    if solved.round.facing_full is not FullHandRule.DISCARD:
        return None
    scoring, cards = begin(solved, hunt, held)
    cards = cards.draw(drawn)
    kept, given = cards.keep(drawn), cards.give(drawn).refill()
    if cards.run_outs:
        return None
    layouts = every_order(cards.theirs, solved.round) if solved.any_order else [cards.theirs]
    keep, give = (
        np.mean([scoring.certain(replace(after, theirs=theirs)) for theirs in layouts], axis=0)
        for after in (kept, given)
    )
    fates = [
        [Fate.WON if mine > full else Fate.LOST if mine < full else Fate.OPEN for mine, full in pairs]
        for pairs in (zip(scoring.highest(after), cards.theirs, strict=True) for after in (kept, given))
    ]
    weight = cards.explained().weight
    return tuple(
        HandOdds(
            tuple(sorted(cards.hidden[row].tolist())),
            float(cards.chance[row]),
            float(weight[row]),
            float(keep[row]),
            float(give[row]),
            fates[0][row],
            fates[1][row],
        )
        for row in range(len(weight))
    )


def hunt_fates(
    solved: SolvedRound, hunt: HuntObservation, drawn: int, held: tuple[int, ...] | None = None
) -> tuple[Fate, Fate]:
    """What keeping and throwing away the digit just drawn lead to, whatever is hidden and still to come."""
    scoring, cards = begin(solved, hunt, held)
    cards = cards.draw(drawn)
    return _fate(scoring, cards.keep(drawn)), _fate(scoring, cards.give(drawn))


def _fate(scoring: Scoring, cards: CardBeliefs) -> Fate:
    # Under any rule a hunter ends with no less than the worst cards in no hand, and no more than the best.
    if (scoring.lowest(cards) > cards.theirs).all():
        return Fate.WON
    return Fate.LOST if (scoring.highest(cards) < cards.theirs).all() else Fate.OPEN
