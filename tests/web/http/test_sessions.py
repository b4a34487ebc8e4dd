"""Tokens and codes: SAFETY B1, B7, B10 and B11, figure R13, without a server."""

from __future__ import annotations

import asyncio
import secrets
from base64 import urlsafe_b64decode
from collections import Counter
from typing import Any, cast

import pytest

from digit_duel.web.http.sessions import Sessions, hashed, tidy
from digit_duel.web.play.live_game import Caller
from digit_duel.web.replies import Refusal
from digit_duel.web.settings import Settings
from digit_duel.web.store import Store


class RecordingStore:
    """The part of a store that sessions need; it records everything it is given."""

    def __init__(self) -> None:
        self.people: dict[str, str] = {}
        self.codes: dict[str, tuple[str, int]] = {}

    async def add_session(self, token: str, person: str, at: int, device: str = "") -> None:
        self.people[token] = person

    async def person(self, token: str) -> str | None:
        return self.people.get(token)

    async def end_session(self, token: str, at: int, codes: bool) -> None:
        self.people.pop(token, None)

    async def add_code(self, code: str, session: str, until: int) -> None:
        self.codes[code] = (self.people[session], until)

    async def use_code(self, code: str, token: str, at: int, device: str = "") -> bool:
        person, until = self.codes.pop(code, ("", 0))
        if at < until:
            self.people[token] = person
        return at < until


def sessions(store: RecordingStore, **settings: Any) -> Sessions:
    return Sessions(Settings(**settings), cast(Store, store), lambda session: None)


def test_a_hundred_thousand_tokens_are_256_random_bits_each() -> None:
    """B1, R13: all differ, and each of the 32 bytes takes its 256 values evenly.

    Chi-square with 255 degrees of freedom: 32 sums stay under 402 with a chance of more than 0.99999.
    """
    number = 100_000

    async def start() -> list[str]:
        all = sessions(RecordingStore())
        return [await all.start() for _ in range(number)]

    tokens = asyncio.run(start())
    assert len(set(tokens)) == number
    raw = [urlsafe_b64decode(token + "=") for token in tokens]
    assert {len(data) for data in raw} == {32}
    expected = number / 256
    for at in range(32):
        counts = Counter(data[at] for data in raw)
        chi_square = sum((counts[value] - expected) ** 2 for value in range(256)) / expected
        assert 150 < chi_square < 402, at


def test_the_store_sees_the_hash_of_a_token_and_nothing_else() -> None:
    """B7, B11: hashes are compared, so the time taken reveals nothing about a token."""
    store = RecordingStore()

    async def run() -> None:
        all = sessions(store)
        token = await all.start("anna")
        assert list(store.people.items()) == [(hashed(token), "anna")]
        assert hashed("a") == "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"
        annas = await all.caller(token)
        assert annas == Caller("anna", hashed(token))
        code = await all.new_code(annas)
        assert list(store.codes) == [hashed(code.replace("-", ""))]
        for wrong in (None, "", token[:-1], token + "x", token.swapcase(), hashed(token), "x" * 101):
            assert await all.caller(wrong) == Caller()
        await all.end(await all.caller(token))
        assert await all.caller(token) == Caller()

    asyncio.run(run())


def test_a_code_works_once_and_in_time_however_it_is_typed() -> None:
    async def run() -> None:
        all = sessions(RecordingStore())
        code = await all.new_code(await all.caller(await all.start("anna")))
        assert [len(part) for part in code.split("-")] == [4, 4, 4]
        resumed = await all.caller(await all.resume(f" {code.lower().replace('-', ' ')} "))
        assert resumed.person == "anna"
        with pytest.raises(Refusal, match="wrong, used or expired"):
            await all.resume(code)
        late = sessions(RecordingStore(), code_seconds=-1)
        code = await late.new_code(await late.caller(await late.start("anna")))
        with pytest.raises(Refusal, match="wrong, used or expired"):
            await late.resume(code)

    asyncio.run(run())


def test_a_code_has_58_bits_and_letters_that_cannot_be_mistaken() -> None:
    """Guessing is bounded by opens_per_minute and ten minutes: 600 tries in 5e17."""
    letters: Counter[str] = Counter()

    async def run() -> None:
        all = sessions(RecordingStore())
        anna = await all.caller(await all.start("anna"))
        for _ in range(3000):
            letters.update((await all.new_code(anna)).replace("-", ""))

    asyncio.run(run())
    assert len(letters) == 30
    assert not set(letters) & set("ILOU01")
    expected = 3000 * 12 / 30
    assert sum((count - expected) ** 2 for count in letters.values()) / expected < 75


@pytest.mark.parametrize("code", ["", "-", "٣٣٣", "\u017f\u017f", "\u212aKKK", "a" * 1000])
def test_no_code_is_made_of_strange_letters(code: str) -> None:
    """D1, D6."""
    assert tidy(code) == "".join(letter for letter in code.replace("a", "A") if letter in "AK")

    async def run() -> None:
        with pytest.raises(Refusal, match="wrong, used or expired"):
            await sessions(RecordingStore()).resume(code)

    asyncio.run(run())


@pytest.mark.parametrize(
    ("url", "name", "secure"),
    [
        ("https://duel.example", "__Host-digit_duel", "; Secure"),
        ("http://class.example", "digit_duel", ""),
        (None, "digit_duel", ""),
    ],
)
def test_the_cookie_is_as_strict_as_the_connection_allows(url: str | None, name: str, secure: str) -> None:
    """B10: with TLS no other host, path or plain connection can set it."""
    all = sessions(RecordingStore(), public_url=url)
    attributes = f"Path=/; HttpOnly; SameSite=Strict{secure}; Max-Age=34560000"
    assert all.set_cookie("T") == f"{name}=T; {attributes}"
    assert all.drop_cookie().startswith(f"{name}=; ")
    assert all.drop_cookie().endswith("Max-Age=0")
    assert all.token(f"x=1; {name}=T; y=2") == "T"
    assert all.token("other=T") is None


@pytest.mark.parametrize(
    "cookies", ["", "=", ";;;", "digit_duel", "\x00", "a=b" * 3000, 'digit_duel="', "\xfc=1"]
)
def test_malformed_cookies_identify_nobody(cookies: str) -> None:
    """D10."""
    assert not sessions(RecordingStore()).token(cookies)


def test_tokens_come_from_the_systems_random_source(monkeypatch: pytest.MonkeyPatch) -> None:
    """B1: not from a generator whose next output can be predicted."""
    monkeypatch.setattr(secrets, "token_urlsafe", lambda size: f"noise of {size} bytes")
    assert asyncio.run(sessions(RecordingStore()).start()) == "noise of 32 bytes"
