"""The games that a process keeps in memory, so that not every request reads a log."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator

from digit_duel.web.play.connected.subscriptions import Subscriptions
from digit_duel.web.play.live_game import LiveGame
from digit_duel.web.settings import Settings


class GamesInMemory:
    """A cache that is bounded in games and in events; what somebody uses at this moment is never dropped."""

    def __init__(self, settings: Settings, subscriptions: Subscriptions) -> None:
        self._settings, self._subscriptions = settings, subscriptions
        self._games: OrderedDict[str, LiveGame] = OrderedDict()  # the longest unused first

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
        """Note that somebody asked for a game: it is dropped later than others."""
        if game_id in self._games:
            self._games.move_to_end(game_id)

    def add(self, live: LiveGame) -> None:
        """Keep a game, and drop those that nobody has used for long."""
        self._games[live.game.id] = live
        spare = len(self._games) - self._settings.most_tables
        length = sum(each.game.version for each in self._games.values()) - self._settings.most_kept_events
        if spare <= 0 and length <= 0:
            return
        for game_id, old in list(self._games.items()):
            if spare <= 0 and length <= 0:
                break
            if old is not live and self.is_idle(old):
                del self._games[game_id]
                spare, length = spare - 1, length - old.game.version

    def drop(self, game_id: str) -> None:
        """Forget a game; the next request reads its log."""
        self._games.pop(game_id, None)

    def clear(self) -> None:
        """Forget all games."""
        self._games.clear()

    def is_idle(self, live: LiveGame) -> bool:
        """Whether nobody here uses a game at this moment."""
        followed = self._subscriptions.anybody(live.game.id)
        return live.thinking is None and not live.lock.locked() and not followed
