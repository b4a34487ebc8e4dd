"""Named points at which a test can end the process, as a power cut would."""

from __future__ import annotations

import os

VARIABLE = "DIGIT_DUEL_CRASH_AT"  # such as after_commit:17, which is the 17th time
POINTS = ("before_begin", "after_insert", "before_commit", "after_commit", "migrating")


class _Fuse:
    """Counts the times that one point is reached."""

    def __init__(self, setting: str) -> None:
        self.point, _, times = setting.partition(":")
        self.left = int(times or 1)
        if self.point not in POINTS:
            raise ValueError(f"{VARIABLE}: {self.point} is none of {', '.join(POINTS)}.")

    def burn(self, point: str) -> None:
        if point == self.point:
            self.left -= 1
            if self.left == 0:
                os._exit(137)  # what a shell reports after kill -9


_fuse: _Fuse | None = None


def arm(setting: str | None) -> None:
    """End the process at a point, or nowhere."""
    global _fuse
    _fuse = _Fuse(setting) if setting else None


def reach(point: str, *, counts: bool = True) -> None:
    """Say that a point is reached. A batch without events, such as the renewal of a lease, does not count."""
    if _fuse is not None and counts:
        _fuse.burn(point)


arm(os.environ.get(VARIABLE))
