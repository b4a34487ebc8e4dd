"""A reason: a sentence with the claims it depends on, used only if all of them hold."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from digit_duel.coach.cases import AnyCase
from digit_duel.coach.claims import AnyClaim, true


class Untrue(AssertionError):
    """A reason was about to be used although one of its claims does not hold."""


@dataclass(frozen=True, slots=True)
class Reason:
    """A sentence of the coach, and the claims that must hold for it to be true."""

    sentence: str
    claims: tuple[AnyClaim, ...]

    def __add__(self, other: Reason) -> Reason:
        return Reason(f"{self.sentence} {other.sentence}", (*self.claims, *other.claims))


def say(case: AnyCase, reason: Reason) -> str:
    """The sentence of a reason; raises Untrue if one of its claims does not hold."""
    for claim in reason.claims:
        if not true(claim, case):
            raise Untrue(f"{reason.sentence!r} is not true: {claim} does not hold")
    return reason.sentence


def first_true(case: AnyCase, candidates: Iterable[Reason]) -> Reason:
    """The first reason whose claims all hold; raises Untrue if there is none."""
    for reason in candidates:
        if all(true(claim, case) for claim in reason.claims):
            return reason
    raise Untrue("no reason holds")
