"""What an opponent is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

Sees = TypeVar("Sees", contravariant=True)
Chooses = TypeVar("Chooses")


class Bot(Protocol, Generic[Sees, Chooses]):
    """Chooses a move from what one seat knows: there is no state to peek at."""

    def choose(self, view: Sees, legal: Sequence[Chooses]) -> Chooses:
        """One of the legal moves."""


AnyBot: TypeAlias = Bot[Any, Any]
