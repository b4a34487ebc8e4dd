"""A seat in a game on a server: what its player can send and ask, both line by line and in the app."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass

from digit_duel.cli.errors import Problem
from digit_duel.cli.online.connection import Connection, ServerRefused
from digit_duel.cli.online.view import GameView, Offer, read_view
from digit_duel.core.game import Seat
from digit_duel.web.replies import Code

OFFER_QUESTIONS = {
    "takeback": "Your opponent wants to take a choice back. Do you agree?",
    "clock": "Your opponent wants a clock, {} minutes for each. Do you agree?",
    "rematch": "Your opponent wants to play again. Do you agree?",
}
NO_REVIEW_YET = "Ask again after the game: play with --record FILE, then run digit-duel review FILE."
_OUTDATED = (Code.STALE_VERSION, Code.NOT_YOUR_TURN, Code.GAME_OVER)  # what a player with an old view gets


@dataclass(frozen=True, slots=True)
class Sent:
    """What became of a command."""

    version: int = 0  # of the game after it; 0 if it was refused
    reason: str = ""  # why it was refused, for the player; empty if the command was merely too late
    outdated: bool = False  # the game has changed since the view that the player saw


class RemoteSeat:
    """Sends the commands of one seat; each of them runs once, however often it has to be sent."""

    def __init__(self, connection: Connection, game: str, seat: Seat) -> None:
        self.connection, self.game, self.seat = connection, game, seat

    def send(self, command: Mapping[str, object], version: int) -> Sent:
        """Send a command that is meant for a version of the game; raises Problem if the seat is lost."""
        body = {"id": secrets.token_hex(8), "version": version, "seat": int(self.seat), **command}
        try:
            answer = self.connection.ask("POST", f"/api/games/{self.game}/commands?view=none", body)
        except ServerRefused as refused:
            if refused.code is Code.FORBIDDEN:
                raise Problem(refused.message) from refused
            stale = refused.code is Code.STALE_VERSION
            return Sent(0, "" if stale else refused.message, refused.code in _OUTDATED)
        return Sent(answer["version"].number)

    def look(self, earlier: GameView, told: int) -> GameView:
        """Fetch the view, with the news after those that were told."""
        path = f"/api/games/{self.game}?seat={int(self.seat)}&after={told}"
        return read_view(self.connection.ask("GET", path), earlier)

    def hint(self) -> tuple[str, ...]:
        """A good move and the reason, or why there is none."""
        try:
            found = self.connection.ask("GET", f"/api/games/{self.game}/hint?seat={int(self.seat)}")
        except ServerRefused as refused:
            return (refused.message,)
        return (f"Hint: {found['words'].text} ({found['move'].text}).", found["reason"].text)


def accepting(offer: Offer) -> dict[str, object]:
    """The command that accepts an offer."""
    if offer.what == "clock":
        return {"do": "clock", "minutes": offer.minutes}
    return {"do": offer.what}
