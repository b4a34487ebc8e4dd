"""What to play on a server: from the options on the command line."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import click

from digit_duel.cli.play.plan import PlayOptions
from digit_duel.core.names import clean_name
from digit_duel.core.variant import AnyVariant

_STARTS = {"1": "me", "2": "other", "coin": "coin"}
_LONGEST_MATCH = 99


@dataclass(frozen=True, slots=True)
class OnlinePlan:
    """What to play on which server, and against whom."""

    variant: AnyVariant | None  # None: whatever the link leads to
    server: str | None
    join: str | None = None  # a link to a game
    invite: bool = False
    level: str | None = None  # of the computer, if no friend is invited
    name: str | None = None
    start: str = "me"
    match: str | None = None
    record_file: Path | None = None


def plan_online(variant: AnyVariant | None, options: PlayOptions, house_rules: bool) -> OnlinePlan:
    """The plan of a game on a server; raises click.UsageError."""
    options.check_level()
    if options.seed is not None or options.draws is not None:
        raise click.UsageError("--seed and --draws are for games on this computer; a server seals its deals.")
    if options.names:
        raise click.UsageError("on a server every player chooses their own name: --name A.")
    chosen = options.invite or options.level is not None or options.match or house_rules
    if options.join is not None and chosen:
        raise click.UsageError("--join leads to an existing game; its options cannot be changed.")
    if options.invite and (options.level is not None or options.vs == "computer"):
        raise click.UsageError("--invite is for a friend; the computer needs no invitation.")
    if max(options.best_of or 1, options.first_to or 1) > _LONGEST_MATCH:
        raise click.UsageError(f"on a server a match has at most {_LONGEST_MATCH} games.")
    return OnlinePlan(
        variant,
        options.server,
        options.join,
        options.invite,
        options.level,
        None if options.name is None else clean_name(options.name),
        _STARTS[options.first],
        options.match.text if options.match else None,
        options.record,
    )
