"""From a setting to a store."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote

from digit_duel.web.store import Store


def sqlite_path(url: str) -> Path | None:
    """The file that a path or sqlite:///path names; None for another kind of database."""
    scheme, found, rest = url.partition("://")
    if not found:
        return Path(url)
    return Path(unquote(rest.removeprefix("/"))) if scheme == "sqlite" else None


def open_store(url: str) -> Store:
    """The store that a path, sqlite:///path or postgresql://... names; it is not started yet."""
    scheme = url.partition("://")[0]
    path = sqlite_path(url)
    if path is None and scheme in ("postgresql", "postgres"):
        from digit_duel.web.store.postgres import PostgresStore  # psycopg is loaded only where it is used

        return PostgresStore(url)
    if path is None:
        raise ValueError(f"{scheme}:// is no kind of database that Digit Duel knows.")

    from digit_duel.web.store.sqlite import SqliteStore

    return SqliteStore(path)
