"""Printing what a command has to say, and what went wrong."""

from __future__ import annotations

import sys

import click


def say(text: str) -> None:
    """Print a text in whatever encoding standard output has."""
    from digit_duel.cli.screen.terminal import standard_terminal  # imported late: commands must start at once

    standard_terminal(plain=True).say(text)


def complain(text: str) -> None:
    """Print a text on standard error; on a terminal, wrapped at words."""
    from shutil import get_terminal_size

    from digit_duel.cli.screen.word_wrap import wrap_words

    if sys.stderr is not None and sys.stderr.isatty():
        text = wrap_words(text, get_terminal_size().columns)
    click.echo(text, err=True)


def exit_code(error: Exception) -> int:
    """Print the problem that ended a command, and return its exit code; anything else is a bug."""
    from digit_duel.cli.errors import Leave, Problem
    from digit_duel.core.names import BadName
    from digit_duel.core.options import BadOption

    match error:
        case Leave():
            return error.code
        case BadOption() | BadName():
            code = 2
        case Problem():
            code = 1
        case OSError(filename=str(file)):  # a failed write to standard output names no file
            complain(f"digit-duel: {click.format_filename(file)}: {error.strerror}.")
            return 1
        case _:
            raise error
    complain(f"digit-duel: {error}")
    return code
