"""Exceptions of the solvers; every message is a sentence for people."""

from __future__ import annotations


class Unsolved(ValueError):
    """No solver can answer the question; the message says why."""


class TooBig(Unsolved):
    """The answer would take more states, moves or memory than the caller allows."""


class DamagedTable(ValueError):
    """A table file is damaged, or belongs to other rules."""
