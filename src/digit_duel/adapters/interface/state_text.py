"""States and views as one line of text each; equal values have equal text."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from enum import Enum

from digit_duel.core.game import OBSERVED_IF_USED


def as_text(value: object) -> str:
    """A value as text: fields by name, digits without spaces between them, None as a dash."""
    if is_dataclass(value):
        told = [(field, getattr(value, field.name)) for field in fields(value)]
        return "; ".join(
            f"{field.name} {as_text(part)}"
            for field, part in told
            if part is not None or not field.metadata.items() >= OBSERVED_IF_USED.items()
        )
    if isinstance(value, Enum):
        return value.name.lower()
    if isinstance(value, tuple):
        return _row(value)
    return "-" if value is None else str(value)


def _row(row: tuple[object, ...]) -> str:
    words = [
        f"({as_text(item)})" if is_dataclass(item) or isinstance(item, tuple) else as_text(item)
        for item in row
    ]
    return "".join(words) if all(len(word) == 1 for word in words) else " ".join(words)
