"""Second implementation of battle: attack and defend, then sudden death on equal life points."""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple, TypedDict, Unpack

from . import referee
from .referee import Seen


class Rules(TypedDict, total=False):
    """The rule parameters; one left out is as in the rulebook."""

    start_life: int
    max_life: int
    pool: tuple[int, ...]
    sudden: tuple[int, int]  # lowest and highest secret digit
    standoff_limit: int | None


BATTLE: Rules = {
    "start_life": 10,
    "max_life": 20,
    "pool": tuple(range(1, 10)),
    "sudden": (1, 5),
    "standoff_limit": 10,
}


class Now(NamedTuple):
    """A position; while it is unfinished, an empty pool means sudden death."""

    life: tuple[int, int]
    pool: tuple[int, ...]
    secrets: tuple[int | None, int | None] = (None, None)
    standoffs: int = 0
    result: str = "*"


def trace(tokens: Sequence[str], **rules: Unpack[Rules]) -> list[Seen]:
    """What is seen before the first token and after each one; ValueError on an illegal one."""
    return _follow(tokens, {**BATTLE, **rules})[0]


def judge(tokens: Sequence[str], **rules: Unpack[Rules]) -> str:
    """The result after these tokens: "1-0", "0-1" or "*"."""
    return trace(tokens, **rules)[-1].result


def legal(tokens: Sequence[str], **rules: Unpack[Rules]) -> set[str]:
    """The tokens that may come next."""
    return trace(tokens, **rules)[-1].legal()


def choices(tokens: Sequence[str], **rules: Unpack[Rules]) -> dict[str, set[str]]:
    """The tokens that may come next, by the seat that may play them; both seats in sudden death."""
    return trace(tokens, **rules)[-1].choices


def life(tokens: Sequence[str], **rules: Unpack[Rules]) -> tuple[int, int]:
    """The life points of the first and the second seat."""
    return _follow(tokens, {**BATTLE, **rules})[1].life


def levels(plies: int, **rules: Unpack[Rules]) -> list[Counter[Now]]:
    """For every ply, each distinct position with the number of sequences that lead to it."""
    r: Rules = {**BATTLE, **rules}
    return referee.walk(_start(r), partial(_see, r), partial(_step, r), plies)


def count_states_by_ply(**rules: Unpack[Rules]) -> list[int]:
    """The number of distinct positions, finished ones too, from the start to the end of the pool."""
    return referee.states(levels(len(rules.get("pool", BATTLE["pool"])), **rules))


def count_sequences_by_ply(**rules: Unpack[Rules]) -> list[int]:
    """The number of move sequences by length, from the start to the end of the pool."""
    return referee.sequences(levels(len(rules.get("pool", BATTLE["pool"])), **rules))


def _follow(tokens: Sequence[str], r: Rules) -> tuple[list[Seen], Now]:
    return referee.follow(_start(r), partial(_see, r), partial(_step, r), tokens)


def _start(r: Rules) -> Now:
    return Now((r["start_life"], r["start_life"]), tuple(sorted(r["pool"])))


def _mover(r: Rules, now: Now) -> int:
    return (len(r["pool"]) - len(now.pool)) % 2


def _see(r: Rules, now: Now) -> Seen:
    if now.result != "*":
        return Seen(now.result, {}, {})
    if now.pool:
        return Seen("*", {"ab"[_mover(r, now)]: {f"{act}{digit}" for act in "x+" for digit in now.pool}}, {})
    low, high = r["sudden"]
    # B3: both choose at once, so a seat may choose as long as it has not, whatever the other did.
    waiting = [seat for seat, secret in zip("ab", now.secrets, strict=True) if secret is None]
    return Seen("*", {seat: {f"{seat}{digit}" for digit in range(low, high + 1)} for seat in waiting}, {})


def _step(r: Rules, now: Now, token: str) -> Now:
    if token[0] in "x+":
        return _use(r, now, token)
    first, second = now.secrets
    secrets = (int(token[1:]), second) if token[0] == "a" else (first, int(token[1:]))
    return _reveal(r, now, *secrets)


def _use(r: Rules, now: Now, token: str) -> Now:
    digit, mover = int(token[1:]), _mover(r, now)
    points, pool = list(now.life), list(now.pool)
    pool.remove(digit)
    if token[0] == "x":
        points[1 - mover] -= digit
    else:
        points[mover] = min(points[mover] + digit, r["max_life"])  # B1
    one, two = points
    result = _knocked_out(one, two)
    if result == "*" and not pool and one != two:
        result = "1-0" if one > two else "0-1"  # equal totals go on to sudden death (B4)
    return Now((one, two), tuple(pool), result=result)


def _reveal(r: Rules, now: Now, first: int | None, second: int | None) -> Now:
    if first is None or second is None:
        return now._replace(secrets=(first, second))  # B3: nothing happens before both have chosen
    if first == second:
        standoffs = now.standoffs + 1
        # B3: at the limit the second player wins, the family's own tie-break.
        return Now(now.life, (), (None, None), standoffs, "0-1" if standoffs == r["standoff_limit"] else "*")
    one = min(now.life[0] + first - second, r["max_life"])  # B1
    two = min(now.life[1] + second - first, r["max_life"])
    return Now((one, two), (), result=_knocked_out(one, two))  # B3: "in a row", so the count starts anew


def _knocked_out(one: int, two: int) -> str:
    # B2: at once at zero or below; only one seat can lose points in a step, so never both.
    return "0-1" if one <= 0 else "1-0" if two <= 0 else "*"
