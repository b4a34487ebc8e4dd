"""Winning probabilities given one seat's knowledge, while neither hand is full."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from digit_duel.solve.keep_or_give.capped.cap_bounds import planned_payoffs
from digit_duel.solve.keep_or_give.counterfactual import (
    EndValues,
    Profile,
    end_values,
    fold,
    reached_values,
    reaches,
)
from digit_duel.solve.keep_or_give.payoffs import FullHandRule, Payoffs, Round, draw_weights, payoffs
from digit_duel.solve.keep_or_give.public_tree import (
    KEEP,
    STARTER,
    AnyArray,
    Array,
    Tree,
    mover,
    seen_draws,
)
from digit_duel.solve.keep_or_give.strategy import RoundStrategy


@dataclass(frozen=True)
class Observation:
    """What a seat has seen: the word, and the digit of every draw, None if it is hidden."""

    word: str
    digits: tuple[int | None, ...]  # one longer than the word if the seat has just drawn

    def check(self, tree: Tree, seat: int, drawn: int) -> None:
        """Raise ValueError if this seat cannot know this after this word and `drawn` more draws."""
        if self.word not in tree.words or len(self.digits) != len(self.word) + drawn:
            raise ValueError(f"{self.word!r} with {len(self.digits)} digits is not a point of this round")
        known = set(seen_draws(self.word, seat)) | set(range(len(self.word), len(self.digits)))
        for draw, digit in enumerate(self.digits):
            if (digit is not None) != (draw in known) or (digit is not None and not 0 <= digit < tree.kinds):
                raise ValueError(f"draw {draw + 1} of {self.word!r} cannot be {digit} for this seat")


@dataclass(frozen=True)
class RoundPlay:
    """How both seats play a round: everything that computing beliefs needs."""

    round: Round  # the rules and cards
    profile: Profile = field(repr=False)
    chances: tuple[Array, ...] = field(repr=False)  # the probability of every sequence of draws, by length
    tie_value: float  # the value of a tie for the starter
    # The other seat lays out its digits in random order, not as the highest number.
    any_order: bool = field(default=False, kw_only=True)


@dataclass(frozen=True)
class SolvedRound(RoundPlay):
    """A strategy prepared for queries: how it plays, and the payoff of every end."""

    payoffs: Payoffs = field(repr=False)
    worth: EndValues = field(repr=False)
    ignores_cap: bool = False  # the actual round has a cap on discards, which this solution leaves out

    @cached_property
    def sure(self) -> Mapping[str, tuple[AnyArray, AnyArray]]:
        """The draws after which the starter surely wins, and those after which it surely loses, at every end.

        This assumes perfect hunters. Draws that the cards do not allow count as both.
        """
        round_ = self.round
        if not (round_.cap or self.ignores_cap):
            return {end: _certain(self.payoffs, end) for end in round_.tree.ends}
        # Whatever the cap, a hunter gets at least as much as with must_keep, and no more than with discards.
        least, most = (
            payoffs(replace(round_, cap=0, facing_full=rule))
            for rule in (FullHandRule.MUST_KEEP, FullHandRule.DISCARD)
        )
        found = {}
        for end in round_.tree.ends:
            starter, second = (least, most) if round_.tree.hunter(end) == STARTER else (most, least)
            found[end] = _certain(starter, end)[0], _certain(second, end)[1]
        return found


def _certain(exact: Payoffs, end: str) -> tuple[AnyArray, AnyArray]:
    """The draws after which the starter wins, and those after which it loses, whatever cards come."""
    deals = draw_weights(exact.round, len(end)) * (exact.total // exact.round.ways(0, len(end)))
    return exact.win[end] == deals, exact.win[end] + exact.tie[end] == 0


@dataclass(frozen=True)
class ChoiceValues:
    """The values of keeping and giving, and how often the strategy keeps."""

    keep: float
    give: float
    table_keep: float
    slips: int  # the fewest errors with which the opponent can have reached this point


def round_play(table: RoundStrategy, tie_value: float) -> RoundPlay:
    """How a strategy plays, with the given value of a tie for the starter."""
    round_ = table.round
    chances = tuple(
        draw_weights(round_, length) / round_.ways(0, length) for length in range(round_.tree.draws + 1)
    )
    return RoundPlay(round_, table.profile(), chances, tie_value)


def solved_round(table: RoundStrategy, tie_value: float, ends: Payoffs | None = None) -> SolvedRound:
    """A strategy prepared for queries, with the given value of a tie for the starter.

    Without `ends`, hunts are those of private hands, and under a cap they follow a threshold.
    """
    round_, play = table.round, round_play(table, tie_value)
    exact = ends or (planned_payoffs(round_, tie_value) if round_.cap else payoffs(round_))
    return SolvedRound(
        round_, play.profile, play.chances, tie_value, exact, worth=end_values(exact, tie_value)
    )


def narrow(values: AnyArray, digits: tuple[int | None, ...]) -> AnyArray:
    """The part of a table over draws that agrees with the digits seen, all axes kept."""
    index = tuple(
        slice(None) if digit is None or size == 1 else slice(digit, digit + 1)
        for digit, size in zip(digits, values.shape[: len(digits)], strict=False)
    )
    return values[index]


def belief(solved: RoundPlay, seat: int, seen: Observation) -> tuple[AnyArray, int]:
    """The weight of every hidden hand by chance and the other seat's strategy, and the fewest slips."""
    # Off the equilibrium path all weights are 0: the opponent has erred. Assume as few errors as possible,
    # all equally likely. That is the limit of trembles (forced errors) as their probability goes to 0.
    weight, slips = narrow(solved.chances[len(seen.digits)], seen.digits), np.zeros((), dtype=np.int64)
    for draw, said in enumerate(seen.word):
        if draw % 2 == seat:
            continue
        keep = narrow(solved.profile.at(seen.word[:draw]), seen.digits)
        said_so = keep if said == KEEP else 1 - keep
        said_so = said_so.reshape(said_so.shape + (1,) * (weight.ndim - said_so.ndim))
        slips = slips + (said_so == 0)
        weight = weight * np.where(said_so == 0, 1.0, said_so)
    possible = weight > 0
    if not possible.any():
        raise ValueError("the cards do not allow these digits to be drawn")
    slips = np.broadcast_to(slips, weight.shape)
    fewest = int(slips[possible].min())
    return np.where(slips == fewest, weight, 0.0), fewest


