"""The API's own description, from the routing table."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from digit_duel import __version__
from digit_duel.web.http.routes import ROUTES, TEXT, Route
from digit_duel.web.replies import Code

_ALWAYS = (Code.RATE_LIMITED, Code.BUSY_RETRY)
_REFUSAL = {
    "type": "object",
    "required": ["code", "message"],
    "properties": {
        "code": {"type": "string", "enum": [str(code) for code in Code]},
        "message": {"type": "string", "description": "a sentence for people"},
        "version": {"type": "integer", "description": "the game's present version"},
        "view": {"type": "object", "description": "the game as you may see it now"},
    },
}


def description() -> dict[str, Any]:
    """The OpenAPI document."""
    paths: dict[str, Any] = defaultdict(dict)
    for route in ROUTES:
        paths[route.path][route.method.lower()] = _operation(route)
    paths["/api/games/{game}/events"]["get"] = _events()
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Digit Duel",
            "version": __version__,
            "description": 'Start a session with POST /api/sessions {"bearer": true} and send its token as '
            "Authorization: Bearer. A command carries the version it was decided on and an id of your "
            "choice: send it again with the same id as often as you like, it is carried out once.",
        },
        "paths": paths,
        "components": {
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "schemas": {"Refusal": _REFUSAL},
        },
        "security": [{}, {"token": []}],
    }


def _operation(route: Route) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "operationId": route.name,
        "summary": (route.serve.__doc__ or "").splitlines()[0],
        "parameters": _parameters(route.path, route.query),
        "responses": _responses(route),
    }
    if route.body is not None:
        operation["requestBody"] = {"required": True, "content": {"application/json": {"schema": route.body}}}
    return operation


def _parameters(path: str, query: Any) -> list[dict[str, Any]]:
    found = [
        {"name": name, "in": "query", "required": False, "schema": schema} for name, schema in query.items()
    ]
    if "{game}" in path:
        found.append({"name": "game", "in": "path", "required": True, "schema": TEXT})
    return found


def _responses(route: Route) -> dict[str, Any]:
    schema = {"type": "string"} if route.media == "text/plain" else {"type": "object"}
    found: dict[str, Any] = {
        str(status): {"description": "done", "content": {route.media: {"schema": schema}}}
        for status in route.status
    }
    by_status: dict[int, list[str]] = defaultdict(list)
    for code in (*route.refusals, *_ALWAYS):
        by_status[code.status].append(str(code))
    for status, codes in by_status.items():
        content = {"application/json": {"schema": {"$ref": "#/components/schemas/Refusal"}}}
        found[str(status)] = {"description": " or ".join(codes), "content": content}
    return found


def _events() -> dict[str, Any]:
    refusals = (Code.BAD_REQUEST, Code.FORBIDDEN, Code.NOT_FOUND)
    stream = {"description": "events", "content": {"text/event-stream": {"schema": {"type": "string"}}}}
    found = {
        str(code.status): {
            "description": str(code),
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Refusal"}}},
        }
        for code in (*refusals, *_ALWAYS)
    }
    look = next(route for route in ROUTES if route.name == "look")
    return {
        "operationId": "events",
        "summary": "The game as it goes on, as server-sent events; Last-Event-ID or 'after' resumes.",
        "parameters": _parameters("/api/games/{game}/events", look.query),
        "responses": {"200": stream, **found},
    }
