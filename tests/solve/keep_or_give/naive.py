"""A second, slow and separate account of a round: every draw a node, hunts card by card, solved as an LP."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import coo_matrix, csr_matrix, hstack

from digit_duel.core.game import Pair, Seat, put

Counts: TypeAlias = tuple[int, ...]  # copies of each digit
Hand: TypeAlias = tuple[int, ...]
Event: TypeAlias = str | tuple[str, int]
Knowledge: TypeAlias = tuple[Event, ...]  # whatever a player has seen or heard
Sequence: TypeAlias = tuple[Knowledge, str] | None  # a player's last choice; None before the first


@dataclass(frozen=True)
class Point:
    """A moment of the round, before a draw."""

    deck: Counts
    pile: Counts
    hands: Pair[Hand] = ((), ())
    turn: Seat = Seat.FIRST
    knowledge: Pair[Knowledge] = ((), ())
    last: Pair[Sequence] = (None, None)
    chance: float = 1.0
    run_outs: int = 0
    discards: int = 0


@dataclass
class Naive:
    """The rules, letter by letter."""

    deck: Counts
    pile: Counts
    hand_size: int
    rule: str  # "discard", "must_keep" or "cap:N"
    tie: float = 0.5
    payoff: defaultdict[Pair[Sequence], float] = field(default_factory=lambda: defaultdict(float))
    before: Pair[dict[Knowledge, Sequence]] = field(default_factory=lambda: ({}, {}))

    def build(self) -> Naive:
        """Walk through the whole tree."""
        self.payoff.clear()
        self.before = ({}, {})
        self.walk(Point(self.deck, self.pile or (0,) * len(self.deck)))
        return self

    def walk(self, now: Point) -> None:
        """Go through everything that can follow a point."""
        if all(len(hand) == self.hand_size for hand in now.hands):
            ours, theirs = (sorted(hand, reverse=True) for hand in now.hands)
            won = 1.0 if ours > theirs else 0.0 if ours < theirs else self.tie
            self.payoff[now.last] += now.chance * won
            return
        me = now.turn if len(now.hands[now.turn]) < self.hand_size else now.turn.other
        facing = len(now.hands[me.other]) == self.hand_size
        deck, pile, run_outs = now.deck, now.pile, now.run_outs
        if sum(deck) == 0:
            deck, pile, run_outs = pile, (0,) * len(pile), run_outs + facing
        capped = self.rule.startswith("cap") and now.discards >= int(self.rule[4:])
        forced = facing and (self.rule == "must_keep" or run_outs >= 2 or capped)
        for digit, copies in enumerate(deck):
            if not copies:
                continue
            left = _more(deck, digit, -1)
            chance = now.chance * copies / sum(deck)
            seen = put(now.knowledge, me, (*now.knowledge[me], ("draw", digit)))
            if not forced:
                parent = self.before[me].setdefault(seen[me], now.last[me])
                assert parent == now.last[me], "imperfect recall"
            for choice in ("keep",) if forced else ("keep", "give"):
                last = now.last if forced else put(now.last, me, (seen[me], choice))
                told: Pair[Knowledge] = ((*seen[0], choice), (*seen[1], choice))
                hands, turn, down, discards = now.hands, me.other, pile, now.discards
                if choice == "keep":
                    hands = put(hands, me, (*hands[me], digit))
                elif not facing:
                    hands = put(hands, me.other, (*hands[me.other], digit))
                    told = put(told, me.other, (*told[me.other], ("got", digit)))
                else:
                    turn, down, discards = me, _more(pile, digit, 1), discards + 1
                    told = put(told, me.other, (*told[me.other], ("saw", digit)))
                self.walk(Point(left, down, hands, turn, told, last, chance, run_outs, discards))

    def value(self) -> float:
        """The value for the starter of the tree last built, by the linear programme of its sequences."""
        numbers: list[dict[Sequence, int]] = []
        for before in self.before:
            sequences: list[Sequence] = [None]
            sequences += [(known, choice) for known in before for choice in ("keep", "give")]
            numbers.append({sequence: number for number, sequence in enumerate(sequences)})
        rows = [numbers[0][first] for first, _ in self.payoff]
        columns = [numbers[1][second] for _, second in self.payoff]
        shape = len(numbers[0]), len(numbers[1])
        payoff = csr_matrix((list(self.payoff.values()), (rows, columns)), shape=shape)

        def plan(seat: Seat) -> csr_matrix:
            row, column, entry = [0], [0], [1.0]
            for at, (known, parent) in enumerate(self.before[seat].items(), start=1):
                row += [at, at, at]
                column += [numbers[seat][known, "keep"], numbers[seat][known, "give"], numbers[seat][parent]]
                entry += [1.0, 1.0, -1.0]
            size = len(self.before[seat]) + 1, len(numbers[seat])
            return coo_matrix((entry, (row, column)), shape=size).tocsr()

        first, second = plan(Seat.FIRST), plan(Seat.SECOND)
        # The most of u[0] with payoff.T x >= second.T u, first x = (1, 0, ...), x >= 0 and u free.
        own, bounds = first.shape[1], second.shape[0]
        aim = np.zeros(own + bounds)
        aim[own] = -1
        upper = hstack([-payoff.T, second.T]).tocsr()
        equal = hstack([first, csr_matrix((first.shape[0], bounds))]).tocsr()
        start = np.zeros(first.shape[0])
        start[0] = 1
        result = linprog(
            aim,
            A_ub=upper,
            b_ub=np.zeros(upper.shape[0]),
            A_eq=equal,
            b_eq=start,
            bounds=[(0, None)] * own + [(None, None)] * bounds,
            method="highs",
        )
        assert result.status == 0, result.message
        return -float(result.fun)

    def fixed_point(self) -> float:
        """The value when a tie is replayed from the same cards."""
        self.tie = 0.5
        for _ in range(60):
            new = self.build().value()
            if abs(new - self.tie) < 1e-9:
                return new
            self.tie = new
        return self.tie


def _more(counts: Counts, digit: int, by: int) -> Counts:
    return tuple(copies + by * (kind == digit) for kind, copies in enumerate(counts))
