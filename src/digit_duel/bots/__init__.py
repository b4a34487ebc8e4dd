"""Computer opponents; each sees one seat's view and its legal moves, and nothing else."""

from digit_duel.bots.bot import Bot
from digit_duel.bots.families import Maker
from digit_duel.bots.levels import DEFAULT_LEVEL, DESCRIPTIONS, LEVELS, is_perfect, promise

__all__ = ["DEFAULT_LEVEL", "DESCRIPTIONS", "LEVELS", "Bot", "Maker", "is_perfect", "promise"]
