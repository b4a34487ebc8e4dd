"""The routing table: every way in, once, for the server, for the documentation and for the tests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, get_args

from digit_duel.web.field_types import OfferKind
from digit_duel.web.http import endpoints as api
from digit_duel.web.http.context import Endpoint
from digit_duel.web.play.command_types import Command
from digit_duel.web.play.lobby import OPPONENTS, STARTS
from digit_duel.web.replies import Code

Schema = Mapping[str, Any]

TEXT: Schema = {"type": "string"}
TRUTH: Schema = {"type": "boolean"}
SEAT: Schema = {"type": ["integer", "null"], "enum": [0, 1, None], "description": "0 is the first seat"}
SEED: Schema = {"type": "string", "pattern": "^([0-9a-f]{2}){0,32}$", "description": "your part in the deal"}
NULLABLE: Schema = {"type": ["string", "null"], "maxLength": 100}
PAIRS: Schema = {
    "type": "object", "maxProperties": 20, "additionalProperties": {"type": "string", "maxLength": 100},
}  # fmt: skip


def exactly(required: str = "", **properties: Schema) -> Schema:
    """An object with these properties and no others."""
    return {
        "type": "object",
        "properties": properties,
        "required": required.split(),
        "additionalProperties": False,
    }


@dataclass(frozen=True, slots=True)
class Route:
    """One endpoint of the API."""

    method: str
    path: str
    serve: Endpoint
    body: Schema | None = None
    query: Mapping[str, Schema] = field(default_factory=dict)
    refusals: tuple[Code, ...] = ()
    status: tuple[int, ...] = (200,)
    media: str = "application/json"

    @property
    def name(self) -> str:
        """The operation's name."""
        return self.serve.__name__


_LOOK: Mapping[str, Schema] = {
    "seat": {"type": "integer", "enum": [0, 1]},
    "after": {"type": "integer", "minimum": 0, "maximum": 1_000_000},
    "as": {"type": "string", "enum": ["watcher"]},
}
_GAME: Schema = {
    "type": ["string", "null"], "maxLength": 40, "description": "whose players' names to use in the words",
}  # fmt: skip
_EYES: Mapping[str, Schema] = {"seat": _LOOK["seat"]}
_COMMAND = {
    **exactly(
        "id version do",
        id={"type": "string", "pattern": "^[A-Za-z0-9_.:-]{1,64}$"},
        version={"type": "integer", "minimum": 0, "maximum": 1_000_000},
        seat=SEAT,
        do={"type": "string", "enum": [each.__struct_config__.tag for each in get_args(Command)]},
        move={"type": ["string", "null"], "maxLength": 20},
        text={"type": ["string", "null"], "maxLength": 100},
        minutes={"type": "integer", "minimum": 1, "maximum": 180},
        what={"type": "string", "enum": list(get_args(OfferKind))},
        seed=SEED,
    ),
    "description": "What else is needed depends on 'do': a move has 'move' or 'text', a clock 'minutes', "
    "decline 'what', a rematch may have a 'seed'.",
}
_BAD, _FORBIDDEN, _ABSENT = Code.BAD_REQUEST, Code.FORBIDDEN, Code.NOT_FOUND
_PLAYING = (_BAD, Code.TOO_LARGE, _FORBIDDEN, _ABSENT, Code.STALE_VERSION)

ROUTES: tuple[Route, ...] = (
    Route("GET", "/api/catalogue", api.catalogue, refusals=(_FORBIDDEN,)),
    Route(
        "POST", "/api/sessions", api.start_session, exactly(bearer=TRUTH), status=(200, 201),
        refusals=(_BAD, Code.TOO_LARGE, _FORBIDDEN),
    ),
    Route("DELETE", "/api/sessions", api.end_session, refusals=(_FORBIDDEN,)),
    Route(
        "POST", "/api/sessions/resume", api.resume_session, exactly("code", code=TEXT, bearer=TRUTH),
        status=(201,), refusals=(_BAD, Code.TOO_LARGE, _FORBIDDEN),
    ),
    Route("GET", "/api/me", api.me, refusals=(_FORBIDDEN,)),
    Route("POST", "/api/me/codes", api.new_code, refusals=(_FORBIDDEN,)),
    Route(
        "POST", "/api/games", api.open_game,
        exactly(
            "variant opponent", variant=TEXT, settings=PAIRS, level=NULLABLE, hints=TRUTH, match=NULLABLE,
            opponent={"type": "string", "enum": list(OPPONENTS)},
            start={"type": "string", "enum": list(STARTS)},
        ),
        status=(201,), refusals=(_BAD, Code.TOO_LARGE, _FORBIDDEN),
    ),
    Route("GET", "/api/games/{game}", api.look, query=_LOOK, refusals=(_BAD, _FORBIDDEN, _ABSENT)),
    Route(
        "POST", "/api/games/{game}/join", api.join,
        exactly("name", name=TEXT, seed=SEED, seat=SEAT, invite=NULLABLE),
        refusals=(*_PLAYING[:-1], Code.SEAT_TAKEN),
    ),
    Route("POST", "/api/games/{game}/invite", api.invite, refusals=(_FORBIDDEN, _ABSENT, Code.GAME_OVER)),
    Route("DELETE", "/api/games/{game}/invite", api.cancel, refusals=(_FORBIDDEN, _ABSENT, Code.GAME_OVER)),
    Route(
        "POST", "/api/games/{game}/commands", api.command, _COMMAND, refusals=_PLAYING,
        query={"view": {"type": "string", "enum": ["none"]}},
    ),
    Route("GET", "/api/games/{game}/past", api.past, query=_LOOK, refusals=(_BAD, _FORBIDDEN, _ABSENT)),
    Route(
        "GET", "/api/games/{game}/record", api.record, query=_EYES, refusals=(_BAD, _FORBIDDEN, _ABSENT),
        media="text/plain",
    ),
    Route("GET", "/api/games/{game}/proof", api.proof_of, refusals=(_FORBIDDEN, _ABSENT)),
    Route(
        "GET", "/api/games/{game}/hint", api.hint, query=_EYES,
        refusals=(_BAD, _FORBIDDEN, _ABSENT, Code.NOT_YOUR_TURN),
    ),
    Route("GET", "/api/games/{game}/review", api.review, query=_EYES, refusals=(_BAD, _FORBIDDEN, _ABSENT)),
    Route(
        "POST", "/api/analysis", api.analysis,
        exactly("variant", variant=TEXT, settings=PAIRS, seat=SEAT, game=_GAME,
                moves={"type": "array", "maxItems": 200, "items": {"type": "string", "maxLength": 20}}),
        refusals=(_BAD, Code.TOO_LARGE, _FORBIDDEN, _ABSENT),
    ),
)  # fmt: skip
