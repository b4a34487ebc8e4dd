"""What the solvers refuse; every message is a sentence for people."""

from __future__ import annotations


class Unsolved(ValueError):
    """No solver here can answer that; the message says why."""


class TooBig(Unsolved):
    """The answer would take more states, moves or memory than the caller allows."""


class DamagedTable(ValueError):
    """A file that is not the table it should be, or the table of other rules."""
