"""The proof of a finished game: the opened seals, as data and as headers of its record."""

from __future__ import annotations

from msgspec import Struct

from digit_duel.core.game import Pair, Seat
from digit_duel.core.variant import AnyGame
from digit_duel.web.play.events import Moved
from digit_duel.web.play.fair_deals.deals import salt, server_seed
from digit_duel.web.play.fair_deals.verify import CHOICES, GAME, SEAL, SEATS, SEED
from digit_duel.web.play.online_game import News, OnlineGame
from digit_duel.web.replies import Code, Refusal


class OpenedChoice(Struct):
    """A secret choice and the salt it was sealed with."""

    version: int
    seat: Seat
    move: str
    salt: str
    seal: str


class ProvenDraw(Struct):
    """A draw, with all possible draws and their weights."""

    ply: int
    move: str
    among: list[tuple[str, int]]


class Proof(Struct):
    """Everything that was sealed in a finished game."""

    game: str
    variant: str
    settings: dict[str, str]
    seal: str
    seed: str
    client_seeds: Pair[str]
    choices: list[OpenedChoice]
    moves: list[str]
    draws: list[ProvenDraw]


def proof(game: OnlineGame, key: bytes) -> Proof:
    """Reveal everything that was sealed in a finished game, or raise Refusal."""
    session = game.session
    if not game.over or session is None:
        raise Refusal(Code.FORBIDDEN, "The seals are opened when the game is over.")
    rules = session.game
    return Proof(
        game=game.id,
        variant=game.variant.id,
        settings=game.variant.settings,
        seal=game.opening.seal,
        seed=server_seed(key, game.id),
        client_seeds=(game.players[0].seed, game.players[1].seed),
        choices=[found for news in game.news if (found := _opened(game, news, key)) is not None],
        moves=[rules.text(step.move) for step in session.steps],
        draws=[
            ProvenDraw(ply, rules.text(step.move), _weighted(rules, step.before))
            for ply, step in enumerate(session.steps)
            if step.seat is None
        ],
    )


def _opened(game: OnlineGame, news: News, key: bytes) -> OpenedChoice | None:
    event, body = news.event, news.body
    if not isinstance(body, Moved) or body.seal is None or event.seat is None:
        return None
    return OpenedChoice(
        event.version, Seat(event.seat), body.move, salt(key, game.id, event.version), body.seal
    )


def _weighted(rules: AnyGame, state: object) -> list[tuple[str, int]]:
    """The possible draws and their weights, for checkers that do not know the rules."""
    return [(rules.text(move), weight) for move, weight in rules.chance(state)]


def proven_headers(game: OnlineGame, key: bytes) -> dict[str, str]:
    """The headers that allow a record to be verified without the server."""
    found = proof(game, key)
    choices = (f"{choice.version}:{choice.salt}:{choice.seal}" for choice in found.choices)
    return {
        GAME: found.game,
        SEAL: found.seal,
        SEED: found.seed,
        SEATS[0]: found.client_seeds[0],
        SEATS[1]: found.client_seeds[1],
        CHOICES: " ".join(choices),
    }
