"""From options on the command line to a wish for a server."""

from __future__ import annotations

from pathlib import Path

import click

from digit_duel.cli.online.play import Wish
from digit_duel.cli.play.plan import check_level, match_of
from digit_duel.core.names import clean_name
from digit_duel.core.variant import AnyVariant

_STARTS = {"1": "me", "2": "other", "coin": "coin"}
_LONGEST_MATCH = 99


def wish(
    variant: AnyVariant,
    server: str | None,
    join: str | None,
    invite: bool,
    name: str | None,
    *,
    vs: str = "person",
    level: str | None = None,
    first: str = "1",
    names: tuple[str, str] | None = None,
    best_of: int | None = None,
    first_to: int | None = None,
    seed: int | None = None,
    draws: str | None = None,
    record: Path | None = None,
) -> Wish:
    """The wish, or a UsageError that says what does not go together."""
    if seed is not None or draws is not None:
        raise click.UsageError(
            "--seed and --draws are for games at this keyboard; a server's deals are sealed."
        )
    if names:
        raise click.UsageError("at a server everybody chooses their own name: --name A.")
    check_level(level)
    if join is not None and (invite or level is not None or best_of or first_to or variant.settings):
        raise click.UsageError("--join goes to a game that somebody has opened: there is nothing to set.")
    if invite and (level is not None or vs == "computer"):
        raise click.UsageError("--invite is for a friend; the computer needs no invitation.")
    match = match_of(best_of, first_to)
    if max(best_of or 1, first_to or 1) > _LONGEST_MATCH:
        raise click.UsageError(f"at a server a match has at most {_LONGEST_MATCH} games.")
    clean = None if name is None else clean_name(name)
    return Wish(
        variant, server, join, invite, level, clean, _STARTS[first], match.text if match else None, record
    )
