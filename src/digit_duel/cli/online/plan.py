"""What to play on a server: from the options on the command line."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import click

from digit_duel.cli.play.plan import check_level, match_of
from digit_duel.core.names import clean_name
from digit_duel.core.variant import AnyVariant

_STARTS = {"1": "me", "2": "other", "coin": "coin"}
_LONGEST_MATCH = 99


@dataclass(frozen=True, slots=True)
class OnlinePlan:
    """What to play on which server, and against whom."""

    variant: AnyVariant
    server: str | None
    join: str | None = None  # a link to a game
    invite: bool = False
    level: str | None = None  # of the computer, if no friend is invited
    name: str | None = None
    start: str = "me"
    match: str | None = None
    record_file: Path | None = None


def plan_online(
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
) -> OnlinePlan:
    """The plan that the options of digit-duel play ask for, or click.UsageError."""
    if seed is not None or draws is not None:
        raise click.UsageError("--seed and --draws are for games on this computer; a server seals its deals.")
    if names:
        raise click.UsageError("on a server everybody chooses their own name: --name A.")
    check_level(level)
    if join is not None and (invite or level is not None or best_of or first_to or variant.settings):
        raise click.UsageError("--join leads to a game that exists already; its options cannot be changed.")
    if invite and (level is not None or vs == "computer"):
        raise click.UsageError("--invite is for a friend; the computer needs no invitation.")
    match = match_of(best_of, first_to)
    if max(best_of or 1, first_to or 1) > _LONGEST_MATCH:
        raise click.UsageError(f"on a server a match has at most {_LONGEST_MATCH} games.")
    clean = None if name is None else clean_name(name)
    rule = None if match is None else match.text
    return OnlinePlan(variant, server, join, invite, level, clean, _STARTS[first], rule, record)
