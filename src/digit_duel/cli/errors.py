"""Exceptions that end a command early: a problem, or the player leaving."""

from __future__ import annotations

INTERRUPTED, INPUT_ENDED = 130, 3  # exit codes


class Problem(Exception):
    """The command cannot continue; the text is a sentence for the user. Exit code 1."""


class Leave(Exception):
    """The player leaves the program, with this exit code."""

    def __init__(self, code: int) -> None:
        super().__init__()
        self.code = code
