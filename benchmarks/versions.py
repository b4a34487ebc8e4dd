"""Checks that versions 1 and 2 play the same games: a million random moves of each, mapped and compared."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Hashable
from random import Random

from digit_duel import games
from digit_duel.adapters.interface.numbered_game import NumberedGame
from digit_duel.adapters.interface.version import interface
from digit_duel.core.decisions import Pending, rules_of
from digit_duel.core.variant import AnyVariant

MOVES = 1_000_000


class Difference(AssertionError):
    """The two versions disagree."""


def compared(variant: AnyVariant, moves: int, seed: int = 1) -> int:
    """Play random moves in both versions, and return the number of games; raises Difference."""
    rng, finished, left = Random(seed), 0, moves
    while left > 0:
        deal = rng.getrandbits(32)
        old, new = (NumberedGame(interface(variant, version), Random(deal)) for version in (1, 2))
        while old.acting:
            _same("states", old.state, _by_the_rules(new), old)
            # In a simultaneous choice both seats act in version 2, while version 1 asks one after the other.
            _same("who acts", old.acting[0], new.acting[0], old)
            seat = old.acting[0]
            allowed = {old.alphabet.move(old.state, seat, number) for number in old.legal(seat)}
            mapped = {new.alphabet.move(new.state, seat, number): number for number in new.legal(seat)}
            _same("legal moves", allowed, set(mapped), old)
            move = old.alphabet.move(old.state, seat, rng.choice(old.legal(seat)))
            _same("numbers", mapped[move], new.alphabet.number(new.state, seat, move), old)
            old.play(seat, old.alphabet.number(old.state, seat, move))
            new.play(seat, mapped[move])
            left -= 1
        _same("outcomes", old.outcome, new.outcome, old)
        finished += 1
    return finished


def _by_the_rules(game: NumberedGame) -> Hashable:
    """The state in version 1, with a pending choice made."""
    state = game.state
    return rules_of(game.rules).play(state.state, state.move) if isinstance(state, Pending) else state


def _same(what: str, old: object, new: object, at: NumberedGame) -> None:
    if old != new:
        raise Difference(f"{what}: version 1 {old}, version 2 {new}, at {at.state}")


def main() -> int:
    """Compare every game; the exit code tells whether both versions agree."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moves", type=int, default=MOVES, help="moves per game")
    parser.add_argument("--game", choices=games.ids(), action="append", help="only this game")
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    missed = 0
    for id in wanted.game or games.ids():
        begin, variant = time.perf_counter(), games.variant(id)
        sizes = [interface(variant, version).alphabet.size for version in (1, 2)]
        try:
            found = compared(variant, wanted.moves, wanted.seed)
        except Difference as difference:
            print(f"{id}: {difference}; goal no difference: MISSED", flush=True)
            missed = 1
            continue
        print(
            f"{id}: {wanted.moves:,} moves, {found:,} games, {sizes[0]} and {sizes[1]} actions; "
            f"no difference, {time.perf_counter() - begin:.0f} s; goal no difference: reached",
            flush=True,
        )
    return missed


if __name__ == "__main__":
    sys.exit(main())
