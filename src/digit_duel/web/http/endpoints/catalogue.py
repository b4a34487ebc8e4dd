"""The endpoint that lists all games and levels."""

from __future__ import annotations

from functools import lru_cache
from gzip import compress

import msgspec

from digit_duel import __version__, games
from digit_duel.bots import DESCRIPTIONS
from digit_duel.core.game import public
from digit_duel.core.options import options
from digit_duel.core.variant import AnyVariant
from digit_duel.web.http.context import Answer, RequestContext
from digit_duel.web.http.endpoints.answers import Catalogue, ListedGame, ListedLevel, Option
from digit_duel.web.http.input.requests import Nothing
from digit_duel.web.settings import PROTOCOL


async def catalogue(context: RequestContext, query: Nothing) -> Answer[Catalogue]:
    """List all games and levels."""
    if "gzip" not in context.request.headers.get("accept-encoding", ""):
        return Answer(_catalogue())
    headers = (("content-encoding", "gzip"), ("vary", "accept-encoding"))
    return Answer(compress(_catalogue(), 9, mtime=0), headers=headers)  # the same for everybody: no secret


@lru_cache(maxsize=1)
def _catalogue() -> bytes:
    listed = [_listed(variant) for variant in games.catalogue().values()]
    levels = [ListedLevel(level, about) for level, about in DESCRIPTIONS.items()]
    return msgspec.json.encode(Catalogue(PROTOCOL, __version__, listed, levels))


def _listed(variant: AnyVariant) -> ListedGame:
    return ListedGame(
        id=variant.id,
        title=variant.title,
        summary=variant.summary,
        rules=variant.rules.text,
        hidden=not public(variant.game.view, variant.game.start()),
        options=[
            Option(name, spec.show(getattr(variant.game, name)), spec.help)
            for name, spec in options(variant.game).items()
        ],
    )
