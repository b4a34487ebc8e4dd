"""The endpoints that answer everybody alike: the catalogue of games and levels, and the tutorials."""

from __future__ import annotations

from functools import lru_cache
from gzip import compress

import msgspec

from digit_duel import __version__, games
from digit_duel.bots import DESCRIPTIONS
from digit_duel.core.options import OneOf
from digit_duel.core.options import Option as OptionSpec
from digit_duel.core.variant import AnyVariant
from digit_duel.web.http.context import Answer, Headers, RequestContext
from digit_duel.web.http.endpoints.answers import (
    Catalogue,
    ListedEdition,
    ListedGame,
    ListedLevel,
    ListedOption,
)
from digit_duel.web.http.input.requests import Nothing
from digit_duel.web.play.variants import customised
from digit_duel.web.replies import Code, Refusal
from digit_duel.web.settings import PROTOCOL
from digit_duel.web.views.demo import demo
from digit_duel.web.views.tutorial_view import tutorial_view
from digit_duel.web.views.view_types import TutorialView

_CACHED = ("cache-control", "public, max-age=3600")  # for tutorials


async def catalogue(context: RequestContext, query: Nothing) -> Answer[Catalogue]:
    """List all games and levels."""
    return Answer(*_packed(context, _catalogue()))


async def tutorial(context: RequestContext, query: Nothing) -> Answer[TutorialView]:
    """Return a game's lessons: the table, the choices, and what follows each good choice."""
    try:
        found = _tutorial(str(context.request.path_params["variant"]))
    except KeyError:
        raise Refusal(Code.NOT_FOUND, "There is no tutorial for that game.") from None
    return Answer(*_packed(context, found, _CACHED))


def _packed(context: RequestContext, data: bytes, *headers: tuple[str, str]) -> tuple[bytes, int, Headers]:
    """An answer, compressed if the caller accepts gzip; safe, because it contains no secret."""
    if "gzip" not in context.request.headers.get("accept-encoding", ""):
        return data, 200, headers
    zipped = (("content-encoding", "gzip"), ("vary", "accept-encoding"), *headers)
    return _zipped(data), 200, zipped


@lru_cache(maxsize=64)
def _zipped(data: bytes) -> bytes:
    return compress(data, 9, mtime=0)


@lru_cache(maxsize=1)
def _catalogue() -> bytes:
    listed = [_listed(variant) for variant in games.catalogue().values()]
    levels = [ListedLevel(level, about) for level, about in DESCRIPTIONS.items()]
    return msgspec.json.encode(Catalogue(PROTOCOL, __version__, listed, levels))


@lru_cache(maxsize=64)
def _tutorial(id: str) -> bytes:
    """A tutorial as JSON; KeyError if there is none."""
    variant = customised(id, {})
    if variant.tutorial is None:
        raise KeyError(id)
    return msgspec.json.encode(tutorial_view(variant, variant.tutorial))


def _listed(variant: AnyVariant) -> ListedGame:
    return ListedGame(
        id=variant.id,
        title=variant.title,
        summary=variant.summary,
        rules=variant.rules.text,
        hidden=variant.hides_hands,
        lessons=0 if variant.tutorial is None else len(variant.tutorial.lessons),
        options=[_option(name, spec, variant.setting(name)) for name, spec in variant.options.items()],
        demo=demo(variant),
        editions=[
            ListedEdition(edition.name, edition.summary, dict(edition.options))
            for edition in variant.editions
        ],
    )


def _option(name: str, spec: OptionSpec, value: str) -> ListedOption:
    free = spec.bounds is None and not isinstance(spec.parse, OneOf)
    asked = spec.question if spec.choices else spec.help
    return ListedOption(name, value, asked, list(spec.choices), spec.bounds, free)
