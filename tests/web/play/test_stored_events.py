"""Logs that an earlier server wrote still read, fold and write as they did: SAFETY F5.

fixtures/logs_of_2026.json holds the events of nine games from a database that was written before events had
types, and what that server made of them. Its key was the bytes from 0 to 31.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from digit_duel.web.play.events import canonical, decode, kind
from digit_duel.web.play.fair_deals.deals import server_seed
from digit_duel.web.play.fold import DamagedLog, fold
from digit_duel.web.play.online_game import OnlineGame
from digit_duel.web.store import Event

LOGS: list[dict[str, Any]] = json.loads((Path(__file__).parent / "fixtures/logs_of_2026.json").read_text())


def folded(log: dict[str, Any], events: list[Event]) -> OnlineGame:
    return fold(OnlineGame(log["game"]), server_seed(bytes(range(32)), log["game"]), events)


@pytest.mark.parametrize("log", LOGS, ids=lambda log: log["game"])
def test_an_old_log_folds_to_the_same_game(log: dict[str, Any]) -> None:
    game = folded(log, [Event(*row) for row in log["events"]])
    assert game.digest == log["events"][-1][4]
    assert (game.record().text() if game.session else None) == log["record"]
    assert {what: int(seat) for what, (seat, _) in game.offers.items()} == log["offers"]
    assert (game.clock, list(game.used)) == (log["clock"], log["used"])


def test_old_bodies_are_written_as_they_were_byte_for_byte() -> None:
    bodies = [row[3] for log in LOGS for row in log["events"]]
    assert [canonical(decode(body)) for body in bodies] == bodies
    assert {kind(decode(body)) for body in bodies} == {
        "open", "sit", "invite", "move", "takeback", "offer", "decline", "clock", "rematch", "resign",
        "claim", "cancel",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("there", "instead"),
    [('"kind":"move"', '"kind":"mowe"'), ('"kind":"move"', '"kind":["move"]'), ('"move":"', '"move":"9'),
     ('"name":"', '"name":"x'), ('"seat":', '"seat":7'), ('"level":null', '"level":5'), ("{", "[{"),
     ('"', "\\ud800")],
)  # fmt: skip
def test_a_changed_body_is_noticed(there: str, instead: str) -> None:
    log = next(log for log in LOGS if any(there in row[3] for row in log["events"]))
    at = next(at for at, row in enumerate(log["events"]) if there in row[3])
    events = [Event(*row) for row in log["events"]]
    events[at] = events[at]._replace(body=events[at].body.replace(there, instead, 1))
    with pytest.raises(DamagedLog):
        folded(log, events)
