"""Addresses of servers and links to games, typed or pasted at the app's fields."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.app.driving import Visitor, visit
from tests.web.server import free_port
from textual import events

from digit_duel.cli.app.state import settings


@pytest.mark.parametrize("typed", ["my server", "ftp://duel.example", "a..b"])
def test_an_address_that_is_none_is_refused_at_the_field(typed: str) -> None:
    async def session(visitor: Visitor) -> None:
        await visitor.press("i", "enter", *typed, "enter")
        await visitor.sees("A server's address looks like https://duel.example or http://192.168.1.5:8642.")
        assert visitor.field.value == typed

    visit(session)
    assert settings.load().server == ""


def test_a_link_that_leads_nowhere_is_refused_at_the_field() -> None:
    async def session(visitor: Visitor) -> None:
        await visitor.press("i", "j", *"duel.example/x/1", "enter")
        await visitor.sees("A link to a game looks like https://duel.example/j/GAME#SECRET")
        assert visitor.field.value == "duel.example/x/1"

    visit(session)


def test_a_link_copied_from_two_rows_is_pasted_whole() -> None:
    async def session(visitor: Visitor) -> None:
        await visitor.press("i", "j")
        visitor.field.post_message(events.Paste("http://127.0.0.1:1/j/abc#de\nfg\n"))
        await visitor.press("h")
        assert visitor.field.value == "http://127.0.0.1:1/j/abc#defgh"
        visitor.field.select_all()
        visitor.field.post_message(events.Paste("duel.example"))
        await visitor.press("1")
        assert visitor.field.value == "duel.example1"

    visit(session)


def test_a_server_that_cannot_be_reached_is_told(tmp_path: Path) -> None:
    async def session(visitor: Visitor) -> None:
        address = f"http://127.0.0.1:{free_port()}"
        await visitor.press("i", "j", *f"{address}/j/abc#def", "enter")
        await visitor.sees("Play online", f"{address} cannot be reached: connection refused.")

    visit(session)
