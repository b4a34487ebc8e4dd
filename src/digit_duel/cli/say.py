"""Printing what a command has to say."""

from __future__ import annotations


def say(text: str) -> None:
    """Print a text in whatever encoding standard output has."""
    from digit_duel.cli.screen.terminal import standard_terminal  # imported late: commands must start at once

    standard_terminal(plain=True).say(text)
