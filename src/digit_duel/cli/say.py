"""Printing what a command has to say."""

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
