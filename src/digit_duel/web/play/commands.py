"""Carries out players' commands: checks each against the rules and turns it into an event, exactly once."""

from __future__ import annotations

import asyncio

from msgspec.structs import replace

from digit_duel.core.answers import one_line
from digit_duel.core.game import NotAMove, Refused, Seat
from digit_duel.core.session import half_chosen
from digit_duel.web.field_types import OfferKind
from digit_duel.web.play import command_types as commands
from digit_duel.web.play import events
from digit_duel.web.play.clocks import TIME, claimable, flag_fell
from digit_duel.web.play.command_types import Command
from digit_duel.web.play.events import Body
from digit_duel.web.play.game_service import GameService
from digit_duel.web.play.live_game import Caller, LiveGame
from digit_duel.web.play.lobby import Lobby
from digit_duel.web.play.online_game import OnlineGame
from digit_duel.web.replies import Code, Done, Refusal
from digit_duel.web.views.choices import cached_script

_MOST_OFFERS = 50  # of one seat in one game: they must not fill the log, which ends the game
_NEXT_GAME = 4  # events that a rematch takes besides its own, counting the row of the new game as one


class Commands:
    """Carries out the commands of all games."""

    def __init__(self, game_service: GameService, lobby: Lobby) -> None:
        self._games, self._lobby = game_service, lobby

    async def command(self, game_id: str, caller: Caller, command: Command) -> tuple[LiveGame, Done]:
        """Carry out a command once, however often it is sent, or raise Refusal."""
        live = await self._games.get(game_id)
        seats = self._commanding(live, caller, command.seat)
        if live.thinking is not None and len(live.game.acting) == len(Seat):
            # Both choose at once: the computer's choice must be sealed before the person's arrives.
            await asyncio.wait([live.thinking])
        async with live.lock:
            done: Done = await self._games.retry_conflicts(
                live, lambda: self._once(live, caller, seats, command)
            )
        self._games.wake_computer(live)
        return live, done

    def _commanding(self, live: LiveGame, caller: Caller, seat: Seat | None) -> tuple[Seat, ...]:
        """The seats that a command may be for."""
        held = live.held(caller)
        if not held:
            raise Refusal(Code.FORBIDDEN, "You are watching this game: only its players can do that.")
        if seat is not None and seat not in held:
            raise Refusal(Code.FORBIDDEN, "This seat is not yours.")
        return held if seat is None else (seat,)

    async def _once(self, live: LiveGame, caller: Caller, seats: tuple[Seat, ...], command: Command) -> Done:
        if command.version > live.game.version:
            await self._games.refresh(live)
        if command.version > live.game.version:
            raise Refusal(Code.BAD_REQUEST, "There is no such version yet.")
        # A repetition is for the same seat, even if the other one is to choose by now.
        repeated = (seat for seat in seats if (seat, command.id) in live.game.clients)
        seat, asked = next(repeated, live.first_acting(seats)), command.asked
        if (before := live.game.clients.get((seat, command.id))) is not None:
            version, asked_before = before
            if asked_before != asked:
                raise Refusal(Code.BAD_REQUEST, "This id belongs to another command: choose a new one.")
            return Done(version, repeated=True)
        body = await self._event(live, seat, command)
        if isinstance(body, events.Claimed) and isinstance(command, commands.MoveCommand):
            # A move after the time is up: the opponent wins, as if they had claimed the game.
            await self._games.append(live, seat.other, None, body, caller.session)
            raise Refusal(Code.GAME_OVER, "Your time is up: you have lost on time.")
        body = replace(body, asked=asked)
        if isinstance(body, events.Offered) and _is_repeated(live.game, seat, body):
            return Done(live.game.version, repeated=True)
        return Done(await self._games.append(live, seat, command.id, body, caller.session))

    async def _event(self, live: LiveGame, seat: Seat, command: Command) -> Body:
        """The event that a command causes, or Refusal."""
        game = live.game
        if isinstance(command, commands.RematchCommand):
            return await self._lobby.rematch(live, seat, command.seed)
        if isinstance(command, commands.DeclineCommand):
            return _decline(game, command.what)
        if game.over:
            raise Refusal(Code.GAME_OVER, "The game is over.")
        if game.session is None:
            raise Refusal(Code.NOT_YOUR_TURN, "The game begins when both seats are taken.")
        match command:
            case commands.MoveCommand():
                if flag_fell(game, seat, self._games.around(live)):
                    return events.Claimed(why=TIME)
                return self._move(live, seat, command)
            case commands.ResignCommand():
                return events.Resigned()
            case commands.TakebackCommand():
                return _takeback(game, seat, self._games.settings.most_takebacks)
            case commands.ClockCommand():
                return _clock(game, seat, command.minutes)
            case commands.ClaimCommand():
                return await self._claim(live, seat)

    async def _claim(self, live: LiveGame, seat: Seat) -> Body:
        around = self._games.around(live)
        alone = around._replace(here=(False, False), away=(around.elapsed, around.elapsed))
        why = claimable(live.game, seat, alone)
        if why is not None:  # true if the opponent is connected to no server: find out
            await self._games.publish()  # records when the opponent disconnected from this server
            await self._games.look_elsewhere([live.game.id])
            why = claimable(live.game, seat, self._games.around(live))
        if why is None:
            raise Refusal(Code.ILLEGAL_MOVE, "You cannot claim the game now.")
        return events.Claimed(why=why)

    def _move(self, live: LiveGame, seat: Seat, command: commands.MoveCommand) -> Body:
        game, session = live.game, live.game.session
        assert session is not None
        if seat not in game.acting:
            if half_chosen(session.game, session.steps):
                raise Refusal(Code.ILLEGAL_MOVE, "Your choice is already sealed.")
            raise Refusal(Code.NOT_YOUR_TURN, "It is not your turn.")
        if command.version < game.asked[seat]:
            raise Refusal(Code.STALE_VERSION, "The game has moved on: look at it and choose again.")
        if command.move in game.legal[seat]:
            return self._games.moved(live, seat, command.move)
        try:
            if command.move is not None:
                move = session.game.parse(session.state, seat, command.move)  # explains what is wrong
            else:
                assert command.text is not None
                move = one_line(cached_script(game.variant), session.state, seat, command.text.strip(" "))
        except NotAMove as refused:
            raise Refusal(Code.BAD_REQUEST, str(refused)) from None
        except Refused as refused:
            raise Refusal(Code.ILLEGAL_MOVE, str(refused)) from None
        return self._games.moved(live, seat, session.game.text(move))


