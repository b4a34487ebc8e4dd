"""How games begin: opened by one person, joined by another, and played again with the seats exchanged."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from hmac import compare_digest, digest
from time import time
from typing import Any

from digit_duel.core.game import Seat
from digit_duel.core.match import Match
from digit_duel.core.names import MOST_CHARACTERS, BadName, clean_name
from digit_duel.core.options import BadOption
from digit_duel.core.variant import AnyVariant
from digit_duel.web.play.deals import deck_seal, server_seed
from digit_duel.web.play.live_games import Asker, Live, Tables
from digit_duel.web.play.online_game import Table
from digit_duel.web.play.variants import customised, ids
from digit_duel.web.replies import Code, Refusal
from digit_duel.web.store import Claim, Conflict, Listed

OPPONENTS = ("computer", "friend", "same_device")
STARTS = ("me", "other", "coin")
_COMPUTER = "Computer"


@dataclass(frozen=True, slots=True)
class Wish:
    """The game that somebody wants."""

    variant: AnyVariant
    opponent: str
    level: str | None
    start: str
    hints: bool
    match: Match | None


def wished(id: str, settings: Mapping[str, str]) -> AnyVariant:
    """A game as somebody wants it, or Refusal."""
    try:
        return customised(id, settings)
    except KeyError:
        raise Refusal(Code.BAD_REQUEST, f"There is no such game; there are: {', '.join(ids())}.") from None
    except BadOption as wrong:
        raise Refusal(Code.BAD_REQUEST, str(wrong)) from None


class Openings:
    """Opens games, seats people, and arranges rematches."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    async def open(self, asker: Asker, wish: Wish) -> tuple[Live, str | None]:
        """A new game, and the secret of its invitation if a friend is awaited."""
        assert asker.person is not None
        most = self._tables.settings.most_open_games
        if await self._tables.store.open_games_of(asker.person) >= most:
            raise Refusal(Code.RATE_LIMITED, f"You have {most} unfinished games: please end some first.")
        if wish.level is not None:
            await self._tables.accept_computer(wish.level, wish.variant)
        start = secrets.choice(("me", "other")) if wish.start == "coin" else wish.start
        seat = Seat.FIRST if start == "me" else Seat.SECOND
        secret = secrets.token_urlsafe(24) if wish.opponent == "friend" else None
        body = {
            "kind": "open",
            "variant": wish.variant.id,
            "settings": wish.variant.settings,
            "opponent": wish.opponent,
            "level": wish.level,
            "seat": int(seat),
            "owner": asker.person,
            "hints": wish.hints and wish.opponent == "computer",
            "match": _kept(wish.match) if wish.match else {},
        }
        if secret is not None:
            body["invite"] = _hashed(secret)
        live = await self._begin(secrets.token_urlsafe(9), asker, body)
        if wish.opponent == "computer":
            await self._tables.append(live, int(seat.other), None, _computer_sits(wish.level))
        return live, secret

    async def _begin(self, game: str, asker: Asker, body: dict[str, Any]) -> Live:
        """Write the first event, in which the deal is sealed."""
        seed = server_seed(self._tables.key, game)
        live = Live(Table(game), seed, {}, body["owner"])
        now = round(1000 * time())
        row = Listed(game, body["variant"], body["owner"], 1, False, now, now)
        body = {**body, "seal": deck_seal(seed, game)}

        await self._tables.append(live, None, None, body, asker.session, opens=row)
        self._tables.keep(live)
        return live

    async def join(
        self, game: str, asker: Asker, seat: int | None, name: str, seed: str, invite: str | None
    ) -> tuple[Live, Seat]:
        """Take a seat: the opener theirs, a friend the open one, for the invitation's secret."""
        live = await self._tables.live(game)

        async def sit() -> Seat:
            place = self._place(live, asker, seat, invite)
            if live.people.get(place) == asker.person:
                return place  # pressed twice
            table = live.table
            body = {"kind": "sit", "name": _told_apart(name, table.players[place.other].name), "seed": seed}
            assert asker.person is not None
            await self._tables.append(
                live, int(place), None, body, asker.session, Claim(int(place), asker.person)
            )
            return place

        async with live.lock:
            place = await self._tables.settle(live, sit)
        self._tables.wake_computer(live)
        return live, place

    def _place(self, live: Live, asker: Asker, seat: int | None, invite: str | None) -> Seat:
        """The seat that the asker may take, or Refusal."""
        table = live.table
        mine = live.held(asker)
        if asker.person == live.owner and invite is None:
            place = Seat(seat) if seat is not None and table.same_device else table.owner_seat
            if place in mine or table.players[place].open:
                return _unless_over(table, place)
            raise Refusal(Code.SEAT_TAKEN, "This seat is taken.")
        if asker.person == live.owner:
            raise Refusal(
                Code.FORBIDDEN,
                "This is your own invitation: send it to a friend, or play on one device instead.",
            )
        place = table.owner_seat.other
        if place in mine:
            return place
        if not table.players[place].open or table.opening["opponent"] != "friend":
            raise Refusal(Code.SEAT_TAKEN, "This seat is taken: you can watch instead.")
        if table.invite is None or invite is None or not compare_digest(_hashed(invite), table.invite):
            raise Refusal(
                Code.FORBIDDEN, "This invitation is not valid (any more): please ask for a new one."
            )
        return _unless_over(table, place)

    async def invite(self, game: str, asker: Asker) -> tuple[Live, str]:
        """A new invitation; the old link is dead."""
        secret = secrets.token_urlsafe(24)
        live = await self._own_waiting(game, asker)

        async def write() -> None:
            body = {"kind": "invite", "invite": _hashed(secret)}
            _still_waiting(live)
            await self._tables.append(live, int(live.table.owner_seat), None, body, asker.session)

        async with live.lock:
            await self._tables.settle(live, write)
        return live, secret

    async def cancel(self, game: str, asker: Asker) -> Live:
        """Give up a game that nobody has joined."""
        live = await self._own_waiting(game, asker)

        async def write() -> None:
            _still_waiting(live)
            body = {"kind": "cancel", "why": "cancelled"}
            await self._tables.append(live, int(live.table.owner_seat), None, body, asker.session)

        async with live.lock:
            await self._tables.settle(live, write)
        return live

    async def _own_waiting(self, game: str, asker: Asker) -> Live:
        live = await self._tables.live(game)
        if asker.person is None or asker.person != live.owner:
            raise Refusal(Code.FORBIDDEN, "Only the one who opened a game can do that.")
        return live

    async def rematch(self, live: Live, seat: Seat, seed: str) -> dict[str, Any]:
        """The event of a wish for another game: an offer, or, once both want it, the game itself."""
        table = live.table
        if not table.over or table.session is None:
            raise Refusal(Code.ILLEGAL_MOVE, "A rematch follows a game that has been played.")
        if table.next is not None:
            raise Refusal(Code.GAME_OVER, "The rematch is there already.", next=table.next)
        offered = table.offers.get("rematch")
        if table.people_apart and (offered is None or offered[0] is seat):
            return {"kind": "offer", "what": "rematch", "seed": seed}
        seeds = {int(seat): seed}
        if offered is not None:
            seeds[int(offered[0])] = offered[1]["seed"]
        return {"kind": "rematch", "next": await self._play_again(live, seeds)}

    async def _play_again(self, live: Live, seeds: Mapping[int, str]) -> str:
        """Open the next game, seats exchanged; its id follows from this one's, so there is only one."""
        table = live.table
        game = digest(self._tables.key, f"next/{table.id}".encode(), "sha256").hex()[:24]
        assert table.outcome is not None
        after = table.match.after(table.outcome.winner)
        if table.opening.get("match", {}).get("rule") and after.decided:
            after = Match(after.first_to, after.best_of)  # the match is over: a new one begins
        body = {
            **{key: value for key, value in table.opening.items() if key not in ("invite", "seal", "asked")},
            "seat": int(table.owner_seat.other),
            "match": {**_kept(after), "rule": table.opening.get("match", {}).get("rule", False)},
            "previous": table.id,
        }
        try:
            next_live = await self._begin(game, Asker(live.owner), body)
        except Conflict:
            next_live = await self._tables.live(game)
        for seat in Seat:
            place, player = seat.other, table.players[seat]
            if not next_live.table.players[place].open:
                continue
            if player.level is not None:
                await self._tables.append(next_live, int(place), None, _computer_sits(player.level))
                continue
            sits = {"kind": "sit", "name": player.name, "seed": seeds.get(int(seat), "")}
            claim = Claim(int(place), live.people[seat])
            await self._tables.append(next_live, int(place), None, sits, claim=claim)
        self._tables.wake_computer(next_live)
        return game


def _kept(match: Match) -> dict[str, Any]:
    return {
        "first_to": match.first_to,
        "best_of": match.best_of,
        "number": match.number,
        "score": list(match.score),
        "rule": True,
    }


def _computer_sits(level: str | None) -> dict[str, Any]:
    return {"kind": "sit", "name": _COMPUTER, "level": level}


def _unless_over(table: Table, place: Seat) -> Seat:
    if table.over:
        raise Refusal(Code.GAME_OVER, "This game is over.")
    return place


def _still_waiting(live: Live) -> None:
    if live.table.over or live.table.opening["opponent"] != "friend" or live.table.session is not None:
        raise Refusal(Code.GAME_OVER, "Nobody is awaited here any more.")


def _told_apart(name: str, other: str) -> str:
    """A clean name that differs from the other's."""
    try:
        clean = clean_name(name)
    except BadName as wrong:
        raise Refusal(Code.BAD_REQUEST, f"That name cannot be used: {wrong}") from None
    if clean.casefold() == other.casefold():
        return f"{clean[: MOST_CHARACTERS - 2]} 2"
    return clean


def _hashed(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()
