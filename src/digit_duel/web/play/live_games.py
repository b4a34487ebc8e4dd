"""The tables of one process: read from their logs, written by appending, shown as views."""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from itertools import islice
from time import monotonic, time
from typing import Any, TypeVar

from digit_duel.core.game import Seat
from digit_duel.core.session import half_chosen
from digit_duel.core.variant import AnyVariant
from digit_duel.web.logs import complain
from digit_duel.web.play.computer import Computer
from digit_duel.web.play.deals import choice_seal, salt, server_seed
from digit_duel.web.play.online_game import DamagedLog, Table, canonical, fold, happen
from digit_duel.web.play.subscriptions import Hub
from digit_duel.web.replies import Code, Refusal
from digit_duel.web.settings import Settings
from digit_duel.web.store import Claim, Conflict, DamagedDatabase, Event, Listed, Revoked, Store, Unavailable
from digit_duel.web.views.game_view import Around, view

T = TypeVar("T")
_HELD = ((), (Seat.FIRST,), (Seat.SECOND,), (Seat.FIRST, Seat.SECOND))
_TRIES = 8  # at one append, before somebody is asked to come again
_GRACE = 0.5  # seconds that a look at the database may be late


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks: a person, by a session; nobody in particular has neither."""

    person: str | None = field(default=None, repr=False)
    session: str | None = field(default=None, repr=False)  # the token's hash


@dataclass(slots=True)
class Live:
    """A table in memory, with what no log holds."""

    table: Table
    seed: str
    people: dict[int, str] = field(default_factory=dict)  # who sits where
    owner: str = ""
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    since: float = field(default_factory=monotonic)  # when the present choice was put, as far as we know
    checked: float = field(default_factory=monotonic)  # when this was known to be the last version
    thinking: asyncio.Task[None] | None = None

    def __repr__(self) -> str:
        return f"<live {self.table!r}>"  # neither the seed nor who sits here

    def held(self, asker: Asker) -> tuple[Seat, ...]:
        """The seats that belong to the asker."""
        person = asker.person
        if person is None:
            return ()
        first, second = self.people.get(0) == person, self.people.get(1) == person
        return _HELD[first + 2 * second]

    def become(self, table: Table) -> None:
        """Move on to a later version."""
        if table.asked != self.table.asked:
            self.since = monotonic()
        self.checked = monotonic()
        self.table = table


class Tables:
    """All tables of this process."""

    def __init__(self, settings: Settings, store: Store, key: bytes, hub: Hub) -> None:
        self.settings, self.store, self.hub = settings, store, hub
        self.key = key
        self._tables: OrderedDict[str, Live] = OrderedDict()
        self._loading: dict[str, asyncio.Lock] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._computer = Computer(settings.computer_pace, settings.analysis_seconds)
        self.counts: Counter[str] = Counter()  # events by kind, for the operator
        store.listen(self._heard)

    def __len__(self) -> int:
        return len(self._tables)

    # Reading

    async def live(self, game: str) -> Live:
        """The table of a game, from memory or from its log; Refusal if there is none."""
        found = self._tables.get(game)
        if found is None:
            found = await self._load(game)
        elif monotonic() - found.checked > self.settings.poll + _GRACE:
            found.checked = monotonic()  # nobody here watches it, and a notification may have been lost
            await self._catch_up(found)
        if game in self._tables:
            self._tables.move_to_end(game)
        return found

    async def look(
        self, game: str, asker: Asker, seat: int | None, after: int, stranger: bool
    ) -> dict[str, Any]:
        """The game as the asker may see it."""
        live = await self.live(game)
        return self.seen(live, asker, self.eyes(live, asker, seat, stranger), after)

    def eyes(self, live: Live, asker: Asker, seat: int | None, stranger: bool = False) -> Seat | None:
        """From whose sight the asker looks: a seat of theirs, or a stranger's."""
        if stranger:
            return None
        held = live.held(asker)
        if not held:
            if seat is not None:
                raise Refusal(Code.FORBIDDEN, "This seat is not yours.")
            return None
        if seat is not None:
            if Seat(seat) not in held:
                raise Refusal(Code.FORBIDDEN, "This seat is not yours.")
            return Seat(seat)
        acting = live.table.acting
        return next((each for each in held if each in acting), held[0]) if len(held) > 1 else held[0]

    def seen(self, live: Live, asker: Asker, seat: Seat | None, after: int = 0) -> dict[str, Any]:
        """The view of a table."""
        held = live.held(asker)
        owner = asker.person is not None and asker.person == live.owner
        return view(live.table, seat, held, owner, self.around(live), after)

    def around(self, live: Live) -> Around:
        """Who is here, and for how long the present choice has been waiting."""
        here, watchers = self.hub.present(live.table.id)
        elapsed = round(1000 * (monotonic() - live.since))
        return Around(here, watchers, elapsed, self.settings.claim_after)

    async def refresh(self, live: Live) -> None:
        """Catch up with what other workers wrote."""
        table = live.table
        try:
            events = await self.store.log(table.id, table.version)
            if not events:
                return
            after = fold(table, live.seed, events)
        except (DamagedLog, DamagedDatabase):
            self._tables.pop(table.id, None)
            raise
        if live.table.version >= after.version:
            return  # somebody was quicker
        if any(player.open for player in live.table.players):
            live.people = await self.store.seats(table.id)
        if live.table.version < after.version:
            live.become(after)
            self.hub.ring(table.id)
            self.wake_computer(live)

    async def _load(self, game: str) -> Live:
        lock = self._loading.setdefault(game, asyncio.Lock())
        try:
            async with lock:
                if game in self._tables:
                    return self._tables[game]
                events = await self.store.log(game)
                if not events:
                    raise Refusal(Code.NOT_FOUND, "There is no such game.")
                seed = server_seed(self.key, game)
                try:
                    table = fold(Table(game), seed, events)
                except DamagedLog:
                    raise Refusal(
                        Code.NOT_FOUND, "This game's log is damaged; it is kept, but cannot be shown."
                    ) from None
                live = Live(table, seed, await self.store.seats(game), table.opening["owner"])
                self.keep(live)
                self.wake_computer(live)
                return live
        except Unavailable:
            raise busy() from None
        except DamagedDatabase:
            raise Refusal(Code.NOT_FOUND, "This game cannot be read: the database is damaged.") from None
        finally:
            self._loading.pop(game, None)

    def keep(self, live: Live) -> None:
        """Have a table in memory, and let go of those that nobody has used for long."""
        self._tables[live.table.id] = live
        spare = len(self._tables) - self.settings.most_tables
        if spare > 0:
            idle = (game for game, old in self._tables.items() if old is not live and self._idle(old))
            for game in list(islice(idle, spare)):
                del self._tables[game]

    def kept(self, live: Live) -> Live:
        """The table that somebody begins to follow: it may have been let go of since they asked for it."""
        found = self._tables.get(live.table.id)
        if found is None:
            found = live
            self.keep(live)
            self._go(self._catch_up(live))
        return found

    def _heard(self, game: str, version: int) -> None:
        """Another worker has written: follow, if it matters here; else the log is there to be read again."""
        live = self._tables.get(game)
        if live is None or live.table.version >= version:
            return
        if self._idle(live):
            del self._tables[game]
        else:
            self._go(self._catch_up(live))

    def _idle(self, live: Live) -> bool:
        """Whether nobody here has to do with a table at this moment."""
        return live.thinking is None and not live.lock.locked() and not self.hub.anybody(live.table.id)

    def _go(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Start something that goes on by itself, and keep hold of it."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._gone)
        return task

    def _gone(self, task: asyncio.Task[None]) -> None:
        """Let go of it; a mistake is told by its kind and place, for the loop would print its text."""
        self._tasks.discard(task)
        if not task.cancelled() and (wrong := task.exception()) is not None:
            complain(wrong)

    async def _catch_up(self, live: Live) -> None:
        try:
            async with live.lock:
                await self.refresh(live)
        except (Unavailable, DamagedDatabase, DamagedLog):
            return  # the next look at it will tell

    async def poll(self) -> None:
        """Look once for what notifications did not bring."""
        watched = [game for game in self.hub.games() if game in self._tables]
        for at in range(0, len(watched), 500):
            found = await self.store.versions(watched[at : at + 500])
            for game, version in found.items():
                if game in self._tables:
                    self._tables[game].checked = monotonic()
                self._heard(game, version)

    # Writing

    async def append(
        self,
        live: Live,
        seat: int | None,
        client: str | None,
        body: Mapping[str, Any],
        session: str | None = None,
        claim: Claim | None = None,
        opens: Listed | None = None,
    ) -> int:
        """Commit one event, and only then let it be seen; its version. A log that is full ends the game."""
        room = self.settings.most_events - 1 - live.table.version
        if room > 0:
            await self._append(live, seat, client, body, session, claim, opens)
        written = live.table.version
        if room <= 1 and not live.table.over:
            await self._append(live, None, None, {"kind": "cancel", "why": "length"})
        if room <= 0:
            raise Refusal(Code.GAME_OVER, "This game has grown too long to go on.")
        return written

    async def _append(
        self,
        live: Live,
        seat: int | None,
        client: str | None,
        body: Mapping[str, Any],
        session: str | None = None,
        claim: Claim | None = None,
        opens: Listed | None = None,
    ) -> None:
        table = live.table
        text = canonical(body)
        event = Event(table.version + 1, seat, client, text, "", round(1000 * time()))
        after = happen(table, live.seed, event)
        event = Event(event.version, seat, client, text, after.digest, event.at)
        await self.store.append(table.id, event, session=session, claim=claim, opens=opens, over=after.over)
        self.counts[body["kind"]] += 1
        if claim is not None:
            live.people[claim.seat] = claim.person
        live.become(after)
        self.hub.ring(table.id)

    def moved(self, live: Live, seat: Seat, text: str) -> dict[str, Any]:
        """The event of a move: sealed, if the two choose at once; timed, if there is a clock."""
        table = live.table
        assert table.session is not None
        body: dict[str, Any] = {"kind": "move", "move": text}
        if len(table.acting) == len(Seat) or half_chosen(table.session.game, table.session.steps):
            version = table.version + 1
            body["seal"] = choice_seal(salt(self.key, table.id, version), table.id, version, text)
        if table.clock is not None and len(table.acting) == 1:
            body["spent"] = round(1000 * (monotonic() - live.since))
        return body

    async def settle(self, live: Live, attempt: Callable[[], Awaitable[T]]) -> T:
        """Try something that appends until it is in, or refused, or there is no telling."""
        for _ in range(_TRIES):
            try:
                return await attempt()
            except Conflict:
                try:
                    await self.refresh(live)
                except Unavailable:
                    raise busy() from None
            except Revoked:
                raise Refusal(Code.FORBIDDEN, "This session has ended.") from None
            except (Unavailable, DamagedDatabase):
                raise busy() from None
        raise busy()

    # The computer

    async def accept_computer(self, level: str, variant: AnyVariant) -> None:
        """Refuse a computer that could not think these rules through."""
        await self._computer.accept(level, variant)

    def wake_computer(self, live: Live) -> None:
        """Let the computer think, if it is to move and does not think yet."""
        seat = live.table.computer
        if seat is None or seat not in live.table.acting or live.thinking is not None:
            return
        live.thinking = self._go(self._play_computer(live, seat))

    async def _play_computer(self, live: Live, seat: Seat) -> None:
        try:
            while seat in live.table.acting:
                table = live.table
                move = await self._computer.choose(table, seat)
                async with live.lock:
                    if live.table is not table:
                        continue  # taken back, or resigned, while it thought
                    await self.append(live, int(seat), None, self.moved(live, seat, move))
        except Conflict:
            await self._catch_up(live)  # another worker's computer was quicker
        except (Unavailable, DamagedDatabase):
            await asyncio.sleep(1)
        finally:
            live.thinking = None
        if seat in live.table.acting and not self.hub.closing:
            self.wake_computer(live)

    async def stop(self) -> None:
        """End what goes on by itself."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._computer.stop()


def busy() -> Refusal:
    """What is said when the store cannot take it now."""
    return Refusal(Code.BUSY_RETRY, "Nothing was lost, but this could not be saved now. Please try again.")
