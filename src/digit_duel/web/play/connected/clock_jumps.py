"""Notices jumps of the wall clock, so that nobody counts as away for longer than they were."""

from __future__ import annotations

_SMALLEST = 1000  # milliseconds; smaller steps do not matter
_MOST = 20  # jumps that are remembered


class ClockJumps:
    """The jumps of the wall clock while this server runs, compared with the monotonic clock."""

    def __init__(self) -> None:
        self.skipped: list[tuple[int, int]] = []  # from when to when the clock jumped ahead, in milliseconds
        self._last: tuple[float, int] | None = None

    def observe(self, monotonic: float, wall: int) -> bool:
        """Compare both clocks, and return whether the wall clock has jumped since the last call."""
        before, self._last = self._last, (monotonic, wall)
        if before is None:
            return False
        expected = before[1] + round(1000 * (monotonic - before[0]))
        if abs(wall - expected) < _SMALLEST:
            return False
        if wall > expected:
            self.skipped = [*self.skipped, (expected, wall)][-_MOST:]
        else:  # what was skipped will now pass in fact
            self.skipped = [(begin, min(end, wall)) for begin, end in self.skipped if begin < wall]
        return True
