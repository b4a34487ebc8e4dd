"""Link previews for chats: the tags and the picture of a game, from what anybody may see."""

from __future__ import annotations

import asyncio
from html import escape

import msgspec

from digit_duel.core.game import Seat
from digit_duel.core.script import Scene
from digit_duel.web.http.context import Answer, RequestContext
from digit_duel.web.http.input.requests import Nothing
from digit_duel.web.pictures.preview import HIGH, WIDE, Preview, draw
from digit_duel.web.play.game_service import GameService
from digit_duel.web.play.live_game import Caller, LiveGame
from digit_duel.web.play.online_game import OnlineGame
from digit_duel.web.views.demo import demo

_DRAWING = asyncio.Lock()  # one picture at a time, so that players are not delayed
_DRAWN = 90  # the cost of drawing a picture, in small requests
_RUNNING, _OVER = 60, 24 * 3600  # seconds for which a picture may be cached


async def picture(context: RequestContext, query: Nothing) -> Answer[bytes]:
    """Draw the game as a stranger sees it, whoever asks for it."""
    game_service = context.services.game_service
    live = await game_service.get(context.game_id)
    preview = _preview(game_service, live)
    async with _DRAWING:
        context.spend(_DRAWN)  # before drawing: many requests may wait here
        drawn = draw.cache_info().misses
        found = await asyncio.to_thread(draw, preview)
        if draw.cache_info().misses == drawn:
            context.charge(-_DRAWN)  # it was cached
    seconds = _OVER if live.game.over else _RUNNING
    return Answer(found, headers=(("cache-control", f"public, max-age={seconds}"),))


def _preview(game_service: GameService, live: LiveGame) -> Preview:
    game = live.game
    if game.session is None:
        scenes = demo(game.variant)  # not started: show a position of a sample game
        scene = scenes[len(scenes) // 2]
    else:
        scene = msgspec.json.decode(game_service.seen(live, Caller(), None).scene, type=Scene)
    names = (game.players[0].name, game.players[1].name)
    winner = None if game.outcome is None else game.outcome.winner
    return Preview(game.variant.id, names, scene, game.owner_seat, winner)


def tags(game: OnlineGame, base: str, path: str) -> str:
    """The Open Graph tags of a game's address."""
    picture = f"{base}/api/games/{game.id}/picture"
    told = {
        "og:type": "website",
        "og:site_name": "Digit Duel",
        "og:title": title(game),
        "og:description": game.variant.summary,
        "og:url": f"{base}{path}",
        "og:image": picture,
        "og:image:type": "image/png",
        "og:image:width": str(WIDE),
        "og:image:height": str(HIGH),
        "og:image:alt": "The board of the game",
    }
    found = [f'<meta property="{name}" content="{escape(text)}">' for name, text in told.items()]
    return "\n".join([*found, '<meta name="twitter:card" content="summary_large_image">'])


def title(game: OnlineGame) -> str:
    """The title of a link to a game."""
    kind = game.variant.id.capitalize()
    if game.session is None:
        host = game.players[game.owner_seat].name
        return f"{host} invites you to {kind}" if host and not game.over else f"{kind}: Digit Duel"
    first, second = (game.players[seat].name for seat in Seat)
    if game.outcome is None:
        return f"{first} and {second} play {kind}"
    winner = game.outcome.winner
    if winner is None:
        return f"{first} and {second} played {kind}"
    return f"{kind}: {game.names[winner]} wins against {game.names[winner.other]}"
