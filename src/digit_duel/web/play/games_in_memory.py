"""A cache of games, so that not every request reads a log."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator

from digit_duel.web.play.connected.subscriptions import Subscriptions
from digit_duel.web.play.live_game import LiveGame
from digit_duel.web.settings import Settings


class GamesInMemory:
    """A cache with a limit on games and on events; it never drops a game in use."""

    def __init__(self, settings: Settings, subscriptions: Subscriptions) -> None:
        self._settings, self._subscriptions = settings, subscriptions
        self._games: OrderedDict[str, LiveGame] = OrderedDict()  # least recently used first

    def __len__(self) -> int:
        return len(self._games)

    def __contains__(self, game_id: str) -> bool:
        return game_id in self._games

    def __iter__(self) -> Iterator[LiveGame]:
        return iter(self._games.values())

    def find(self, game_id: str) -> LiveGame | None:
        """The game, if it is here."""
        return self._games.get(game_id)

    def used(self, game_id: str) -> None:
        """Mark a game as recently used."""
        if game_id in self._games:
            self._games.move_to_end(game_id)

    def add(self, live: LiveGame) -> None:
        """Add a game, and drop the least recently used ones beyond the limits."""
        self._games[live.game.id] = live
        games = len(self._games) - self._settings.most_tables  # too many
        events = sum(each.game.version for each in self._games.values()) - self._settings.most_kept_events
        if games <= 0 and events <= 0:
            return
        for game_id, old in list(self._games.items()):
            if games <= 0 and events <= 0:
                break
            if old is not live and self.is_idle(old):
                del self._games[game_id]
                games, events = games - 1, events - old.game.version

    def drop(self, game_id: str) -> None:
        """Drop a game; the next request reads its log again."""
        self._games.pop(game_id, None)

    def clear(self) -> None:
        """Drop all games."""
        self._games.clear()

    def is_idle(self, live: LiveGame) -> bool:
        """Whether no connection, command or computer is using a game."""
        followed = self._subscriptions.anybody(live.game.id)
        return live.thinking is None and not live.lock.locked() and not followed
