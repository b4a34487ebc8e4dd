"""The game service: loads games from their logs, appends events, and shows views."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from time import monotonic, time
from typing import TypeVar

from digit_duel.core.game import Seat
from digit_duel.core.session import half_chosen
from digit_duel.web.background_tasks import BackgroundTasks
from digit_duel.web.logs import log
from digit_duel.web.metrics import DAMAGED_GAMES
from digit_duel.web.play.clocks import Around
from digit_duel.web.play.computer import Computer
from digit_duel.web.play.connected.presence import Presence
from digit_duel.web.play.connected.subscriptions import Subscriptions
from digit_duel.web.play.events import Body, Cancelled, Moved, canonical, kind
from digit_duel.web.play.fair_deals.deals import choice_seal, salt, server_seed
from digit_duel.web.play.fold import DamagedLog, apply_event, fold, fold_apart
from digit_duel.web.play.games_in_memory import GamesInMemory
from digit_duel.web.play.live_game import Caller, LiveGame
from digit_duel.web.play.online_game import OnlineGame
from digit_duel.web.play.status import status
from digit_duel.web.replies import Code, Refusal, busy
from digit_duel.web.server_key import ServerKeys
from digit_duel.web.settings import Settings
from digit_duel.web.store import (
    Conflict,
    DamagedDatabase,
    Event,
    Listed,
    Store,
    TakenSeat,
    Unavailable,
)
from digit_duel.web.views.game_view import surroundings, view
from digit_duel.web.views.view_types import GameView, Surroundings

T = TypeVar("T")
_TRIES = 8  # attempts to append before the client is asked to retry
_CLOCK_SKEW = 60_000  # milliseconds by which the servers' clocks may differ
_GRACE = 0.5  # seconds that a poll of the database may be late


class GameService:
    """All games that this process serves."""

    def __init__(
        self, settings: Settings, store: Store, keys: ServerKeys, subscriptions: Subscriptions
    ) -> None:
        self.settings, self.store, self.subscriptions = settings, store, subscriptions
        self.keys = keys
        self._presence = Presence(store)
        self._polled = round(1000 * time())  # when sessions that ended on other servers were last queried
        self._games = GamesInMemory(settings, subscriptions)
        self._loading: dict[str, asyncio.Lock] = {}
        self.tasks = BackgroundTasks()
        self.computer = Computer(settings.computer_pace, settings.analysis_seconds)
        self.counts: Counter[str] = Counter()  # events by kind, for the operator
        store.listen(self._heard)

    def __len__(self) -> int:
        return len(self._games)

    def keeps(self, game_id: str) -> bool:
        """Whether a game is in memory."""
        return game_id in self._games

    def length(self, game_id: str) -> int:
        """The number of a game's events; 0 if it is not in memory."""
        live = self._games.find(game_id)
        return 0 if live is None else live.game.version

    # Reading

    async def get(self, game_id: str) -> LiveGame:
        """Get a game from memory or from its log, or raise Refusal."""
        found = self._games.find(game_id)
        if found is None:
            found = await self._load(game_id)
        elif monotonic() - found.checked > self.settings.poll + _GRACE:
            found.checked = monotonic()  # not polled without subscribers, and a notification may be lost
            await self._catch_up(found)
        self._games.used(game_id)
        return found

    def viewing_seat(
        self, live: LiveGame, caller: Caller, seat: Seat | None, stranger: bool = False
    ) -> Seat | None:
        """The seat whose view the caller gets; None for a stranger's view.

        A person with both seats must name a seat to see its hidden hand: the other player may be looking.
        """
        if stranger:
            return None
        held = live.held(caller)
        if not held:
            if seat is not None:
                raise Refusal(Code.FORBIDDEN, "This seat is not yours.")
            return None
        if seat is not None:
            if seat not in held:
                raise Refusal(Code.FORBIDDEN, "This seat is not yours.")
            return seat
        return None if len(held) > 1 and live.game.variant.hides_hands else live.first_acting(held)

    def seen(self, live: LiveGame, caller: Caller, seat: Seat | None, after: int = 0) -> GameView:
        """The view of a game that a caller gets."""
        return view(live.game, seat, *self._viewer(live, caller), after)

    def update(
        self, live: LiveGame, caller: Caller, seat: Seat | None, after: int
    ) -> GameView | Surroundings:
        """What has changed since the version that a viewer has seen."""
        if after == live.game.version:
            return surroundings(live.game, seat, *self._viewer(live, caller))
        return self.seen(live, caller, seat, after)

    def _viewer(self, live: LiveGame, caller: Caller) -> tuple[tuple[Seat, ...], bool, Around]:
        owner = caller.person is not None and caller.person == live.owner
        return live.held(caller), owner, self.around(live)

    def around(self, live: LiveGame) -> Around:
        """Who is connected, and how long the current choice has taken."""
        present, watchers = self.subscriptions.present(live.game.id)
        elapsed = round(1000 * (monotonic() - live.since))
        seen = self._presence
        here = (
            present[0] or seen.is_here(live.last_seen[0]),
            present[1] or seen.is_here(live.last_seen[1]),
        )
        away = (
            0 if here[0] else min(elapsed, round(1000 * seen.waited(live.last_seen[0]))),
            0 if here[1] else min(elapsed, round(1000 * seen.waited(live.last_seen[1]))),
        )
        return Around(here, watchers, elapsed, away, self.settings.claim_after)

    def _since(self, game: OnlineGame) -> float:
        """When the current choice arose, on this process's monotonic clock."""
        put = max((max(game.asked[seat], game.clock_set) for seat in game.acting), default=0)
        return monotonic() - (self._presence.waited(game.news[put - 1].event.at) if put else 0.0)

    async def look_elsewhere(self, games: Sequence[str]) -> None:
        """Update who is or was connected to other servers, and notify subscribers of changes."""
        for game_id, seen in (await self._presence.last_seen(games)).items():
            live = self._games.find(game_id)
            if live is None or live.last_seen == seen:
                continue
            before, live.last_seen = live.last_seen, seen
            is_here = self._presence.is_here
            # When somebody left matters too: it decides when the game can be claimed.
            if [is_here(at) or at for at in before] != [is_here(at) or at for at in seen]:
                self.subscriptions.notify(game_id)

    async def refresh(self, live: LiveGame) -> None:
        """Apply what other servers wrote; raise Refusal if the log is damaged."""
        game = live.game
        try:
            events = await self.store.log(game.id, game.version)
            if not events:
                return
            after = await fold_apart(game, live.seed, events)
        except (DamagedLog, DamagedDatabase):
            self._games.drop(game.id)
            raise _damaged(game.id) from None
        if live.game.version >= after.version:
            return  # another task has caught up meanwhile
        if any(player.open for player in live.game.players):
            live.people = await self.store.seats(game.id)
        if live.game.version < after.version:
            live.become(after, self._since(after))
            self.subscriptions.notify(game.id)
            self.wake_computer(live)

    async def _load(self, game_id: str) -> LiveGame:
        lock = self._loading.setdefault(game_id, asyncio.Lock())
        try:
            async with lock:
                if (found := self._games.find(game_id)) is not None:
                    return found
                # PostgreSQL refuses to look for a text with a NUL character; no id has one.
                events = [] if "\0" in game_id else await self.store.log(game_id)
                if not events:
                    raise Refusal(Code.NOT_FOUND, "There is no such game.")
                try:
                    seed = server_seed(self.key_of(fold(OnlineGame(game_id), "", events[:1])), game_id)
                    game = await fold_apart(OnlineGame(game_id), seed, events)
                except DamagedLog:
                    raise _damaged(game_id) from None
                seats = await self.store.seats(game_id)
                live = LiveGame(game, seed, seats, game.opening.owner, since=self._since(game))
                self.keep(live)
                if game.people_apart:
                    await self.look_elsewhere([game_id])
                self.wake_computer(live)
                return live
        except DamagedDatabase:
            raise _damaged(game_id) from None
        finally:
            self._loading.pop(game_id, None)

    def key_of(self, game: OnlineGame) -> bytes:
        """The key that dealt a game, or DamagedLog: without it the log cannot be read."""
        found = None if game.opened is None else self.keys.of(game.id, game.opened.seal)
        if found is None:
            raise DamagedLog(f"the key of game {game.id} is missing")
        return found

    def keep(self, live: LiveGame) -> None:
        """Keep a game in memory."""
        self._games.add(live)

    def kept(self, live: LiveGame) -> LiveGame:
        """The game in memory that a new subscriber follows; keeps it again if it was dropped meanwhile."""
        found = self._games.find(live.game.id)
        if found is None:
            found = live
            self.keep(live)
            self.tasks.start(self._catch_up(live))
        return found

    def _heard(self, game_id: str, version: int) -> None:
        """Another server has written: catch up if the game is in use here, or else drop it."""
        live = self._games.find(game_id)
        if live is None or live.game.version >= version:
            return
        if self._games.is_idle(live):
            self._games.drop(game_id)
        else:
            self.tasks.start(self._catch_up(live))

    async def _catch_up(self, live: LiveGame) -> None:
        try:
            async with live.lock:
                await self.refresh(live)
            if live.game.people_apart:
                await self.look_elsewhere([live.game.id])
        except (Unavailable, DamagedDatabase, Refusal):
            return  # the next request tries again

    async def poll(self) -> None:
        """Find changes whose notification was lost, ended sessions, and connections to other servers."""
        await self.publish()
        began = round(1000 * time())
        for session in await self.store.ended_since(self._polled - _CLOCK_SKEW):
            self.subscriptions.end_session(session)
        self._polled = began
        watched = [game_id for game_id in self.subscriptions.games() if game_id in self._games]
        for at in range(0, len(watched), 500):
            found = await self.store.versions(watched[at : at + 500])
            for game_id, version in found.items():
                if (live := self._games.find(game_id)) is not None:
                    live.checked = monotonic()
                self._heard(game_id, version)
            await self.look_elsewhere([game_id for game_id in found if game_id in self._games])

    async def publish(self) -> None:
        """Record in the database who is connected to this server."""
        self.subscriptions.arrival.clear()
        if await self._presence.publish(self.subscriptions.connected()):
            for live in self._games:
                live.since = self._since(live.game)

    # Writing

    async def append(
        self,
        live: LiveGame,
        seat: Seat | None,
        client: str | None,
        body: Body,
        session: str | None = None,
        takes: TakenSeat | None = None,
        opens: Listed | None = None,
    ) -> int:
        """Commit one event, then notify subscribers; return its version. A full log ends the game."""
        room = self.settings.most_events - 1 - live.game.version
        if room <= 0 and not isinstance(body, Cancelled):
            await self._cancel(live)
            raise Refusal(Code.GAME_OVER, "This game has reached its maximum length and ends.")
        game = live.game
        text = canonical(body)
        place = None if seat is None else int(seat)
        event = Event(game.version + 1, place, client, text, "", round(1000 * time()))
        after = apply_event(game, live.seed, event, body)
        event = Event(event.version, place, client, text, after.digest, event.at)
        now = status(game, after, live.people, event.at)
        await self.store.append(game.id, event, session=session, takes=takes, opens=opens, status=now)
        self.counts[kind(body)] += 1
        if takes is not None:
            live.people[takes.seat] = takes.person
        live.become(after, monotonic())
        self.subscriptions.notify(game.id)
        if room == 1:
            await self._cancel(live)
        return event.version

    async def _cancel(self, live: LiveGame) -> None:
        """End a game whose log is full."""
        if not live.game.over:
            await self.append(live, None, None, Cancelled(why="length"))

    def moved(self, live: LiveGame, seat: Seat, text: str) -> Moved:
        """The event of a move: sealed if both players choose at once, timed if there is a clock."""
        game = live.game
        assert game.session is not None
        seal = spent = None
        if len(game.acting) == len(Seat) or half_chosen(game.session.game, game.session.steps):
            version = game.version + 1
            seal = choice_seal(salt(self.key_of(game), game.id, version), game.id, version, text)
        if game.clock is not None and len(game.acting) == 1:
            spent = round(1000 * (monotonic() - live.since))
        return Moved(move=text, seal=seal, spent=spent)

    async def retry_conflicts(self, live: LiveGame, attempt: Callable[[], Awaitable[T]]) -> T:
        """Retry an append after conflicts, up to a limit."""
        for _ in range(_TRIES):
            try:
                return await attempt()
            except Conflict:
                await self.refresh(live)
        raise busy()

    # The computer

    def wake_computer(self, live: LiveGame) -> None:
        """Start the computer's move if it is its turn and it is not already thinking."""
        seat = live.game.computer
        if seat is None or seat not in live.game.acting or live.thinking is not None:
            return
        live.thinking = self.tasks.start(self._play_computer(live, seat))

    async def _play_computer(self, live: LiveGame, seat: Seat) -> None:
        try:
            while seat in live.game.acting:
                game = live.game
                move = await self.computer.choose(game, seat)
                async with live.lock:
                    if live.game is not game:
                        continue  # the person took back or resigned meanwhile
                    await self.append(live, seat, None, self.moved(live, seat, move))
        except Conflict:
            await self._catch_up(live)  # another server's computer was faster
        except Refusal:
            return  # the log is full, which has ended the game
        except (Unavailable, DamagedDatabase):
            await asyncio.sleep(1)
        finally:
            live.thinking = None
        if seat in live.game.acting and not self.subscriptions.closing:
            self.wake_computer(live)

    async def stop(self) -> None:
        """Stop all background tasks."""
        await self.tasks.stop()
        with suppress(Unavailable, DamagedDatabase):  # the lease expires by itself
            await self._presence.stop()
        self.computer.stop()


def _damaged(game_id: str) -> Refusal:
    """Report a damaged game to the operator, and return the refusal."""
    DAMAGED_GAMES.inc()
    log.error("damaged_game", game=game_id)
    return Refusal(
        Code.NOT_FOUND, "This game is damaged and cannot be shown. Please tell the server's operator."
    )