def _follow(solved: SolvedRound, seat: int, seen: Observation, word: str, weight: AnyArray) -> float:
    """The starter's winning probability from a word on, if a seat plays a best response to the strategy."""
    tree = solved.round.tree
    theirs = {
        node: narrow(solved.profile.at(node), seen.digits)
        for node in tree.nodes
        if node.startswith(word) and mover(node) != seat
    }
    # Payoffs include the probability of the draws already, so divide it out of the belief.
    chance = narrow(solved.chances[len(seen.digits)], seen.digits)
    start = np.divide(weight, chance, out=np.zeros(weight.shape), where=chance > 0)
    reach = reaches(tree, 1 - seat, theirs, below=word, start=start)
    payoff = {end: narrow(solved.worth.payoff[end], seen.digits) for end in tree.ends if end.startswith(word)}
    better: Callable[[AnyArray, AnyArray], AnyArray] = np.maximum if seat == STARTER else np.minimum
    worth = reached_values(tree, seat, payoff, reach, below=word)
    return float(fold(tree, seat, worth, lambda _word, keep, give: better(keep, give), below=word).sum())


def choices(solved: SolvedRound, seen: Observation) -> ChoiceValues:
    """The values of keeping and giving the digit just drawn, with best responses to the strategy after it."""
    seat = mover(seen.word)
    seen.check(solved.round.tree, seat, drawn=1)
    weight, slips = belief(solved, seat, seen)
    total = float(weight.sum())
    keep, give = (_follow(solved, seat, seen, seen.word + said, weight) / total for said in "kg")
    if seat != STARTER:
        keep, give = 1 - keep, 1 - give
    table_keep = float(narrow(solved.profile.at(seen.word), seen.digits).item())
    return ChoiceValues(keep, give, table_keep, slips)


def standing(solved: SolvedRound, seat: int, seen: Observation) -> float:
    """A seat's value against the strategy, before the next draw."""
    seen.check(solved.round.tree, seat, drawn=0)
    weight, _slips = belief(solved, seat, seen)
    value = _follow(solved, seat, seen, seen.word, weight) / float(weight.sum())
    return value if seat == STARTER else 1 - value
