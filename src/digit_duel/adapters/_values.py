"""A state or a view as one line of text: equal values, equal lines."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any


def line(value: Any) -> str:
    """A value as text: fields by name, digits together, nothing as a dash."""
    if is_dataclass(value) and not isinstance(value, type):
        return "; ".join(f"{field.name} {line(getattr(value, field.name))}" for field in fields(value))
    if isinstance(value, Enum):
        return value.name.lower()
    if isinstance(value, tuple):
        return _row(value)
    return "-" if value is None else str(value)


def _row(row: tuple[Any, ...]) -> str:
    words = [
        f"({line(item)})" if is_dataclass(item) or isinstance(item, tuple) else line(item) for item in row
    ]
    return "".join(words) if all(len(word) == 1 for word in words) else " ".join(words)
