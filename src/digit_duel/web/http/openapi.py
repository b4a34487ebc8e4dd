"""The OpenAPI document, made from the routing table and the structs of requests and answers."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache
from typing import TypeAlias

import msgspec

from digit_duel import __version__
from digit_duel.core.script import Scene
from digit_duel.web.http.endpoints.answers import RefusalAnswer
from digit_duel.web.http.input.requests import Look, Query
from digit_duel.web.http.routes import ROUTES, Route
from digit_duel.web.replies import Code

Schema: TypeAlias = dict[str, object]

_ALWAYS = (Code.RATE_LIMITED, Code.BUSY_RETRY)
_DESCRIPTION = (
    'Start a session with POST /api/sessions {"bearer": true} and send its token as Authorization: Bearer. '
    "A command carries the version that it responds to and an id of your choice. You can repeat it with the "
    "same id: it is carried out once. No string may contain a NUL character."
)


def description() -> Schema:
    """Build the document."""
    kinds, components = _schemas()
    paths: dict[str, Schema] = defaultdict(dict)
    for route in ROUTES:
        paths[route.path][route.method.lower()] = _operation(route, kinds, components)
    paths["/api/games/{game}/events"]["get"] = _events(kinds, components)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Digit Duel", "version": __version__, "description": _DESCRIPTION},
        "paths": paths,
        "components": {
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "schemas": components,
        },
        "security": [{}, {"token": []}],
    }


@lru_cache(maxsize=1)
def _schemas() -> tuple[dict[object, Schema], dict[str, Schema]]:
    """The schema of each type that a route takes or returns, and the components they refer to."""
    used = [kind for route in ROUTES for kind in (route.takes, route.options, route.answers)]
    kinds = list(dict.fromkeys([*used, RefusalAnswer, Scene]))
    schemas, components = msgspec.json.schema_components(kinds, ref_template="#/components/schemas/{name}")
    return dict(zip(kinds, schemas, strict=True)), components


def _operation(
    route: Route[object, object], kinds: dict[object, Schema], components: dict[str, Schema]
) -> Schema:
    # A picture is sent as raw bytes, not as a JSON string.
    picture = {"type": "string", "contentMediaType": route.media}
    content = {route.media: {"schema": picture if route.answers is bytes else kinds[route.answers]}}
    done = {str(status): {"description": "done", "content": content} for status in route.status}
    operation: Schema = {
        "operationId": route.name,
        "summary": (route.serve.__doc__ or "").splitlines()[0],
        "parameters": _parameters(
            route.path, _fields(route.options if route.has_body else route.takes, components)
        ),
        "responses": {**done, **_refusals(route.refusals, kinds)},
    }
    if route.has_body:
        body = {"application/json": {"schema": kinds[route.takes]}}
        operation["requestBody"] = {"required": True, "content": body}
    return operation


def _events(kinds: dict[object, Schema], components: dict[str, Schema]) -> Schema:
    stream = {"description": "events", "content": {"text/event-stream": {"schema": {"type": "string"}}}}
    return {
        "operationId": "events",
        "summary": "Stream the game as server-sent events; Last-Event-ID or 'after' resumes.",
        "parameters": _parameters("/api/games/{game}/events", _fields(Look, components)),
        "responses": {
            "200": stream, **_refusals((Code.BAD_REQUEST, Code.FORBIDDEN, Code.NOT_FOUND), kinds),
        },
    }  # fmt: skip


def _fields(kind: type, components: dict[str, Schema]) -> list[Schema]:
    """The query parameters of a struct, without null, which a query cannot express."""
    assert issubclass(kind, Query)
    properties = components[kind.__name__].get("properties")
    assert isinstance(properties, dict)
    return [
        {"name": name, "in": "query", "required": False, "schema": _not_null(schema)}
        for name, schema in properties.items()
    ]


def _not_null(schema: Schema) -> Schema:
    choices = schema.get("anyOf")
    if not isinstance(choices, list):
        return schema
    (found,) = (choice for choice in choices if choice != {"type": "null"})
    assert isinstance(found, dict)
    return found


def _parameters(path: str, query: list[Schema]) -> list[Schema]:
    text: Schema = {"type": "string"}
    names = re.findall(r"{(\w+)}", path)
    return [*query, *({"name": name, "in": "path", "required": True, "schema": text} for name in names)]


def _refusals(codes: Sequence[Code], kinds: dict[object, Schema]) -> Schema:
    by_status: dict[int, list[str]] = defaultdict(list)
    for code in (*codes, *_ALWAYS):
        by_status[code.status].append(str(code))
    content = {"application/json": {"schema": kinds[RefusalAnswer]}}
    return {
        str(status): {"description": " or ".join(names), "content": content}
        for status, names in by_status.items()
    }
