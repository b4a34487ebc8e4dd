"""Worlds compared: whatever a seat is shown must be the same in all that look alike to it."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from tests.reference import cards
from tests.watching import Computer, answers_of, in_order, watched
from tests.worlds import LETTERS, NAMES, Leak, Tokens, dealt_anew, played, random_tokens, told, until

from digit_duel.core.game import Seat
from digit_duel.core.session import AnySession
from digit_duel.core.variant import AnyVariant


def same(shown: Sequence[str], other: Sequence[str], where: str) -> None:
    """Raise Leak unless both lists are equal to the byte."""
    if shown == other:
        return
    for one, two in zip(shown, other, strict=False):
        if one != two:
            raise Leak(f"{where}:\n{one}\n--- but in a world that looks alike ---\n{two}")
    raise Leak(f"{where}: shown {len(shown)} times in one world, {len(other)} times in the other")


def compare_told(sessions: Sequence[AnySession], worlds: Sequence[Tokens], seat: Seat, seed: str) -> None:
    """Rules and script tell the seat the same in all worlds, at every step."""
    first, *others = sessions
    told_first: dict[int, list[str]] = {}
    for other, tokens in zip(others, worlds[1:], strict=True):
        start = next(at for at, pair in enumerate(zip(worlds[0], tokens, strict=True)) if pair[0] != pair[1])
        for ply in range(start, len(tokens) + 1):  # up to there the two worlds are one
            if ply not in told_first:
                told_first[ply] = told(until(first, ply), seat, Random(f"{seed}/{ply}"))
            news = told(until(other, ply), seat, Random(f"{seed}/{ply}"))
            same(told_first[ply], news, f"{worlds[0][:ply]} told to {NAMES[seat]}")


def compare_terminals(
    sessions: Sequence[AnySession], worlds: Sequence[Tokens], seat: Seat, seed: str, tty: bool, alone: bool
) -> None:
    """The terminal shows the seat the same in all worlds, whenever the seat can see it."""
    seen = []
    for session, world in zip(sessions, worlds, strict=True):
        answers = answers_of(session, world, Random(seed))
        computer = Computer(session, seat.other) if alone else None
        seen.append(watched(session.variant, world, answers, seat, seed, tty, computer).seen[NAMES[seat]])
    for other in seen[1:]:
        same(seen[0], other, f"{worlds[0]} shown to {NAMES[seat]} on {'a screen' if tty else 'a pipe'}")


def sweep(variant: AnyVariant, rules: cards.Rules, pairs: int, seed: str, longest: int = 18) -> int:
    """Compare so many random pairs of worlds in everything; the number of pairs compared."""
    rng = Random(seed)
    done = tries = 0
    while done < pairs:
        tries += 1
        length = rng.randrange(2, longest)
        tokens = random_tokens(rng, length, rules, giving=rng.choice((0.1, 0.3, 0.5, 0.9)))
        seat = rng.choice(tuple(Seat))
        worlds = [tokens]
        for _ in range(6):
            world = dealt_anew(tokens, LETTERS[seat], rules, rng)
            worlds += [world] if world else []
        if len(worlds) == 1:
            continue
        sessions = [played(variant, world) for world in worlds]
        compare_told(sessions, worlds, seat, f"{seed}/{tries}")
        alone = tries % 5 == 0
        if alone or in_order(tokens):
            compare_terminals(sessions, worlds, seat, f"{seed}/{tries}", tries % 2 == 0, alone)
        done += len(worlds) - 1
    return done
