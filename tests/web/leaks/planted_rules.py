"""Leaks of commands, seats and seals, and of what is open at the end only (SAFETY C4 to C7, C9, C12, C13)."""

from __future__ import annotations

from typing import Any
from zlib import crc32

from msgspec import to_builtins
from tests.web.leaks.planting import Patch, leak, rerouted, telling

from digit_duel.core.game import Seat
from digit_duel.web.analysis.analyst import Analyst
from digit_duel.web.http.context import Answer, RequestContext
from digit_duel.web.http.endpoints import games, my_games
from digit_duel.web.http.input.requests import FromSeat
from digit_duel.web.play import game_service, lobby
from digit_duel.web.play.commands import Commands
from digit_duel.web.play.events import Body, Declined, Moved
from digit_duel.web.play.fair_deals.deals import server_seed
from digit_duel.web.play.game_service import GameService
from digit_duel.web.play.live_game import LiveGame
from digit_duel.web.play.online_game import OnlineGame
from digit_duel.web.replies import Code, Refusal
from digit_duel.web.store import Listed

# Commands (C7, C9).


@leak("cards")
def a_refusal_names_the_others_hand(patch: Patch) -> None:
    """Why a move is refused, with what the other holds."""
    honest = Commands._move

    def leaky(self: Commands, live: LiveGame, *known: Any) -> Body:
        try:
            return honest(self, live, *known)
        except Refusal as refusal:
            raise Refusal(refusal.code, f"{refusal.message} {telling(live.game) % 10}") from None

    patch.setattr(Commands, "_move", leaky)


@leak()
def a_refusals_code_tells(patch: Patch) -> None:
    """Illegal in one world, out of turn in the other."""
    honest = Commands._move

    def leaky(self: Commands, live: LiveGame, *known: Any) -> Body:
        try:
            return honest(self, live, *known)
        except Refusal as refusal:
            codes = (Code.ILLEGAL_MOVE, Code.NOT_YOUR_TURN)
            raise Refusal(codes[telling(live.game) % 2], refusal.message) from None

    patch.setattr(Commands, "_move", leaky)


@leak("cards")
def a_refusal_brings_the_others_view(patch: Patch) -> None:
    """The current view of the other seat instead of the sender's."""

    async def leaky(refusal: Refusal, services: Any, game: str, caller: Any, after: int) -> None:
        live = await services.game_service.get(game)
        eyes = (live.held(caller) or (Seat.FIRST,))[0].other
        refusal.view = services.game_service.seen(live, caller, eyes)

    patch.setattr(games, "explain", leaky)


@leak()
def a_secret_costs_another_event(patch: Patch) -> None:
    """Some moves are written as two events (C9)."""
    honest = GameService.append

    async def leaky(
        self: GameService, live: LiveGame, seat: Any, client: Any, body: Any, *rest: Any, **known: Any
    ) -> int:
        version = await honest(self, live, seat, client, body, *rest, **known)
        if isinstance(body, Moved) and telling(live.game) % 2:
            await honest(self, live, seat, None, Declined(what="clock"))
        return version

    patch.setattr(GameService, "append", leaky)


@leak("cards")
def any_seat_can_be_asked_for(patch: Patch) -> None:
    """Nobody checks whose seat it is."""
    honest = GameService.viewing_seat

    def leaky(self: GameService, live: LiveGame, caller: Any, seat: Any, stranger: bool = False) -> Any:
        return Seat(seat) if seat is not None else honest(self, live, caller, seat, stranger)

    patch.setattr(GameService, "viewing_seat", leaky)


@leak("cards")
def who_plays_cannot_be_a_stranger(patch: Patch) -> None:
    """A player who watches as a stranger still sees the hand (C13)."""
    honest = GameService.viewing_seat
    patch.setattr(
        GameService,
        "viewing_seat",
        lambda self, live, caller, seat, stranger=False: honest(self, live, caller, seat, False),
    )


