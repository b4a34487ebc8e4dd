"""Solved tables on disk: those that the package brings, and those cached in a folder of the user's."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from hashlib import blake2b
from importlib.resources import files
from pathlib import Path

from digit_duel import __version__
from digit_duel.core.files import home_folder, write_whole
from digit_duel.core.variant import AnyGame


def shipped_bytes(name: str) -> bytes:
    """A file that the package brings."""
    return files("digit_duel.solve").joinpath("tables", name).read_bytes()


def shipped_files(suffix: str) -> Iterator[bytes]:
    """Every file of a kind that the package brings."""
    for file in files("digit_duel.solve").joinpath("tables").iterdir():
        if file.name.endswith(suffix):
            yield file.read_bytes()


def title(game: AnyGame) -> str:
    """The rules that a cached table belongs to, with the version that solved them."""
    return f"{game!r} {__version__}"


def cache_path(game: AnyGame, suffix: str) -> Path:
    """Where the table of a game is cached."""
    name = blake2b(title(game).encode(), digest_size=12).hexdigest()
    return home_folder("cache") / f"{name}{suffix}"


def cache(path: Path, data: Callable[[], bytes]) -> None:
    """Cache what was solved; a full or locked disk only costs the next run some time."""
    try:
        write_whole(path, data())
    except OSError:
        return
