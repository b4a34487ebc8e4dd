"""Write the man page docs/digit-duel.1 from the commands' own help and docs/terminal.md: make manual."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import click

from digit_duel.cli.commands import main as command

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "digit-duel.1"
_TABLES = {"Environment variables": "ENVIRONMENT", "Exit codes": "EXIT STATUS"}


def man_page() -> str:
    """The whole page in man's markup language."""
    assert isinstance(command, click.Group)
    context = click.Context(command, info_name="digit-duel", **command.context_settings)
    lines = ['.TH DIGIT-DUEL 1 "" "Digit Duel" "User Commands"', ".SH NAME"]
    lines += [r"digit\-duel \- five digit games for two players", ".SH SYNOPSIS", r".B digit\-duel"]
    lines += ["[OPTIONS] [COMMAND] [ARGUMENTS]", ".SH DESCRIPTION", _escaped(_help(command))]
    lines += [*_options(command, context), ".SH COMMANDS"]
    for name in command.list_commands(context):
        lines += _command(command.commands[name], click.Context(command.commands[name], context, name))
    for title, heading in _TABLES.items():
        lines += [f".SH {heading}", *_table(title)]
    return "\n".join(lines) + "\n"


def _command(found: click.Command, context: click.Context) -> Iterator[str]:
    """One command: its usage, what it does, and its options."""
    yield f".SS {_escaped(' '.join([context.info_name or '', *found.collect_usage_pieces(context)]))}"
    yield _escaped(_help(found))
    yield from _options(found, context)
    if isinstance(found, click.Group):
        for name in found.list_commands(context):
            whole = f"{context.info_name} {name}"
            yield from _command(found.commands[name], click.Context(found.commands[name], context, whole))


def _options(found: click.Command, context: click.Context) -> Iterator[str]:
    for parameter in found.get_params(context):
        if isinstance(parameter, click.Option) and (record := parameter.get_help_record(context)):
            yield from (".TP", rf"\fB{_escaped(record[0])}\fR", _escaped(record[1]))


def _table(title: str) -> Iterator[str]:
    """A table of docs/terminal.md with two columns."""
    text = (ROOT / "docs" / "terminal.md").read_text(encoding="utf-8")
    section = text.split(f"\n## {title}\n")[1].split("\n## ")[0]
    for row in re.findall(r"^\| (.+) \| (.+) \|$", section, re.MULTILINE)[1:]:
        term, meaning = (_escaped(_without_markup(cell)) for cell in row)
        yield from (".TP", rf"\fB{term}\fR", meaning)


def _without_markup(text: str) -> str:
    return re.sub(r"\[([^]]+)\]\([^)]+\)", r"\1", text).replace("`", "")


def _help(found: click.Command) -> str:
    return " ".join((found.help or "").split())


def _escaped(text: str) -> str:
    return text.replace("\\", r"\e").replace("-", r"\-")


if __name__ == "__main__":
    PAGE.write_text(man_page(), encoding="utf-8")
    print(f"Wrote {PAGE.relative_to(ROOT)}.")
