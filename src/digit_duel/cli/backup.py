"""The backup, restore, check and rotate-key commands of a server's operator."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from digit_duel.cli.errors import Problem
from digit_duel.cli.serve import server_settings

if TYPE_CHECKING:
    from digit_duel.web.backup import CheckResult

T = TypeVar("T")
_MOST_NAMED = 20


def back_up(config: str | None, database: str | None, file: str, with_key: bool) -> str:
    """Back up a server's games to a file; return what was saved, and where the key is."""
    settings = server_settings(config, (), {"database": database})
    from digit_duel.web import backup
    from digit_duel.web.server_key import key_path

    path = Path(file)
    found = _tried(lambda: backup.back_up(settings, path, with_key))
    told = _told(found, f"{path} holds")
    if with_key:
        return f"{told}\nThe key is in {backup.key_beside(path)}: whoever has both can see all hands."
    return (
        f"{told}\nThe key {key_path(settings)} is not in it: keep a copy somewhere else. "
        "Without the key, unfinished games cannot continue."
    )


def restore(config: str | None, database: str | None, file: str) -> str:
    """Fill an empty database from a backup."""
    settings = server_settings(config, (), {"database": database})
    from digit_duel.web import backup

    return _told(_tried(lambda: backup.restore(settings, Path(file))), "The database holds")


def check(config: str | None, database: str | None, file: str | None) -> str:
    """Verify a backup, or the server's own database."""
    settings = server_settings(config, (), {"database": database})
    from digit_duel.web import backup

    found = _tried(lambda: backup.check(settings, None if file is None else Path(file)))
    return _told(found, f"{file or 'The database'} holds")


def rotate_key(config: str | None, database: str | None) -> str:
    """Add a new key to the key file, for games that begin after the next restart."""
    settings = server_settings(config, (), {"database": database})
    from digit_duel.web.server_key import key_path, rotate

    path = key_path(settings)
    count = _tried(lambda: rotate(path))
    return (
        f"{path} holds {_counted(count, 'key')} now. Copy it to all your machines and beside your backups, "
        "then restart the servers one by one."
    )


def _told(found: CheckResult, what: str) -> str:
    """What a check found; raises Problem if anything is wrong."""
    told = f"{what} {_counted(found.games, 'game')} with {_counted(found.events, 'event')}"
    if found.sound:
        return f"{told}, all verified."
    wrong = [] if found.whole else ["the file is damaged"]
    if found.damaged:
        are = "is" if len(found.damaged) == 1 else "are"
        wrong.append(f"{_counted(len(found.damaged), 'game')} {are} damaged: {_named(found.damaged)}")
    if found.keyless:
        wrong.append(f"the key of {_counted(len(found.keyless), 'game')} is missing: {_named(found.keyless)}")
    raise Problem(f"{told}, but {'; '.join(wrong)}.")


def _named(games: list[str]) -> str:
    return ", ".join(games[:_MOST_NAMED])


def _counted(number: int, thing: str) -> str:
    """A number of things in words."""
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"


def _tried(work: Callable[[], T]) -> T:
    from digit_duel.web.server_key import BadKey
    from digit_duel.web.store import DamagedDatabase, NewerDatabase, Unavailable
    from digit_duel.web.store.portable import CannotCopy

    try:
        return work()
    except (CannotCopy, BadKey, DamagedDatabase, NewerDatabase, Unavailable) as wrong:
        raise Problem(str(wrong)) from None
    except OSError as wrong:
        raise Problem(f"{wrong.strerror}: {wrong.filename}.") from None
