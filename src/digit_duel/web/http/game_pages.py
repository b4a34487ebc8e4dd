"""The pages of games, with the tags from which chats make link previews."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import Response

from digit_duel.web.http.context import Services, address
from digit_duel.web.http.endpoints.previews import tags
from digit_duel.web.http.pages import Page
from digit_duel.web.replies import Refusal
from digit_duel.web.store import DamagedDatabase, Unavailable

PATHS = ("/g/{game}", "/g/{game}/result", "/g/{game}/analysis", "/j/{game}")
_EVENTS = 20  # replaying this many costs as much as a small request
_LONGEST_ID = 40


def game_page(services: Services, page: Page) -> Callable[[Request], Awaitable[Response]]:
    """Make the endpoint of a game's page; it omits the tags if the game cannot be read."""

    async def answer(request: Request) -> Response:
        game_id = request.path_params["game"]
        if len(game_id) > _LONGEST_ID:
            return page.with_tags(request, "")
        game_service = services.game_service
        kept = game_service.keeps(game_id)
        try:
            game = (await game_service.get(game_id)).game
        except (Refusal, Unavailable, DamagedDatabase):
            return page.with_tags(request, "")
        if not kept:
            services.limits.requests.charge(address(request, services.settings), 1 + game.version / _EVENTS)
        base = services.settings.public_url or f"http://{request.headers.get('host', 'localhost')}"
        return page.with_tags(request, tags(game, base.rstrip("/"), request.url.path))

    return answer
