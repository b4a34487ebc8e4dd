"""Solved tables on disk: those shipped with the package, and those in the user's cache folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from hashlib import blake2b
from importlib.resources import files
from pathlib import Path

from digit_duel import __version__
from digit_duel.core.files import home_folder, write_whole
from digit_duel.core.variant import AnyGame


def shipped_bytes(name: str) -> bytes:
    """A file that is shipped with the package."""
    return files("digit_duel.solve").joinpath("tables", name).read_bytes()


def shipped_files(suffix: str) -> Iterator[bytes]:
    """Every shipped file with a suffix."""
    for file in files("digit_duel.solve").joinpath("tables").iterdir():
        if file.name.endswith(suffix):
            yield file.read_bytes()


def title(game: AnyGame) -> str:
    """The title of a cached table: the rules it belongs to, and the version that solved them."""
    return f"{game!r} {__version__}"


def cache_path(game: AnyGame, suffix: str) -> Path:
    """Where the table of a game is cached."""
    name = blake2b(title(game).encode(), digest_size=12).hexdigest()
    return home_folder("cache") / f"{name}{suffix}"


def cache(path: Path, data: Callable[[], bytes]) -> None:
    """Cache a solved table; a full or read-only disk is ignored, so that the next run solves it again."""
    try:
        write_whole(path, data())
    except OSError:
        return
