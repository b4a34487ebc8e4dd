"""One story in one world: the game is played on a server, and the observer asks at every outlet."""

from __future__ import annotations

import gc
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any, NoReturn
from unittest.mock import patch

from msgspec import structs
from tests.web.leaks.asks import BROWSER, PLAYER, STRANGER, WATCHING, Ask, Situation
from tests.web.leaks.game_outlets import commands_of, events, every_version, last_commands, look, socket
from tests.web.leaks.outlets import OF_NO_GAME, OUTLETS
from tests.web.leaks.servers import Server
from tests.web.leaks.site_outlets import strays
from tests.web.leaks.wire import HOST, Line, ask, settle
from tests.web.leaks.worlds import Story
from tests.worlds import LETTERS, NAMES

from digit_duel import games
from digit_duel.core.game import Seat
from digit_duel.web.http.sessions import hashed
from digit_duel.web.play import game_service
from digit_duel.web.play.events import canonical
from digit_duel.web.play.fair_deals.deals import salt, server_seed
from digit_duel.web.play.live_game import Caller, LiveGame
from digit_duel.web.play.lobby import Wish

OBSERVER, ONLOOKER = "token-of-the-observer", "token-of-an-onlooker"
# Figures of time and memory, and those that all servers of this process add to.
_BY_THE_CLOCK = re.compile(rb"^(?!digit_duel_(events|connections|tables)).*\n", re.MULTILINE)
_RESERVED = re.compile(rb'"deal":{"game":"[0-9a-f]{8}[A-Za-z0-9_-]{16}","seal":"[0-9a-f]{64}"}')
_ADDRESS = re.compile(" at 0x[0-9a-f]+")
SOME = 8  # questions of a story that is not thorough


class Broken(Exception):
    """An exception in the server whose message contains the whole state."""


@dataclass(slots=True)
class Shown:
    """What one world showed, in order; and what is secret there."""

    told: list[tuple[str, bytes]] = field(default_factory=list)
    secrets: dict[str, bytes] = field(default_factory=dict)
    deck_seals: dict[str, str] = field(default_factory=dict)  # by game
    choices: list[tuple[str, int, str, str]] = field(default_factory=list)  # game, version, move and seal

    def add(self, where: str, messages: Iterable[bytes]) -> None:
        """Record what was sent, message by message, or that nothing was."""
        self.told.append((where, b"\n--\n".join(messages)))

    def blanked(self) -> list[tuple[str, bytes]]:
        """The same with a fixed token for each seal, where a seal may stand and nowhere else."""
        blanks = []
        for seal in self.deck_seals.values():
            for shape in ('"seal":"%s"', '[Seal "%s"]'):
                blanks.append(((shape % seal).encode(), (shape % "of a deck").encode()))
        for *_, seal in self.choices:
            shape = '"seal":"%s","at":'
            blanks.append(((shape % seal).encode(), (shape % "of a choice").encode()))
        found = []
        for where, text in self.told:
            text = _RESERVED.sub(b'"deal":{}', text)
            if "/metrics" in where:
                text = _BY_THE_CLOCK.sub(b"", text)
            for seal_there, blank in blanks:
                text = text.replace(seal_there, blank)
            found.append((where, text))
        return found


