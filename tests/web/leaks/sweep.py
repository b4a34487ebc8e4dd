"""Comparing worlds: whatever an observer is shown must be the same in all of them, to the byte."""

from __future__ import annotations

import asyncio
from base64 import b64encode, urlsafe_b64encode
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from tests.web.leaks.servers import Fate, Server
from tests.web.leaks.telling import Shown, Telling
from tests.web.leaks.worlds import Story, story
from tests.worlds import Leak

_ENOUGH = 12  # characters of a secret that cannot be there by chance


def sweep(pairs: int, seed: str, **wanted: Any) -> Tally:
    """Tell random stories until so many pairs of worlds have been compared; what was done."""
    return asyncio.run(_sweep(pairs, seed, wanted))


@dataclass(slots=True)
class Tally:
    """How much was compared."""

    stories: int = 0
    worlds: int = 0
    pairs: int = 0  # of worlds of one story: each is compared with the first, and so all are alike
    answers: int = 0


async def _sweep(pairs: int, seed: str, wanted: Mapping[str, Any]) -> Tally:
    tally = Tally()
    async with a_server() as server:
        while tally.pairs < pairs:
            await compare(server, story(f"{seed}/{tally.stories}", **wanted), tally)
    return tally


@asynccontextmanager
async def a_server() -> AsyncIterator[Server]:
    """A server whose time, randomness and cards the test controls."""
    fate = Fate()
    with fate.rules():
        server = Server(fate)
        yield server
        await server.close()


async def compare(server: Server, told: Story, tally: Tally) -> None:
    """Tell a story in all its worlds, or Leak if they can be told apart."""
    where = f"{told.variant} {dict(told.settings)} {told.worlds[0]} seen by {told.sight}, seed {told.seed!r}"
    shown: list[Shown] = []
    first: list[tuple[str, bytes]] = []
    for number in range(len(told.worlds)):
        shown.append(await Telling(server, told, number).run())
        nothing_of(shown[-1], where)
        found = shown[-1].blanked()
        first = first or found
        same(first, found, where)
        tally.pairs += number
        tally.answers += len(found)
    sealed_well(shown, where)
    tally.stories += 1
    tally.worlds += len(shown)


def same(one: Sequence[tuple[str, bytes]], two: Sequence[tuple[str, bytes]], where: str) -> None:
    """Raise Leak unless both worlds showed the same, to the byte."""
    if one == two:
        return
    for (asked, first), (asked_too, second) in zip(one, two, strict=False):
        if asked != asked_too or first != second:
            raise Leak(
                f"{where}\n{asked} ({asked_too})\n{_around(first, second)}\n"
                f"--- but in a world that looks alike ---\n{_around(second, first)}"
            )
    raise Leak(f"{where}: {len(one)} answers in one world, {len(two)} in the other")


def _around(one: bytes, two: bytes) -> str:
    """The place where two texts part."""
    at = next((n for n, pair in enumerate(zip(one, two, strict=False)) if pair[0] != pair[1]), len(one))
    return f"...{one[max(0, at - 200) : at + 120]!r} (of {len(one)} bytes)"


def sealed_well(shown: Sequence[Shown], where: str) -> None:
    """Check that seals depend on keys, so that nobody can guess what they hide (C12)."""
    decks = [seal for each in shown for seal in each.deck_seals.values()]
    choices = [seal for each in shown for *_, seal in each.choices]
    if len(set(decks)) < len(decks) or len(set(choices)) < len(choices):
        raise Leak(f"{where}: the same seal in worlds with different keys")
    for each in shown:
        for game, version, move, seal in each.choices:
            salts = ("", game, str(version), each.deck_seals[game])
            guesses = {f"{salt}/{game}/{version}/{move}" for salt in salts} | {
                move,
                f"{game}/{version}/{move}",
            }
            if any(sha256(guess.encode()).hexdigest() == seal for guess in guesses):
                raise Leak(f"{where}: the seal of {move} can be guessed")


def nothing_of(shown: Shown, where: str) -> None:
    """No secret stands anywhere, in any of the ways to write it (C6, C16)."""
    everything = b"\n".join({text for _, text in shown.told})
    for name, secret in shown.secrets.items():
        for needle in spelled(secret):
            if needle in everything:
                raise Leak(f"{where}: {name} is shown as {needle!r}")


def spelled(secret: bytes) -> Iterator[bytes]:
    """The ways to write a secret, each as much of it as could not be there by chance."""
    whole = secret.hex()
    for text in (whole, whole.upper(), "\\\\x".join(["", *(f"{byte:02x}" for byte in secret)])):
        yield text[:_ENOUGH].encode()
        yield text[-_ENOUGH:].encode()
    yield secret[:8]
    yield b64encode(secret)[:_ENOUGH]
    yield urlsafe_b64encode(secret)[:_ENOUGH]
    for order in ("big", "little"):
        yield str(int.from_bytes(secret, order))[:_ENOUGH].encode()
    yield ",".join(map(str, secret[:6])).encode()
    yield ", ".join(map(str, secret[:6])).encode()
