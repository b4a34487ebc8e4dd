"""How a command ends early: with a problem, or because the person leaves."""

from __future__ import annotations

INTERRUPTED, INPUT_ENDED = 130, 3  # exit codes


class Problem(Exception):
    """A sentence for the user about what stops the command; exit code 1."""


class Leave(Exception):
    """The person leaves the program, with this exit code."""

    def __init__(self, code: int) -> None:
        super().__init__()
        self.code = code
