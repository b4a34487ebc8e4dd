"""Digit Duel: five two-player digit games under one roof."""

__version__ = "0.1.0"