@leak("cards")
def strangers_sit_in_the_first_seat(patch: Patch) -> None:
    """A test for "no seat" that also takes seat 0 for none."""
    honest = GameService.viewing_seat
    patch.setattr(
        GameService, "viewing_seat", lambda self, *known, **more: honest(self, *known, **more) or Seat.FIRST
    )


# Seals (C12).


@leak("battle")
def a_choice_is_sealed_without_salt(patch: Patch) -> None:
    """Five hashes are enough to read it."""
    patch.setattr(game_service, "salt", lambda key, game, version: "")


@leak("battle")
def a_choice_is_salted_with_what_everybody_knows(patch: Patch) -> None:
    """A salt that does not depend on the key."""
    patch.setattr(game_service, "salt", lambda key, game, version: f"{crc32(game.encode()):032x}")


@leak()
def the_deck_is_sealed_with_what_everybody_knows(patch: Patch) -> None:
    """A commitment that commits to nothing."""
    patch.setattr(lobby, "deck_seal", lambda seed, game: f"{crc32(game.encode()):064x}")


@leak()
def the_seed_is_its_own_seal(patch: Patch) -> None:
    """Somebody forgot the hash."""
    patch.setattr(lobby, "deck_seal", lambda seed, game: seed)


# What is open at the end only (C4, C5, C6).


@leak("cards")
def the_record_is_whole_for_everybody(patch: Patch) -> None:
    """An export without a check of who asks."""

    async def leaky(context: RequestContext, query: FromSeat) -> Answer[Any]:
        live = await context.services.game_service.get(context.game_id)
        return Answer(live.game.record().text())

    rerouted(patch, "record", leaky)


@leak("cards")
def a_seats_record_is_whole(patch: Patch) -> None:
    """The record of a seat that plays, not of what it saw."""
    honest = OnlineGame.record
    patch.setattr(OnlineGame, "record", lambda self, seat=None: honest(self))


@leak()
def the_proof_is_open_too_soon(patch: Patch) -> None:
    """Nobody asks whether the game is over."""

    async def leaky(context: RequestContext, query: FromSeat) -> Answer[Any]:
        live = await context.services.game_service.get(context.game_id)
        session, seed = (
            live.game.session,
            server_seed(context.services.game_service.keys.newest, live.game.id),
        )
        return Answer({"seed": seed, "moves": [str(step.move) for step in session.steps] if session else []})

    rerouted(patch, "proof_of", leaky)


@leak("cards")
def a_game_is_reviewed_too_soon(patch: Patch) -> None:
    """What each move was worth, while it is played."""

    async def leaky(context: RequestContext, query: FromSeat) -> Answer[Any]:
        live = await context.services.game_service.get(context.game_id)
        session = live.game.session
        return Answer({"moves": [str(step.move) for step in session.steps] if session else []})

    rerouted(patch, "review", leaky)


@leak("cards")
def a_hint_knows_the_whole_truth(patch: Patch) -> None:
    """A hint worked out from the state, not from a view."""

    async def leaky(self: Analyst, of: OnlineGame, seat: Seat) -> dict[str, Any]:
        return {"move": str(telling(of) % 10)}

    patch.setattr(Analyst, "hint", leaky)


@leak("cards")
def a_hint_is_given_for_any_seat(patch: Patch) -> None:
    """A hint for the other's seat tells the other's cards."""

    async def leaky(context: RequestContext, query: FromSeat) -> Answer[Any]:
        live = await context.services.game_service.get(context.game_id)
        seat = query.seat or Seat.FIRST
        view = live.game.session and live.game.session.view(seat)
        return Answer({"moves": list(live.game.legal[seat]), "view": repr(view)})

    rerouted(patch, "hint", leaky)


@leak("cards")
def the_list_of_games_tells(patch: Patch) -> None:
    """A preview of the game on the home page."""
    honest = my_games._summary

    def leaky(live: LiveGame, held: tuple[Seat, ...], row: Listed) -> Any:
        return {**to_builtins(honest(live, held, row)), "score": telling(live.game) % 7}

    patch.setattr(my_games, "_summary", leaky)
