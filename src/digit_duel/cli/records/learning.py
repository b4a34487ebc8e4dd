"""How far a learner has come in the tutorials: one small file for all games."""

from __future__ import annotations

import json
from pathlib import Path

from digit_duel.core.files import home_folder, write_whole


def next_lesson(game: str, lessons: int) -> int:
    """The number of the lesson to continue with: 1 at first, and again after the last one."""
    number = _read().get(game, 1)
    return number if 1 <= number <= lessons else 1


def remember(game: str, number: int) -> None:
    """Save the number of the next lesson; raises OSError."""
    write_whole(_file(), json.dumps({**_read(), game: number}).encode())


def _file() -> Path:
    return home_folder("state") / "lessons.json"


def _read() -> dict[str, int]:
    try:
        found = json.loads(_file().read_text("utf-8"))
    except (OSError, ValueError):  # nothing learned yet, or damaged: the lessons begin again
        return {}
    known = found.items() if isinstance(found, dict) else ()
    return {str(game): number for game, number in known if type(number) is int}
