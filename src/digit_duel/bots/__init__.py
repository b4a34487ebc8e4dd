"""Opponents: each sees one seat's view and its legal moves, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, TypeAlias

from digit_duel.bots.bot import Bot
from digit_duel.bots.random import RandomBot
from digit_duel.bots.sensible import SensibleBot
from digit_duel.core.game import Seat
from digit_duel.core.variant import AnyVariant

Maker: TypeAlias = Callable[[AnyVariant, Seat, Random], Bot[Any, Any]]

LEVELS: dict[str, Maker] = {"random": RandomBot, "sensible": SensibleBot}  # from weak to strong

__all__ = ["LEVELS", "Bot", "Maker"]
