"""What the options and arguments of the commands accept, and what a shell completes for them."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

if TYPE_CHECKING:
    from digit_duel.core.variant import AnyVariant

_UNBOUNDED = 2**63  # the upper bound of numbers without one


class GameId(click.ParamType["AnyVariant"]):
    """The id of a game in any case, or the beginning of exactly one id."""

    name = "game"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> AnyVariant:
        """The game with this id."""
        from digit_duel import games

        word = value.lower()
        fitting = [id for id in games.ids() if word and id.startswith(word)]
        if word in fitting:
            fitting = [word]
        if len(fitting) > 1:
            raise click.BadParameter(f"'{word}' could be {' or '.join(fitting)}.")
        if not fitting:
            raise click.BadParameter(f"there is no game '{value[:20]}'. {_all_games()}")
        return games.variant(fitting[0])

    def get_missing_message(self, param: click.Parameter, ctx: click.Context | None) -> str:
        """What to choose from."""
        return _all_games()


def _all_games() -> str:
    from digit_duel import games

    return f"The games are: {', '.join(games.ids())}."


def whole(low: int, high: int = _UNBOUNDED) -> Callable[[str | int], int]:
    """Read a whole number within bounds, written in the digits 0-9 and nothing else (A4)."""

    def number(typed: str | int) -> int:
        text = str(typed)  # click also converts defaults
        plain = text.isascii() and text.isdigit() and len(text) <= 19
        if not (plain and low <= int(text) <= high):
            bounds = f", {low} or more" if high == _UNBOUNDED else f" from {low} to {high}"
            raise click.BadParameter(f"this must be a whole number{bounds}.")
        return int(text)

    return number


def share(typed: str | float) -> float:
    """Read a number from 0 to 1."""
    with suppress(ValueError):
        if 0 <= float(typed) <= 1:  # false for nan
            return float(typed)
    raise click.BadParameter("this must be a number from 0 to 1.")


def output_file(typed: str) -> Path:
    """Check a file to write, so that problems with it are reported before the work."""
    path = Path(os.fsdecode(click.Path(dir_okay=False, writable=True).convert(typed, None, None)))
    try:
        path = path.absolute()
        known = path.exists()
    except (OSError, ValueError) as error:  # a deleted folder, a name too long or with a zero byte
        why = getattr(error, "strerror", None) or error
        raise click.BadParameter(f"this file cannot be used: {why}.") from error
    if not os.path.isdir(path.parent):
        raise click.BadParameter(f"there is no folder {click.format_filename(path.parent)}.")
    if not known and not os.access(path.parent, os.W_OK | os.X_OK):
        raise click.BadParameter(f"the folder {click.format_filename(path.parent)} is not writable.")
    return path


def record_file(typed: str) -> Path:
    """Check a file to add records to."""
    path = output_file(typed)
    if path.exists() and stat.S_ISREG(path.stat().st_mode):
        _check_records(path)
    return path


def _check_records(path: Path) -> None:
    """Refuse to add a record to a file of another kind."""
    from digit_duel.cli.records.save_file import Unreadable, read_bounded
    from digit_duel.core.record import BadRecord, read_records

    try:
        read_records(read_bounded(path))
    except Unreadable as why:
        raise click.BadParameter(f"{click.format_filename(path)} {why}.") from why
    except BadRecord as bad:
        raise click.BadParameter(f"{click.format_filename(path)} is not a file of records: {bad}") from bad


# Shell completion. Click passes the context, the parameter and the beginning of the word.


def complete_games(ctx: click.Context, param: click.Parameter, begun: str) -> Sequence[CompletionItem]:
    """The games, with their summaries where a shell shows them."""
    from digit_duel import games

    return [
        CompletionItem(id, help=variant.summary)
        for id, variant in games.catalogue().items()
        if id.startswith(begun.lower())
    ]


def complete_levels(ctx: click.Context, param: click.Parameter, begun: str) -> Sequence[CompletionItem]:
    """The levels of the computer."""
    from digit_duel.bots import DESCRIPTIONS

    return [
        CompletionItem(level, help=text) for level, text in DESCRIPTIONS.items() if level.startswith(begun)
    ]


def complete_rules(ctx: click.Context, param: click.Parameter, begun: str) -> Sequence[CompletionItem]:
    """The options of the game, each followed by an equals sign."""
    names = dict.fromkeys(name for variant in _named(ctx) for name in variant.options)
    return [CompletionItem(f"{name}=") for name in names if name.startswith(begun)]


def complete_editions(ctx: click.Context, param: click.Parameter, begun: str) -> Sequence[CompletionItem]:
    """The editions of the game, with what they are where a shell shows it."""
    found = {edition.name: edition.summary for variant in _named(ctx) for edition in variant.editions}
    return [CompletionItem(name, help=about) for name, about in found.items() if name.startswith(begun)]


def _named(ctx: click.Context) -> Iterable[AnyVariant]:
    """The game named before the word to complete; all games if none is."""
    from digit_duel import games

    if named := ctx.params.get("game"):
        return (named,)
    ids = [word for word in ctx.args if word in games.ids()]  # unread while an option lacks its value
    return (games.variant(ids[0]),) if ids else games.catalogue().values()


def complete_files(ctx: click.Context, param: click.Parameter, begun: str) -> Sequence[CompletionItem]:
    """Any file: the shell lists them itself."""
    return [CompletionItem(begun, type="file")]


# Parameters that several commands share.
GAME = click.argument("game", type=GameId(), shell_complete=complete_games)
GAME_UNLESS_JOINING = click.argument(
    "game", metavar="GAME", type=GameId(), required=False, shell_complete=complete_games
)
SET = click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="OPTION=VALUE",
    help="Change a rule: see digit-duel rules GAME.",
    shell_complete=complete_rules,
)
EDITION = click.option(
    "--edition",
    metavar="NAME",
    help="A named rule set: see digit-duel rules GAME.",
    shell_complete=complete_editions,
)
JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
