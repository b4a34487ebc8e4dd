"""The API conforms to its own OpenAPI document, as schemathesis checks (SAFETY D3, D8, E5, R8)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.specs.openapi.checks import positive_data_acceptance
from tests.web.client import Client, pair, seated
from tests.web.server import Server, running_server

from digit_duel.web.http.openapi import description
from digit_duel.web.http.routes import ROUTES
from digit_duel.web.replies import Code

EXAMPLES = settings(
    max_examples=12,
    deadline=None,
    derandomize=True,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@dataclass(slots=True)
class Place:
    """A server with a player and a game that goes on."""

    server: Server
    person: Client
    game: str


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    with running_server(tmp_path_factory.mktemp("openapi")) as server:
        one, other = pair(server.url)
        with one, other:
            yield Place(server, one, seated(one, other, "cards"))
        log = server.log.read_text()
        assert "unforeseen" not in log
        assert "Traceback" not in log


@pytest.fixture(scope="module")
def described(place: Place) -> Any:
    # To schemathesis 413 is no refusal: here what has the right form, and more of it than fits, is too large.
    refused = ["400", "401", "403", "404", "409", "413", "429"]
    checks = {
        "negative_data_rejection": {"expected-statuses": refused},
        "positive_data_acceptance": {"expected-statuses": ["2xx", "403", "404", "409", "413"]},
    }
    generation = {"allow-x00": False}  # refused in every text, which a schema does not say for each of them
    config = schemathesis.Config.from_dict({"checks": checks, "generation": generation})
    return schemathesis.openapi.from_url(f"{place.server.url}/api/openapi.json", config=config)


schema = schemathesis.pytest.from_fixture("described")


def run(case: Any, place: Place) -> None:
    """One request by the description, right or wrong in one place; every check of its answer."""
    path = case.path_parameters or {}
    if "game" in path and not case.path.endswith("/events") and len(str(path["game"])) % 2:
        case.path_parameters["game"] = place.game
    excluded = [positive_data_acceptance] if not settled_by_its_form(case) else []
    headers = {"Authorization": f"Bearer {place.person.token}"}
    case.call_and_validate(headers=headers, timeout=30, excluded_checks=excluded)


def settled_by_its_form(case: Any) -> bool:
    """Whether a request that has the right form must be taken.

    A command also has to make sense in its game, and a position to be one; 3.0, whole to JSON Schema,
    is not here.
    """
    if case.path.endswith(("/commands", "/analysis")):
        return False
    values = case.body.values() if isinstance(case.body, dict) else ()
    return not any(isinstance(value, float) for value in values)


@schema.parametrize()
@EXAMPLES
def test_every_answer_is_one_that_the_description_names(case: Any, place: Place) -> None:
    """D3, D8: no answer of 500 or more, none that is not documented, no wrong request that is taken."""
    run(case, place)


@pytest.mark.slow
@schema.parametrize()
@settings(EXAMPLES, max_examples=int(os.environ.get("DIGIT_DUEL_EXAMPLES", "150")))
def test_thousands_of_answers_are_ones_that_the_description_names(case: Any, place: Place) -> None:
    """R8: the same for longer; DIGIT_DUEL_EXAMPLES says for how long."""
    run(case, place)


def test_the_description_names_every_route_and_every_code() -> None:
    document: Any = description()
    described = {(method.upper(), path) for path, found in document["paths"].items() for method in found}
    routed = {(route.method, route.path) for route in ROUTES}
    assert described == routed | {("GET", "/api/games/{game}/events")}
    schemas = document["components"]["schemas"]
    assert schemas["RefusalAnswer"]["properties"]["code"] == {"$ref": "#/components/schemas/Code"}
    assert schemas["Code"]["enum"] == sorted(str(code) for code in Code)
    names = [found["operationId"] for path in document["paths"].values() for found in path.values()]
    assert len(names) == len(set(names))


def test_every_answer_has_a_type_with_fields() -> None:
    document: Any = description()
    schemas = document["components"]["schemas"]
    for path, operations in document["paths"].items():
        for found in operations.values():
            for status, response in found["responses"].items():
                for media, content in response["content"].items():
                    if media == "image/png":
                        assert content["schema"] == {"type": "string", "contentMediaType": "image/png"}
                        continue
                    if media != "application/json":
                        assert content["schema"] == {"type": "string"}
                        continue
                    name = content["schema"]["$ref"].removeprefix("#/components/schemas/")
                    assert schemas[name]["properties"], (path, status)


def test_the_closed_list_of_codes_is_the_one_that_was_agreed_on() -> None:
    assert {str(code): code.status for code in Code} == {
        "ok": 200, "ok_repeat": 200, "stale_version": 409, "not_your_turn": 409, "illegal_move": 409,
        "bad_request": 400, "too_large": 413, "rate_limited": 429, "forbidden": 403, "not_found": 404,
        "seat_taken": 409, "game_over": 409, "busy_retry": 503,
    }  # fmt: skip
