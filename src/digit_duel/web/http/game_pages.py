"""The pages of games, with the tags from which chats make link previews."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import Response

from digit_duel.web.http.context import LONGEST_ID, Services, address, base_url, charged_for_loading
from digit_duel.web.http.endpoints.previews import tags
from digit_duel.web.http.pages import Page
from digit_duel.web.replies import Refusal
from digit_duel.web.store import DamagedDatabase, Unavailable

PATHS = ("/g/{game}", "/g/{game}/result", "/g/{game}/analysis", "/j/{game}")


def game_page(services: Services, page: Page) -> Callable[[Request], Awaitable[Response]]:
    """Make the endpoint of a game's page; it omits the tags if the game cannot be read."""

    async def answer(request: Request) -> Response:
        game_id = request.path_params["game"]
        if len(game_id) > LONGEST_ID:
            return page.with_tags(request, "")
        try:
            with charged_for_loading(services, address(request, services.settings), game_id):
                game = (await services.game_service.get(game_id)).game
        except (Refusal, Unavailable, DamagedDatabase):
            return page.with_tags(request, "")
        base = base_url(request, services.settings)
        return page.with_tags(request, tags(game, base, request.url.path))

    return answer
