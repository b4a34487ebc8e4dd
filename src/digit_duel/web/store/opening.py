"""From a setting to a store."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote

from digit_duel.web.store import Store


def open_store(url: str) -> Store:
    """The store that a path, sqlite:///path or postgresql://... names; it is not started yet."""
    scheme, found, rest = url.partition("://")
    if found and scheme in ("postgresql", "postgres"):
        from digit_duel.web.store.postgres import PostgresStore  # psycopg is loaded only where it is used

        return PostgresStore(url)
    if found and scheme != "sqlite":
        raise ValueError(f"{scheme}:// is no kind of database that Digit Duel knows.")

    from digit_duel.web.store.sqlite import SqliteStore

    return SqliteStore(Path(unquote(rest.removeprefix("/")) if found else url))
