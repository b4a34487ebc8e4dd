"""Enter a game on a server: create one, accept an invitation, or return to one."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from digit_duel import games
from digit_duel.cli.errors import Problem
from digit_duel.cli.online import credentials
from digit_duel.cli.online.connection import Connection, ServerAddress, ServerRefused
from digit_duel.cli.online.fairness import Commitment
from digit_duel.cli.online.json_answer import Json
from digit_duel.cli.online.plan import OnlinePlan
from digit_duel.cli.online.view import GameView, read_view
from digit_duel.core.options import BadOption
from digit_duel.core.variant import AnyVariant
from digit_duel.web.replies import Code


@dataclass(frozen=True, slots=True)
class Entered:
    """The seat that a player has taken or returned to."""

    view: GameView
    commitment: Commitment
    link: str = ""  # for the friend who is invited
    qr: tuple[str, ...] = ()  # the link as rows of modules


def address_of(plan: OnlinePlan) -> ServerAddress:
    """The server to ask; raises Problem if the link leads nowhere or the address is none."""
    if plan.join is not None:
        read_link(plan.join)
    return ServerAddress.parse(plan.server or plan.join or "")


def enter(connection: Connection, plan: OnlinePlan) -> Entered:
    """Create a game or follow a link; raises Problem or ServerRefused."""
    deal = _sign_in(connection)
    return _create_game(connection, plan, deal) if plan.join is None else _join_game(connection, plan)


def read_link(link: str) -> tuple[str, str]:
    """The game that a link leads to, and the secret if it is an invitation; raises Problem."""
    parts = urlsplit(link if "://" in link else f"http://{link}")
    path = parts.path.strip("/").split("/")
    if len(path) < 2 or path[-2] not in ("j", "g") or not _is_game_id(path[-1]):
        raise Problem("a link to a game looks like https://duel.example/j/GAME#SECRET")
    return path[-1], parts.fragment


def variant_of(view: GameView) -> AnyVariant:
    """The game that the server plays, with its rules; raises Problem if it is not known here."""
    if view.variant not in games.ids():
        raise Problem(f"there is no game '{view.variant[:20]}' here.")
    try:
        return games.variant(view.variant).customised(view.settings)
    except BadOption as wrong:
        raise Problem(f"this game cannot be played here: {wrong}") from wrong


def next_game(connection: Connection, game: str, seed: str) -> Entered:
    """Enter the rematch, with the seed that was sent before."""
    view = read_view(connection.ask("GET", f"/api/games/{game}"))
    return Entered(view, Commitment(view.seal, seed))


def way_back(connection: Connection, view: GameView) -> str:
    """How to return to a game that the server keeps; empty once it is over."""
    if view.phase == "over":
        return ""
    link = f"{connection.server}/g/{view.game}"
    return f"To continue: digit-duel play --join {link}"


def _sign_in(connection: Connection) -> Json:
    """Use the session that we have on this server, if any; return the deal for a new game."""
    server = str(connection.server)
    connection.token = credentials.load(server) or ""
    try:
        return connection.ask("GET", "/api/me", repeat=False)["deal"]
    except ServerRefused as refused:
        if refused.code is not Code.FORBIDDEN or not connection.token:
            raise
    connection.token = ""
    credentials.delete(server)
    return connection.ask("GET", "/api/me", repeat=False)["deal"]


def _take_seat(connection: Connection, path: str, wish: Mapping[str, object]) -> Json:
    """Take a seat, with a new session if we have none; the server accepts the same request twice."""
    attempt = {"bearer": not connection.token, "attempt": secrets.token_hex(16)}
    answer = connection.ask("POST", path, {**wish, **attempt})
    if "token" in answer:
        token = answer["token"].text
        if not (token.isascii() and token.isprintable() and " " not in token):
            raise Problem("the server sent an invalid token.")
        connection.token = token
        credentials.save(str(connection.server), token)
    return answer


def _create_game(connection: Connection, plan: OnlinePlan, deal: Json) -> Entered:
    """Create a game against the computer or for a friend, and take a seat in it."""
    assert plan.variant is not None
    commitment = Commitment(deal["seal"].text, secrets.token_hex(16))
    wish = {
        "game": deal["game"].text,
        "name": plan.name or "Player 1",
        "seed": commitment.seed,
        "variant": plan.variant.id,
        "settings": plan.variant.settings,
        "opponent": "friend" if plan.invite else "computer",
        "level": None if plan.invite else plan.level,
        "start": plan.start,
        "hints": not plan.invite,
        "match": plan.match,
    }
    created = _take_seat(connection, "/api/games", wish)
    view = read_view(created["view"])
    if not plan.invite:
        return Entered(view, commitment)
    invite = created["invite"]
    drawn = "qr" in invite and invite["qr"].value is not None
    qr = tuple(row.text for row in invite["qr"].items) if drawn else ()
    return Entered(view, commitment, invite["url"].text, qr)


def _join_game(connection: Connection, plan: OnlinePlan) -> Entered:
    """Accept the invitation in a link, or return to a game in which we have a seat."""
    assert plan.join is not None
    game, secret = read_link(plan.join)
    view = read_view(connection.ask("GET", f"/api/games/{game}", repeat=False))
    if plan.variant is not None and view.variant != plan.variant.id:
        raise Problem(f"that is a game of {view.variant}: digit-duel play --join LINK")
    if view.seat is not None:
        return Entered(view, Commitment(view.seal, None))
    if not secret:
        raise Problem("you have no seat in that game, and the link is not an invitation.")
    commitment = Commitment(view.seal, secrets.token_hex(16))
    wish = {"name": plan.name or "Player 2", "seed": commitment.seed, "invite": secret}
    joined = _take_seat(connection, f"/api/games/{game}/join", wish)
    return Entered(read_view(joined["view"]), commitment)


def _is_game_id(text: str) -> bool:
    return text.isascii() and 0 < len(text) <= 40 and text.replace("-", "").replace("_", "").isalnum()
