"""Named points at which tests can kill the process, as a power cut would."""

from __future__ import annotations

import os

VARIABLE = "DIGIT_DUEL_CRASH_AT"  # such as after_commit:17, the 17th time it is reached
POINTS = ("before_begin", "after_insert", "before_commit", "after_commit", "migrating")


class _Fuse:
    """Counts down how often one point is reached, then kills the process."""

    def __init__(self, setting: str) -> None:
        self.point, _, times = setting.partition(":")
        self.left = int(times or 1)
        if self.point not in POINTS:
            raise ValueError(f"{VARIABLE}: {self.point} must be one of {', '.join(POINTS)}.")

    def burn(self, point: str) -> None:
        if point == self.point:
            self.left -= 1
            if self.left == 0:
                os._exit(137)  # what a shell reports after kill -9


_fuse: _Fuse | None = None


def arm(setting: str | None) -> None:
    """Kill the process at a point; None for never."""
    global _fuse
    _fuse = _Fuse(setting) if setting else None


def reach(point: str, *, counts: bool = True) -> None:
    """Mark a point as reached. A batch without events, such as a lease renewal, does not count."""
    if _fuse is not None and counts:
        _fuse.burn(point)


arm(os.environ.get(VARIABLE))
