"""One seat against a fixed policy, as a graph of decisions.

Against a known policy everything except the seat's own choices is chance. What it knows at a decision is a
belief: a probability for each state it may be in. Equal beliefs are one decision, so a game without hidden
information is walked state by state, not history by history, and states may repeat.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic

from digit_duel.core.game import Game, M, S, Seat, V
from digit_duel.solve.errors import TooBig
from digit_duel.solve.research.absorption import add, flow
from digit_duel.solve.research.exploration import LIMIT, refuse_large
from digit_duel.solve.research.policies import Number, Policy, mixture, over


@dataclass(frozen=True, slots=True)
class Prospect:
    """The consequences of a move: the game may end, or further decisions follow."""

    ended: Number  # the probability that the game ends before the seat decides again
    paid: Number  # the seat's scores at these ends, times their probabilities
    nexts: Mapping[int, Number]  # the probability of each decision that may follow, by its number


@dataclass(frozen=True)  # no slots: Python 3.11 cannot subscript a generic one
class Decision(Generic[S, M, V]):
    """A decision of the seat: its view, its legal moves and its belief."""

    view: V
    legal: Sequence[M]
    belief: Mapping[S, Number]
    prospects: list[Prospect]  # one for each legal move, or a single one if the seat's policy is given


class Walk(Generic[S, M, V]):
    """Every decision that a seat can face against the other seat's policy; raises TooBig.

    In simultaneous choices both policies are asked about the state before either seat has chosen.
    """

    def __init__(
        self,
        game: Game[S, M, V],
        seat: Seat,
        theirs: Policy[V, M],
        mine: Policy[V, M] | None = None,
        limit: int = LIMIT,
    ) -> None:
        self.game, self.seat = game, seat
        self.decisions: list[Decision[S, M, V]] = []
        self._theirs, self._mine = theirs, mine
        self._limit = self._left = limit
        self._answers: dict[V, list[tuple[M, Number]]] = {}
        self._known: dict[Hashable, int] = {}
        self._sure: dict[S, Prospect] = {}
        refuse_large(game, self._possible, limit)
        self.start = self._ahead({game.start(): 1})
        for decision in self.decisions:  # the list grows while it is iterated over
            decision.prospects.extend(self._prospects(decision))

    def essence(self, decision: Decision[S, M, V]) -> Hashable:
        """A decision stripped of what the rules ignore from here on; a policy may still depend on it."""
        return frozenset((self.game.essence(state), share) for state, share in decision.belief.items())

    def _prospects(self, decision: Decision[S, M, V]) -> list[Prospect]:
        choices: list[list[tuple[M, Number]]] = [[(move, 1)] for move in decision.legal]
        if self._mine is not None:
            choices = [mixture(self.game, self._mine, decision.view, decision.legal)]
        return [self._ahead(self._after(decision.belief, moves)) for moves in choices]

    def _after(self, belief: Mapping[S, Number], moves: Sequence[tuple[M, Number]]) -> dict[S, Number]:
        """The belief after the seat has moved, and the other seat too if both act at once."""
        after: dict[S, Number] = {}
        for state, share in belief.items():
            at_once = self.seat.other in self.game.acting(state)
            replies = self._replies(state) if at_once else []
            for move, chance in moves:
                half = self._play(state, move)
                if not at_once:
                    add(after, half, share * chance)
                for reply, likely in replies:
                    add(after, self._play(half, reply), share * chance * likely)
        return after

    def _ahead(self, cloud: Mapping[S, Number]) -> Prospect:
        """What happens until the seat decides again, from a distribution over states."""
        if len(cloud) > 1:
            return self._spread(cloud)
        (state,) = cloud  # a single state is often reached again, so its prospect is cached
        if state not in self._sure:
            self._sure[state] = self._spread(cloud)
        return self._sure[state]

    def _spread(self, cloud: Mapping[S, Number]) -> Prospect:
        game, seat = self.game, self.seat
        ended: Number = 0
        paid: Number = 0
        beliefs: defaultdict[V, dict[S, Number]] = defaultdict(dict)
        arrived, lost = flow(cloud, self._ways)
        for state, weight in arrived.items():
            if outcome := game.outcome(state):
                ended += weight
                paid += weight * outcome.score(seat)
            else:
                beliefs[game.view(state, seat)][state] = weight
        nexts: dict[int, Number] = {}
        for view, belief in beliefs.items():
            if len(belief) == 1:  # a single state: no need to normalise
                ((state, weight),) = belief.items()
                add(nexts, self._number(view, {state: 1}), weight)
            else:
                weight = sum(belief.values())
                shares = {state: over(part, weight) for state, part in belief.items()}
                add(nexts, self._number(view, shares), weight)
        return Prospect(ended + lost, paid, nexts)  # play that never returns to the seat is a draw

    def _possible(self, state: S) -> list[S]:
        """The possible successors of a state, whoever moves there."""
        game, seat = self.game, self.seat
        if draws := game.chance(state):
            return [game.play(state, draw) for draw, _ in draws]
        acting = game.acting(state)
        own: list[M] = []
        if seat in acting:
            legal = game.legal(state, seat)
            own = list(legal)
            if self._mine is not None:
                own = [move for move, _ in mixture(game, self._mine, game.view(state, seat), legal)]
        replies = [move for move, _ in self._replies(state)] if seat.other in acting else []
        if own and replies:
            return [game.play(game.play(state, move), reply) for move in own for reply in replies]
        return [game.play(state, move) for move in (*own, *replies)]

    def _ways(self, state: S) -> dict[S, Number]:
        """The transitions of a state without a choice of the seat; empty if it decides or the game ends."""
        ways: dict[S, Number] = {}
        if draws := self.game.chance(state):
            total = sum(count for _, count in draws)
            for draw, count in draws:
                add(ways, self._play(state, draw), Fraction(count, total))
        elif self.game.acting(state) == (self.seat.other,):
            for move, chance in self._replies(state):
                add(ways, self._play(state, move), chance)
        return ways

    def _number(self, view: V, belief: dict[S, Number]) -> int:
        key: Hashable = frozenset(belief.items()) if len(belief) > 1 else next(iter(belief))
        if key not in self._known:
            self._known[key] = len(self.decisions)
            legal = self.game.legal(next(iter(belief)), self.seat)
            self.decisions.append(Decision(view, legal, belief, []))
        return self._known[key]

    def _replies(self, state: S) -> list[tuple[M, Number]]:
        view = self.game.view(state, self.seat.other)
        if view not in self._answers:
            legal = self.game.legal(state, self.seat.other)
            self._answers[view] = mixture(self.game, self._theirs, view, legal)
        return self._answers[view]

    def _play(self, state: S, move: M) -> S:
        self._left -= 1
        if self._left < 0:
            raise TooBig(
                f"this game is too big: more than {self._limit:,} moves would have to be tried. "
                "Take a smaller game from the size ladder, or a higher limit."
            )
        return self.game.play(state, move)
