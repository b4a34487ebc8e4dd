"""What Prometheus reads: every request by route and result, and every metric of the dashboard."""

from __future__ import annotations

import json
import re
from pathlib import Path

import httpx
from tests.web.client import Client, pair, seated
from tests.web.server import Server

DASHBOARD = Path(__file__).parents[3] / "docs" / "web" / "grafana.json"
PAGE = DASHBOARD.with_name("operations.md")
FUNCTIONS = {"sum", "rate", "by", "topk", "histogram_quantile"}
LABELS = {"le", "method", "route", "status", "reason", "instance", "kind"}


def metrics(server: Server) -> dict[str, float]:
    """All samples by name and labels."""
    lines = httpx.get(f"{server.url}/metrics", trust_env=False).text.splitlines()
    split = (line.rpartition(" ") for line in lines if not line.startswith("#"))
    return {name: float(value) for name, _, value in split}


def test_requests_are_counted_by_route_and_result_with_their_time(server: Server) -> None:
    anna, ben = pair(server.url)
    with anna, ben:
        before = metrics(server)
        game = seated(anna, ben, "classic")
        assert anna.move(game, "9a1", version=3).code == "ok"
        assert anna.move(game, "9a1", version=3).code == "not_your_turn"
        with Client(server.url, stranger=True) as eve:
            assert eve.ask("GET", "/api/none").status == 404
        after = metrics(server)
    grown = {name: count - before.get(name, 0.0) for name, count in after.items()}
    route = 'method="POST",route="/api/games/{game}/commands"'
    assert grown[f'digit_duel_requests_total{{{route},status="200"}}'] == 1
    assert grown[f'digit_duel_requests_total{{{route},status="409"}}'] == 1
    assert grown[f"digit_duel_request_seconds_count{{{route}}}"] == 2
    assert grown['digit_duel_requests_total{method="any",route="unknown",status="404"}'] == 1
    assert grown['digit_duel_refusals_total{reason="not_your_turn"}'] == 1
    assert grown["digit_duel_commit_seconds_count"] == grown["digit_duel_batch_size_count"] >= 4
    assert after["process_resident_memory_bytes"] > 10_000_000
    assert after["process_open_fds"] > 5
    assert not any(game in name for name in after)


def test_every_metric_of_the_dashboard_exists(server: Server) -> None:
    document = json.loads(DASHBOARD.read_text(encoding="utf-8"))
    with Client(server.url) as anna:
        anna.open("classic")
        anna.ask("GET", "/api/games/none")
    declared = httpx.get(f"{server.url}/metrics", trust_env=False).text
    there = set(re.findall(r"^# TYPE (\w+) \w+$", declared, re.MULTILINE))
    shown = [target["expr"] for panel in document["panels"] for target in panel["targets"]]
    assert len(shown) >= 13
    for expression in shown:
        words = (
            set(re.findall(r"[a-z_]{3,}", re.sub(r"\[.*?\]|\"\w+\"", "", expression))) - FUNCTIONS - LABELS
        )
        assert words
        for word in words:
            families = {word, re.sub(r"_(bucket|sum|count)$", "", word)}
            assert families & there, f"{word} in {expression}"


def test_every_metric_that_the_operations_page_names_exists(server: Server) -> None:
    declared = httpx.get(f"{server.url}/metrics", trust_env=False).text
    there = set(re.findall(r"^# TYPE (\w+) \w+$", declared, re.MULTILINE))
    named = set(re.findall(r"\b(?:digit_duel|process)_[a-z_]*[a-z]\b", PAGE.read_text(encoding="utf-8")))
    commands = {"digit_duel_damaged"}  # a database
    assert len(named) >= 8
    assert {
        name for name in named - commands if not {name, re.sub(r"_(sum|count)$", "", name)} & there
    } == set()
