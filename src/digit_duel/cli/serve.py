"""The serve command: from options to a running server."""

from __future__ import annotations

import sys
from pathlib import Path
from urllib.parse import urlsplit

import click

from digit_duel.cli.errors import Leave, Problem
from digit_duel.core.files import home_folder

_MISSING = "the server needs more packages: pip install 'digit-duel[web]' brings them."


def serve(
    host: str,
    port: int,
    database: str | None,
    public_url: str | None,
    proxies: int,
    wanted: tuple[str, ...],
) -> None:
    """Serve until Ctrl-C, after saying where."""
    try:
        from digit_duel.web import serving
        from digit_duel.web.logs import log
        from digit_duel.web.server_key import BadKey
        from digit_duel.web.settings import BadSetting, Settings
        from digit_duel.web.store import DamagedDatabase, NewerDatabase
        from digit_duel.web.store.opening import open_store
    except ModuleNotFoundError as missing:
        if (missing.name or "").startswith("digit_duel"):
            raise
        raise Problem(_MISSING) from None
    try:
        settings = Settings.read(
            wanted,
            database=database or str(_own_database()),
            public_url=_checked(public_url),
            trusted_proxies=proxies,
        )
    except BadSetting as wrong:
        raise Problem(str(wrong)) from None
    try:
        open_store(settings.database)  # checks the address
    except ValueError as wrong:
        raise Problem(str(wrong)) from None
    try:
        listener = serving.listen(host, port)
        click.echo(f"Digit Duel is at {serving.address(listener, settings)} - Ctrl-C stops it.")
        serving.serve(settings, listener)
    except (serving.CannotServe, BadKey, NewerDatabase, DamagedDatabase) as wrong:
        if not sys.stderr.isatty():
            log.critical("ended", why=str(wrong))
            raise Leave(1) from None
        raise Problem(str(wrong)) from None


def _own_database() -> Path:
    folder = home_folder("state")
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder / "server.sqlite3"


def _checked(url: str | None) -> str | None:
    if url is None:
        return None
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.netloc or parts.path.strip("/") or parts.query:
        raise Problem("--public-url is an address such as https://duel.example, without a path.")
    return f"{parts.scheme}://{parts.netloc}"
