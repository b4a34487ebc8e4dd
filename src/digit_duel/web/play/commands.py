"""Where a seat's commands become events: checked against the rules, and carried out once."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from digit_duel.core.answers import one_line
from digit_duel.core.game import NotAMove, Refused, Seat
from digit_duel.core.session import half_chosen
from digit_duel.web.play.live_games import Asker, Live, Tables, busy
from digit_duel.web.play.lobby import Openings
from digit_duel.web.play.online_game import Table, canonical
from digit_duel.web.replies import Code, Done, Refusal
from digit_duel.web.views.choices import voice
from digit_duel.web.views.game_view import claimable

_MOST_OFFERS = 50  # of one seat in one game: a log that is full of them would end the game in a draw


@dataclass(frozen=True, slots=True)
class Command:
    """One thing a seat wants done, with the id under which its client may ask again."""

    id: str
    version: int
    seat: int | None
    wanted: Mapping[str, Any] = field(repr=False)  # {"do": ..., ...}


class Desk:
    """Takes commands for all tables."""

    def __init__(self, tables: Tables, openings: Openings) -> None:
        self._tables, self._openings = tables, openings

    async def command(self, game: str, asker: Asker, command: Command) -> tuple[Live, Seat, Done]:
        """Carry out a seat's command once, however often it is sent."""
        live = await self._tables.live(game)
        seat = self._commanding(live, asker, command.seat)
        if live.thinking is not None and len(live.table.acting) == len(Seat):
            # The computer's secret is sealed before the person's is taken.
            await asyncio.wait([live.thinking])
        async with live.lock:
            done: Done = await self._tables.settle(live, lambda: self._once(live, asker, seat, command))
        self._tables.wake_computer(live)
        return live, seat, done

    def _commanding(self, live: Live, asker: Asker, seat: int | None) -> Seat:
        held = live.held(asker)
        if not held:
            raise Refusal(Code.FORBIDDEN, "You are watching this game: only its players can do that.")
        eyes = self._tables.eyes(live, asker, seat)
        assert eyes is not None
        return eyes

    async def _once(self, live: Live, asker: Asker, seat: Seat, command: Command) -> Done:
        if command.version > live.table.version:
            await self._tables.refresh(live)
        if command.version > live.table.version:
            raise Refusal(Code.BAD_REQUEST, "There is no such version yet.")
        wanted = canonical(command.wanted)
        if (before := live.table.clients.get((int(seat), command.id))) is not None:
            version, text = before
            if _asked_for(text) != wanted:
                raise Refusal(Code.BAD_REQUEST, "This id was used for something else.")
            return Done(version, repeated=True)
        body = {**await self._body(live, seat, command), "asked": wanted}
        if body["kind"] == "offer" and _stands(live.table, seat, body):
            return Done(live.table.version, repeated=True)
        return Done(await self._tables.append(live, int(seat), command.id, body, asker.session))

    async def _body(self, live: Live, seat: Seat, command: Command) -> dict[str, Any]:
        """The event that a command leads to, or Refusal."""
        do, table = command.wanted["do"], live.table
        if do not in ("rematch", "decline"):
            if table.over:
                raise Refusal(Code.GAME_OVER, "The game is over.")
            if table.session is None:
                raise Refusal(Code.NOT_YOUR_TURN, "The game begins when both seats are taken.")
        timed = do == "claim" or (do == "move" and table.clock is not None)
        if timed and not self._tables.hub.sees_all(table.id):
            raise busy()  # who is here, and for how long, is known elsewhere
        match do:
            case "move":
                return self._move(live, seat, command)
            case "resign":
                return {"kind": "resign"}
            case "takeback":
                return self._takeback(live, seat)
            case "clock":
                return self._clock(table, seat, command.wanted["minutes"])
            case "decline":
                return self._decline(table, seat, command.wanted["what"])
            case "claim":
                why = claimable(table, seat, self._tables.around(live))
                if why is None:
                    raise Refusal(Code.ILLEGAL_MOVE, "The game cannot be claimed now.")
                return {"kind": "claim", "why": why}
            case "rematch":
                return await self._openings.rematch(live, seat, command.wanted["seed"])
        raise AssertionError(do)

    def _move(self, live: Live, seat: Seat, command: Command) -> dict[str, Any]:
        table = live.table
        assert table.session is not None
        assert table.variant is not None
        if seat not in table.acting:
            if half_chosen(table.session.game, table.session.steps):
                raise Refusal(Code.ILLEGAL_MOVE, "Your choice is sealed already.")
            raise Refusal(Code.NOT_YOUR_TURN, "It is not your turn.")
        if command.version < table.asked[seat]:
            raise Refusal(Code.STALE_VERSION, "The game has moved on since then.")
        session, wanted = table.session, command.wanted
        try:
            if wanted.get("move") in table.legal[seat]:
                return self._tables.moved(live, seat, wanted["move"])
            if "move" in wanted:
                move = session.game.parse(session.state, seat, wanted["move"])  # which says what is wrong
            else:
                move = one_line(voice(table.variant), session.state, seat, wanted["text"].strip(" "))
        except NotAMove as refused:
            raise Refusal(Code.BAD_REQUEST, str(refused)) from None
        except Refused as refused:
            raise Refusal(Code.ILLEGAL_MOVE, str(refused)) from None
        return self._tables.moved(live, seat, session.game.text(move))

    def _takeback(self, live: Live, seat: Seat) -> dict[str, Any]:
        table = live.table
        assert table.session is not None
        offered = table.offers.get("takeback")
        of = offered[0] if offered is not None and offered[0] is not seat else seat
        try:
            table.session.branch().undo(of)
        except Refused as refused:
            raise Refusal(Code.ILLEGAL_MOVE, str(refused)) from None
        if of is seat and table.people_apart:
            return {"kind": "offer", "what": "takeback"}
        return {"kind": "takeback", "of": int(of)}

    @staticmethod
    def _clock(table: Table, seat: Seat, minutes: int) -> dict[str, Any]:
        if not table.people_apart:
            raise Refusal(Code.ILLEGAL_MOVE, "A clock is for two people who play apart.")
        offered = table.offers.get("clock")
        if offered is not None and offered[0] is not seat and offered[1]["minutes"] == minutes:
            return {"kind": "clock", "minutes": minutes}
        return {"kind": "offer", "what": "clock", "minutes": minutes}

    @staticmethod
    def _decline(table: Table, seat: Seat, what: str) -> dict[str, Any]:
        if what not in table.offers:
            raise Refusal(Code.ILLEGAL_MOVE, "Nothing of that kind is offered.")
        return {"kind": "decline", "what": what}


def _stands(table: Table, seat: Seat, offer: Mapping[str, Any]) -> bool:
    """Whether the same is offered already; Refusal if somebody only fills the log with offers."""
    standing = table.offers.get(offer["what"])
    if standing is not None and standing[0] is seat and standing[1]["asked"] == offer["asked"]:
        return True
    made = sum(news.body["kind"] == "offer" and news.event.seat == seat for news in table.news)
    if made >= _MOST_OFFERS:
        raise Refusal(Code.ILLEGAL_MOVE, "You have made enough offers in this game.")
    return False


def _asked_for(body: str) -> str:
    """What the client asked for, as it stands in the event that came of it."""
    asked: str = json.loads(body)["asked"]
    return asked
