"""The interface of a computer opponent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

Sees = TypeVar("Sees", contravariant=True)
Chooses = TypeVar("Chooses")


class Bot(Protocol, Generic[Sees, Chooses]):
    """Chooses a move from one seat's view; it never gets the full state."""

    def choose(self, view: Sees, legal: Sequence[Chooses]) -> Chooses:
        """Choose one of the legal moves."""


AnyBot: TypeAlias = Bot[Any, Any]
