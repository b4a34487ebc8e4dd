"""Opens the store that the database setting names."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote

from digit_duel.web.store import Store

# As a file name, a mistyped address would show its password and keep the games on this machine only.
_MISTYPED = re.compile(r"postgres(ql)?:|(.*\s)?(host|hostaddr|service|user|password|dbname)\s*=", re.DOTALL)


def sqlite_path(url: str) -> Path | None:
    """The file that a path or sqlite:///path names; None for any other address."""
    scheme, found, rest = url.partition("://")
    if not found:
        return Path(url)
    return Path(unquote(rest.removeprefix("/"))) if scheme == "sqlite" else None


def open_store(url: str) -> Store:
    """Create the store that a path, sqlite:///path or postgresql://... names, without starting it."""
    scheme = url.partition("://")[0]
    path = sqlite_path(url)
    if path is not None and not path.name:
        raise ValueError("the database setting names no file: use a path or postgresql://...")
    if path is None and scheme in ("postgresql", "postgres"):
        from digit_duel.web.store.postgres import PostgresStore  # loads psycopg only if it is used

        return PostgresStore(url)
    if path is None:
        raise ValueError(f"{scheme}:// is not supported: use a path, sqlite:///path or postgresql://...")
    if _MISTYPED.match(url):
        raise ValueError("write a PostgreSQL address as postgresql://USER:PASSWORD@HOST/DATABASE.")

    from digit_duel.web.store.sqlite import SqliteStore

    return SqliteStore(path)
