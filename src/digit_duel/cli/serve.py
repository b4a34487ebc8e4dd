"""The serve command: from options to a running server."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterable, Mapping
from importlib import import_module
from importlib.util import find_spec
from types import FrameType
from typing import TYPE_CHECKING

import click

from digit_duel.cli.errors import Leave, Problem
from digit_duel.core.files import home_folder

if TYPE_CHECKING:
    from digit_duel.web.settings import Settings

_MISSING = "the server needs more packages. To install them: pip install 'digit-duel[web]'"


def serve(config: str | None, wanted: Iterable[str], options: Mapping[str, object]) -> None:
    """Print the address, and serve until Ctrl-C."""
    signal.signal(signal.SIGTERM, _end)  # until the server, which is slow to load, installs its own handler
    settings = server_settings(config, wanted, options)
    from digit_duel.web import serving
    from digit_duel.web.logs import log
    from digit_duel.web.server_key import BadKey
    from digit_duel.web.store import DamagedDatabase, NewerDatabase

    try:
        listener = serving.listen(settings.host, settings.port)
        click.echo(f"Digit Duel is at {serving.address(listener, settings)} - Ctrl-C stops it.")
        serving.serve(settings, listener)
    except (serving.CannotServe, BadKey, NewerDatabase, DamagedDatabase) as wrong:
        if not sys.stderr.isatty():
            log.critical("ended", why=str(wrong))
            raise Leave(1) from None
        raise Problem(str(wrong)) from None


def _end(number: int, frame: FrameType | None) -> None:
    """Exit with code 0: the server was asked to stop."""
    raise SystemExit(0)


def server_settings(config: str | None, wanted: Iterable[str], options: Mapping[str, object]) -> Settings:
    """The settings from options, the environment and a file; raises Problem.

    Wanted holds texts such as keep_over=86400; an option that is None was not given.
    """
    _check_packages()
    from digit_duel.web.configuration import read_settings
    from digit_duel.web.settings import BadSetting
    from digit_duel.web.store.opening import open_store

    texts = {name: str(value) for name, value in options.items() if value is not None}
    texts |= {name: value for name, _, value in (text.partition("=") for text in wanted)}
    try:
        settings = read_settings(texts, os.environ, config, database=_own_database)
        open_store(settings.database)  # checks the address
    except (BadSetting, ValueError) as wrong:
        raise Problem(str(wrong)) from None
    return settings


def _check_packages() -> None:
    if find_spec("resource") is None:
        raise Problem("the server does not run on Windows; people on any system can play on it.")
    try:
        import_module("digit_duel.web.app")
    except ModuleNotFoundError as missing:
        if (missing.name or "").startswith("digit_duel"):
            raise
        raise Problem(_MISSING) from None


def _own_database() -> str:
    folder = home_folder("state")
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return str(folder / "server.sqlite3")
