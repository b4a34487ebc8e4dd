"""The commands of operators: serve, back up, restore, check, and a new key.

Imports are inside the functions: --version and --help must start at once.
"""

from __future__ import annotations

from collections.abc import Callable

import click

from digit_duel.cli.parameters import complete_files, whole
from digit_duel.cli.say import say


def _number(low: int, high: int) -> Callable[[str | int], str]:
    """Check a number but keep it as text, as settings from the environment or a file are."""
    read = whole(low, high)
    return lambda typed: str(read(typed))


_CONFIG = click.option(
    "--config", metavar="FILE", help="A TOML file with settings.", shell_complete=complete_files
)
_DATABASE = click.option(
    "--database", metavar="FILE|URL", help="A SQLite file, or postgresql://... for several servers."
)


@click.command()
@click.option("--host", metavar="ADDRESS", help="Default 127.0.0.1; 0.0.0.0 lets the whole network in.")
@click.option("--port", type=_number(0, 65535), metavar="N", help="Default 8642; 0 takes any free port.")
@_DATABASE
@click.option("--public-url", metavar="URL", help="The address people use, behind a proxy with TLS.")
@click.option(
    "--proxies",
    "trusted_proxies",
    type=_number(0, 9),
    metavar="N",
    help="How many proxies of your own are in front of the server.",
)
@_CONFIG
@click.option(
    "--set", "wanted", multiple=True, metavar="NAME=VALUE", help="Set a limit, or how long things are kept."
)
def serve(config: str | None, wanted: tuple[str, ...], **options: str | None) -> None:
    """Serve the games to browsers, on this computer or on a network."""
    from digit_duel.cli import serve

    serve.serve(config, wanted, options)


@click.command()
@click.argument("file", shell_complete=complete_files)
@click.option("--with-key", is_flag=True, help="Save the key as well, in FILE.key.")
@_DATABASE
@_CONFIG
def backup(file: str, with_key: bool, database: str | None, config: str | None) -> None:
    """Back up a server's games to FILE, even while it runs."""
    from digit_duel.cli import backup

    say(backup.back_up(config, database, file, with_key))


@click.command()
@click.argument("file", shell_complete=complete_files)
@_DATABASE
@_CONFIG
def restore(file: str, database: str | None, config: str | None) -> None:
    """Fill an empty database from the backup in FILE."""
    from digit_duel.cli import backup

    say(backup.restore(config, database, file))


@click.command()
@click.argument("file", required=False, shell_complete=complete_files)
@_DATABASE
@_CONFIG
def check(file: str | None, database: str | None, config: str | None) -> None:
    """Verify the games in the backup FILE, or in the database."""
    from digit_duel.cli import backup

    say(backup.check(config, database, file))


@click.command()
@_DATABASE
@_CONFIG
def rotate_key(database: str | None, config: str | None) -> None:
    """Give a server a new key for the deals of new games."""
    from digit_duel.cli import backup

    say(backup.rotate_key(config, database))
