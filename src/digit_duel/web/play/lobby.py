"""The lobby: opening and joining games, invitations, and rematches with swapped seats."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from hmac import compare_digest, digest
from time import time

from msgspec.structs import replace

from digit_duel.coach.speech import sentence
from digit_duel.core.game import Seat
from digit_duel.core.match import Match
from digit_duel.core.names import MOST_CHARACTERS, BadName, clean_name, poses_as_computer
from digit_duel.core.options import BadOption
from digit_duel.core.variant import AnyVariant
from digit_duel.web.field_types import Opponent
from digit_duel.web.play.events import Cancelled, Invited, Joined, Offered, Opened, RematchBegun, Standing
from digit_duel.web.play.fair_deals.deals import deck_seal, is_reserved, reserved_id, server_seed
from digit_duel.web.play.game_service import GameService
from digit_duel.web.play.live_game import Caller, LiveGame
from digit_duel.web.play.online_game import OnlineGame
from digit_duel.web.play.variants import customised, ids
from digit_duel.web.replies import Code, Refusal
from digit_duel.web.store import Conflict, Listed, TakenSeat

_COMPUTER = "Computer"
_MOST_INVITATIONS = 20  # events in a waiting game, nearly all of them new invitations
_RESERVED = 24 * 3600.0  # seconds for which a reserved id is valid


@dataclass(frozen=True, slots=True)
class Wish:
    """The game that somebody wants."""

    variant: AnyVariant
    opponent: Opponent
    level: str | None
    start: str
    hints: bool
    match: Match | None
    game_id: str | None = None  # reserved before


def wished(id: str, settings: Mapping[str, str]) -> AnyVariant:
    """The game with the settings that somebody wants, or Refusal."""
    try:
        return customised(id, settings)
    except KeyError:
        raise Refusal(Code.BAD_REQUEST, f"There is no such game; there are: {', '.join(ids())}.") from None
    except BadOption as wrong:
        raise Refusal(Code.BAD_REQUEST, sentence(str(wrong)), field=wrong.option) from None


class Lobby:
    """Opens games, seats people, and arranges rematches."""

    def __init__(self, game_service: GameService) -> None:
        self._games = game_service

    def reserve(self) -> tuple[str, str]:
        """Reserve the id of a game that somebody may open, and return it with the seal of its deal."""
        game_id = reserved_id(self._games.keys.newest, time(), secrets.token_urlsafe(6))
        return game_id, self._seal(game_id)

    def _new_id(self, reserved: str | None) -> str:
        """The id of a new game; Refusal if the reserved id is not valid."""
        key, keep = self._games.keys.newest, self._games.settings.keep_over
        if reserved is None:
            return secrets.token_urlsafe(9)
        # An id must never serve for two games: the seed of the first is public when it ends.
        if not is_reserved(key, reserved, time(), min(_RESERVED, keep)):
            raise Refusal(Code.BAD_REQUEST, "This deal has expired: ask for a new one and try again.")
        return reserved

    async def open(
        self, caller: Caller, wish: Wish, names: Sequence[str] = (), seed: str = ""
    ) -> tuple[LiveGame, str | None]:
        """Open a game; return it, with the secret of its invitation if it is for a friend.

        With a name, the owner takes a seat at once; on one device, a second name takes the other seat. The
        same person can use a reserved id again and gets the same game, so that a lost answer does no harm.
        """
        names = [_clean(name) for name in names]
        try:
            live, secret = await self._open(caller, wish)
        except Conflict:
            assert wish.game_id is not None
            live, secret = await self._games.get(wish.game_id), None
            if live.owner != caller.person:
                raise Refusal(Code.BAD_REQUEST, "Somebody else has already opened this game.") from None
        seat = live.game.owner_seat
        async with live.lock:
            await self._games.retry_conflicts(live, lambda: self._seat_computer(live))
        for name, place in zip(names, (seat, seat.other), strict=False):
            live, _ = await self.join(live.game.id, caller, place, name, seed, None)
        return live, secret

    async def _seat_computer(self, live: LiveGame) -> None:
        """Give the computer its seat, if it does not have it yet."""
        place, level = live.game.owner_seat.other, live.game.opening.level
        if level is not None and live.game.players[place].open:
            await self._games.append(live, place, None, _computer_joins(level))

    async def _open(self, caller: Caller, wish: Wish) -> tuple[LiveGame, str | None]:
        assert caller.person is not None
        most = self._games.settings.most_open_games
        if await self._games.store.open_games_of(caller.person) >= most:
            raise Refusal(Code.RATE_LIMITED, f"You have {most} unfinished games. Please finish some first.")
        if wish.opponent == "friend":
            most = self._games.settings.most_waiting_games
            if await self._games.store.waiting_games_of(caller.person) >= most:
                raise Refusal(
                    Code.RATE_LIMITED,
                    f"{most} of your games are waiting for a friend. Please cancel some first.",
                )
        if wish.level is not None:
            await self._games.computer.accept(wish.level, wish.variant)
        start = secrets.choice(("me", "other")) if wish.start == "coin" else wish.start
        seat = Seat.FIRST if start == "me" else Seat.SECOND
        secret = secrets.token_urlsafe(24) if wish.opponent == "friend" else None
        game_id = self._new_id(wish.game_id)
        body = Opened(
            variant=wish.variant.id,
            settings=wish.variant.settings,
            opponent=wish.opponent,
            level=wish.level,
            seat=seat,
            owner=caller.person,
            hints=wish.hints and wish.opponent == "computer",
            match=Standing.of(wish.match, rule=True) if wish.match else Standing(),
            seal=self._seal(game_id),
            invite=None if secret is None else _hashed(secret),
        )
        return await self._begin(game_id, caller, body), secret

    def _seal(self, game_id: str) -> str:
        return deck_seal(server_seed(self._games.keys.newest, game_id), game_id)

    async def _begin(self, game_id: str, caller: Caller, body: Opened) -> LiveGame:
        """Write the first event, which seals the deal."""
        live = LiveGame(OnlineGame(game_id), server_seed(self._games.keys.newest, game_id), {}, body.owner)
        now = round(1000 * time())
        row = Listed(game_id, body.variant, body.owner, 1, False, now, now)
        await self._games.append(live, None, None, body, caller.session, opens=row)
        self._games.keep(live)
        return live

    async def join(
        self, game_id: str, caller: Caller, seat: Seat | None, name: str, seed: str, invite: str | None
    ) -> tuple[LiveGame, Seat]:
        """Take a seat: the owner their own, a friend the open one with the invitation's secret."""
        live = await self._games.get(game_id)

        async def sit() -> Seat:
            place = self._place(live, caller, seat, invite)
            if live.people.get(place) == caller.person:
                return place  # repeated
            game = live.game
            body = Joined(name=_told_apart(name, game.players[place.other].name), seed=seed)
            assert caller.person is not None
            taken = TakenSeat(int(place), caller.person)
            await self._games.append(live, place, None, body, caller.session, taken)
            return place

        async with live.lock:
            place = await self._games.retry_conflicts(live, sit)
        self._games.wake_computer(live)
        return live, place

    def _place(self, live: LiveGame, caller: Caller, seat: Seat | None, invite: str | None) -> Seat:
        """The seat that the caller may take, or Refusal."""
        game = live.game
        mine = live.held(caller)
        if caller.person == live.owner and invite is None:
            place = seat if seat is not None and game.same_device else game.owner_seat
            if place in mine or game.players[place].open:
                return _unless_over(game, place)
            raise Refusal(Code.SEAT_TAKEN, "This seat is taken.")
        if caller.person == live.owner:
            raise Refusal(
                Code.FORBIDDEN,
                "This is your own invitation: send it to a friend, or play on one device instead.",
            )
        place = game.owner_seat.other
        if place in mine:
            return place
        if not game.players[place].open or game.opening.opponent != "friend":
            raise Refusal(Code.SEAT_TAKEN, "This seat is taken: you can watch instead.")
        if game.invite is None or invite is None or not compare_digest(_hashed(invite), game.invite):
            raise Refusal(Code.FORBIDDEN, "This invitation is no longer valid. Please ask for a new one.")
        return _unless_over(game, place)

    async def invite(self, game_id: str, caller: Caller) -> tuple[LiveGame, str]:
        """Make a new invitation; the old link stops working."""
        secret = secrets.token_urlsafe(24)
        live = await self._own_waiting(game_id, caller)

        async def write() -> None:
            _still_waiting(live)
            if live.game.version >= _MOST_INVITATIONS:
                raise Refusal(
                    Code.RATE_LIMITED, "You have renewed this invitation too often. Please start a new game."
                )
            body = Invited(invite=_hashed(secret))
            await self._games.append(live, live.game.owner_seat, None, body, caller.session)

        async with live.lock:
            await self._games.retry_conflicts(live, write)
        return live, secret

    async def cancel(self, game_id: str, caller: Caller) -> LiveGame:
        """Cancel a game that nobody has joined."""
        live = await self._own_waiting(game_id, caller)

        async def write() -> None:
            _still_waiting(live)
            body = Cancelled(why="cancelled")
            await self._games.append(live, live.game.owner_seat, None, body, caller.session)

        async with live.lock:
            await self._games.retry_conflicts(live, write)
        return live

    async def _own_waiting(self, game_id: str, caller: Caller) -> LiveGame:
        live = await self._games.get(game_id)
        if caller.person is None or caller.person != live.owner:
            raise Refusal(Code.FORBIDDEN, "Only the person who opened the game can do that.")
        return live

    async def rematch(self, live: LiveGame, seat: Seat, seed: str) -> Offered | RematchBegun:
        """The event of a rematch command: an offer or, once both players want it, the rematch."""
        game = live.game
        if not game.over or game.session is None:
            raise Refusal(Code.ILLEGAL_MOVE, "You can ask for a rematch when the game is over.")
        if game.next is not None:
            raise Refusal(Code.GAME_OVER, "The rematch has already begun.", next=game.next)
        offered = game.offers.get("rematch")
        if game.people_apart and (offered is None or offered[0] is seat):
            return Offered(what="rematch", seed=seed)
        seeds = {seat: seed}
        if offered is not None:
            seeds[offered[0]] = offered[1].seed or ""
        return RematchBegun(next=await self._play_again(live, seeds))

    async def _play_again(self, live: LiveGame, seeds: Mapping[Seat, str]) -> str:
        """Open the next game with swapped seats; its id is derived from this one's, so there is only one."""
        game = live.game
        game_id = digest(self._games.keys.newest, f"next/{game.id}".encode(), "sha256").hex()[:24]
        assert game.outcome is not None
        after = game.match.after(game.outcome.winner)
        rule = bool(game.opening.match.rule)
        if rule and after.decided:
            after = Match(after.first_to, after.best_of)  # the match is over: a new one begins
        body = replace(
            game.opening,
            seat=game.owner_seat.other,
            match=Standing.of(after, rule),
            seal=self._seal(game_id),
            invite=None,
            previous=game.id,
        )
        try:
            next_live = await self._begin(game_id, Caller(live.owner), body)
        except Conflict:
            next_live = await self._games.get(game_id)
        for seat in Seat:
            place, player = seat.other, game.players[seat]
            if not next_live.game.players[place].open:
                continue
            if player.level is not None:
                await self._games.append(next_live, place, None, _computer_joins(player.level))
                continue
            joined = Joined(name=player.name, seed=seeds.get(seat, ""))
            taken = TakenSeat(int(place), live.people[seat])
            await self._games.append(next_live, place, None, joined, takes=taken)
        self._games.wake_computer(next_live)
        return game_id


def _computer_joins(level: str | None) -> Joined:
    return Joined(name=_COMPUTER, level=level)


def _unless_over(game: OnlineGame, place: Seat) -> Seat:
    if game.over:
        raise Refusal(Code.GAME_OVER, "This game is over.")
    return place


def _still_waiting(live: LiveGame) -> None:
    if live.game.over or live.game.opening.opponent != "friend" or live.game.session is not None:
        raise Refusal(Code.GAME_OVER, "This game is no longer waiting for a player.")


def _told_apart(name: str, other: str) -> str:
    """Clean a name, and make it differ from the other player's."""
    clean = _clean(name)
    names = [clean, *(f"{clean[: MOST_CHARACTERS - 2]} {number}" for number in (2, 3))]
    return next(told for told in names if told.casefold() != other.casefold())


def _clean(name: str) -> str:
    try:
        clean = clean_name(name)
    except BadName as wrong:
        raise Refusal(Code.BAD_REQUEST, f"That name cannot be used: {wrong}") from None
    if poses_as_computer(clean):
        raise Refusal(Code.BAD_REQUEST, "That name cannot be used: it looks like the computer's.")
    return clean


def _hashed(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()
