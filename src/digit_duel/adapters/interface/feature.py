"""A number of an observation: what it means, and its range."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

LEAST, MOST = int(np.iinfo(np.int16).min), int(np.iinfo(np.int16).max)  # the bounds of numbers without any


@dataclass(frozen=True, slots=True)
class Feature:
    """One number of an observation: its meaning and its bounds."""

    name: str
    low: int = 0
    high: int = 1

    @property
    def width(self) -> int:
        """The number of columns in its one-hot encoding; a flag takes one."""
        return 1 if (self.low, self.high) == (0, 1) else self.high - self.low + 1


def bounds(
    features: Sequence[Feature], dtype: type[np.int8] | type[np.int16]
) -> tuple[NDArray[Any], NDArray[Any]]:
    """The lowest and the highest value of every number of an observation."""
    lows, highs = ([getattr(feature, end) for feature in features] for end in ("low", "high"))
    return np.array(lows, dtype), np.array(highs, dtype)
