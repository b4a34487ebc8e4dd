"""Memory: whoever asks is refused while there is still room to say so; a library that gets none may crash."""

from __future__ import annotations

from mmap import mmap
from time import monotonic

from digit_duel.web.logs import log
from digit_duel.web.replies import Code, Refusal

ROOM = 16 << 20  # bytes; more than is taken between two looks, and a thread's stack fits in
LOOK = 0.05  # seconds between looks: one can take as long as a quarter of a move


class Memory:
    """Room for what was begun: kept while there is more, let go when there is none, and then taken again.

    orjson crashes when it gets no memory, so nothing is begun unless there is room for it. What is kept is
    never written to: it takes addresses, and no memory.
    """

    def __init__(self) -> None:
        self._kept: mmap | None = mmap(-1, ROOM)
        self._next = 0.0

    def enough(self) -> bool:
        """Whether there is room for more than what was begun."""
        now = monotonic()
        if self._kept is None or now >= self._next:
            self._next = now + LOOK
            self._look()
        return self._kept is not None

    def check(self) -> None:
        """Refuse to begin anything unless there is room for it."""
        if not self.enough():
            raise Refusal(Code.BUSY_RETRY, "There is no room for that now. Please try again in a moment.")

    def _look(self) -> None:
        kept = self._kept
        try:
            if kept is None:
                kept = mmap(-1, ROOM)
            mmap(-1, ROOM).close()
        except (OSError, MemoryError):
            if kept is not None:
                kept.close()
            kept = None
        before, self._kept = self._kept, kept
        if before is not None and kept is None:
            log.error("out of memory", kind=MemoryError.__name__)
        elif before is None and kept is not None:
            log.info("memory again")
