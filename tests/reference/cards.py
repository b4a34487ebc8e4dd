"""Second implementation of cards: draw, keep or give, then compare the numbers of both hands."""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from itertools import permutations
from math import inf
from typing import Literal, NamedTuple, TypedDict, Unpack

from . import referee
from .referee import Seen


class Rules(TypedDict, total=False):
    """The rule parameters; one left out is the default of the rulings."""

    visibility: Literal["private", "open"]  # C1: changes what is shown, never what is legal
    full_turn: Literal["skip", "alternate"]
    facing_full: str  # "discard", "must_keep" or "cap:N"
    deck: Literal["fresh", "persistent"]
    starter: Literal["alternate", "loser", "winner", "same"]
    pool: tuple[int, ...]
    hand_size: int
    wins_needed: int


CARDS: Rules = {
    "visibility": "private",
    "full_turn": "skip",
    "facing_full": "discard",
    "deck": "fresh",
    "starter": "alternate",
    "pool": tuple(sorted([*range(10)] * 4)),
    "hand_size": 3,
    "wins_needed": 2,
}


class Now(NamedTuple):
    """A position; hands, deck and discards are sorted text, for their order never matters to the rules."""

    deck: str
    discards: str
    starter: int
    mover: int
    wins: tuple[int, int] = (0, 0)
    hands: tuple[str, str] = ("", "")
    drawn: str = ""
    numbers: tuple[str, str] = ("", "")
    run_outs: int = 0  # C4: this round, while one hand was full
    thrown: int = 0  # C3: digits given to a full hand this round
    result: str = "*"


def trace(tokens: Sequence[str], **rules: Unpack[Rules]) -> list[Seen]:
    """What is seen before the first token and after each one; ValueError on an illegal one."""
    return _follow(tokens, {**CARDS, **rules})[0]


def judge(tokens: Sequence[str], **rules: Unpack[Rules]) -> str:
    """The result after these tokens: "1-0", "0-1" or "*"."""
    return trace(tokens, **rules)[-1].result


def legal(tokens: Sequence[str], **rules: Unpack[Rules]) -> set[str]:
    """The tokens that may come next, draws included."""
    return trace(tokens, **rules)[-1].legal()


def choices(tokens: Sequence[str], **rules: Unpack[Rules]) -> dict[str, set[str]]:
    """The tokens that may come next, by the seat that may play them; empty when a draw is due."""
    return trace(tokens, **rules)[-1].choices


def draws(tokens: Sequence[str], **rules: Unpack[Rules]) -> dict[int, int]:
    """The digits that may be drawn now, each with its copies in the deck; empty when no draw is due."""
    return trace(tokens, **rules)[-1].draws


def table(tokens: Sequence[str], **rules: Unpack[Rules]) -> Now:
    """The whole position after these tokens: hands, deck, discards, wins and counts."""
    return _follow(tokens, {**CARDS, **rules})[1]


def levels(plies: int, **rules: Unpack[Rules]) -> list[Counter[Now]]:
    """For every ply, each distinct position with the number of sequences that lead to it."""
    r: Rules = {**CARDS, **rules}
    return referee.walk(_start(r), partial(_see, r), partial(_step, r), plies)


def count_sequences_by_ply(plies: int, **rules: Unpack[Rules]) -> list[int]:
    """The number of token sequences by length; copies of a digit are one draw."""
    return referee.sequences(levels(plies, **rules))


def _follow(tokens: Sequence[str], r: Rules) -> tuple[list[Seen], Now]:
    return referee.follow(_start(r), partial(_see, r), partial(_step, r), tokens)


def _start(r: Rules) -> Now:
    if len(r["pool"]) < 2 * r["hand_size"]:
        raise ValueError("the deck cannot fill both hands")
    return Now(_all_cards(r), "", starter=0, mover=0)


def _all_cards(r: Rules) -> str:
    return "".join(sorted(str(digit) for digit in r["pool"]))


