"""How often the first player wins unsolved games of cards, counted in games between computers."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

from digit_duel.core.options import settings
from digit_duel.games._cards import Cards
from digit_duel.solve.storage import shipped_bytes

PLAYED = "one_deck_played.txt"  # per line: options, number of games, games that the first seat won
_SURE = 2.576  # standard errors on either side of a 99% interval


@dataclass(frozen=True, slots=True)
class PlayedGames:
    """Games between two perfect computers."""

    games: int
    won: int  # by the first seat

    @property
    def share(self) -> float:
        """The share that the first seat won."""
        return self.won / self.games

    @property
    def interval(self) -> tuple[float, float]:
        """The 99% interval of that share."""
        half = _SURE * sqrt(self.share * (1 - self.share) / self.games)
        return self.share - half, self.share + half


def played_games(game: Cards) -> PlayedGames | None:
    """The counts for these rules; None if no games were played with them."""
    for line in shipped_bytes(PLAYED).decode("ascii").splitlines():
        options, games, won = line.rsplit(" ", 2)
        if options == rules_text(game):
            return PlayedGames(int(games), int(won))
    return None


def rules_text(game: Cards) -> str:
    """The options that differ from the standard ones."""
    return " ".join(f"{name}={value}" for name, value in settings(game, Cards()).items())
