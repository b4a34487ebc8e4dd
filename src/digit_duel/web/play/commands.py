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
from digit_duel.web.play.live_games import Caller, LiveGame, LiveGames, busy
from digit_duel.web.play.lobby import Lobby
from digit_duel.web.play.online_game import OnlineGame, canonical
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


class Commands:
    """Takes commands for all tables."""

    def __init__(self, live_games: LiveGames, lobby: Lobby) -> None:
        self._live_games, self._lobby = live_games, lobby

    async def command(self, game_id: str, caller: Caller, command: Command) -> tuple[LiveGame, Seat, Done]:
        """Carry out a seat's command once, however often it is sent."""
        live = await self._live_games.get(game_id)
        seat = self._commanding(live, caller, command.seat)
        if live.thinking is not None and len(live.game.acting) == len(Seat):
            # The computer's secret is sealed before the person's is taken.
            await asyncio.wait([live.thinking])
        async with live.lock:
            done: Done = await self._live_games.settle(live, lambda: self._once(live, caller, seat, command))
        self._live_games.wake_computer(live)
        return live, seat, done

    def _commanding(self, live: LiveGame, caller: Caller, seat: int | None) -> Seat:
        held = live.held(caller)
        if not held:
            raise Refusal(Code.FORBIDDEN, "You are watching this game: only its players can do that.")
        eyes = self._live_games.eyes(live, caller, seat)
        assert eyes is not None
        return eyes

    async def _once(self, live: LiveGame, caller: Caller, seat: Seat, command: Command) -> Done:
        if command.version > live.game.version:
            await self._live_games.refresh(live)
        if command.version > live.game.version:
            raise Refusal(Code.BAD_REQUEST, "There is no such version yet.")
        wanted = canonical(command.wanted)
        if (before := live.game.clients.get((int(seat), command.id))) is not None:
            version, text = before
            if _asked_for(text) != wanted:
                raise Refusal(Code.BAD_REQUEST, "This id was used for something else.")
            return Done(version, repeated=True)
        body = {**await self._body(live, seat, command), "asked": wanted}
        if body["kind"] == "offer" and _stands(live.game, seat, body):
            return Done(live.game.version, repeated=True)
        return Done(await self._live_games.append(live, int(seat), command.id, body, caller.session))

    async def _body(self, live: LiveGame, seat: Seat, command: Command) -> dict[str, Any]:
        """The event that a command leads to, or Refusal."""
        do, game = command.wanted["do"], live.game
        if do not in ("rematch", "decline"):
            if game.over:
                raise Refusal(Code.GAME_OVER, "The game is over.")
            if game.session is None:
                raise Refusal(Code.NOT_YOUR_TURN, "The game begins when both seats are taken.")
        timed = do == "claim" or (do == "move" and game.clock is not None)
        if timed and not self._live_games.subscriptions.sees_all(game.id):
            raise busy()  # who is here, and for how long, is known elsewhere
        match do:
            case "move":
                return self._move(live, seat, command)
            case "resign":
                return {"kind": "resign"}
            case "takeback":
                return self._takeback(live, seat)
            case "clock":
                return self._clock(game, seat, command.wanted["minutes"])
            case "decline":
                return self._decline(game, seat, command.wanted["what"])
            case "claim":
                why = claimable(game, seat, self._live_games.around(live))
                if why is None:
                    raise Refusal(Code.ILLEGAL_MOVE, "The game cannot be claimed now.")
                return {"kind": "claim", "why": why}
            case "rematch":
                return await self._lobby.rematch(live, seat, command.wanted["seed"])
        raise AssertionError(do)

    def _move(self, live: LiveGame, seat: Seat, command: Command) -> dict[str, Any]:
        game = live.game
        assert game.session is not None
        assert game.variant is not None
        if seat not in game.acting:
            if half_chosen(game.session.game, game.session.steps):
                raise Refusal(Code.ILLEGAL_MOVE, "Your choice is sealed already.")
            raise Refusal(Code.NOT_YOUR_TURN, "It is not your turn.")
        if command.version < game.asked[seat]:
            raise Refusal(Code.STALE_VERSION, "The game has moved on since then.")
        session, wanted = game.session, command.wanted
        try:
            if wanted.get("move") in game.legal[seat]:
                return self._live_games.moved(live, seat, wanted["move"])
            if "move" in wanted:
                move = session.game.parse(session.state, seat, wanted["move"])  # which says what is wrong
            else:
                move = one_line(voice(game.variant), session.state, seat, wanted["text"].strip(" "))
        except NotAMove as refused:
            raise Refusal(Code.BAD_REQUEST, str(refused)) from None
        except Refused as refused:
            raise Refusal(Code.ILLEGAL_MOVE, str(refused)) from None
        return self._live_games.moved(live, seat, session.game.text(move))

    def _takeback(self, live: LiveGame, seat: Seat) -> dict[str, Any]:
        game = live.game
        assert game.session is not None
        offered = game.offers.get("takeback")
        of = offered[0] if offered is not None and offered[0] is not seat else seat
        try:
            game.session.branch().undo(of)
        except Refused as refused:
            raise Refusal(Code.ILLEGAL_MOVE, str(refused)) from None
        if of is seat and game.people_apart:
            return {"kind": "offer", "what": "takeback"}
        return {"kind": "takeback", "of": int(of)}

    @staticmethod
    def _clock(game: OnlineGame, seat: Seat, minutes: int) -> dict[str, Any]:
        if not game.people_apart:
            raise Refusal(Code.ILLEGAL_MOVE, "A clock is for two people who play apart.")
        offered = game.offers.get("clock")
        if offered is not None and offered[0] is not seat and offered[1]["minutes"] == minutes:
            return {"kind": "clock", "minutes": minutes}
        return {"kind": "offer", "what": "clock", "minutes": minutes}

    @staticmethod
    def _decline(game: OnlineGame, seat: Seat, what: str) -> dict[str, Any]:
        if what not in game.offers:
            raise Refusal(Code.ILLEGAL_MOVE, "Nothing of that kind is offered.")
        return {"kind": "decline", "what": what}


def _stands(game: OnlineGame, seat: Seat, offer: Mapping[str, Any]) -> bool:
    """Whether the same is offered already; Refusal if somebody only fills the log with offers."""
    standing = game.offers.get(offer["what"])
    if standing is not None and standing[0] is seat and standing[1]["asked"] == offer["asked"]:
        return True
    made = sum(news.body["kind"] == "offer" and news.event.seat == seat for news in game.news)
    if made >= _MOST_OFFERS:
        raise Refusal(Code.ILLEGAL_MOVE, "You have made enough offers in this game.")
    return False


def _asked_for(body: str) -> str:
    """What the client asked for, as it stands in the event that came of it."""
    asked: str = json.loads(body)["asked"]
    return asked