def _full(r: Rules, now: Now) -> list[bool]:
    return [len(hand) == r["hand_size"] for hand in now.hands]


def _see(r: Rules, now: Now) -> Seen:
    if now.result != "*":
        return Seen(now.result, {}, {})
    if now.drawn:
        return Seen("*", {"ab"[now.mover]: {"k", "g"} if _may_give(r, now) else {"k"}}, {})
    if not all(_full(r, now)):
        return Seen("*", {}, {int(digit): copies for digit, copies in Counter(now.deck).items()})
    # C7: any order of the hand; both seats choose at once, so one that has not may, whatever the other did.
    waiting = [(seat, hand) for seat, hand, n in zip("ab", now.hands, now.numbers, strict=True) if not n]
    return Seen(
        "*", {seat: {seat + "".join(order) for order in permutations(hand)} for seat, hand in waiting}, {}
    )


def _may_give(r: Rules, now: Now) -> bool:
    if not _full(r, now)[1 - now.mover]:
        return True  # C8: a gift cannot be refused
    facing = r["facing_full"]
    most = {"discard": inf, "must_keep": 0}[facing] if ":" not in facing else int(facing.removeprefix("cap:"))
    return now.thrown < most and now.run_outs < 2  # C3, C4


def _step(r: Rules, now: Now, token: str) -> Now:
    if token[0] == "d":
        return now._replace(deck=now.deck.replace(token[1], "", 1), drawn=token[1])
    if token in ("k", "g"):
        return _draw_due(r, _decide(r, now, token))
    first, second = now.numbers
    now = now._replace(numbers=(token[1:], second) if token[0] == "a" else (first, token[1:]))
    return _draw_due(r, _end_round(r, now)) if all(now.numbers) else now


def _decide(r: Rules, now: Now, token: str) -> Now:
    me, other = now.mover, 1 - now.mover
    to = me if token == "k" else other
    hands, discards, thrown = list(now.hands), now.discards, now.thrown
    if _full(r, now)[to]:
        # The text's hand limit; with C2 alternate, a full-handed player's "keep" throws the card away.
        discards = _sorted(discards + now.drawn)
        thrown += to == other
    else:
        hands[to] = _sorted(hands[to] + now.drawn)
    one, two = hands
    now = now._replace(hands=(one, two), discards=discards, thrown=thrown, drawn="", mover=other)
    skip = {"skip": True, "alternate": False}[r["full_turn"]]
    return now._replace(mover=me) if skip and _full(r, now)[other] else now  # C2


def _draw_due(r: Rules, now: Now) -> Now:
    """Reshuffle the discards if a draw is due and the deck is empty."""
    if now.deck or now.result != "*" or all(_full(r, now)):
        return now
    return now._replace(deck=now.discards, discards="", run_outs=now.run_outs + any(_full(r, now)))  # C4, C5


def _end_round(r: Rules, now: Now) -> Now:
    first, second = now.numbers
    pile = _sorted(now.discards + now.hands[0] + now.hands[1])
    if first == second:
        return Now(now.deck, pile, now.starter, now.starter, now.wins)  # C5: the deck stays as it stands
    winner = 0 if first > second else 1  # of one length, so text order is number order
    wins = (now.wins[0] + (winner == 0), now.wins[1] + (winner == 1))
    if wins[winner] == r["wins_needed"]:
        return now._replace(wins=wins, result=("1-0", "0-1")[winner])
    starters = {"alternate": 1 - now.starter, "loser": 1 - winner, "winner": winner, "same": now.starter}
    starter = starters[r["starter"]]  # C6
    deck, pile = {"fresh": (_all_cards(r), ""), "persistent": (now.deck, pile)}[r["deck"]]  # C5
    return Now(deck, pile, starter, starter, wins)


def _sorted(digits: str) -> str:
    return "".join(sorted(digits))
