"""Compute the tables that the package ships: python tools/make_tables.py (takes about ten minutes).

The bounds of rounds with a cap on discards take hours: python tools/make_tables.py caps.
"""

from __future__ import annotations

import sys
from multiprocessing import Pool
from pathlib import Path

import numpy as np

from digit_duel.games import catalogue
from digit_duel.games._battle import Battle
from digit_duel.games._placement import Placement
from digit_duel.solve.general.tablebase import Tablebase
from digit_duel.solve.general.value_file import ValueFile
from digit_duel.solve.keep_or_give import FullHandRule, Round, load, save, solve_for_play
from digit_duel.solve.keep_or_give.capped.certified import solve_capped
from digit_duel.solve.placing import pool_file, pooled

ROOT = Path(__file__).parent.parent
TABLES = ROOT / "src" / "digit_duel" / "solve" / "tables"
WITH_ERRORS = ROOT / "tests" / "solve" / "keep_or_give" / "with_errors.npz"  # what the tests compare with
EARLY = 6  # digits used; from here on solving takes a millisecond


def placing_tables() -> None:
    """The margins of the three placing games."""
    for id, variant in catalogue().items():
        if isinstance(variant.game, Placement):
            table = pool_file.encode(pooled.solve(variant.game))
            (TABLES / f"{id}.ddpt").write_bytes(table)


def battle_values() -> None:
    """Battle's first moves, and sudden death, whose cycles take long to solve."""
    game = catalogue()["battle"].game_as(Battle)
    solved = Tablebase(game)
    kept = [s for s in solved if len(game.pool) - len(s.pool) < EARLY or game.sudden_death(s)]
    values = ValueFile.of(repr(game), ((state, solved.value(state)) for state in kept))
    (TABLES / "battle.ddvf").write_bytes(values.encode())


def card_rounds() -> None:
    """The equilibrium of a round of cards under both rules, with what it proves."""
    lines, with_errors = [], []
    for rule in FullHandRule:
        done = solve_for_play(Round(facing_full=rule))
        save(done.strategy, TABLES / f"{rule.value}.kog")
        proof = done.certificate
        lines.append(f"{rule.value} {(proof.low + proof.high) / 2}\n")
        with_errors.append([np.concatenate(profile.keep) for profile in done.solutions.values()])
    (TABLES / "rounds.txt").write_text("".join(lines))
    np.savez_compressed(WITH_ERRORS, keep=np.array(with_errors))  # by rule, error and choice


def capped_rounds(caps: range) -> None:
    """What a round is worth with a cap on discards: a minute for one discard, hours for eight."""
    with Pool() as pool:  # set OPENBLAS_NUM_THREADS=1: the processes would wait for each other's threads
        start = load(TABLES / "must_keep.kog").profile()
        lines = []
        for cap in caps:
            found = solve_capped(
                Round(), cap, start=start, run=lambda task, tasks: pool.imap(task, tasks, chunksize=2)
            )
            start = found.profile
            lines.append(f"{cap} {found.low!r} {found.high!r}\n")
    (TABLES / "caps.txt").write_text("".join(lines))


if __name__ == "__main__":
    TABLES.mkdir(exist_ok=True)
    if sys.argv[1:] == ["caps"]:
        capped_rounds(range(1, 9))
        sys.exit()
    card_rounds()
    placing_tables()
    battle_values()
    for path in TABLES.iterdir():
        path.chmod(0o644)  # they are shipped, not private