class Telling:
    """A story's course in one of its worlds."""

    def __init__(self, server: Server, story: Story, number: int) -> None:
        self._server, self._story, self._tokens = server, story, story.worlds[number]
        self._live_games, self._lobby = server.game_service, server.services.lobby
        self.shown = Shown()
        self._asks = Random(f"{story.seed}/asks")  # the same in all worlds
        self._private = Random(f"{story.seed}/secrets/{number}")  # another one in each
        self._tokens_of: dict[Seat, str] = {}
        self._lines: list[tuple[str, Line, int]] = []
        self._game = ""

    async def run(self) -> Shown:
        """Play, ask, and tell what was seen."""
        server = self._server
        server.clean(self._private.randbytes(32))
        with server.heard():
            await self._sit_down()
            await self._play_until(self._looked_on_from())
            await self._look_on()
            await self._ask_around()
            await self._hang_up()
            self.shown.add("what a debugger prints", [await self._printed()])
        self.shown.add("the log", [server.log])
        self._tell_secrets()
        await server.end()
        return self.shown

    async def begin(self) -> LiveGame:
        """Only play, beside other games on the same server; the table where the story ends."""
        await self._sit_down()
        await self._play_until(len(self._tokens))
        live: LiveGame = await self._live_games.get(self._game)
        return live

    # The game.

    async def _sit_down(self) -> None:
        story, store = self._story, self._server.store
        self._server.fate.begin(f"{story.seed}/chance", f"{story.seed}/private/{self._private.random()}")
        variant = games.variant(story.variant).customised(story.settings)
        both = self._private.randbytes(12).hex()
        callers = {}
        for seat in Seat:
            mine = seat is story.sight
            self._tokens_of[seat] = OBSERVER if mine else self._private.randbytes(24).hex()
            person = "observer" if mine else self._private.randbytes(9).hex()
            if story.opponent == "same_device":
                self._tokens_of[seat], person = both, f"{both}'s owner"
            store.sessions[hashed(self._tokens_of[seat])] = person
            callers[seat] = Caller(person, hashed(self._tokens_of[seat]))
            self.shown.secrets |= {} if mine else {f"{NAMES[seat]}'s id": person.encode()}
        store.sessions[hashed(ONLOOKER)] = "an onlooker"
        level = "random" if story.opponent == "computer" else None
        start = "me" if story.owner is Seat.FIRST else "other"
        wish = Wish(variant, story.opponent, level, start, story.hints, None)
        live, secret = await self._lobby.open(callers[story.owner], wish)
        self._game = live.game.id
        live.since = self._server.fate.now  # a new one has looked at the real clock
        self._server.fate.deals[server_seed(self._live_games.keys.newest, self._game)] = self._tokens
        for seat in (story.owner, story.owner.other):
            if story.opponent == "computer" and seat is not story.owner:
                continue
            seed = "0b5e" if seat is story.sight else self._private.randbytes(8).hex()
            if seat is not story.sight:
                self.shown.secrets[f"{NAMES[seat]}'s seed"] = bytes.fromhex(seed)
            invite = secret if seat is not story.owner else None
            await self._lobby.join(self._game, callers[seat], seat, NAMES[seat], seed, invite)
        if secret is not None:
            self.shown.secrets["invitation"] = secret.encode()
        self._server.fate.private = self._server.fate.shared  # what is opened later is the observer's own

    def _looked_on_from(self) -> int:
        """The move from which on the observer looks."""
        choices = [at for at, token in enumerate(self._tokens) if token[0] != "d"]
        return choices[-self._story.live] if len(choices) >= self._story.live else 0

    async def _play_until(self, ply: int) -> None:
        """Make the moves before the observer comes."""
        live = await self._live_games.get(self._game)
        await settle()
        while len(live.game.session.steps) < ply:
            if (seat := self._next_seat(live)) is live.game.computer:
                self._live_games.wake_computer(live)
                await settle()
                continue
            move = self._tokens[len(live.game.session.steps)]
            asked = canonical({"do": "move", "move": move})
            self._server.fate.now += 0.25
            body = structs.replace(self._live_games.moved(live, seat, move), asked=asked)
            await self._live_games.append(live, seat, self._client(live, seat), body)
        await settle()
        if self._story.reload and live.game.computer is None:
            self._live_games._games.clear()
            (await self._live_games.get(self._game)).since = self._server.fate.now

    def _next_seat(self, live: LiveGame) -> Seat:
        """Whose move comes next in this story."""
        session = live.game.session
        assert session is not None
        if len(live.game.acting) == 1:
            return live.game.acting[0]
        return Seat(LETTERS.index(self._tokens[len(session.steps)][0]))

    def _client(self, live: LiveGame, seat: Seat) -> str:
        """The id that a move is sent with; nobody else is to see it."""
        secret = self._private.randbytes(6).hex()
        return f"m{live.game.version}" if seat is self._story.sight else secret

    async def _look_on(self) -> None:
        """Make the other moves under the observer's eyes."""
        at = await self._situation()
        connections = [*events(at), *socket(at)]
        for each in self._asks.sample(connections, len(connections) if self._story.thorough else 2):
            await self._open(each)
        live = await self._live_games.get(self._game)
        while len(live.game.session.steps) < len(self._tokens):
            self._server.fate.now += 1.25
            if (seat := self._next_seat(live)) is live.game.computer:
                self._live_games.wake_computer(live)
            else:
                await self._command(live, seat)
            await settle()
            self._listen()
            at = await self._situation()
            await self._ask(Ask(at.me, "GET", f"/api/games/{self._game}?after={at.some_version()}"))

    async def _command(self, live: LiveGame, seat: Seat) -> None:
        """A person's move over the network; its answer is for that person only and is not compared."""
        move = self._tokens[len(live.game.session.steps)] if live.game.session else ""
        body = {"id": self._client(live, seat), "version": live.game.version, "do": "move", "move": move}
        if self._story.opponent == "same_device":
            body["seat"] = int(seat)
        command = Ask(PLAYER, "POST", f"/api/games/{self._game}/commands", body)
        if seat is self._story.sight:
            await self._ask(command)
            return
        told = await self.answered(command, {"authorization": f"Bearer {self._tokens_of[seat]}"})
        assert b'"code":"ok"' in b"".join(told), (self._story, told)

    # The observer.

    async def _situation(self) -> Situation:
        live = await self._live_games.get(self._game)
        sight = self._story.sight
        waiting = sight is not None and sight in live.game.acting
        return Situation(self._game, live.game.version, sight, waiting, self._asks)

    async def _ask_around(self) -> None:
        """Ask at every outlet if the story is thorough, else here and there."""
        at = await self._situation()
        found = list(self._everything(at))
        for each in found if self._story.thorough else self._asks.sample(found, SOME):
            await self._ask(each)
        if self._story.fault:
            await self._break()
        await self._talk(at)
        for each in last_commands(at) if self._asks.random() < 0.1 else ():
            await self._ask(each)
        at = await self._situation()
        for each in self._asks.sample([*look(at), *OUTLETS["GET", "/metrics"](at)], 2):
            await self._ask(each)

    def _everything(self, at: Situation) -> Iterator[Ask]:
        """All that can be asked now; what follows from no game only if the story is thorough."""
        for place, found in OUTLETS.items():
            if self._story.thorough or (place not in OF_NO_GAME and place[0] != "HEAD"):
                yield from found(at)
        yield from (*every_version(at), *strays(at)) if self._story.thorough else every_version(at)

    async def _talk(self, at: Situation) -> None:
        """Commands over the sockets that are open."""
        commands = list(commands_of(at))
        for where, line, _ in self._lines:
            if line.socket and not where.startswith(WATCHING):
                for command in commands if self._story.thorough else self._asks.sample(commands, 2):
                    line.say(json.dumps({"type": "command", **command}))
                    await settle()
        self._listen()

    async def _break(self) -> None:
        """Make the server fail; its answers and log must not reveal the exception's message."""
        live = await self._live_games.get(self._game)
        truth = f"{live.game.session and live.game.session.state} {live.seed}"

        def broken(*known: Any, **more: Any) -> NoReturn:
            raise Broken(truth)

        at = await self._situation()
        with patch.object(game_service, "view", broken):
            for each in (*look(at), *socket(at), *events(at)):
                await self._ask(each)

        async def broken_alone() -> None:
            broken()

        self._live_games.tasks.start(broken_alone())
        await settle()
        gc.collect()  # a loop tells of a task that nobody looked after when it is gone

    async def _ask(self, each: Ask) -> None:
        where = f"{each.who}: {each.method} {each.target} {each.body or ''}"
        if not each.line:
            self.shown.add(where, await self.answered(each, self.headers(each.who)))
            return
        line = Line(self._server.app, each.method, each.target, self._all(each), self._server.complain)
        await settle()
        await line.hang_up()
        self.shown.add(where, line.told)

    async def answered(self, each: Ask, headers: Mapping[str, str]) -> list[bytes]:
        more = {"content-type": "application/json", **each.headers, **headers}
        return await ask(self._server.app, each.method, each.target, more, each.data, self._server.complain)

    async def _open(self, each: Ask) -> None:
        """Open a connection that stays."""
        line = Line(self._server.app, each.method, each.target, self._all(each), self._server.complain)
        await settle()
        self._lines.append((f"{each.who}: line {each.method} {each.target}", line, 0))
        self._listen()

    def _listen(self) -> None:
        """Keep what came over the open connections since the last time."""
        for number, (where, line, heard) in enumerate(self._lines):
            self.shown.add(where, line.told[heard:])
            self._lines[number] = (where, line, len(line.told))

    async def _hang_up(self) -> None:
        for _, line, _ in self._lines:
            await line.hang_up()
        self._listen()

    def _all(self, each: Ask) -> Mapping[str, str]:
        page = {"origin": f"http://{HOST}"} if each.method == "WS" else {}
        return {**page, **each.headers, **self.headers(each.who)}

    def headers(self, who: str) -> Mapping[str, str]:
        """The headers that identify a caller."""
        if who == BROWSER:
            cookie = f"{self._server.services.sessions.cookie}={OBSERVER}"
            return {"cookie": cookie, "origin": f"http://{HOST}"}
        tokens = {PLAYER: OBSERVER, STRANGER: ONLOOKER, WATCHING: self._tokens_of[self._story.owner]}
        return {"authorization": f"Bearer {tokens[who]}"} if who in tokens else {}

    # What nobody may see.

    async def _printed(self) -> bytes:
        """The server's objects as a traceback, a log or a debugger prints them (C16)."""
        live = await self._live_games.get(self._game)
        online_game = live.game
        found = [
            self._live_games,
            live,
            online_game,
            *online_game.players,
            *online_game.news,
            online_game.session,
        ]
        found += [news.event for news in online_game.news]
        return _ADDRESS.sub("", "\n".join(f"{each!r} {each}" for each in found)).encode()

    def _tell_secrets(self) -> None:
        key, shown = self._live_games.keys.newest, self.shown
        shown.secrets["key"] = key
        for game, events_of in self._server.store.logs.items():
            shown.secrets[f"seed of {game}"] = bytes.fromhex(server_seed(key, game))
            for event in events_of:
                body = json.loads(event.body)
                if body["kind"] == "open":
                    shown.deck_seals[game] = body["seal"]
                elif "seal" in body:
                    shown.choices.append((game, event.version, body["move"], body["seal"]))
                    shown.secrets[f"salt of {game}, {event.version}"] = bytes.fromhex(
                        salt(key, game, event.version)
                    )
