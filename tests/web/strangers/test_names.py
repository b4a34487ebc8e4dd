"""Names that nobody can see, or that pose as the computer, are refused with a sentence."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.web.server import running_server
from tests.web.strangers.plain import Stranger

from digit_duel.core.names import BadName, clean_name, poses_as_computer

INVISIBLE = (
    " ", "\u00a0", "\u200b", "\u200b\u200d", "\u2060", "\ufeff", "\u00ad", "\u180e", "\u3000", "\u202e",
    "\u3164", "\u115f\u1160", "\uffa0", "\u2800", "\ufe0f", "\u034f", "\U000e0100", "\u3164 \u200b",
    "\U0001d159",
)  # fmt: skip
POSING = (
    "Computer", "computer", "COMPUTER", "The computer", "perfect (computer)", "Computer 2", "C o m p u t e r",
    "com\u200bputer", "\uff23\uff4f\uff4d\uff50\uff55\uff54\uff45\uff52",
    "\U0001d402omputer", "c\u043emputer",
    "\u0421omputer",
    "\u0441\u043e\u043cputer", "C0mputer", "c\u00f3mputer", "comp\u03c5ter", "\u24d2omputer",
    "\u1d04\u1d0f\u1d0d\u1d18\u1d1c\u1d1b\u1d07\u0280", "Compu\u0167er", "Cornputer", "Comput3r", "C0mpu7er",
    "\u03f9\u0585mputer", "\u13dfomputer", "\ua4da\ua4f3\ua4df\ua4d1\ua4f4\ua4d4\ua4f0\ua4e3",
)  # fmt: skip
HONEST = (
    "Ann",
    "\u00c9va",
    "\u674e\u96f7",
    "\u0412\u0430\u043d\u044f",
    "\U0001f600",
    "7",
    "Compton",
    "Compter",
    "Computten",
    "Comp\u00e8re",
    "\u041a\u043e\u043c\u043f\u044c\u044e\u0442\u0435\u0440",
    "\u0421\u043e\u0431\u0440\u0430\u0442\u0435\u0446",
    "O'Neil",
    "-",
)


@pytest.mark.parametrize("name", INVISIBLE)
def test_an_invisible_name_is_refused(name: str) -> None:
    with pytest.raises(BadName, match="at least one visible character"):
        clean_name(name)


@pytest.mark.parametrize("name", POSING)
def test_a_name_that_looks_like_the_computers_is_recognised(name: str) -> None:
    assert poses_as_computer(clean_name(name))


@pytest.mark.parametrize("name", HONEST)
def test_other_names_are_taken_as_they_are(name: str) -> None:
    assert clean_name(name) == name
    assert not poses_as_computer(name)


def test_the_server_refuses_both_and_says_why(tmp_path: Path) -> None:
    with running_server(tmp_path) as server, Stranger(server.url) as stranger:
        wish = {"variant": "classic", "opponent": "friend", "bearer": True}
        for name, why in (
            ("\u3164\u200b", "visible character"),
            ("\u0421omputer", "looks like the computer's"),
        ):
            said = stranger.ask("POST", "/api/games", {**wish, "name": name})
            assert (said.status, said.body["code"]) == (400, "bad_request")
            assert why in said.body["message"]
        assert stranger.ask("POST", "/api/games", {**wish, "name": "Ann"}).status == 201


def test_a_short_name_of_many_accents_is_not_called_too_long() -> None:
    with pytest.raises(BadName, match="as many letters as accents"):
        clean_name("\u0e2d\u0e38\u0e4a")
    with pytest.raises(BadName, match="at most 24 characters"):
        clean_name("a" * 25)
    assert clean_name("\u0e01\u0e34\u0e4a\u0e01") == "\u0e01\u0e34\u0e4a\u0e01"
