"""A second, slow and separate account of one round: every draw a node, hunts played card by card, solved as an LP."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import coo_matrix, csr_matrix, hstack


@dataclass
class Naive:
    """Letter-by-letter rules; info is whatever a player has seen or heard, as a tuple of events."""

    deck: tuple[int, ...]
    pile: tuple[int, ...]
    hand_size: int
    rule: str  # "discard", "must_keep" or "cap:N"
    tie: float = 0.5
    payoff: dict = field(default_factory=lambda: defaultdict(float))

    def build(self) -> Any:
        self.payoff.clear()
        self.parent = [{}, {}]  # sequence -> infoset's parent sequence, by infoset
        self.infosets = [{}, {}]
        n = len(self.deck)
        self.walk(tuple(self.deck), tuple(self.pile) or (0,) * n, ((), ()), 0, ((), ()), ((), ()), 1.0, 0, 0)
        return self

    def walk(
        self,
        deck: Any,
        pile: Any,
        hands: Any,
        turn: Any,
        info: Any,
        seq: Any,
        prob: Any,
        runouts: Any,
        discards: Any,
    ) -> Any:
        size = self.hand_size
        if len(hands[0]) == size and len(hands[1]) == size:
            a, b = (sorted(h, reverse=True) for h in hands)
            self.payoff[seq] += prob * (1.0 if a > b else 0.0 if a < b else self.tie)
            return
        me = turn
        if len(hands[me]) == size:
            me = 1 - me
        facing = len(hands[1 - me]) == size
        if sum(deck) == 0:
            deck, pile = pile, (0,) * len(pile)
            if facing:
                runouts += 1
        for digit, copies in enumerate(deck):
            if not copies:
                continue
            p = prob * copies / sum(deck)
            left = tuple(c - (d == digit) for d, c in enumerate(deck))
            seen = list(info)
            seen[me] = info[me] + (("draw", digit),)
            cap = self.rule.startswith("cap") and discards >= int(self.rule[4:])
            forced = facing and (self.rule == "must_keep" or runouts >= 2 or cap)
            options = ("keep",) if forced else ("keep", "give")
            key = seen[me]
            if len(options) == 2:
                self.infosets[me].setdefault(key, seq[me])
                assert self.infosets[me][key] == seq[me], "imperfect recall"
            for option in options:
                after = list(seq)
                if len(options) == 2:
                    after[me] = (key, option)
                told = [seen[0] + (option,), seen[1] + (option,)]
                if option == "keep":
                    new = list(hands)
                    new[me] = hands[me] + (digit,)
                    self.walk(left, pile, tuple(new), 1 - me, tuple(told), tuple(after), p, runouts, discards)
                elif not facing:
                    new = list(hands)
                    new[1 - me] = hands[1 - me] + (digit,)
                    told[1 - me] = told[1 - me] + (("got", digit),)
                    self.walk(left, pile, tuple(new), 1 - me, tuple(told), tuple(after), p, runouts, discards)
                else:
                    down = tuple(c + (d == digit) for d, c in enumerate(pile))
                    told[1 - me] = told[1 - me] + (("saw", digit),)
                    self.walk(left, down, hands, me, tuple(told), tuple(after), p, runouts, discards + 1)

    def value(self) -> Any:
        """The value for the starter of the tree last built."""
        ids = []
        for player in (0, 1):
            sequences = {(): 0}
            for key in self.infosets[player]:
                for option in ("keep", "give"):
                    sequences[(key, option)] = len(sequences)
            ids.append(sequences)
        rows, cols, vals = [], [], []
        for (a, b), worth in self.payoff.items():
            rows.append(ids[0][a]), cols.append(ids[1][b]), vals.append(worth)
        A = csr_matrix((vals, (rows, cols)), shape=(len(ids[0]), len(ids[1])))

        def plan(player: Any) -> Any:
            r, c, v = [0], [0], [1.0]
            for i, (key, parent) in enumerate(self.infosets[player].items(), start=1):
                r += [i, i, i]
                c += [ids[player][(key, "keep")], ids[player][(key, "give")], ids[player][parent]]
                v += [1.0, 1.0, -1.0]
            return coo_matrix((v, (r, c)), shape=(len(self.infosets[player]) + 1, len(ids[player]))).tocsr()

        E, F = plan(0), plan(1)
        # max u[0]  s.t.  A^T x - F^T u >= 0,  E x = e,  x >= 0, u free
        nx, nu = E.shape[1], F.shape[0]
        c = np.zeros(nx + nu)
        c[nx] = -1
        upper = hstack([-A.T, F.T]).tocsr()
        equal = hstack([E, csr_matrix((E.shape[0], nu))]).tocsr()
        e = np.zeros(E.shape[0])
        e[0] = 1
        result = linprog(
            c,
            A_ub=upper,
            b_ub=np.zeros(upper.shape[0]),
            A_eq=equal,
            b_eq=e,
            bounds=[(0, None)] * nx + [(None, None)] * nu,
            method="highs",
        )
        assert result.status == 0, result.message
        return -result.fun

    def fixed_point(self) -> Any:
        """The value when a tie is replayed from the same cards."""
        self.tie = 0.5
        for _ in range(60):
            new = self.build().value()
            if abs(new - self.tie) < 1e-9:
                return new
            self.tie = new
        return self.tie
