"""Does time tell a secret? Welch's t between answers for two hidden values, cropped as dudect does."""

from __future__ import annotations

import gc
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from random import Random
from statistics import fmean, variance
from time import perf_counter_ns

from tests.web.leaks.asks import NOBODY, PLAYER, STRANGER, Ask
from tests.web.leaks.servers import Server
from tests.web.leaks.telling import Telling
from tests.web.leaks.worlds import Story, Tokens

from digit_duel.core.game import Seat
from digit_duel.web.field_types import Opponent
from digit_duel.web.play.computer import Computer
from digit_duel.web.play.live_game import LiveGame

THRESHOLD = 4.5  # dudect's; without a leak, one sample in a hundred thousand passes it
KEPT = (1.0, 0.99, 0.95, 0.9, 0.75, 0.5)  # the share of the quickest answers that is compared
TABLES = 48  # of each hidden value, so that no single one's place in memory counts
ROUNDS = 3
Samples = tuple[list[float], list[float]]


def welch(one: Sequence[float], two: Sequence[float]) -> float:
    """Welch's t statistic."""
    error = sqrt(variance(one) / len(one) + variance(two) / len(two))
    return (fmean(one) - fmean(two)) / error if error else 0.0


def cropped(samples: Samples) -> float:
    """The largest t over several crops: what takes long for other reasons hides what takes long for ours."""
    together = sorted([*samples[0], *samples[1]])
    found = []
    for share in KEPT:
        longest = together[round(share * len(together)) - 1]
        one, two = ([each for each in half if each <= longest] for half in samples)
        if min(len(one), len(two)) > 1:  # else one is nearly always quicker, as other crops show
            found.append(welch(one, two))
    return max(found, key=abs)


async def repeated(measure: Callable[[str], Awaitable[Samples]], seed: str) -> list[float]:
    """The t of each round, until one says that there is no leak, or all say that there is.

    A leak is what can be measured again: every round has new tables, new places in memory and a new order, so
    only what follows from the secret itself is beyond the threshold in all of them, and with the same sign.
    A leak grows with the root of the number of samples, and so is far beyond it in all of them or in none.
    """
    found: list[float] = []
    for number in range(ROUNDS):
        found.append(cropped(await measure(f"{seed}/{number}")))
        if abs(found[-1]) < THRESHOLD or found[-1] * found[0] < 0:
            break
    return found


def tells(found: Sequence[float]) -> bool:
    """Whether all rounds found the same leak."""
    return len(found) == ROUNDS and all(abs(t) >= THRESHOLD and t * found[0] > 0 for t in found)


@dataclass(frozen=True, slots=True)
class Timed:
    """A question, and two hidden values on which the time of its answer must not depend."""

    variant: str
    worlds: tuple[Tokens, Tokens]
    ask: Callable[[str, int], Ask]  # by game and version
    sight: Seat | None = Seat.FIRST
    opponent: Opponent = "friend"


def _command(game: str, version: int, move: str) -> Ask:
    """A move that is refused: it comes too late, or it is not a move."""
    body = {"id": "t", "version": version, "do": "move", "move": move}
    return Ask(PLAYER, "POST", f"/api/games/{game}/commands", body)


_HANDS: tuple[Tokens, Tokens] = (
    ("d5", "k", "d0", "k", "d4", "k", "d1", "k", "d6"),
    ("d5", "k", "d9", "k", "d4", "k", "d8", "k", "d6"),
)
_PICKS: tuple[Tokens, Tokens] = (("+1", "+1", "b1"), ("+1", "+1", "b5"))
TIMED: dict[str, Timed] = {
    "a look at the other's hand": Timed(
        "cards", _HANDS, lambda game, at: Ask(PLAYER, "GET", f"/api/games/{game}")
    ),
    "a stranger's look": Timed(
        "cards", _HANDS, lambda game, at: Ask(NOBODY, "GET", f"/api/games/{game}?after={at - 2}"), None
    ),
    "a record of one seat": Timed(
        "cards", _HANDS, lambda game, at: Ask(PLAYER, "GET", f"/api/games/{game}/record")
    ),
    "a refused move in cards": Timed("cards", _HANDS, lambda game, at: _command(game, 0, "k")),
    "a look at a sealed digit": Timed(
        "battle", _PICKS, lambda game, at: Ask(PLAYER, "GET", f"/api/games/{game}")
    ),
    "a refused digit": Timed("battle", _PICKS, lambda game, at: _command(game, at, "a9")),
    "a refused proof": Timed(
        "battle", _PICKS, lambda game, at: Ask(STRANGER, "GET", f"/api/games/{game}/proof")
    ),
}
_SETTINGS = {"battle": {"pool": "1-1x2"}, "cards": {}}


async def _live_games(server: Server, timed: Timed, seed: str) -> list[tuple[int, Telling, LiveGame]]:
    """Games with both values, made in a random order."""
    rng = Random(seed)
    kinds = [0, 1] * TABLES
    rng.shuffle(kinds)
    found = []
    for number, kind in enumerate(kinds):
        settings = _SETTINGS[timed.variant]
        story = Story(f"{seed}/{number}", timed.variant, settings, timed.sight, timed.worlds, timed.opponent)
        telling = Telling(server, story, kind)
        found.append((kind, telling, await telling.begin()))
    return found


async def sampled(server: Server, timed: Timed, count: int, seed: str) -> Samples:
    """How long so many answers for each value took, in nanoseconds, one value's between the other's."""
    server.clean(Random(seed).randbytes(32))
    game_service = await _live_games(server, timed, seed)
    halves = [[each for each in game_service if each[0] == kind] for kind in (0, 1)]
    rng = Random(f"{seed}/order")
    samples: Samples = ([], [])
    gc.collect()
    gc.disable()
    try:
        for _ in range(count):
            for kind in rng.choice(((0, 1), (1, 0))):
                _, telling, live = rng.choice(halves[kind])
                live.game.__dict__.pop("sights", None)  # as if nobody had looked yet
                each = timed.ask(live.game.id, live.game.version)
                headers = telling.headers(each.who)
                began = perf_counter_ns()
                await telling.answered(each, headers)
                samples[kind].append(perf_counter_ns() - began)
    finally:
        gc.enable()
    return samples


async def delayed(server: Server, pace: float, level: str, count: int, seed: str) -> Samples:
    """How long the computer took for so many moves with a low and with a high card, in nanoseconds."""
    worlds: tuple[Tokens, Tokens] = (("d5", "k", "d0"), ("d5", "k", "d9"))
    timed = Timed("cards", worlds, TIMED["a refused proof"].ask, opponent="computer")
    server.clean(Random(seed).randbytes(32))
    made = await _live_games(server, timed, seed)
    await server.end()  # nobody else thinks
    rng, computer = Random(f"{seed}/order"), Computer(pace)
    samples: Samples = ([], [])
    for _ in range(count):
        for kind in rng.choice(((0, 1), (1, 0))):
            online_game = rng.choice([live.game for each, _, live in made if each == kind])
            players = (online_game.players[0], replace(online_game.players[1], level=level))
            online_game = replace(online_game, players=players)
            began = perf_counter_ns()
            await computer.choose(online_game, Seat.SECOND)
            samples[kind].append(perf_counter_ns() - began)
    computer.stop()
    return samples
