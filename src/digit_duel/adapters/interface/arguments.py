"""Checks of arguments that all libraries share: seeds and action numbers."""

from __future__ import annotations

from operator import index
from typing import Any


def whole_number(name: str, value: Any) -> int:
    """A non-negative integer, also of NumPy; raises TypeError or ValueError."""
    try:
        found = index(value)
    except TypeError:
        raise TypeError(f"{name} must be an integer, not {value!r}.") from None
    if found < 0:
        raise ValueError(f"{name} must not be negative, but it is {found}.")
    return found


def action_number(action: Any) -> int:
    """The number of an action, also of NumPy; raises TypeError for anything but an integer."""
    try:
        return index(action)
    except TypeError:
        raise TypeError(f"an action is an integer, not {action!r}.") from None
