"""A reason: a sentence with the claims it stands on, said only if every one of them holds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from digit_duel.coach.cases import AnyCase
from digit_duel.coach.claims import AnyClaim, true


class Untrue(AssertionError):
    """A reason that must not be said, because a claim in it does not hold."""


@dataclass(frozen=True, slots=True)
class Reason:
    """What the coach would say, and what must be so for it."""

    sentence: str
    claims: tuple[AnyClaim, ...]

    def __add__(self, other: Reason) -> Reason:
        return Reason(f"{self.sentence} {other.sentence}", (*self.claims, *other.claims))


def say(case: AnyCase, reason: Reason) -> str:
    """The sentence, once all its claims have been checked, or Untrue."""
    for claim in reason.claims:
        if not true(claim, case):
            raise Untrue(f"{reason.sentence!r} cannot be said: {claim}")
    return reason.sentence


def first_true(case: AnyCase, candidates: Iterable[Reason]) -> Reason:
    """The first reason that can be said; the last one offered must always be true."""
    for reason in candidates:
        if all(true(claim, case) for claim in reason.claims):
            return reason
    raise Untrue("no reason holds")
