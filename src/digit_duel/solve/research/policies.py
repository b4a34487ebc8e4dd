"""Policies: the probability of each move given what a seat knows, as a function or as a table."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from numbers import Real
from typing import TypeAlias

from digit_duel.core.game import Game, M, Pair, S, Seat, V
from digit_duel.core.variant import AnyGame, AnyVariant, Variant
from digit_duel.solve.research.exploration import LIMIT, questions, refuse_game

Number: TypeAlias = int | Fraction | float  # arithmetic is exact until a float is involved
Mixture: TypeAlias = Mapping[M, Number]  # the probability of each move; missing moves are never played
Policy: TypeAlias = Callable[[V, Sequence[M]], Mapping[M, Number]]  # from a view and its legal moves
Profile: TypeAlias = Policy[V, M] | Pair[Policy[V, M]]  # one policy for both seats, or one for each

SHOWN = 20  # views of a table in a notebook
_MEMBER, _NAME = re.compile(r"<\w+\.(\w+): \d+>"), r"\1"  # <Seat.FIRST: 0> reads better as FIRST
ROUNDING = 1e-6  # how far a sum of float probabilities may be from 1: networks compute in 32 bits
Asked: TypeAlias = tuple[str, tuple[str, ...]]  # a view and its legal moves, as texts in a table


class BadPolicy(ValueError):
    """A policy's answer is not a probability distribution over the legal moves; the message says why."""


def uniform(view: object, legal: Sequence[M]) -> Mixture[M]:
    """The policy that plays all legal moves with equal probability."""
    return dict.fromkeys(legal, Fraction(1, len(legal)))


def always(choose: Callable[[V, Sequence[M]], M]) -> Policy[V, M]:
    """The deterministic policy that follows a choice function."""
    return lambda view, legal: {choose(view, legal): 1}


def policy_of(profile: Profile[V, M], seat: Seat) -> Policy[V, M]:
    """One seat's part of a profile."""
    return profile[seat] if isinstance(profile, tuple) else profile


def mixture(game: Game[S, M, V], policy: Policy[V, M], view: V, legal: Sequence[M]) -> list[tuple[M, Number]]:
    """A policy's moves with positive probability, in the order of the rules; raises BadPolicy.

    Rounded floats are scaled so that they sum to 1.
    """
    played = _answer(game, policy, view, legal)
    total: Number = sum(played.values())
    if isinstance(total, float) and total != 1:
        return [(move, chance / total) for move in legal if (chance := played.get(move, 0))]
    return [(move, chance) for move in legal if (chance := played.get(move, 0))]


def _answer(game: Game[S, M, V], policy: Policy[V, M], view: V, legal: Sequence[M]) -> Mapping[M, Number]:
    """A policy's answer in Python numbers, unscaled; raises BadPolicy."""
    answer = policy(view, legal)
    if not isinstance(answer, Mapping):
        raise BadPolicy(f"the policy returned {answer!r}, not the probability of each move, at {view!r}.")
    if problem := _unknown(answer, legal):
        raise BadPolicy(f"{problem} where {' '.join(map(game.text, legal))} are legal, at {view!r}.")
    played = _plain(answer)
    if problem := fault(played, legal):
        named = {game.text(move): chance for move, chance in played.items()}
        raise BadPolicy(f"{problem}: {named} where {' '.join(map(game.text, legal))} are legal.")
    return played


def _unknown(answer: Mapping[M, Number], legal: Sequence[M]) -> str:
    """Describe a move that is not legal, or a probability that is not a number; empty if there is none."""
    for move, chance in answer.items():
        if move not in legal:
            return f"the policy plays an illegal move: {move!r}"
        if not isinstance(chance, Real):
            return f"the probability of a move is {chance!r}"
    return ""


def over(part: Number, whole: Number) -> Number:
    """The quotient of two numbers, exact unless one of them is a float."""
    return part / (whole if isinstance(whole, float) else Fraction(whole))


def fault(played: Mapping[M, Number], legal: Sequence[M]) -> str:
    """Describe what is wrong with a mixture; empty if nothing is."""
    if not played.keys() <= set(legal):
        return "the policy plays an illegal move"
    # Comparisons reject NaN, too.
    if not all(0 <= c <= (1 + ROUNDING if isinstance(c, float) else 1) for c in played.values()):
        return "a probability is not between 0 and 1"
    total: Number = sum(played.values())
    if not (abs(total - 1) <= ROUNDING if isinstance(total, float) else total == 1):
        return f"the probabilities sum to {total}, not to 1"
    return ""


@dataclass(frozen=True)
class TabularPolicy:
    """A policy as a table: its mixture at every view that it was asked about."""

    variant: AnyVariant
    rows: Mapping[Asked, tuple[Number, ...]]  # a probability for each legal move, in the order of the rules

    def __call__(self, view: object, legal: Sequence[M]) -> Mixture[M]:
        row = self.rows.get(asked(self.variant.game, view, legal))
        if row is None:
            raise BadPolicy(f"this table has no entry for {view!r}.")
        return dict(zip(legal, row, strict=True))

    def __contains__(self, question: tuple[object, Sequence[Hashable]]) -> bool:
        return asked(self.variant.game, *question) in self.rows

    def __len__(self) -> int:
        return len(self.rows)

    def _repr_html_(self) -> str:
        """The policy for notebooks: its first views, each with its mixture."""
        left = '<td style="text-align:left;vertical-align:top">'
        shown = [
            f"<tr>{left}<code>{escape(_MEMBER.sub(_NAME, view))}</code></td>"
            f"{left}{escape(_played(moves, row))}</td></tr>"
            for (view, moves), row in sorted(self.rows.items())[:SHOWN]
        ]
        more = f"<p>and {len(self) - SHOWN:,} more</p>" if len(self) > SHOWN else ""
        named = " ".join(
            [self.variant.id, *(f"{name}={text}" for name, text in self.variant.settings.items())]
        )
        head = "".join(f'<th style="text-align:left">{title}</th>' for title in ("view", "plays"))
        about = f"<p>{escape(named)}: {len(self):,} views</p>"
        return f"{about}<table><tr>{head}</tr>{''.join(shown)}</table>{more}"

    def otherwise(self, policy: Policy[V, M]) -> Policy[V, M]:
        """This table, backed by another policy for views that it lacks."""
        return lambda view, legal: (self if (view, legal) in self else policy)(view, legal)


def _played(moves: Sequence[str], row: Sequence[Number]) -> str:
    return ", ".join(f"{move} {chance}" for move, chance in zip(moves, row, strict=True) if chance)


def asked(game: AnyGame, view: object, legal: Sequence[Hashable]) -> Asked:
    """The table key of a view and its legal moves; the repr of a frozen dataclass determines its value."""
    # The moves are part of the key: in a simultaneous choice both seats may share a view, but never a move.
    return repr(view), tuple(map(game.text, legal))


def tabulate(variant: Variant[S, M, V], policy: Profile[V, M], limit: int = LIMIT) -> TabularPolicy:
    """Tabulate a policy of both seats, or one of each, at every view; raises BadPolicy or TooBig."""
    refuse_game(variant)
    rows = {}
    for seat, view, legal in questions(variant.game, limit):
        played = _answer(variant.game, policy_of(policy, seat), view, legal)
        rows[asked(variant.game, view, legal)] = tuple(played.get(move, 0) for move in legal)
    return TabularPolicy(variant, rows)


def _plain(played: Mapping[M, Number]) -> Mapping[M, Number]:
    """Convert a mixture to Python numbers; NumPy numbers become floats."""
    return {move: c if isinstance(c, int | Fraction) else float(c) for move, c in played.items()}