def further_events(game: OnlineGame, done: Done) -> int:
    """How many events to charge for a command besides its own.

    They are those that begin the next game of a rematch, and the computer's moves just before the command
    except one: it can move several times in a row, for example while a hand of cards is full.
    """
    if done.repeated:
        return 0
    at = done.version - 1
    if isinstance(game.news[at].body, events.RematchBegun):
        return _NEXT_GAME
    moves = 0
    while game.computer is not None and at > moves and game.news[at - moves - 1].event.seat == game.computer:
        moves += 1
    return max(0, moves - 1)


def _takeback(game: OnlineGame, seat: Seat, most: int) -> Body:
    assert game.session is not None
    if sum(isinstance(news.body, events.TakenBack) for news in game.news) >= most:
        raise Refusal(Code.ILLEGAL_MOVE, f"This game has had {most} take-backs, which is the limit.")
    offered = game.offers.get("takeback")
    of = offered[0] if offered is not None and offered[0] is not seat else seat
    try:
        game.session.branch().take_back(of)
    except Refused as refused:
        raise Refusal(Code.ILLEGAL_MOVE, str(refused)) from None
    if of is seat and game.people_apart:
        return events.Offered(what="takeback")
    return events.TakenBack(of=of)


def _clock(game: OnlineGame, seat: Seat, minutes: int) -> Body:
    if not game.people_apart:
        raise Refusal(Code.ILLEGAL_MOVE, "A clock is for two people on two devices.")
    offered = game.offers.get("clock")
    if offered is not None and offered[0] is not seat and offered[1].minutes == minutes:
        return events.ClockSet(minutes=minutes)
    return events.Offered(what="clock", minutes=minutes)


def _decline(game: OnlineGame, what: OfferKind) -> Body:
    if what not in game.offers:
        raise Refusal(Code.ILLEGAL_MOVE, "There is no such offer now.")
    return events.Declined(what=what)


def _is_repeated(game: OnlineGame, seat: Seat, offer: events.Offered) -> bool:
    """Whether a seat has already made this offer; raises Refusal after too many offers."""
    standing = game.offers.get(offer.what)
    if standing is not None and standing[0] is seat and standing[1].asked == offer.asked:
        return True
    made = sum(isinstance(news.body, events.Offered) and news.event.seat == seat for news in game.news)
    if made >= _MOST_OFFERS:
        raise Refusal(Code.ILLEGAL_MOVE, "You have made too many offers in this game.")
    return False
