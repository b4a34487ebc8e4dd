"""From options on the command line to a plan for the evening."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random, SystemRandom
from typing import Any

import click

from digit_duel.bots import LEVELS
from digit_duel.cli.play.sitting import Plan
from digit_duel.core.match import Match
from digit_duel.core.names import clean_names
from digit_duel.core.options import BadOption, options
from digit_duel.core.variant import AnyVariant

DEFAULT_LEVEL = "sensible"
COMPUTER = "Computer"


def customised(variant: AnyVariant, settings: Sequence[str], open_table: bool) -> AnyVariant:
    """The variant with what --set and --open ask for."""
    wanted: dict[str, str] = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals:
            raise BadOption(f"--set takes option=value, not '{setting[:40]}'.")
        if name in wanted:
            raise BadOption(f"the option '{name}' is set twice.")
        wanted[name] = value
    if open_table:
        if "visibility" not in options(variant.game):
            raise BadOption("--open is for games with hidden hands; here everything is open anyway.")
        wanted.setdefault("visibility", "open")
    return variant.customised(wanted)


def plan(
    variant: AnyVariant,
    vs: str = "person",
    level: str | None = None,
    first: str = "1",
    names: Sequence[str] = (),
    best_of: int | None = None,
    first_to: int | None = None,
    seed: int | None = None,
    draws: str | None = None,
    record: Path | None = None,
) -> tuple[Plan, bool]:
    """The plan, and whether a coin decided who goes first."""
    if level is not None and level not in LEVELS:
        raise click.UsageError(f"there is no level '{level[:20]}'. The levels are: {', '.join(LEVELS)}.")
    if level is not None and vs != "computer":
        raise click.UsageError("--level is for games against the computer; add --vs computer.")
    if best_of is not None and first_to is not None:
        raise click.UsageError("a match is either best of N (--match) or first to N (--first-to), not both.")
    opponent = (level or DEFAULT_LEVEL) if vs == "computer" else None
    people = clean_names(*(names or ("Player 1", COMPUTER if opponent else "Player 2")))
    match = Match(first_to, best_of) if best_of or first_to else None
    made = Plan(
        variant,
        people,
        (None, opponent),
        match,
        None if seed is None else str(seed),
        _draws(variant, draws),
        record,
    )
    return (_swapped(made) if _second_starts(first, seed) else made), first == "coin"


def _second_starts(first: str, seed: int | None) -> bool:
    rng = SystemRandom() if seed is None else Random(f"{seed}/coin")
    return first == "2" or (first == "coin" and rng.randrange(2) == 1)


def _swapped(made: Plan) -> Plan:
    from dataclasses import replace

    names, levels = made.names, made.levels
    return replace(made, names=(names[1], names[0]), levels=(levels[1], levels[0]))


def _draws(variant: AnyVariant, text: str | None) -> tuple[str, ...]:
    if text is None:
        return ()
    game: Any = variant.game
    if not game.draws():
        raise click.UsageError("--draws is for games with a deck; nothing is drawn here.")
    if not (text.isascii() and text.isdigit() and len(text) <= 200):
        raise click.UsageError("--draws takes digits in a row, such as 729518.")
    return tuple(text)
